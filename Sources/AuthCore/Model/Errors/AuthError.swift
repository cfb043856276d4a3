public import AuthCoreFoundation

/// Why an operation failed.
///
/// Compare ``code``, log ``message``, act on ``detail``. The message is for developers: show people a sentence of your
/// own for each code. An error contains nothing secret.
///
/// The comment of a function names the codes of its own rules. These codes can come from any function that asks the
/// service:
///
/// - ``AuthErrorCode/canceled``: the task was canceled before anything was changed.
/// - ``AuthErrorCode/storeUnavailable``: the store or the ``AttemptStore`` failed, or others kept changing the same
///   account. Nothing was changed; try again.
/// - ``AuthErrorCode/outcomeUnknown``: the store failed while it wrote the change, and again at each further try. The
///   change may have been made, so read the state before you repeat the operation. Also: a message could not be sent,
///   and its code could not be revoked.
/// - ``AuthErrorCode/missingSecretKey``: the store is durable, and the configuration has no secret key of 32 bytes or
///   more.
/// - ``AuthErrorCode/keyRuleMismatch``, from a function that writes: the store holds the keys of addresses under
///   another rule than the policy makes them.
/// - ``AuthErrorCode/tooManyRequests``, if the policy has ``AuthPolicy/limits``: there were too many guesses, messages,
///   new accounts, new passwords, visits to providers, nonces or merges. A ``Conflict`` or a
///   ``SecondFactor/Challenge`` counts as well, so an operation that would meet one can throw this code instead.
/// - ``AuthErrorCode/textTooLong``: the origin or the device name of the ``AuthClient`` has more than 2,048 bytes or
///   contains a NUL.
/// - ``AuthErrorCode/internalError``: a part that the app installed failed, such as the ``TokenSigner``, or the stored
///   data contradicts itself.
///
/// What a ``User`` does can also fail because the session is over: ``AuthErrorCode/userTokenExpired``,
/// ``AuthErrorCode/userDisabled``, ``AuthErrorCode/userNotFound`` or ``AuthErrorCode/accountMerged``.
/// ``AuthErrorCode/endsSession`` is true for these codes.
///
/// ```swift
/// func signIn(_ auth: Auth, with credential: AuthCredential, digits: () -> String) async throws {
///     do {
///         try await auth.signIn(with: credential)
///     } catch {
///         switch error.detail {
///         case .conflict(let conflict):
///             print("Please sign in as you did before to link", conflict.provider, conflict.displayName)
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
    /// What happened and what to do, in a sentence for developers and logs, not for people.
    public let message: String
    /// The rule that refused the operation; nil if no rule did.
    public let reason: Reason?
    /// The reasons of earlier decisions, in their order.
    public let trail: [Reason]
    /// The information needed to resolve the error, if there is any.
    public let detail: Detail?
    /// When the operation is allowed again, if a limit of the policy refused it with
    /// ``AuthErrorCode/tooManyRequests``.
    ///
    /// Nil for an answer to a code, a challenge, a conflict or a visit: after too many, begin again. Nil also where the
    /// time is not known: then wait longer after each refusal. A credential that was verified too early is verified
    /// again at that time.
    public internal(set) var retryAt: Date?
    /// The error of a verifier, a store or a sender that caused this one.
    public let cause: (any Error)?

    /// The information needed to resolve an error.
    public enum Detail: Sendable, Hashable {
        /// The identity or address belongs to another account; see ``AuthClient/resolve(_:signingInWith:)``.
        case conflict(Conflict)
        /// A second factor is required; see ``AuthClient/resolve(_:with:)``.
        case secondFactor(SecondFactor.Challenge)

        /// The conflict, if it is one.
        var conflict: Conflict? { if case .conflict(let conflict) = self { conflict } else { nil } }
    }

    /// Creates an error with this code and what is known about it.
    ///
    /// - Parameters:
    ///   - code: What happened.
    ///   - message: A sentence for developers; by default the code's.
    ///   - reason: The rule that refused the operation.
    ///   - trail: The reasons of earlier decisions.
    ///   - detail: The information needed to resolve the error.
    ///   - cause: The error that caused this one.
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

    /// The conflict, if the error has one.
    public var conflict: Conflict? { detail?.conflict }

    /// Whether the session has ended: ask before you forget its tokens.
    ///
    /// False for an ID token that has expired, for which ``AuthClient/refresh(_:)`` gives the next one, and for a token
    /// from before a change of privileges, for which the answer to that change has the next ones. If a refresh itself
    /// fails with a code that ends sessions (``AuthErrorCode/endsSession``), the person must sign in again.
    public var endsSession: Bool { code.endsSession && reason != .tokenHasExpired && reason != .tokenIsOutdated }

    /// The challenge for a second factor, if the error has one.
    public var secondFactor: SecondFactor.Challenge? {
        if case .secondFactor(let challenge) = detail { challenge } else { nil }
    }

    /// Creates an error with the reasons of a decision, the last of which decided.
    init(_ code: AuthErrorCode, reasons: [Reason], detail: Detail? = nil) {
        self.init(code, reason: reasons.last, trail: reasons.dropLast(), detail: detail)
    }

    /// The reasons of the decision, the last of which decided.
    var reasons: [Reason] { trail + [reason].compactMap(\.self) }
}
