/// The merge lock: methods and factors must not change while a merge's hooks prepare, since they prepare for one plan.
extension Account {
    /// Whether another merge than this one locks the account now.
    func isLocked(from merge: Merge.ID?, at now: Timestamp) -> Bool {
        guard let mergeLock, now < mergeLock.until else { return false }
        return mergeLock.intent != merge?.intentKey
    }

    /// Whether both accounts have the same address, methods and factors, and this one no new deletion.
    ///
    /// Changes that come from using them are ignored.
    func hasSameAccess(as other: Account) -> Bool {
        email == other.email && (deletedUntil == nil || deletedUntil == other.deletedUntil)
            && methodSummaries == other.methodSummaries
            && factors.map(FactorSummary.init) == other.factors.map(FactorSummary.init)
    }
}

/// Identifies a factor, with whether it can be used.
private struct FactorSummary: Equatable {
    let id: SecondFactor.ID
    let generation: UInt32
    let isActive: Bool

    init(_ factor: SecondFactor) {
        id = factor.id
        generation = factor.generation
        isActive = factor.suspension == nil
    }
}
