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
    var isAddressContestable: Bool
    var moving: Moving
    /// Whether an account that stays would be left without anything that opens it.
    var isLastMethod: Bool
    var lastMethod: AuthPolicy.LastMethod

    static func refusal(_ facts: MergeFacts) -> Refusal? {
        if facts.isSameAccount { return Refusal(.mergeNotPossible, .sidesAreTheSame) }
        if facts.isTargetAnonymous { return Refusal(.mergeNotPossible, .targetIsAnonymous) }
        if facts.isProvisional { return Refusal(.unverifiedEmail, .addressIsNotProven) }
        if !facts.isChoiceOffered { return Refusal(.mergeNotPossible, .choiceIsNotOffered) }
        switch facts.moving {
        case .everything:
            if facts.isAddressContestable { return Refusal(.mergeNotPossible, .addressChangeIsContestable) }
        case .missing: return Refusal(.noSuchProvider, .providerIsNotLinked)
        case .rival: return Refusal(.providerAlreadyLinked, .providerIsLinked)
        case .identity: break
        }
        return facts.isLastMethod && facts.lastMethod == .kept ? Refusal(.lastMethod, .methodIsTheLast) : nil
    }
}

/// What is asked for: two accounts, and what of the first goes to the second.
struct MergeOrder: Sendable {
    let source: Account
    let target: Account
    let identity: IdentityKey?
    let choices: Set<ProviderID>
    /// Whether one identity was asked for, found or not.
    let isMove: Bool

    init(_ source: Account, into target: Account, moving provider: ProviderID?, choices: Set<ProviderID>) {
        self.source = source
        self.target = target
        self.choices = choices
        isMove = provider != nil
        identity = provider.flatMap { source.method(of: $0)?.identity?.key }
    }

    init(_ source: Account, into target: Account, again plan: MergePlan) {
        self.source = source
        self.target = target
        choices = Set(plan.choices)
        isMove = plan.identity != nil
        identity = plan.identity.flatMap { source.method(for: $0)?.identity?.key }
    }

    /// The plan, or what stands against it.
    func plan(_ context: DecisionContext) -> Result<MergePlan, Refusal> {
        let policy = context.policy
        let plan = MergePlan(source, into: target, identity: identity, choices: choices, under: policy)
        let rest = isMove ? identity.map { source.without(identity: $0).usableMethods(under: policy).isEmpty } : false
        let facts = MergeFacts(
            isSameAccount: source.id == target.id,
            isTargetAnonymous: target.isAnonymous,
            isProvisional: source.isProvisional || target.isProvisional,
            isChoiceOffered: !choices.contains(.password),
            isAddressContestable: source.reservations.contains { context.now < $0.until },
            moving: isMove ? (identity == nil ? .missing : plan.moves.isEmpty ? .rival : .identity) : .everything,
            isLastMethod: plan.opens.isEmpty && !target.acceptsCustomTokens || rest ?? false,
            lastMethod: policy.lastMethod
        )
        if let refusal = MergeFacts.refusal(facts) { return .failure(refusal) }
        return .success(plan)
    }
}

extension Account {
    /// The account with one identity gone.
    func without(identity key: IdentityKey) -> Account {
        var account = self
        account.methods.removeAll { $0.identity?.key == key }
        return account
    }
}
