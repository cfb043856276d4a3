/// The result of a completed merge, or of one that was undone.
struct MergeDone: Sendable {
    let id: Merge.ID
    let plan: Merge.Plan
    /// The session on the target, or of the side that undid the merge; nil if no person was verified in this attempt,
    /// or if the account requires a factor that was not presented.
    let signedIn: SignedIn?
    var undoableUntil: Timestamp?
}

extension Transaction {
    /// Moves what the plan says from one account to the other: both accounts, their keys, sessions and events at once.
    ///
    /// `authentication` is what the session on the target rests on; nil if no person was verified in this attempt. If
    /// hooks must still be notified, the accounts stay locked. `sides` says since when what was verified is the
    /// accounts': a younger address cannot contest the merge; without sides only the oldest one can.
    mutating func carryOut(
        _ handover: MergeHandover,
        as id: Merge.ID,
        from source: Account,
        to target: Account,
        by sides: VerifiedSides?,
        authentication: Authentication?
    ) -> MergeDone {
        let plan = handover.plan
        authorizedSince = sides.map { $0.source.authorizedSince(at: context.now) } ?? .distantPast
        merge = id
        reasons.append(plan.identity == nil ? .personMergesAccounts : .personMovesIdentity)
        let actor =
            authentication.map { _ in IdentityEvent.Actor.session(SessionID(words: context.fresh.session)) } ?? .system
        if let identity = plan.identity {
            var rest = handover.source.without(identity: identity)
            rest.blockAutoLinking(handover.given.methods, context)
            cancelDeletion(of: &rest, by: actor)
            raiseSessionGeneration(of: &rest, for: [.unlink], except: nil)
            update(source, to: &rest, by: actor)
        } else {
            removeForGood(source, .accountMerged, successor: target.id, by: actor, evidence: source.evidence)
        }
        authorizedSince = sides.map { $0.target.authorizedSince(at: context.now) } ?? .distantPast
        var account = handover.target
        let linked = account.identities.map(\.key.issuer)
        account.blockAutoLinking(
            target.methods.filter { $0.identity.map { !linked.contains($0.key.issuer) } ?? false },
            context
        )
        // No factor was presented yet on a device that the target knew before it had one.
        if target.activeFactors.isEmpty, !account.activeFactors.isEmpty {
            account.distrustDevices(except: context.request.context.device)
        }
        endOtherSessions(of: &account, except: nil)
        let undoableUntil = keepUndo(of: handover, targetOldest: target.oldestDate, id)
        var signedIn: SignedIn?
        if var authentication {
            authentication.basis = account.basis(after: authentication.basis, of: target)
            signedIn = signIn(to: &account, from: target, authentication: authentication, by: actor)
        } else {
            update(target, to: &account, by: actor)
        }
        if plan.identity == nil { notify(source, ofMergeInto: account) }
        return MergeDone(id: id, plan: plan, signedIn: signedIn, undoableUntil: undoableUntil)
    }

    /// Writes how far the merge has got, and an account with nothing but a new version: of two attempts that write at
    /// once, one has to decide again.
    mutating func recordProgress(_ intent: MergeIntent, of run: MergeRun, in seen: Snapshot) {
        replace(intentRecord(run.id, intent))
        guard let account = run.accounts(in: seen).last else { return }
        var touched = account
        raiseVersion(of: &touched)
    }

    /// Stores what undoing the merge requires; if nothing moved, there is nothing to undo.
    private mutating func keepUndo(of handover: MergeHandover, targetOldest: Timestamp?, _ id: Merge.ID) -> Timestamp? {
        let lifetime = context.policy.lifetimes.mergeUndo
        guard lifetime > .zero, !handover.moved.isEmpty else { return nil }
        let until = context.now + lifetime
        var undo = Store.UndoRecord(
            source: handover.given,
            target: handover.target.id,
            moved: handover.moved,
            movedFactors: handover.movedFactors
        )
        undo.sourceOldest = handover.source.oldestDate
        undo.targetOldest = targetOldest
        put(id.undoKey, .undo(undo), of: handover.target.id, until: until)
        return until
    }

    /// The stored plan; it belongs to no account, since one of the two may be removed.
    func planRecord(_ id: Merge.ID, _ plan: Merge.Plan, until: Timestamp?) -> OneTimeRecord {
        record(id.planKey, .mergePlan(plan), until: until)
    }

    /// The stored progress of the merge; it does not expire, since hooks must be notified of how the merge ended.
    func intentRecord(_ id: Merge.ID, _ intent: MergeIntent) -> OneTimeRecord {
        record(id.intentKey, .mergeIntent(intent), until: nil)
    }

    /// Locks an account for a merge from now on; the merge is due to be resumed from then on, whatever else was due.
    func lock(_ account: inout Account, for id: Merge.ID) {
        let end = context.now + context.policy.lifetimes.mergeIntent
        account.mergeLock = Account.MergeLock(intent: id.intentKey, until: end)
        account.dueAt = nil
    }
}

extension Snapshot {
    /// The intent of a merge, with how far it has got; nil if the merge has ended or never began.
    func intent(_ id: Merge.ID) -> MergeIntent? {
        if case .mergeIntent(let intent)? = record(id.intentKey)?.content { intent } else { nil }
    }

    /// The plan of a merge.
    func plan(_ id: Merge.ID) -> Merge.Plan? {
        if case .mergePlan(let plan)? = record(id.planKey)?.content { plan } else { nil }
    }
}

extension Account {
    /// What a session rests on that was verified before a merge: the method in the place of that one, if it was
    /// replaced.
    func basis(after basis: Session.Basis, of before: Account) -> Session.Basis {
        guard let generation = basis.generation, !methods.contains(where: { $0.generation == generation }),
            let replaced = before.methods.first(where: { $0.generation == generation }),
            let method = methods.first(where: { $0.isActive && $0.kind.isSameKind(as: replaced.kind) })
                ?? methods.first(where: \.isActive)
        else { return basis }
        return Session.Basis(method)
    }
}

extension MergeIntent {
    /// The intent of a merge, with both accounts as they are in this phase.
    init(of source: Account, into target: Account, phase: Phase) {
        self.init(
            source: source.id,
            target: target.id,
            sourceSessionGeneration: source.sessionGeneration,
            targetSessionGeneration: target.sessionGeneration,
            phase: phase,
            prepared: []
        )
    }
}
