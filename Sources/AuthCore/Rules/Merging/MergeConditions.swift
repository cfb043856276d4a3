#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What must be so beside both proofs before anything may move.
package struct MergeFacts: Sendable, Hashable {
    /// What there is of the one identity that moves.
    package enum Moving: Sendable, Hashable, CaseIterable {
        /// Everything moves.
        case everything
        /// The identity has no rival on the target, or was chosen.
        case identity
        /// The target has another of the same provider.
        case rival
        case missing
    }

    package var isSameAccount: Bool
    package var isTargetAnonymous: Bool
    /// Whether one of them waits for its address to be proved, and is nobody's until then.
    package var isProvisional: Bool
    package var isChoiceOffered: Bool
    /// Whether a former owner of the source's address may still take its change back.
    package var isAddressContestable: Bool
    package var moving: Moving
    /// Whether an account that stays would be left without anything that opens it.
    package var isLastMethod: Bool
    package var lastMethod: AuthPolicy.LastMethod

    package static func refusal(_ facts: MergeFacts) -> Refusal? {
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
package struct MergeOrder: Sendable {
    package let source: Account
    package let target: Account
    package let identity: IdentityKey?
    package let choices: Set<ProviderID>
    /// Whether one identity was asked for, found or not.
    package let isMove: Bool

    package init(_ source: Account, into target: Account, moving provider: ProviderID?, choices: Set<ProviderID>) {
        self.source = source
        self.target = target
        self.choices = choices
        isMove = provider != nil
        identity = provider.flatMap { source.method(of: $0)?.identity?.key }
    }

    package init(_ source: Account, into target: Account, again plan: MergePlan) {
        self.source = source
        self.target = target
        choices = Set(plan.choices)
        isMove = plan.identity != nil
        identity = plan.identity.flatMap { source.method(for: $0)?.identity?.key }
    }

    /// The plan, or what stands against it.
    package func plan(by ruling: Ruling) -> Result<MergePlan, Refusal> {
        let policy = ruling.policy
        let plan = MergePlan(source, into: target, identity: identity, choices: choices, under: policy)
        let rest = isMove ? identity.map { source.without(identity: $0).usableMethods(under: policy).isEmpty } : false
        let facts = MergeFacts(
            isSameAccount: source.id == target.id,
            isTargetAnonymous: target.isAnonymous,
            isProvisional: source.isProvisional || target.isProvisional,
            isChoiceOffered: !choices.contains(.password),
            isAddressContestable: source.reservations.contains { ruling.now < $0.until },
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
    package func without(identity key: IdentityKey) -> Account {
        var account = self
        account.methods.removeAll { $0.identity?.key == key }
        return account
    }
}
