/// A rejected operation: the error code to report, the reason, and the little that a rejection may write.
struct Refusal: Error, Sendable, Hashable {
    let code: AuthErrorCode
    let reason: Reason
    var detail: AuthError.Detail?
    /// What is written all the same: a conflict or a challenge that is kept, and the codes that went into it.
    private(set) var writes: [OneTimeRecordChange]
    /// The reasons of what had been decided before.
    private(set) var trail: [Reason] = []

    init(
        _ code: AuthErrorCode,
        _ reason: Reason,
        detail: AuthError.Detail? = nil,
        writing writes: [OneTimeRecordChange] = []
    ) {
        self.code = code
        self.reason = reason
        self.detail = detail
        self.writes = writes
    }
}

extension Refusal {
    /// Every reason, the deciding one last.
    var reasons: [Reason] { trail + [reason] }

    /// The same refusal after something else was decided.
    func after(_ trail: [Reason]) -> Refusal {
        var refusal = self
        refusal.trail = trail
        return refusal
    }

    /// The same refusal of a whole of which only a part was refused: it keeps nothing, and what was decided of the other
    /// part is no reason.
    var ofWhole: Refusal { Refusal(code, reason, detail: detail) }

    /// The same refusal of a larger operation, whose challenge does all of that once it is answered.
    func resuming(_ alter: (FactorChallenge) -> FactorChallenge) -> Refusal {
        var refusal = after([])
        refusal.writes = writes.map { change in
            guard case .put(var record) = change, case .factorChallenge(let challenge) = record.content else {
                return change
            }
            record.content = .factorChallenge(alter(challenge))
            return .put(record)
        }
        return refusal
    }
}
