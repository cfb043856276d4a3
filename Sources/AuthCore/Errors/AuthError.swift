/// Why an operation did not happen.
///
/// Compare `code`; show `message`; act on `detail`. Nothing in an error is secret.
public struct AuthError: Error, Sendable, CustomStringConvertible {
    /// What happened, in the vocabulary that Firebase's clients know.
    public let code: AuthErrorCode
    /// What happened and what to do, in a sentence for developers.
    public let message: String
    /// The rules that led to the refusal.
    public let reasons: [Reason]
    /// What can be done about it, where something can.
    public let detail: Detail
    /// The error of a verifier, a store or a sender, where one was the cause.
    public let cause: (any Error)?

    /// What can be done about an error.
    public enum Detail: Sendable, Hashable {
        /// Nothing beyond what the code says.
        case none
        /// The identity or address belongs elsewhere; see `resolve(_:signingInWith:)`.
        case conflict(Conflict)
        /// A second factor is owed; see `resolve(_:with:)`.
        case secondFactor(SecondFactorChallenge)
    }

    /// An error with this code and what is known about it.
    public init(
        _ code: AuthErrorCode,
        message: String? = nil,
        reasons: [Reason] = [],
        detail: Detail = .none,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message ?? code.explanation
        self.reasons = reasons
        self.detail = detail
        self.cause = cause
    }

    /// The code's name and the message.
    public var description: String { "\(code.name): \(message)" }

    /// The conflict, where the error is one.
    public var conflict: Conflict? {
        guard case .conflict(let conflict) = detail else { return nil }
        return conflict
    }

    /// The second factor that is owed, where one is.
    public var secondFactor: SecondFactorChallenge? {
        guard case .secondFactor(let challenge) = detail else { return nil }
        return challenge
    }
}
