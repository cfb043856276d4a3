/// Begins a merge or a move once both sides are proved; where no hook has to prepare, it is done in the same step.
struct BeginMerge: Operation {
    typealias Outcome = MergeBeginning

    let source: MergeParty
    let target: MergeParty
    /// The provider of the one identity that moves; nil for everything.
    let moving: ProviderID?
    let choices: Set<ProviderID>
    let seeds: ResealedSeeds
    let hasHooks: Bool

    init(
        source: MergeParty,
        target: MergeParty,
        moving: ProviderID?,
        choices: Set<ProviderID>,
        seeds: ResealedSeeds,
        hasHooks: Bool
    ) {
        self.source = source
        self.target = target
        self.moving = moving
        self.choices = choices
        self.seeds = seeds
        self.hasHooks = hasHooks
    }

    var requires: [CapabilityKey] { source.requires + target.requires }

    func lookups(_ request: Request) -> Lookups { source.lookups.union(target.lookups) }

    func decide(on snapshot: Snapshot, by ruling: Ruling) throws(Refusal) -> Decision<MergeBeginning> {
        if case .tombstone(successor: .some)? = source.account.flatMap({ snapshot.tombstone(of: $0) })?.content,
            source.session == nil
        {
            return refuse(Refusal(.accountMerged, .accountWasMerged), by: ruling)
        }
        if target.session != nil { return refuse(Refusal(.mergeNotPossible, .targetIsAnonymous), by: ruling) }
        var draft = Draft(ruling)
        let giver: ProvedSide
        switch try prove(source, .source, of: source.account.flatMap { snapshot[$0] }, in: snapshot, &draft) {
        case .success(let side): giver = side
        case .failure(let refusal): return draft.refused(refusal)
        }
        let receiver: ProvedSide
        switch try prove(target, .target, of: target.account.flatMap { snapshot[$0] }, in: snapshot, &draft) {
        case .success(let side): receiver = side
        case .failure(let refusal): return draft.refused(refusal)
        }
        for account in [giver.account, receiver.account] where account.isHeld(from: nil, at: ruling.now) {
            return refuse(Refusal(.mergeInProgress, .accountIsBeingMerged), by: ruling)
        }
        let order = MergeOrder(giver.account, into: receiver.account, moving: moving, choices: choices)
        switch order.plan(by: ruling) {
        case .failure(let refusal): return refuse(refusal, by: ruling)
        case .success(let plan):
            source.spend(by: ruling, &draft)
            target.spend(by: ruling, &draft)
            return hasHooks ? begin(plan, giver, receiver, draft) : finish(plan, giver, receiver, draft)
        }
    }

    private func prove(
        _ party: MergeParty,
        _ role: MergeRole,
        of account: Account?,
        in snapshot: Snapshot,
        _ draft: inout Draft
    ) throws(Refusal) -> Result<ProvedSide, Refusal> {
        try party.side(
            role,
            of: account,
            age: { MethodAge(since: $0?.seniorSince, oldest: account?.oldestMethodDate) },
            in: snapshot,
            &draft
        )
    }

    /// Everything at once.
    private func finish(
        _ plan: MergePlan,
        _ giver: ProvedSide,
        _ receiver: ProvedSide,
        _ started: Draft
    ) -> Decision<MergeBeginning> {
        var draft = started
        let ruling = draft.ruling
        let id = MergeID(bits: ruling.fresh.capability)
        let arrival = MergeArrival(giver, receiver)
        var source = giver.account
        source.deletedUntil = nil
        giver.factor?.spend(in: &source, &draft)
        let handover = MergeHandover(
            of: source,
            to: receiver.account,
            by: plan,
            seeds: seeds,
            proved: arrival.proved,
            at: ruling.now
        )
        if handover.isSeedMissing { return refuse(Refusal(.mergeNotPossible, .mergeIsOutdated), by: ruling) }
        let execution = MergeExecution(
            id: id,
            plan: plan,
            handover: handover,
            spent: source,
            showing: arrival.showing(spending: receiver.factor),
            isToldToHooks: false
        )
        let done = draft.carryOut(execution, from: giver.account, to: receiver.account)
        if let until = done.undoableUntil {
            draft.changes.capabilities.append(.put(draft.planCapability(id, plan, until: until)))
        }
        return draft.granted(.done(done))
    }

