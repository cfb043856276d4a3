/// Takes a merge or move back: a decision of its own, by whoever proves a method from before it.
///
/// Only what is still on the target, unchanged, goes back.
struct UndoMerge: DecidingOperation {
    typealias Outcome = MergeUndone

    let id: MergeID
    let parties: MergeParties
    let party: MergeParty
    let hasHooks: Bool

    init(id: MergeID, parties: MergeParties, party: MergeParty, hasHooks: Bool) {
        self.id = id
        self.parties = parties
        self.party = party
        self.hasHooks = hasHooks
    }

    var requires: [CapabilityKey] { party.requires }

    func lookups(_ request: Request) -> Lookups {
        var lookups = parties.lookups(id)
        for key in party.capabilities { lookups.insert(.record(key)) }
        return lookups
    }

    struct Facts: Sendable, Hashable {
        /// Whether hooks are still to be told how the merge ended.
        var isUnderWay: Bool
        var isHeld: Bool
        var isFromBefore: Bool
        var returnsWayIn: Bool
        /// Whether the target would be left without anything that opens it.
        var isLastMethod: Bool
        var lastMethod: AuthPolicy.LastMethod
    }

    static func refusal(_ facts: Facts) -> Refusal? {
        if facts.isUnderWay || facts.isHeld { return Refusal(.mergeInProgress, .accountIsBeingMerged) }
        if !facts.isFromBefore { return Refusal(.requiresRecentLogin, .methodIsNotFromBefore) }
        if !facts.returnsWayIn { return Refusal(.mergeNotPossible, .nothingCanReturn) }
        return facts.isLastMethod && facts.lastMethod == .kept ? Refusal(.lastMethod, .methodIsTheLast) : nil
    }

    func decide(on snapshot: Snapshot, _ context: DecisionContext) throws(Refusal) -> Decision<MergeUndone> {
        guard let kept = snapshot.undo(id), kept.isLive(at: context.now), let plan = snapshot.plan(id),
            var target = snapshot[parties.target], kept.record.target == target.id
        else { return refuse(Refusal(.mergeNotPossible, .undoIsOver), context) }
        var source = snapshot[parties.source]
        let before = MethodsBefore(kept.record, at: kept.capability.createdAt, target: target)
        var transaction = Transaction(context)
        let proved = source?.id == party.account ? source : target
        let role = proved?.id == target.id ? MergeRole.target : .source
        let side: ProvedSide
        switch try party.side(role, of: proved, age: { before.age(of: $0, on: proved) }, in: snapshot, &transaction) {
        case .success(let found): side = found
        case .failure(let refusal): return transaction.refused(refusal)
        }
        if role == .target { side.factor?.spend(in: &target, &transaction) }
        if role == .source, var giver = source {
            side.factor?.spend(in: &giver, &transaction)
            source = giver
        }
        let parting = MergeParting(kept.record, source: source, target: target, context)
        let facts = Facts(
            isUnderWay: snapshot.intent(id) != nil,
            isHeld: [source, target].contains { $0?.isHeld(from: nil, at: context.now) ?? false },
            isFromBefore: side.method.map { before.contains($0, on: side.account) } ?? false,
            returnsWayIn: !parting.returned.isEmpty && !parting.source.usableMethods(under: context.policy).isEmpty,
            isLastMethod: parting.target.usableMethods(under: context.policy).isEmpty && !target.acceptsCustomTokens,
            lastMethod: context.policy.lastMethod
        )
        if let refusal = Self.refusal(facts) { return refuse(refusal, context) }
        transaction.reasons.append(.personUndoesMerge)
        party.spend(context, &transaction)
        transaction.changes.capabilities.append(.consume(id.undoKey))
        keepIntent(plan, parting, &transaction)
        let signedIn = part(parting, side, in: snapshot, &transaction)
        return transaction.granted(MergeUndone(id: id, plan: plan, signedIn: signedIn))
    }

