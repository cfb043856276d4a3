/// A password hashing scheme and its cost; those later in the order are harder to guess.
enum PasswordScheme: Sendable, Hashable, Comparable {
    case pbkdf2(iterations: Int)
    case yescrypt(cost: Int)

    static let iterations = 1...10_000_000
    static let yescryptCosts = 1...10

    /// The same scheme with the nearest cost that is accepted when a stored hash is read.
    var withinBounds: PasswordScheme {
        switch self {
        case .pbkdf2(let iterations): .pbkdf2(iterations: clamped(iterations, to: Self.iterations))
        case .yescrypt(let cost): .yescrypt(cost: clamped(cost, to: Self.yescryptCosts))
        }
    }

    /// Whether a check costs at most four times as much as one with this cost, or with the default cost of its scheme.
    ///
    /// The default costs of two schemes need not take the same time.
    func allows(_ other: PasswordScheme) -> Bool {
        switch (self, other) {
        case (.pbkdf2(let own), .pbkdf2(let iterations)): iterations <= 4 * max(own, 600_000)
        case (.yescrypt(let own), .yescrypt(let cost)): cost <= max(own, 5) + 2
        case (.yescrypt, .pbkdf2(let iterations)): iterations <= 4 * 600_000
        case (.pbkdf2, .yescrypt(let cost)): cost <= 5 + 2
        }
    }

    private func clamped(_ value: Int, to range: ClosedRange<Int>) -> Int {
        min(max(value, range.lowerBound), range.upperBound)
    }
}
