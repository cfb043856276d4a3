/// Completes a merge once all hooks are prepared: decides again on the current data, and writes everything at once.
struct CompleteMerge: Operation {
    let run: MergeRun
    /// What was verified in this attempt; nil when a merge is resumed.
    let sides: VerifiedSides?
    let seeds: ResealedSeeds

    var verifiedAt: Timestamp? { sides?.target.verifiedAt }

    func lookups(_ request: Request) -> Lookups { run.lookups }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> MergeDone {
        let target = seen[run.target]
        switch seen.phase(of: run) {
        case .prepared: break
        case .committed:
            // Another attempt to resume it finished first.
            guard let target else { throw .mergeOutdated }
            return try attend(target, in: seen, &transaction)
        case .preparing: throw .mergeInOtherPhase
        case nil, .aborted, .undone: throw .mergeOutdated
        }
        guard seen.isAsBegun(run.id, at: transaction.context.now), let intent = seen.intent(run.id),
            let source = seen[run.source], let target
        else { throw .mergeOutdated }
        if source.isDisabled || target.isDisabled { throw .accountDisabled }
        return try carryOut(seen.plan(run.id) ?? run.plan, intent, source, target, &transaction)
    }

    private func carryOut(
        _ prepared: Merge.Plan,
        _ intent: MergeIntent,
        _ source: Account,
        _ target: Account,
        _ transaction: inout Transaction
    ) throws(Refusal) -> MergeDone {
        let plan = try Merge.Plan.permitted(
            source,
            into: target,
            isMove: prepared.identity != nil,
            of: prepared.identity.flatMap { source.method(for: $0)?.identity?.key },
            choices: Set(prepared.choices),
            transaction.context
        )
        let handover = MergeHandover(
            of: source,
            to: target,
            by: plan,
            seeds: seeds,
            verified: sides?.subjects ?? [],
            at: transaction.context.now
        )
        // The hooks prepared for these methods and factors; for the rest, such as a name, the newest values count.
        if !plan.movesTheSame(as: prepared) || handover.isSeedMissing { throw .mergeOutdated }
        var committed = intent
        committed.phase = .committed
        transaction.replace(transaction.intentRecord(run.id, committed))
        transaction.replace(transaction.planRecord(run.id, plan, until: nil))
        return transaction.carryOut(
            handover,
            as: run.id,
            from: source,
            to: target,
            by: sides,
            authentication: sides?.authentication(on: target)
        )
    }

    /// Handles a merge that is already done: a person who verified both sides still gets a session.
    private func attend(
        _ target: Account,
        in seen: Snapshot,
        _ transaction: inout Transaction
    ) throws(Refusal) -> MergeDone {
        transaction.reasons.append(.personMergesAccounts)
        var signedIn: SignedIn?
        if let sides {
            var authentication = sides.authentication(on: target)
            authentication.basis = target.basis(after: authentication.basis, of: sides.target.account)
            let isThere = authentication.basis.generation.map { generation in
                target.methods.contains { $0.generation == generation && $0.isActive }
            }
            // The merge raised it once; what ended the sessions since then would have ended this one too.
            let isAsMerged = target.sessionGeneration == sides.target.account.sessionGeneration + 1
            if target.isDisabled || isThere == false || !isAsMerged { throw .mergeOutdated }
            var account = target
            signedIn = transaction.signIn(to: &account, from: target, authentication: authentication)
        }
        return MergeDone(
            id: run.id,
            plan: seen.plan(run.id) ?? run.plan,
            signedIn: signedIn,
            undoableUntil: seen.record(run.id.undoKey)?.expiresAt
        )
    }
}

extension Merge.Plan {
    /// Whether both plans move the same sign-in methods and factors.
    fileprivate func movesTheSame(as other: Merge.Plan) -> Bool {
        moves.map(\.generation) == other.moves.map(\.generation)
            && replaced.map(\.generation) == other.replaced.map(\.generation)
            && factors.map(\.id) == other.factors.map(\.id) && movedAddress == other.movedAddress
    }
}
