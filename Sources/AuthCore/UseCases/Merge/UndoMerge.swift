/// Undoes a merge or move: a separate decision, by a person who verifies a method from before it.
///
/// Only what is still on the target, unchanged, goes back.
struct UndoMerge: Operation {
    let run: MergeRun
    let party: MergeParty
    let seeds: ResealedSeeds
    let hasHooks: Bool

    var verifiedAt: Timestamp? { party.verifiedAt }

    var requires: [OneTimeRecordID] { party.requires }

    func lookups(_ request: Request) -> Lookups { run.lookups.union(party.lookups(request)) }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> MergeDone {
        let context = transaction.context
        guard let kept = seen.record(run.id.undoKey), case .undo(let record) = kept.content,
            kept.isLive(at: context.now), let plan = seen.plan(run.id), var target = seen[run.target],
            record.target == target.id,
            // Only a merge removes its source; an account that gave one identity away and is gone stays gone.
            plan.identity == nil || seen[run.source] != nil
        else { throw Refusal(.mergeNotPossible, .undoIsOver) }
        var source = seen[run.source]
        let before = MethodsBefore(record: record, mergedAt: kept.createdAt, target: target)
        let verified = source?.id == party.account ? source : target
        let role = verified?.id == target.id ? MergeRole.target : .source
        let side = try party.side(role, of: verified, age: before.age, at: kept.createdAt, in: seen, transaction)
        if role == .target { side.factor?.spend(in: &target, &transaction) }
        if role == .source, var giver = source {
            side.factor?.spend(in: &giver, &transaction)
            source = giver
        }
        let parting = MergeParting(record, source: source, target: target, seeds: seeds, context)
        // The merge's own hooks must still be notified of how it ended, or another merge has locked an account.
        if seen.intent(run.id) != nil || source?.mergeLock != nil || target.mergeLock != nil {
            throw .accountBeingMerged
        }
        guard let method = side.method, before.contains(method, on: side.account) else {
            throw Refusal(.requiresRecentLogin, .methodIsNotFromBefore)
        }
        if target.isDisabled || source?.isDisabled == true { throw .accountDisabled }
        if parting.returned.isEmpty || !parting.source.hasUsableMethod(under: context.policy) {
            throw Refusal(.mergeNotPossible, .nothingCanReturn)
        }
        // Lost factors are recovered by a verified address: none may stay on an account without one.
        if parting.target.strandsFactors(context), !target.strandsFactors(context) { throw .factorNeedsAddress }
        if parting.target.lacksLastMethod(context) { throw .lastMethod }
        transaction.reasons.append(.personUndoesMerge)
        party.spend(&transaction)
        transaction.consume(run.id.undoKey)
        keepIntent(plan, parting, &transaction)
        return MergeDone(id: run.id, plan: plan, signedIn: part(parting, side, in: seen, &transaction))
    }

    /// Writes both accounts and opens the session of the side that was verified.
    private func part(
        _ parting: MergeParting,
        _ side: VerifiedSide,
        in seen: Snapshot,
        _ transaction: inout Transaction
    ) -> SignedIn? {
        // Where a factor is missing, the undo opens no session.
        let actor = IdentityEvent.Actor.unauthenticated
        transaction.authorizedSince = side.authorizedSince(at: transaction.context.now)
        var (target, source) = (parting.target, parting.source)
        (target.mergeLock, source.mergeLock) = (nil, nil)
        if hasHooks {
            transaction.lock(&target, for: run.id)
            transaction.lock(&source, for: run.id)
        }
        // The target releases its keys first, so that the source can claim them.
        transaction.endOtherSessions(of: &target, except: nil)
        if let old = seen[run.target] { transaction.update(old, to: &target, by: actor) }
        if let old = seen[run.source] {
            transaction.endOtherSessions(of: &source, except: nil)
            transaction.update(old, to: &source, by: actor)
        } else {
            transaction.consume(.tombstone(of: source.id))
            source.postponeExpiry(hasSessions: false, transaction.context)
            transaction.create(source, by: actor, as: .accountRestored)
        }
        let returned = side.account.id == target.id ? side.method.flatMap { parting.returned[$0.generation] } : nil
        if returned == nil, side.account.id == target.id {
            var authentication = side.authentication(on: target)
            // A factor that went back is not the target's any more, which may have another.
            if let presented = side.factor?.use.factor, !target.activeFactors.contains(where: { $0.id == presented }) {
                if !target.activeFactors.isEmpty { return nil }
                authentication.factor = nil
            }
            let old = target
            return transaction.signIn(to: &target, from: old, authentication: authentication, by: actor)
        }
        // Without a factor of the restored account, the person has to sign in to it in the usual way.
        let isFactorPresented = source.activeFactors.contains { $0.id == side.factor?.use.factor }
        if returned != nil, !source.activeFactors.isEmpty, !isFactorPresented { return nil }
        var authentication = side.authentication(on: source)
        if let returned, let method = source.methods.first(where: { $0.generation == returned }) {
            authentication.basis = Session.Basis(method)
            if !isFactorPresented { authentication.factor = nil }
        }
        let old = source
        return transaction.signIn(to: &source, from: old, authentication: authentication, by: actor)
    }

    /// Stores the intent so that hooks are notified afterwards, even after a crash; without hooks nothing is stored.
    private func keepIntent(_ plan: Merge.Plan, _ parting: MergeParting, _ transaction: inout Transaction) {
        guard hasHooks else {
            transaction.revoke(run.id.planKey)
            return
        }
        let intent = MergeIntent(of: parting.source, into: parting.target, phase: .undone)
        transaction.put(transaction.intentRecord(run.id, intent))
        transaction.replace(transaction.planRecord(run.id, plan, until: nil))
    }
}
