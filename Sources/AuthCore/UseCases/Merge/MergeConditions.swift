/// The conditions, besides both proofs, that must be met before anything may move.
struct MergeFacts: Sendable, Hashable {
    /// Whether the one identity that is to move can move.
    enum Moving: Sendable, Hashable, CaseIterable {
        /// Everything moves.
        case everything
        /// The target has no other identity of the provider, or this one was chosen.
        case identity
        /// The target has another of the same provider.
        case rival
        case missing
    }

    var isSameAccount: Bool
    var isTargetAnonymous: Bool
    /// Whether one of the accounts is provisional: its address is not verified, so it has no confirmed owner yet.
    var isProvisional: Bool
    var isChoiceOffered: Bool
    /// Whether a former owner of the source's address may still reverse its change.
    var isAddressReversible: Bool
    /// Whether factors would move to an account without the verified address by which lost ones are recovered.
    var isFactorStranded: Bool
    var moving: Moving
    /// Whether an account that remains would be left without a usable sign-in method.
    var isLastMethod: Bool
    var lastMethod: AuthPolicy.LastMethod

    /// Throws if a condition is not met.
    static func rule(_ facts: MergeFacts) throws(Refusal) {
        if facts.isSameAccount { throw Refusal(.mergeNotPossible, .sidesAreTheSame) }
        if facts.isTargetAnonymous { throw .targetAnonymous }
        if facts.isProvisional || facts.isFactorStranded { throw .addressUnverified }
        if !facts.isChoiceOffered { throw Refusal(.mergeNotPossible, .choiceIsNotOffered) }
        switch facts.moving {
        case .everything:
            if facts.isAddressReversible { throw Refusal(.mergeNotPossible, .addressChangeIsReversible) }
        case .missing: throw .providerNotLinked
        case .rival: throw .providerLinked
        case .identity: break
        }
        if facts.isLastMethod && facts.lastMethod == .kept { throw .lastMethod }
    }
}

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
        let left = isMove ? identity.map { source.without(identity: $0) } : nil
        let strandsFactors = left.map { $0.strandsFactors(context) && !source.strandsFactors(context) } ?? false
        let merged = MergeHandover(of: source, to: target, by: plan, verified: [], at: context.now).target
        try MergeFacts.rule(
            MergeFacts(
                isSameAccount: source.id == target.id,
                isTargetAnonymous: target.isAnonymous,
                isProvisional: source.isProvisional || target.isProvisional,
                isChoiceOffered: !choices.contains(.password),
                isAddressReversible: source.reservations.contains { context.now < $0.until },
                isFactorStranded: strandsFactors
                    || merged.strandsFactors(context) && (!plan.factors.isEmpty || !target.strandsFactors(context)),
                moving: isMove ? (identity == nil ? .missing : plan.moves.isEmpty ? .rival : .identity) : .everything,
                isLastMethod: plan.opens.isEmpty && !target.acceptsCustomTokens
                    || left?.hasUsableMethod(under: policy) == false,
                lastMethod: policy.lastMethod
            )
        )
        return plan
    }
}
