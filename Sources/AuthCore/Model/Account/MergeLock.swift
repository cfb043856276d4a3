/// A merge that has begun holds still what opens its accounts: its hooks prepared for one plan and no other.
extension Account {
    /// Whether a merge other than this one holds the account now.
    func isLocked(from merge: MergeID?, at now: Timestamp) -> Bool {
        guard let hold, now < hold.until else { return false }
        return hold.intent != merge?.intentKey
    }

    /// Whether the account is opened by the very same things, and not about to go; what using them leaves behind does
    /// not count.
    func opens(as other: Account) -> Bool {
        email == other.email && (deletedUntil == nil || deletedUntil == other.deletedUntil)
            && methodSummaries == other.methodSummaries
            && factors.map(FactorSummary.init) == other.factors.map(FactorSummary.init)
    }
}

/// Which factor it is, and whether it can be shown.
private struct FactorSummary: Equatable {
    let id: FactorID
    let generation: UInt32
    let isActive: Bool

    init(_ factor: SecondFactor) {
        id = factor.id
        generation = factor.generation
        isActive = factor.suspension == nil
    }
}
