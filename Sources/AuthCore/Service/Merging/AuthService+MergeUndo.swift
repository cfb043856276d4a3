extension AuthService {
    /// Returns a merge or move that can still be undone.
    func undoable(_ id: Merge.ID, _ context: RequestContext) async throws(AuthError) -> MergeRun {
        // Hooks are notified of the commit before they are notified of the undo.
        let isUndone = try await resumeMerge(id, context) == .undone
        let seen = try await load([.record(id.undoKey), .record(id.planKey)])
        guard !isUndone, seen.record(id.undoKey) != nil, let plan = seen.plan(id) else {
            throw audit(AuthError(.mergeNotPossible, reasons: [.undoIsOver]), of: "UndoMerge", context)
        }
        // Another merge of these accounts that stopped is found by their locks only, which the undo replaces.
        try await abortOverdueMerges(of: [plan.source, plan.target], context)
        return MergeRun(id: id, plan: plan)
    }

    /// Undoes a merge or move, and returns whether every hook was notified.
    func undo(
        _ run: MergeRun,
        by party: MergeParty,
        _ context: RequestContext
    ) async throws(AuthError) -> (undone: MergeDone, isFinished: Bool) {
        let hasHooks = !configuration.mergeHooks.isEmpty
        let target = try await load([.account(run.target)])[run.target]
        // A seed that cannot be read does not stop the rest. For a stranger no seed is read.
        let isOfPerson = [run.source, run.target].contains { $0 == party.account }
        let seeds = isOfPerson ? (try? reseal(target, for: run.source)) ?? [:] : [:]
        let operation = UndoMerge(run: run, party: party, seeds: seeds, hasHooks: hasHooks)
        let undone = try await perform(operation, context)
        if !hasHooks { return (undone, true) }
        return (undone, (try? await notifyUndo(run, context)) != nil)
    }
}
