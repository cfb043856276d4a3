/// What a token says about one thing that is the person's: as a rule the truth, unless a test asks for something else.
public enum SimulatedClaim: Sendable, Hashable, ExpressibleByStringLiteral {
    /// What is true of the person, if the provider gives it at all.
    case usual
    /// Nothing.
    case absent
    /// This text.
    case text(String)

    /// Says this text.
    public init(stringLiteral value: String) {
        self = .text(value)
    }

    func resolved(_ truth: String?) -> String? {
        switch self {
        case .usual: truth
        case .absent: nil
        case .text(let text): text
        }
    }
}