    /// The intent, and the holds on both accounts.
    private func begin(
        _ plan: MergePlan,
        _ giver: ProvedSide,
        _ receiver: ProvedSide,
        _ started: Draft
    ) -> Decision<MergeBeginning> {
        var draft = started
        let ruling = draft.ruling
        let id = MergeID(bits: ruling.fresh.capability)
        let intent = MergeIntent(
            source: plan.source,
            target: plan.target,
            sourceEpoch: giver.account.epoch,
            targetEpoch: receiver.account.epoch,
            identity: plan.identity,
            phase: .preparing,
            prepared: []
        )
        draft.reasons.append(plan.identity == nil ? .personMergesAccounts : .personMovesIdentity)
        draft.changes.capabilities.append(.put(draft.intentCapability(id, intent)))
        draft.changes.capabilities.append(.put(draft.planCapability(id, plan, until: nil)))
        for side in [giver, receiver] {
            var account = side.account
            account.hold = draft.newHold(id)
            // Whoever proves an account takes its deletion back, as by a sign-in.
            account.deletedUntil = nil
            side.factor?.spend(in: &account, &draft)
            draft.update(side.account, to: &account, by: .arrival)
            draft.event(.mergeBegun, account.id, by: .arrival)
        }
        return draft.granted(.begun(id, plan, MergeArrival(giver, receiver)))
    }
}

/// How a merge began.
enum MergeBeginning: Sendable {
    /// It is done.
    case done(MergeDone)
    /// Hooks are to be asked; what was proved is what the session on the target will rest on.
    case begun(MergeID, MergePlan, MergeArrival)
}

/// What both sides proved, as far as the session on the target rests on it.
struct MergeArrival: Sendable {
    let basis: SessionBasis
    let factor: FactorUse?
    /// The addresses and numbers that were proved, for coverage.
    let proved: [Evidence.Subject]

    init(_ source: ProvedSide, _ target: ProvedSide) {
        basis = target.basis
        factor = target.factor?.use
        proved = [target.subject, source.subject].compactMap { $0 }
    }

    /// What the session shows; a factor that was spent before is named without being spent again.
    func showing(spending proof: FactorProof?, on account: Account? = nil) -> Showing {
        var showing = Showing(basis, factor: proof, proved: proved.first)
        if proof == nil, let factor, let account {
            showing.factor = FactorProof(use: factor, account: account.id, epoch: account.epoch, consumes: [])
        }
        return showing
    }
}

/// Says what a merge would do, and does none of it: no account changes and no code is used up.
///
/// Where a factor is owed it says only that, and keeps the challenge, as every refusal of this kind does.
struct PreviewMerge: Operation {
    typealias Outcome = MergePlan

    let merge: BeginMerge

    init(_ merge: BeginMerge) { self.merge = merge }

    var requires: [CapabilityKey] { merge.requires }

    func lookups(_ request: Request) -> Lookups { merge.lookups(request) }

    func decide(on snapshot: Snapshot, by ruling: Ruling) throws(Refusal) -> Decision<MergePlan> {
        let decision = try merge.decide(on: snapshot, by: ruling)
        switch decision.verdict {
        case .refused(let refusal):
            return Decision(verdict: .refused(refusal), changes: decision.changes, reasons: decision.reasons)
        case .granted(.done(let done)): return looked(done.plan, decision)
        case .granted(.begun(_, let plan, _)): return looked(plan, decision)
        }
    }

    private func looked(_ plan: MergePlan, _ decision: Decision<MergeBeginning>) -> Decision<MergePlan> {
        let nothing = ChangeSet(operation: decision.changes.operation, at: decision.changes.at)
        return Decision(verdict: .granted(plan), changes: nothing, reasons: decision.reasons)
    }
}
