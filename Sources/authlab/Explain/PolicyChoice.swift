/// A choice of a policy, as `authlab explain` explains it.
struct PolicyChoice: Sendable {
    let name: String
    /// What it is for.
    let purpose: String
    /// What breaks if it is changed.
    let risk: String

    static let all = parsed(rules) + parsed(limits) + parsed(times)

    /// Entries of three lines: the name, what it is for, and what breaks.
    private static func parsed(_ text: String) -> [PolicyChoice] {
        text.split(separator: "\n\n").map { entry in
            let lines = entry.split(separator: "\n").map(String.init)
            return PolicyChoice(name: lines[0], purpose: lines[1], risk: lines[2])
        }
    }
}
