/// Begins a merge or a move once both sides are proved; where no hook has to prepare, it is done in the same step.
struct BeginMerge: DecidingOperation {
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

    func decide(on snapshot: Snapshot, _ context: DecisionContext) throws(Refusal) -> Decision<MergeBeginning> {
        if case .tombstone(successor: .some)? = source.account.flatMap({ snapshot.tombstone(of: $0) })?.content,
            source.session == nil
        {
            return refuse(Refusal(.accountMerged, .accountWasMerged), context)
        }
        if target.session != nil { return refuse(Refusal(.mergeNotPossible, .targetIsAnonymous), context) }
        var transaction = Transaction(context)
        let giver: ProvedSide
        switch try prove(source, .source, of: source.account.flatMap { snapshot[$0] }, in: snapshot, &transaction) {
        case .success(let side): giver = side
        case .failure(let refusal): return transaction.refused(refusal)
        }
        let receiver: ProvedSide
        switch try prove(target, .target, of: target.account.flatMap { snapshot[$0] }, in: snapshot, &transaction) {
        case .success(let side): receiver = side
        case .failure(let refusal): return transaction.refused(refusal)
        }
        for account in [giver.account, receiver.account] where account.isHeld(from: nil, at: context.now) {
            return refuse(Refusal(.mergeInProgress, .accountIsBeingMerged), context)
        }
        let order = MergeOrder(giver.account, into: receiver.account, moving: moving, choices: choices)
        switch order.plan(context) {
        case .failure(let refusal): return refuse(refusal, context)
        case .success(let plan):
            source.spend(context, &transaction)
            target.spend(context, &transaction)
            return hasHooks ? begin(plan, giver, receiver, transaction) : finish(plan, giver, receiver, transaction)
        }
    }

    private func prove(
        _ party: MergeParty,
        _ role: MergeRole,
        of account: Account?,
        in snapshot: Snapshot,
        _ transaction: inout Transaction
    ) throws(Refusal) -> Result<ProvedSide, Refusal> {
        try party.side(
            role,
            of: account,
            age: { MethodAge(since: $0?.seniorSince, oldest: account?.oldestMethodDate) },
            in: snapshot,
            &transaction
        )
    }

    /// Everything at once.
    private func finish(
        _ plan: MergePlan,
        _ giver: ProvedSide,
        _ receiver: ProvedSide,
        _ started: Transaction
    ) -> Decision<MergeBeginning> {
        var transaction = started
        let context = transaction.context
        let id = MergeID(bits: context.fresh.capability)
        let arrival = MergeArrival(giver, receiver)
        var source = giver.account
        source.deletedUntil = nil
        giver.factor?.spend(in: &source, &transaction)
        let handover = MergeHandover(
            of: source,
            to: receiver.account,
            by: plan,
            seeds: seeds,
            proved: arrival.proved,
            at: context.now
        )
        if handover.isSeedMissing { return refuse(Refusal(.mergeNotPossible, .mergeIsOutdated), context) }
        let execution = MergeExecution(
            id: id,
            plan: plan,
            handover: handover,
            spent: source,
            showing: arrival.showing(spending: receiver.factor),
            isToldToHooks: false
        )
        let done = transaction.carryOut(execution, from: giver.account, to: receiver.account)
        if let until = done.undoableUntil {
            transaction.changes.capabilities.append(.put(transaction.planCapability(id, plan, until: until)))
        }
        return transaction.granted(.done(done))
    }

    /// The intent, and the holds on both accounts.
    private func begin(
        _ plan: MergePlan,
        _ giver: ProvedSide,
        _ receiver: ProvedSide,
        _ started: Transaction
    ) -> Decision<MergeBeginning> {
        var transaction = started
        let context = transaction.context
        let id = MergeID(bits: context.fresh.capability)
        let intent = MergeIntent(
            source: plan.source,
            target: plan.target,
            sourceEpoch: giver.account.epoch,
            targetEpoch: receiver.account.epoch,
            identity: plan.identity,
            phase: .preparing,
            prepared: []
        )
        transaction.reasons.append(plan.identity == nil ? .personMergesAccounts : .personMovesIdentity)
        transaction.changes.capabilities.append(.put(transaction.intentCapability(id, intent)))
        transaction.changes.capabilities.append(.put(transaction.planCapability(id, plan, until: nil)))
        for side in [giver, receiver] {
            var account = side.account
            account.hold = transaction.newHold(id)
            // Whoever proves an account takes its deletion back, as by a sign-in.
            account.deletedUntil = nil
            side.factor?.spend(in: &account, &transaction)
            transaction.update(side.account, to: &account, by: .arrival)
            transaction.event(.mergeBegun, account.id, by: .arrival)
        }
        return transaction.granted(.begun(id, plan, MergeArrival(giver, receiver)))
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

extension MergeBeginning {
    /// What it does, or did.
    var plan: MergePlan {
        switch self {
        case .done(let done): done.plan
        case .begun(_, let plan, _): plan
        }
    }
}
