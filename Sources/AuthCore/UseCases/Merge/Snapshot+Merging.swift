extension Snapshot {
    /// How far a merge has got; one that was carried out and then finished by another attempt counts as committed.
    func phase(of run: MergeRun) -> MergeIntent.Phase? {
        if let intent = intent(run.id) { return intent.phase }
        // A merge leaves a tombstone, a move leaves the identity on the other account, and both leave what undoes them.
        let isMerged = tombstone(of: run.source)?.content == .tombstone(successor: run.target)
        let isMoved = run.plan.identity.map { self[run.target]?.method(for: $0) != nil } ?? false
        return isMerged || isMoved || record(run.id.undoKey) != nil ? .committed : nil
    }

    /// Whether both accounts are still locked by the merge, and have the session generations of its beginning.
    func isAsBegun(_ id: Merge.ID, at now: Timestamp) -> Bool {
        guard let intent = intent(id), let source = self[intent.source], let target = self[intent.target] else {
            return false
        }
        return source.lock(at: now)?.intent == id.intentKey && target.lock(at: now)?.intent == id.intentKey
            && source.sessionGeneration == intent.sourceSessionGeneration
            && target.sessionGeneration == intent.targetSessionGeneration
    }
}
