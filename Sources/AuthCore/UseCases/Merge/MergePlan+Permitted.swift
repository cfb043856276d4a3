extension Merge.Plan {
    /// The plan of a merge, or of a move of one identity that may be missing; throws if a condition is not met.
    static func permitted(
        _ source: Account,
        into target: Account,
        isMove: Bool,
        of identity: Identity.Key?,
        choices: Set<ProviderID>,
        _ context: DecisionContext
    ) throws(Refusal) -> Merge.Plan {
        let policy = context.policy
        let plan = Merge.Plan(source, into: target, identity: identity, choices: choices, under: policy)
        if source.id == target.id { throw Refusal(.mergeNotPossible, .sidesAreTheSame) }
        if target.isAnonymous { throw .targetAnonymous }
        // The address of a provisional account is not verified, so the account has no confirmed owner yet.
        if source.isProvisional || target.isProvisional { throw .addressUnverified }
        let left = isMove ? identity.map { source.without(identity: $0) } : nil
        // Lost factors are recovered by a verified address: none may stay on, or move to, an account without one.
        if let left, left.strandsFactors(context), !source.strandsFactors(context) { throw .factorNeedsAddress }
        let merged = MergeHandover(of: source, to: target, by: plan, verified: [], at: context.now).target
        if merged.strandsFactors(context), !plan.factors.isEmpty || !target.strandsFactors(context) {
            throw .addressUnverified
        }
        // A person who verifies the address of such a target would adopt it, with all that came into it.
        if !isMove, source.wasEverVerified, merged.isAdoptable { throw .addressUnverified }
        if choices.contains(.password) { throw Refusal(.mergeNotPossible, .choiceIsNotOffered) }
        if isMove {
            if identity == nil { throw .providerNotLinked }
            // The target has another identity of the provider, and this one was not chosen.
            if plan.moves.isEmpty { throw .providerLinked }
        } else if source.hasReservation(at: context.now) {
            // A former owner of the source's address may still reverse its change.
            throw Refusal(.mergeNotPossible, .addressChangeIsReversible)
        }
        // A target that lacks one already, since its number is old, may stay so: the number was presented just now.
        let mayLack = target.lacksLastMethod(context) && merged.hasUsableMethod(under: context.policy)
        let isLost = merged.lacksLastMethod(context) && !mayLack
        if isLost || left?.lacksLastMethod(context) == true { throw .lastMethod }
        return plan
    }
}