    /// Writes both accounts and opens the session of the side that was proved.
    private func part(
        _ parting: MergeParting,
        _ side: ProvedSide,
        in snapshot: Snapshot,
        _ transaction: inout Transaction
    ) -> SignedIn? {
        let actor = EventActor.session(SessionID(bits: transaction.context.fresh.session))
        let hold = hasHooks ? transaction.newHold(id) : nil
        var (target, source) = (parting.target, parting.source)
        (target.hold, source.hold) = (hold, hold)
        // The target lets go of its keys first, so that the source can take them.
        transaction.endOtherSessions(of: &target, except: nil)
        if let old = snapshot[parties.target] { transaction.update(old, to: &target, by: actor) }
        if let old = snapshot[parties.source] {
            transaction.endOtherSessions(of: &source, except: nil)
            transaction.update(old, to: &source, by: actor)
        } else {
            transaction.restore(source, by: actor)
        }
        let returned = side.account.id == target.id ? side.method.flatMap { parting.returned[$0.generation] } : nil
        if returned == nil, side.account.id == target.id {
            let old = target
            return transaction.signIn(to: &target, from: old, showing: side.showing(on: target), by: actor)
        }
        // Whoever has not shown a factor of the account that came back signs in to it as always.
        let isFactorShown = source.activeFactors.contains { $0.id == side.factor?.use.factor }
        if returned != nil, !source.activeFactors.isEmpty, !isFactorShown { return nil }
        var showing = side.showing(on: source)
        if let returned, let method = source.methods.first(where: { $0.generation == returned }) {
            showing.basis = SessionBasis(method)
            if !isFactorShown { showing.factor = nil }
        }
        let old = source
        return transaction.signIn(to: &source, from: old, showing: showing, by: actor)
    }

    /// Hooks hear of it afterwards, also after a crash; without any there is nothing left to keep.
    private func keepIntent(_ plan: MergePlan, _ parting: MergeParting, _ transaction: inout Transaction) {
        guard hasHooks else {
            transaction.changes.capabilities.append(.revoke(id.planKey))
            return
        }
        let intent = MergeIntent(
            source: parties.source,
            target: parties.target,
            sourceEpoch: parting.source.epoch,
            targetEpoch: parting.target.epoch,
            identity: plan.identity,
            phase: .undone,
            prepared: []
        )
        transaction.changes.capabilities.append(.put(transaction.intentCapability(id, intent)))
        transaction.changes.capabilities.append(.replace(transaction.planCapability(id, plan, until: nil)))
    }
}

/// What an undone merge leaves behind.
struct MergeUndone: Sendable {
    let id: MergeID
    let plan: MergePlan
    /// The session of the side that was proved; none where its account asks for a factor that was not shown.
    let signedIn: SignedIn?
}

extension ProvedSide {
    /// What a session shows that rests on this side, whose factor was spent before.
    fileprivate func showing(on account: Account) -> Showing {
        var showing = Showing(basis, proved: subject)
        if let factor {
            showing.factor = FactorProof(use: factor.use, account: account.id, epoch: account.epoch, consumes: [])
        }
        return showing
    }
}

extension Transaction {
    /// Brings an account back that a merge took away.
    fileprivate mutating func restore(_ account: Account, by actor: EventActor) {
        changes.capabilities.append(.consume(.tombstone(of: account.id)))
        insert(account)
        event(
            .accountRestored,
            account.id,
            by: actor,
            evidence: account.evidence,
            methods: MethodsChange(from: [], to: account.methods)
        )
    }
}

/// A capability that says how a merge can be undone.
private struct KeptUndo {
    let capability: Capability
    let record: UndoRecord

    func isLive(at now: Timestamp) -> Bool { capability.isLive(at: now) }
}

extension Snapshot {
    fileprivate func undo(_ id: MergeID) -> KeptUndo? {
        guard let capability = record(id.undoKey), case .undo(let record) = capability.content else { return nil }
        return KeptUndo(capability: capability, record: record)
    }
}
