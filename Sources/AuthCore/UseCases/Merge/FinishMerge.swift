/// Releases the merge locks once the hooks were notified of how a merge ended.
struct FinishMerge: Operation {
    let run: MergeRun
    /// The ending that the hooks were notified of; if the merge has another one by now, they must hear of that first.
    let phase: MergeIntent.Phase

    func lookups(_ request: Request) -> Lookups {
        run.lookups.union([.sessions(of: .account(run.source)), .sessions(of: .account(run.target))])
    }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) {
        guard let intent = seen.intent(run.id), intent.phase == phase else { return }
        transaction.reasons.append(.mergeIsFinished)
        transaction.consume(run.id.intentKey)
        // The plan is needed again for as long as the merge can be undone.
        if let undo = seen.record(run.id.undoKey), let plan = seen.plan(run.id), intent.phase == .committed {
            transaction.replace(transaction.planRecord(run.id, plan, until: undo.expiresAt))
        } else {
            transaction.revoke(run.id.planKey)
        }
        for old in run.accounts(in: seen) where old.mergeLock?.intent == run.id.intentKey {
            var account = old
            account.mergeLock = nil
            account.postponeExpiry(in: seen, transaction.context)
            transaction.update(old, to: &account, by: .system)
        }
    }
}
