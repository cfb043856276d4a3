/// Decides that a merge will not be carried out; the merge locks stay until the hooks were notified.
struct AbortMerge: Operation {
    let run: MergeRun

    func lookups(_ request: Request) -> Lookups { run.lookups }

    /// Returns nil if another attempt aborted it and is done with that.
    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> MergeIntent? {
        guard var intent = seen.intent(run.id) else {
            if seen.phase(of: run) == .committed { throw .mergeOutdated }
            return nil
        }
        switch intent.phase {
        case .aborted: return intent
        case .committed, .undone: throw Refusal(.mergeNotPossible, .mergeIsElsewhere)
        case .preparing, .prepared: break
        }
        transaction.reasons.append(.mergeIsAborted)
        intent.phase = .aborted
        transaction.recordProgress(intent, of: run, in: seen)
        for account in run.accounts(in: seen) { transaction.event(.mergeAborted, account.id, by: .system) }
        return intent
    }
}
