/// Records that a hook is prepared.
struct NotePreparation: Operation {
    let run: MergeRun
    let hook: String
    let isLast: Bool

    func lookups(_ request: Request) -> Lookups { run.lookups }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> MergeIntent.Phase {
        let phase = seen.phase(of: run)
        // Another attempt may have been faster.
        if let phase, phase == .prepared || phase == .committed { return phase }
        guard phase == .preparing, var intent = seen.intent(run.id) else { throw .mergeOutdated }
        if !intent.prepared.contains(hook) { intent.prepared.append(hook) }
        if isLast { intent.phase = .prepared }
        transaction.carryOn(intent, of: run, in: seen)
        return intent.phase
    }
}

/// Decides that a merge will not be carried out; the merge locks stay until the hooks were notified.
struct CallOffMerge: Operation {
    let run: MergeRun

    func lookups(_ request: Request) -> Lookups { run.lookups }

    /// Returns nil if another attempt called it off and is done with that.
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
        transaction.reasons.append(.mergeIsCalledOff)
        intent.phase = .aborted
        transaction.carryOn(intent, of: run, in: seen)
        for account in run.accounts(in: seen) {
            transaction.event(.mergeCalledOff, account.id, by: .system)
        }
        return intent
    }
}

/// Releases the merge locks once the hooks were notified of how a merge ended.
struct FinishMerge: Operation {
    let run: MergeRun

    func lookups(_ request: Request) -> Lookups { run.lookups }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) {
        guard let intent = seen.intent(run.id) else { return }
        if intent.phase == .preparing || intent.phase == .prepared { throw .mergeElsewhere }
        transaction.reasons.append(.mergeIsFinished)
        transaction.consume(run.id.intentKey)
        // The plan is needed again for as long as the merge can be undone.
        if let undo = seen.record(run.id.undoKey), let plan = seen.plan(run.id), intent.phase == .committed {
            transaction.changes.records.append(.replace(transaction.planRecord(run.id, plan, until: undo.expiresAt)))
        } else {
            transaction.changes.records.append(.revoke(run.id.planKey))
        }
        for old in run.accounts(in: seen) where old.mergeLock?.intent == run.id.intentKey {
            var account = old
            account.mergeLock = nil
            transaction.update(old, to: &account, by: .system)
        }
    }
}

extension Transaction {
    /// Writes how far the merge has got, and an account with nothing but a new version: of two attempts that write at
    /// once, one has to decide again.
    fileprivate mutating func carryOn(_ intent: MergeIntent, of run: MergeRun, in seen: Snapshot) {
        changes.records.append(.replace(intentRecord(run.id, intent)))
        guard let account = run.accounts(in: seen).last else { return }
        var touched = account
        raiseVersion(of: &touched)
    }
}

extension MergeRun {
    /// Both accounts, the source first, as far as they exist.
    fileprivate func accounts(in seen: Snapshot) -> [Account] { [source, target].compactMap { seen[$0] } }
}
