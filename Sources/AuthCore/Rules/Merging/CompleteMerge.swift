/// Carries a merge out once all hooks are prepared: decided again on what is there now, and written at once.
struct CompleteMerge: DecidingOperation {
    typealias Outcome = MergeDone

    let id: MergeID
    let parties: MergeParties
    /// The plan as the hooks were told it.
    let plan: MergePlan
    /// What was proved in this attempt; nil when a merge is resumed.
    let arrival: MergeArrival?
    let seeds: ResealedSeeds

    init(
        id: MergeID,
        parties: MergeParties,
        plan: MergePlan,
        arrival: MergeArrival?,
        seeds: ResealedSeeds
    ) {
        self.id = id
        self.parties = parties
        self.plan = plan
        self.arrival = arrival
        self.seeds = seeds
    }

    func lookups(_ request: Request) -> Lookups { parties.lookups(id) }

    struct Facts: Sendable, Hashable {
        /// How far the merge got; nil if it is over, and did not happen.
        var phase: MergeIntent.Phase?
        /// Whether both accounts are held by it, and have the epochs of its beginning.
        var isAsBegun: Bool
        var isDisabled: Bool
    }

    enum Finding: Sendable, Hashable {
        case carryOut
        /// Somebody else who resumed it was faster.
        case isDone
        case refuse(AuthErrorCode, Reason)
    }

    static func rule(_ facts: Facts) -> Finding {
        switch facts.phase {
        case .prepared: break
        case .committed: return .isDone
        case .preparing: return .refuse(.mergeInProgress, .mergeIsElsewhere)
        case nil, .aborted, .undone: return .refuse(.mergeNotPossible, .mergeIsOutdated)
        }
        if !facts.isAsBegun { return .refuse(.mergeNotPossible, .mergeIsOutdated) }
        return facts.isDisabled ? .refuse(.userDisabled, .accountIsDisabled) : .carryOut
    }

    func decide(on snapshot: Snapshot, _ context: DecisionContext) throws(Refusal) -> Decision<MergeDone> {
        let (source, target) = (snapshot[parties.source], snapshot[parties.target])
        let facts = Facts(
            phase: snapshot.phase(id, of: parties),
            isAsBegun: snapshot.isAsBegun(id, at: context.now),
            isDisabled: [source, target].contains { $0?.isDisabled ?? false }
        )
        switch Self.rule(facts) {
        case .refuse(let code, let reason): return refuse(Refusal(code, reason), context)
        case .isDone:
            return attend(
                snapshot.plan(id) ?? plan,
                on: try target.promised(),
                until: snapshot.record(id.undoKey)?.expiresAt,
                context
            )
        case .carryOut:
            return carryOut(
                try snapshot.plan(id).promised(),
                try snapshot.intent(id).promised(),
                try source.promised(),
                try target.promised(),
                context
            )
        }
    }

    private func carryOut(
        _ prepared: MergePlan,
        _ intent: MergeIntent,
        _ source: Account,
        _ target: Account,
        _ context: DecisionContext
    ) -> Decision<MergeDone> {
        let plan: MergePlan
        switch MergeOrder(source, into: target, again: prepared).plan(context) {
        case .success(let new): plan = new
        case .failure(let refusal): return refuse(refusal, context)
        }
        let handover = MergeHandover(
            of: source,
            to: target,
            by: plan,
            seeds: seeds,
            proved: arrival?.proved ?? [],
            at: context.now
        )
        // The hooks prepared for these methods and factors; of the rest, such as a name, the newest counts.
        if !plan.movesTheSame(as: prepared) || handover.isSeedMissing {
            return refuse(Refusal(.mergeNotPossible, .mergeIsOutdated), context)
        }
        var transaction = Transaction(context)
        var committed = intent
        committed.phase = .committed
        transaction.changes.capabilities.append(.replace(transaction.intentCapability(id, committed)))
        transaction.changes.capabilities.append(.replace(transaction.planCapability(id, plan, until: nil)))
        let execution = MergeExecution(
            id: id,
            plan: plan,
            handover: handover,
            spent: source,
            showing: arrival?.showing(spending: nil, on: target),
            isToldToHooks: true
        )
        let done = transaction.carryOut(execution, from: source, to: target)
        return transaction.granted(done)
    }

    /// The merge is done; whoever proved both sides gets their session all the same.
    private func attend(
        _ plan: MergePlan,
        on target: Account,
        until: Timestamp?,
        _ context: DecisionContext
    ) -> Decision<MergeDone> {
        var transaction = Transaction(context)
        transaction.reasons.append(.personMergesAccounts)
        var signedIn: SignedIn?
        if let arrival {
            let isThere = arrival.basis.generation.map { generation in
                target.methods.contains { $0.generation == generation && $0.isActive }
            }
            if target.isDisabled || isThere == false {
                return refuse(Refusal(.mergeNotPossible, .mergeIsOutdated), context)
            }
            var account = target
            signedIn = transaction.signIn(
                to: &account,
                from: target,
                showing: arrival.showing(spending: nil, on: target)
            )
        }
        return transaction.granted(MergeDone(id: id, plan: plan, signedIn: signedIn, undoableUntil: until))
    }
}

/// The two accounts of a merge that has begun.
struct MergeParties: Sendable, Hashable {
    let source: AccountID
    let target: AccountID

    init(source: AccountID, target: AccountID) {
        self.source = source
        self.target = target
    }

    /// Both accounts and what is kept of the merge.
    func lookups(_ id: MergeID) -> Lookups {
        [.account(source), .account(target), .record(id.intentKey), .record(id.planKey), .record(id.undoKey)]
    }
}

extension Snapshot {
    /// How far a merge got; one that happened and was finished by others counts as carried out.
    func phase(_ id: MergeID, of parties: MergeParties) -> MergeIntent.Phase? {
        if let intent = intent(id) { return intent.phase }
        return tombstone(of: parties.source)?.content == .tombstone(successor: parties.target) ? .committed : nil
    }

    /// Whether both accounts of a merge are held by it still, and have the epochs of its beginning.
    func isAsBegun(_ id: MergeID, at now: Timestamp) -> Bool {
        guard let intent = intent(id), let source = self[intent.source], let target = self[intent.target] else {
            return false
        }
        return source.isHeld(by: id, at: now) && target.isHeld(by: id, at: now)
            && source.epoch == intent.sourceEpoch && target.epoch == intent.targetEpoch
    }
}

extension Account {
    /// Whether this merge holds the account now.
    fileprivate func isHeld(by merge: MergeID, at now: Timestamp) -> Bool {
        guard let hold else { return false }
        return hold.intent == merge.intentKey && now < hold.until
    }
}

extension MergePlan {
    /// Whether the same ways in and factors move.
    fileprivate func movesTheSame(as other: MergePlan) -> Bool {
        moves.map(\.generation) == other.moves.map(\.generation)
            && givesWay.map(\.generation) == other.givesWay.map(\.generation)
            && factors.map(\.id) == other.factors.map(\.id) && movedAddress == other.movedAddress
    }
}
