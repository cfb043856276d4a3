public import AuthCoreFoundation

extension Merge {
    /// The evidence for one side of a merge; both sides must be verified again for each merge.
    ///
    /// ```swift
    /// do {
    ///     return try await client.merge(source, into: target)
    /// } catch {
    ///     guard let challenge = error.secondFactor, error.reason == .sourceRequiresFactor else { throw error }
    ///     let answered = Merge.Side.answering(challenge, .totp(await digits()))
    ///     return try await client.merge(answered, into: target)
    /// }
    /// ```
    public enum Side: Sendable {
        /// A credential of the account, just verified by ``AuthClient/verify(_:)``.
        case verified(VerifiedCredential)
        /// The answer to the second-factor challenge of the merge; the challenge keeps what was verified before it.
        case answering(SecondFactor.Challenge, SecondFactor.Assertion)
        /// The session of an anonymous account, which has no credential to present.
        case anonymous(User)
    }

    /// The result of a merge or move.
    public struct Result: Sendable {
        /// The user of the target account, in a new session.
        public let result: AuthResult
        /// What was done.
        public let plan: Plan
        /// The merge's ID, for undoing it.
        public let id: ID
        /// The time until which the merge can be undone, if the target keeps a method then; nil if it cannot be.
        public let undoableUntil: Date?
        /// Whether every hook was notified; otherwise ``AuthService/resumeMerge(_:)`` notifies them again.
        public let isFinished: Bool
    }

    /// The result of undoing a merge or move.
    public struct UndoResult: Sendable {
        /// The user of the verified side's account; nil if that account requires a second factor that was not
        /// presented: sign in to it as usual.
        public let result: AuthResult?
        /// The plan of the merge, which was undone as far as the moved methods were unchanged.
        public let plan: Plan
        /// Whether every hook was notified; otherwise ``AuthService/resumeMerge(_:)`` notifies them again.
        public let isFinished: Bool
    }
}
