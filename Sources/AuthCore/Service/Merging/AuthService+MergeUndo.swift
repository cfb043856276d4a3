extension AuthService {
    /// Takes a merge or move back, within its time, by a fresh proof of a method that one of the sides had before it.
    ///
    /// What moved and is still on the target, unchanged, goes back; an account that was closed opens again under its own
    /// id. What stayed behind when the accounts were merged is gone for good.
    @discardableResult
    public func undoMerge(
        _ id: MergeID,
        provedBy side: MergeSide,
        context: RequestContext = RequestContext()
    ) async throws(AuthError) -> MergeUndoResult {
        // Hooks hear that it was carried out before they hear that it is undone.
        if try await resumeMerge(id, context: context) == .undone {
            throw AuthError(.mergeNotPossible, reasons: [.undoIsOver])
        }
        guard case .undo(let record)? = try await capability(id.undoKey)?.content else {
            throw AuthError(.mergeNotPossible, reasons: [.undoIsOver])
        }
        let parties = MergeParties(source: record.source.id, target: record.target)
        let operation = UndoMerge(
            id: id,
            parties: parties,
            party: try await party(side, context),
            hasHooks: !configuration.mergeHooks.isEmpty
        )
        let undone = try await walk(operation, context).outcome
        var isFinished = true
        if operation.hasHooks {
            let run = MergeRun(id: id, parties: parties, plan: undone.plan)
            isFinished = (try? await tellUndo(run, context)) != nil
        }
        return MergeUndoResult(
            result: undone.signedIn.map { result(of: $0, provider: $0.session.basis.provider) },
            plan: undone.plan,
            isFinished: isFinished
        )
    }
}
