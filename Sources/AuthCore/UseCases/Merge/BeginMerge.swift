/// Begins a merge or a move once both sides are verified; completes it at once if no hook must prepare.
struct BeginMerge: Operation {
    let source: MergeParty
    let target: MergeParty
    /// The provider of the one identity that moves; nil for everything.
    let moving: ProviderID?
    let choices: Set<ProviderID>
    let seeds: ResealedSeeds
    let hasHooks: Bool
    /// Whether nothing is written; then a lock whose time is over is no obstacle, since the merge would abort it.
    var isPreview = false

    var verifiedAt: Timestamp? { target.verifiedAt }

    var requires: [OneTimeRecordID] { source.requires + target.requires }

    func lookups(_ request: Request) -> Lookups {
        var lookups = source.lookups(request).union(target.lookups(request))
        if let account = source.account { lookups.insert(.records(of: .account(account), .changeReport)) }
        return lookups
    }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> MergeBeginning {
        let context = transaction.context
        if !source.isSession, let gone = source.account, seen.successor(of: gone) != nil { throw .accountMerged }
        if target.isSession { throw .targetAnonymous }
        let (from, to) = (source.account.flatMap { seen[$0] }, target.account.flatMap { seen[$0] })
        let sides = VerifiedSides(
            // The source's method gives something of its account away: an age that was passed on to it does not count,
            // and what was removed does.
            source: try source.side(.source, of: from, age: { ($0?.setAt, $1.oldestDateEver) }, in: seen, transaction),
            target: try target.side(.target, of: to, age: { ($0?.seniorSince, $1.oldestDate) }, in: seen, transaction)
        )
        let (giver, receiver) = (sides.source.account, sides.target.account)
        for side in [giver, receiver] where side.mergeLock != nil {
            // What was overdue was aborted before: this lock's time ended since then.
            if !isPreview || side.isLocked(from: nil, at: context.now) { throw .accountBeingMerged }
        }
        let plan = try Merge.Plan.permitted(
            giver,
            into: receiver,
            isMove: moving != nil,
            of: moving.flatMap { giver.method(of: $0)?.identity?.key },
            choices: choices,
            context
        )
        if let method = sides.source.method, seen.canReport(method, of: giver, context) { throw .loginNotSenior }
        source.spend(&transaction)
        target.spend(&transaction)
        return hasHooks ? begin(plan, sides, &transaction) : .done(try mergeAtOnce(plan, sides, &transaction))
    }

    /// Performs the whole merge at once.
    private func mergeAtOnce(
        _ plan: Merge.Plan,
        _ sides: VerifiedSides,
        _ transaction: inout Transaction
    ) throws(Refusal) -> MergeDone {
        let id = Merge.ID(words: transaction.context.fresh.record)
        var source = sides.source.account
        sides.source.factor?.spend(in: &source, &transaction)
        let handover = MergeHandover(
            of: source,
            to: sides.target.account,
            by: plan,
            seeds: seeds,
            verified: sides.subjects,
            at: transaction.context.now
        )
        if handover.isSeedMissing { throw .mergeOutdated }
        var authentication = sides.authentication(on: sides.target.account)
        // Here the factor is still to be used up.
        authentication.factor = sides.target.factor
        let done = transaction.carryOut(
            handover,
            as: id,
            from: sides.source.stored,
            to: sides.target.stored,
            by: sides,
            authentication: authentication
        )
        if let until = done.undoableUntil { transaction.put(transaction.planRecord(id, plan, until: until)) }
        return done
    }

    /// Stores the intent, and locks both accounts for the merge.
    private func begin(_ plan: Merge.Plan, _ sides: VerifiedSides, _ transaction: inout Transaction) -> MergeBeginning {
        let id = Merge.ID(words: transaction.context.fresh.record)
        let intent = MergeIntent(of: sides.source.account, into: sides.target.account, phase: .preparing)
        transaction.reasons.append(plan.identity == nil ? .personMergesAccounts : .personMovesIdentity)
        transaction.put(transaction.intentRecord(id, intent))
        transaction.put(transaction.planRecord(id, plan, until: nil))
        for side in [sides.source, sides.target] {
            var account = side.account
            transaction.lock(&account, for: id)
            // Verifying an account cancels its deletion, as a sign-in does.
            transaction.cancelDeletion(of: &account, by: .unauthenticated)
            side.factor?.spend(in: &account, &transaction)
            transaction.update(side.stored, to: &account, by: .unauthenticated)
            transaction.event(.mergeBegun, account.id, by: .unauthenticated)
        }
        return .begun(MergeRun(id: id, plan: plan), sides)
    }
}

/// The result of beginning a merge.
enum MergeBeginning: Sendable {
    /// The merge is done.
    case done(MergeDone)
    /// The hooks must be called; the session on the target will rest on what was verified.
    case begun(MergeRun, VerifiedSides)

    /// The plan of the merge.
    var plan: Merge.Plan {
        switch self {
        case .done(let done): done.plan
        case .begun(let run, _): run.plan
        }
    }
}
