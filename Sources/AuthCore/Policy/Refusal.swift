/// A rejected operation: the error code to report, the reason, and what is written nevertheless.
struct Refusal: Error, Sendable, Hashable {
    let code: AuthErrorCode
    let reason: Reason
    let detail: AuthError.Detail?
    /// When the operation is allowed again, if a limit refused it and the time is known.
    let retryAt: Timestamp?
    /// The one-time records that are written despite the refusal: a conflict or a challenge, and the codes it consumed.
    private(set) var writes: [OneTimeRecordChange]
    /// The reasons of earlier decisions.
    private(set) var trail: [Reason] = []

    init(
        _ code: AuthErrorCode,
        _ reason: Reason,
        detail: AuthError.Detail? = nil,
        retryAt: Timestamp? = nil,
        writing writes: [OneTimeRecordChange] = []
    ) {
        self.code = code
        self.reason = reason
        self.detail = detail
        self.retryAt = retryAt
        self.writes = writes
    }

    /// All reasons; the last one decided.
    var reasons: [Reason] { trail + [reason] }

    /// The same refusal with the reasons of an earlier decision before its own.
    func after(_ trail: [Reason]) -> Refusal {
        var refusal = self
        refusal.trail = trail
        return refusal
    }

    /// The refusal of a larger operation; answering its challenge completes all of that operation.
    ///
    /// If the operation changed the account before it was refused, `account` is as it was before.
    func resuming(on account: Account? = nil, _ alter: (inout Store.FactorChallenge) -> Void) -> Refusal {
        var refusal = after([])
        refusal.writes = writes.map { change in
            guard case .put(var record) = change, case .factorChallenge(var challenge) = record.content else {
                return change
            }
            alter(&challenge)
            if let account { record.sessionGeneration = account.sessionGeneration }
            record.content = .factorChallenge(challenge)
            return .put(record)
        }
        return refusal
    }
}
