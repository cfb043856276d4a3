/// Why an operation did not happen.
///
/// Compare ``code``, show ``message``, act on ``detail``. Nothing in an error is secret.
///
/// ```swift
/// func signIn(_ auth: Auth, with credential: AuthCredential, digits: () -> String) async throws {
///     do {
///         try await auth.signIn(with: credential)
///     } catch {
///         switch error.detail {
///         case .conflict(let conflict):
///             print("Please sign in as you did before to link", conflict.displayName, conflict.existingProviders)
///         case .secondFactor(let challenge):
///             try await auth.resolve(challenge, with: .totp(digits()))
///         case nil:
///             print(error.code, error.message)
///             throw error
///         }
///     }
/// }
/// ```
public struct AuthError: Error, Sendable, CustomStringConvertible {
    /// What happened, in FirebaseAuth's vocabulary.
    public let code: AuthErrorCode
    /// What happened and what to do, in a sentence for developers.
    public let message: String
    /// The rule that decided; nil where no rule did.
    public let reason: Reason?
    /// What the decision found before, in that order.
    public let trail: [Reason]
    /// What can be done about it, beyond what the code says.
    public let detail: Detail?
    /// The error of a verifier, a store or a sender, where one was the cause.
    public let cause: (any Error)?

    /// What can be done about an error.
    public enum Detail: Sendable, Hashable {
        /// The identity or address belongs to another account; see ``AuthClient/resolve(_:signingInWith:)``.
        case conflict(Conflict)
        /// The account owes a second factor; see ``AuthClient/resolve(_:with:)``.
        case secondFactor(SecondFactorChallenge)
    }

    /// Creates an error with this code and what is known about it.
    ///
    /// - Parameters:
    ///   - code: What happened.
    ///   - message: A sentence for developers; by default the code's.
    ///   - reason: The rule that decided.
    ///   - trail: What the decision found before.
    ///   - detail: What can be done about it.
    ///   - cause: The error behind this one.
    public init(
        _ code: AuthErrorCode,
        message: String? = nil,
        reason: Reason? = nil,
        trail: [Reason] = [],
        detail: Detail? = nil,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message ?? code.explanation
        self.reason = reason
        self.trail = trail
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

extension AuthError {
    /// An error with the reasons of a decision, of which the last one decided.
    init(_ code: AuthErrorCode, reasons: [Reason], detail: Detail? = nil) {
        self.init(code, reason: reasons.last, trail: reasons.dropLast(), detail: detail)
    }

    /// The reasons of the decision, of which the last one decided.
    var reasons: [Reason] { trail + [reason].compactMap(\.self) }
}
