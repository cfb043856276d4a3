/// What a token says about one property of the person: normally the truth, unless a test sets something else.
public enum SimulatedClaim: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The person's own value, if the provider states it at all.
    case usual
    /// The token does not state it.
    case absent
    /// This text.
    case text(String)

    /// Creates a claim with this text.
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
