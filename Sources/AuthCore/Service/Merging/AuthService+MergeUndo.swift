extension AuthService {
    /// Returns the accounts of a merge or move that can still be undone.
    func undoable(_ id: Merge.ID, _ context: RequestContext) async throws(AuthError) -> MergeParties {
        // Hooks are notified of the commit before they are notified of the undo.
        if try await resumeMerge(id, context) == .undone {
            throw AuthError(.mergeNotPossible, reasons: [.undoIsOver])
        }
        guard case .undo(let record)? = try await record(id.undoKey)?.content else {
            throw AuthError(.mergeNotPossible, reasons: [.undoIsOver])
        }
        return MergeParties(source: record.source.id, target: record.target)
    }

    /// Undoes a merge or move, and returns whether every hook was notified.
    func undo(
        _ id: Merge.ID,
        of parties: MergeParties,
        by party: MergeParty,
        _ context: RequestContext
    ) async throws(AuthError) -> (undone: MergeDone, isFinished: Bool) {
        let hasHooks = !configuration.mergeHooks.isEmpty
        let operation = UndoMerge(id: id, parties: parties, party: party, hasHooks: hasHooks)
        let undone = try await perform(operation, context).outcome
        if !hasHooks { return (undone, true) }
        let run = MergeRun(id: id, parties: parties, plan: undone.plan)
        return (undone, (try? await notifyUndo(run, context)) != nil)
    }
}
