extension AuthService {
    /// The accounts of a merge or move that can still be taken back.
    func undoable(_ id: MergeID, _ context: RequestContext) async throws(AuthError) -> MergeParties {
        // Hooks hear that it was carried out before they hear that it is undone.
        if try await resumeMerge(id, context) == .undone {
            throw AuthError(.mergeNotPossible, reasons: [.undoIsOver])
        }
        guard case .undo(let record)? = try await record(id.undoKey)?.content else {
            throw AuthError(.mergeNotPossible, reasons: [.undoIsOver])
        }
        return MergeParties(source: record.source.id, target: record.target)
    }

    /// Takes a merge or move back, and says whether every hook was told.
    func undo(
        _ id: MergeID,
        of parties: MergeParties,
        by party: MergeParty,
        _ context: RequestContext
    ) async throws(AuthError) -> (undone: MergeUndone, isFinished: Bool) {
        let hasHooks = !configuration.mergeHooks.isEmpty
        let operation = UndoMerge(id: id, parties: parties, party: party, hasHooks: hasHooks)
        let undone = try await perform(operation, context).outcome
        if !hasHooks { return (undone, true) }
        let run = MergeRun(id: id, parties: parties, plan: undone.plan)
        return (undone, (try? await tellUndo(run, context)) != nil)
    }
}
