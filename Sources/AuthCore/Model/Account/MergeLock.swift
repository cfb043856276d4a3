/// The merge lock: methods and factors must not change while a merge's hooks prepare, since they prepare for one plan.
extension Account {
    /// Whether another merge than this one locks the account now.
    func isLocked(from merge: Merge.ID?, at now: Timestamp) -> Bool {
        lock(at: now).map { $0.intent != merge?.intentKey } ?? false
    }

    /// The merge lock while it lasts.
    func lock(at now: Timestamp) -> MergeLock? { mergeLock.flatMap { now < $0.until ? $0 : nil } }

    /// Whether both accounts have the same address, methods and factors, and this one no new deletion.
    ///
    /// Changes that come from using them are ignored.
    func hasSameAccess(as other: Account) -> Bool {
        email == other.email && (deletedUntil == nil || deletedUntil == other.deletedUntil)
            && methodSummaries == other.methodSummaries
            && factors.elementsEqual(other.factors) {
                $0.id == $1.id && $0.generation == $1.generation && ($0.suspension == nil) == ($1.suspension == nil)
            }
    }
}
