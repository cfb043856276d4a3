/// Notes that a hook is prepared.
struct NotePreparation: Operation {
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

    func decide(on snapshot: Snapshot, by ruling: Ruling) -> Decision<MergeIntent.Phase> {
        let phase = snapshot.phase(id, of: parties)
        // Others may have been faster.
        if let phase, phase == .prepared || phase == .committed { return Draft.granting(phase, by: ruling) }
        guard phase == .preparing, var intent = snapshot.intent(id) else {
            return refuse(Refusal(.mergeNotPossible, .mergeIsOutdated), by: ruling)
        }
        var draft = Draft(ruling)
        if !intent.prepared.contains(hook) { intent.prepared.append(hook) }
        if isLast { intent.phase = .prepared }
        draft.carryOn(intent, id, of: parties, in: snapshot)
        return draft.granted(intent.phase)
    }
}

/// Decides that a merge will not happen; the holds stay until the hooks were told.
struct CallOffMerge: Operation {
    typealias Outcome = MergeIntent

    let id: MergeID
    let parties: MergeParties

    init(id: MergeID, parties: MergeParties) {
        self.id = id
        self.parties = parties
    }

    func lookups(_ request: Request) -> Lookups { parties.lookups(id) }

    func decide(on snapshot: Snapshot, by ruling: Ruling) -> Decision<MergeIntent> {
        guard var intent = snapshot.intent(id) else {
            return refuse(Refusal(.mergeNotPossible, .mergeIsOutdated), by: ruling)
        }
        switch intent.phase {
        case .aborted: return Draft.granting(intent, by: ruling)
        case .committed, .undone: return refuse(Refusal(.mergeNotPossible, .mergeIsElsewhere), by: ruling)
        case .preparing, .prepared: break
        }
        var draft = Draft(ruling)
        draft.reasons.append(.mergeIsCalledOff)
        intent.phase = .aborted
        draft.carryOn(intent, id, of: parties, in: snapshot)
        for account in parties.accounts(in: snapshot) {
            draft.event(.mergeCalledOff, account.id, by: .system)
        }
        return draft.granted(intent)
    }
}

/// Lets the accounts go once the hooks were told how a merge ended.
struct FinishMerge: Operation {
    typealias Outcome = MergeIntent.Phase?

    let id: MergeID
    let parties: MergeParties

    init(id: MergeID, parties: MergeParties) {
        self.id = id
        self.parties = parties
    }

    func lookups(_ request: Request) -> Lookups { parties.lookups(id) }

    func decide(on snapshot: Snapshot, by ruling: Ruling) -> Decision<MergeIntent.Phase?> {
        guard let intent = snapshot.intent(id) else { return Draft.granting(nil, by: ruling) }
        if intent.phase == .preparing || intent.phase == .prepared {
            return refuse(Refusal(.mergeInProgress, .mergeIsElsewhere), by: ruling)
        }
        var draft = Draft(ruling)
        draft.reasons.append(.mergeIsFinished)
        draft.changes.capabilities.append(.consume(id.intentKey))
        // The plan is needed again for as long as the merge can be undone.
        if let undo = snapshot.record(id.undoKey), let plan = snapshot.plan(id), intent.phase == .committed {
            draft.changes.capabilities.append(.replace(draft.planCapability(id, plan, until: undo.expiresAt)))
        } else {
            draft.changes.capabilities.append(.revoke(id.planKey))
        }
        for old in parties.accounts(in: snapshot)
        where old.hold?.intent == id.intentKey {
            var account = old
            account.hold = nil
            draft.update(old, to: &account, by: .system)
        }
        return draft.granted(intent.phase)
    }
}

extension Draft {
    /// An answer that needs nothing written.
    fileprivate static func granting<Outcome>(_ outcome: Outcome, by ruling: Ruling) -> Decision<Outcome> {
        var draft = Draft(ruling)
        return draft.granted(outcome)
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
