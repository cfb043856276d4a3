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

    private func clamped(_ value: Int, to range: ClosedRange<Int>) -> Int {
        min(max(value, range.lowerBound), range.upperBound)
    }
}
