/// What must be so beside both proofs before anything may move.
struct MergeFacts: Sendable, Hashable {
    /// What there is of the one identity that moves.
    enum Moving: Sendable, Hashable, CaseIterable {
        /// Everything moves.
        case everything
        /// The identity has no rival on the target, or was chosen.
        case identity
        /// The target has another of the same provider.
        case rival
        case missing
    }

    var isSameAccount: Bool
    var isTargetAnonymous: Bool
    /// Whether one of them waits for its address to be proved, and is nobody's until then.
    var isProvisional: Bool
    var isChoiceOffered: Bool
    /// Whether a former owner of the source's address may still take its change back.
    var isAddressReversible: Bool
    var moving: Moving
    /// Whether an account that stays would be left without anything that opens it.
    var isLastMethod: Bool
    var lastMethod: AuthPolicy.LastMethod

    /// Throws what stands against it.
    static func rule(_ facts: MergeFacts) throws(Refusal) {
        if facts.isSameAccount { throw Refusal(.mergeNotPossible, .sidesAreTheSame) }
        if facts.isTargetAnonymous { throw .targetAnonymous }
        if facts.isProvisional { throw .addressUnverified }
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

extension MergePlan {
    /// The plan of a merge, or of a move of one identity, found or not; throws what stands against it.
    static func permitted(
        _ source: Account,
        into target: Account,
        isMove: Bool,
        of identity: IdentityKey?,
        choices: Set<ProviderID>,
        _ context: DecisionContext
    ) throws(Refusal) -> MergePlan {
        let policy = context.policy
        let plan = MergePlan(source, into: target, identity: identity, choices: choices, under: policy)
        let rest = isMove ? identity.map { source.without(identity: $0).usableMethods(under: policy).isEmpty } : false
        try MergeFacts.rule(
            MergeFacts(
                isSameAccount: source.id == target.id,
                isTargetAnonymous: target.isAnonymous,
                isProvisional: source.isProvisional || target.isProvisional,
                isChoiceOffered: !choices.contains(.password),
                isAddressReversible: source.reservations.contains { context.now < $0.until },
                moving: isMove ? (identity == nil ? .missing : plan.moves.isEmpty ? .rival : .identity) : .everything,
                isLastMethod: plan.opens.isEmpty && !target.acceptsCustomTokens || rest ?? false,
                lastMethod: policy.lastMethod
            )
        )
        return plan
    }
}
