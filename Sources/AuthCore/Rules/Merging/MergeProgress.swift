/// Notes that a hook is prepared.
struct NotePreparation: DecidingOperation {
    typealias Outcome = MergeIntent.Phase

    let id: MergeID
    let parties: MergeParties
    let hook: String
    let isLast: Bool

    init(id: MergeID, parties: MergeParties, hook: String, isLast: Bool) {
        self.id = id
        self.parties = parties
        self.hook = hook
        self.isLast = isLast
    }

    func lookups(_ request: Request) -> Lookups { parties.lookups(id) }

    func decide(on snapshot: Snapshot, _ context: DecisionContext) -> Decision<MergeIntent.Phase> {
        let phase = snapshot.phase(id, of: parties)
        // Others may have been faster.
        if let phase, phase == .prepared || phase == .committed { return Transaction.granting(phase, context) }
        guard phase == .preparing, var intent = snapshot.intent(id) else {
            return refuse(Refusal(.mergeNotPossible, .mergeIsOutdated), context)
        }
        var transaction = Transaction(context)
        if !intent.prepared.contains(hook) { intent.prepared.append(hook) }
        if isLast { intent.phase = .prepared }
        transaction.carryOn(intent, id, of: parties, in: snapshot)
        return transaction.granted(intent.phase)
    }
}

/// Decides that a merge will not happen; the holds stay until the hooks were told.
struct CallOffMerge: DecidingOperation {
    typealias Outcome = MergeIntent

    let id: MergeID
    let parties: MergeParties

    init(id: MergeID, parties: MergeParties) {
        self.id = id
        self.parties = parties
    }

    func lookups(_ request: Request) -> Lookups { parties.lookups(id) }

    func decide(on snapshot: Snapshot, _ context: DecisionContext) -> Decision<MergeIntent> {
        guard var intent = snapshot.intent(id) else {
            return refuse(Refusal(.mergeNotPossible, .mergeIsOutdated), context)
        }
        switch intent.phase {
        case .aborted: return Transaction.granting(intent, context)
        case .committed, .undone: return refuse(Refusal(.mergeNotPossible, .mergeIsElsewhere), context)
        case .preparing, .prepared: break
        }
        var transaction = Transaction(context)
        transaction.reasons.append(.mergeIsCalledOff)
        intent.phase = .aborted
        transaction.carryOn(intent, id, of: parties, in: snapshot)
        for account in parties.accounts(in: snapshot) {
            transaction.event(.mergeCalledOff, account.id, by: .system)
        }
        return transaction.granted(intent)
    }
}

/// Lets the accounts go once the hooks were told how a merge ended.
struct FinishMerge: DecidingOperation {
    typealias Outcome = MergeIntent.Phase?

    let id: MergeID
    let parties: MergeParties

    init(id: MergeID, parties: MergeParties) {
        self.id = id
        self.parties = parties
    }

    func lookups(_ request: Request) -> Lookups { parties.lookups(id) }

    func decide(on snapshot: Snapshot, _ context: DecisionContext) -> Decision<MergeIntent.Phase?> {
        guard let intent = snapshot.intent(id) else { return Transaction.granting(nil, context) }
        if intent.phase == .preparing || intent.phase == .prepared {
            return refuse(Refusal(.mergeInProgress, .mergeIsElsewhere), context)
        }
        var transaction = Transaction(context)
        transaction.reasons.append(.mergeIsFinished)
        transaction.changes.capabilities.append(.consume(id.intentKey))
        // The plan is needed again for as long as the merge can be undone.
        if let undo = snapshot.record(id.undoKey), let plan = snapshot.plan(id), intent.phase == .committed {
            transaction.changes.capabilities.append(
                .replace(transaction.planCapability(id, plan, until: undo.expiresAt))
            )
        } else {
            transaction.changes.capabilities.append(.revoke(id.planKey))
        }
        for old in parties.accounts(in: snapshot)
        where old.hold?.intent == id.intentKey {
            var account = old
            account.hold = nil
            transaction.update(old, to: &account, by: .system)
        }
        return transaction.granted(intent.phase)
    }
}

extension Transaction {
    /// An answer that needs nothing written.
    fileprivate static func granting<Outcome>(_ outcome: Outcome, _ context: DecisionContext) -> Decision<Outcome> {
        var transaction = Transaction(context)
        return transaction.granted(outcome)
    }

    /// Writes how far the merge got; of two who do, one has to look again.
    fileprivate mutating func carryOn(
        _ intent: MergeIntent,
        _ id: MergeID,
        of parties: MergeParties,
        in snapshot: Snapshot
    ) {
        changes.capabilities.append(.replace(intentCapability(id, intent)))
        if let account = parties.accounts(in: snapshot).last { touch(account) }
    }
}

extension MergeParties {
    /// Both accounts, the source first, as far as they are there.
    fileprivate func accounts(in snapshot: Snapshot) -> [Account] { [source, target].compactMap { snapshot[$0] } }
}
