/// Puts a new way in into the place of an old one, in one step: never is the account without both, or open to both.
struct ReplaceMethod: ActingOperation {
    typealias Outcome = SignedIn

    var sensitivity: SensitiveOperation? { old == .phone && isPhone ? .changePhoneNumber : .unlink }

    let handle: ActingHandle
    let old: ProviderID
    let new: NewMethod
    /// Whether the new method is simply added where the old one is missing.
    let addsIfMissing: Bool
    var factor: FactorProof?

    init(
        handle: ActingHandle,
        old: ProviderID,
        new: NewMethod,
        addsIfMissing: Bool = false,
        factor: FactorProof? = nil
    ) {
        self.handle = handle
        self.old = old
        self.new = new
        self.addsIfMissing = addsIfMissing
        self.factor = factor
    }

    private var isPhone: Bool { if case .phone = new { true } else { false } }

    private var link: LinkMethod { LinkMethod(handle: handle, method: new, factor: factor) }

    var requires: [CapabilityKey] { link.requires }

    func moreLookups(_ request: Request) -> Lookups { link.moreLookups(request) }

    struct Facts: Sendable, Hashable {
        var isLinked: Bool
        var addsIfMissing: Bool
        /// Whether the new method is the old one.
        var isTheSame: Bool
        /// Whether it is the old one too, but suspended, so that showing it confirms it.
        var isConfirmation: Bool
    }

    enum Finding: Sendable, Hashable {
        case replace
        case add
        case refuse(AuthErrorCode, Reason)
    }

    static func rule(_ facts: Facts) -> Finding {
        if facts.isTheSame { return facts.addsIfMissing ? .add : .refuse(.providerAlreadyLinked, .providerIsLinked) }
        if facts.isConfirmation { return .add }
        if facts.isLinked { return .replace }
        return facts.addsIfMissing ? .add : .refuse(.noSuchProvider, .providerIsNotLinked)
    }

    func decide(
        for acting: ActingSession,
        on snapshot: Snapshot,
        by ruling: Ruling
    ) throws(Refusal) -> Decision<SignedIn> {
        let facts = Facts(
            isLinked: acting.account.lists(old),
            addsIfMissing: addsIfMissing,
            isTheSame: isHeld(by: acting.account),
            isConfirmation: isSuspended(in: acting.account)
        )
        switch Self.rule(facts) {
        case .refuse(let code, let reason): return refuse(Refusal(code, reason), by: ruling)
        case .add: return challengeAware(try link.decide(for: acting, on: snapshot, by: ruling), acting, by: ruling)
        case .replace: break
        }
        if ruling.policy.unprovenEmailChange == .needsVerification, case .password(let email, _) = new,
            email != acting.account.email, acting.account.isEmailVerified(under: ruling.policy)
        {
            return refuse(Refusal(.emailChangeNeedsVerification, .addressStaysUntilProven), by: ruling)
        }
        let gone = acting.account.methods.filter { $0.kind.provider == old }
        if let refusal = acting.seniorityRefusal(for: gone.map(\.seniorSince), by: ruling) {
            return refuse(refusal, by: ruling)
        }
        var draft = Draft(ruling)
        draft.reasons.append(.personRemovesMethod)
        var reduced = acting.account.unlinked(old, by: ruling)
        if newAddress != acting.account.email { draft.offerDroppedAddress(of: acting.account, in: &reduced) }
        draft.raiseEpoch(of: &reduced, for: .unlink, except: acting.session.id)
        draft.update(acting.account, to: &reduced, by: .session(acting.session.id))
        let between = ActingSession(reduced, acting.session, shownSince: acting.seniorSince)
        let linked = try link.decide(for: between, on: snapshot, continuing: draft)
        if case .granted(let signedIn) = linked.verdict, ruling.policy.lastMethod == .kept,
            signedIn.account.usableMethods(under: ruling.policy).isEmpty
        {
            return refuse(Refusal(.lastMethod, .methodIsTheLast), by: ruling)
        }
        return challengeAware(linked, acting, by: ruling)
    }

    /// Half of a replacement is none: a refusal writes only what is asked for next, and the answer replaces as well.
    private func challengeAware(
        _ linked: Decision<SignedIn>,
        _ acting: ActingSession,
        by ruling: Ruling
    ) -> Decision<SignedIn> {
        guard case .refused(let refusal) = linked.verdict else { return linked }
        var draft = Draft(ruling)
        // Nobody contests or takes back what did not happen, and nothing ends by it.
        draft.changes.capabilities = linked.changes.capabilities.filter { $0.isOfRefusal }
        draft.changes.alterChallenges { challenge in
            FactorChallenge(
                purpose: .replacement(acting.session.id, of: old, addsIfMissing: addsIfMissing),
                proof: challenge.proof,
                completes: challenge.completes,
                generation: challenge.generation
            )
        }
        return draft.refused(refusal)
    }

    /// The address under which the new method signs in, if it hangs on one.
    private var newAddress: EmailAddress? {
        switch new {
        case .password(let email, _): email
        case .mailbox(let proof): proof.email
        case .federated, .phone: nil
        }
    }

    private func isSuspended(in account: Account) -> Bool {
        guard case .federated(let proof) = new, proof.identity.provider == old else { return false }
        return account.method(for: proof.identity.key).map { !$0.isActive } ?? false
    }

    private func isHeld(by account: Account) -> Bool {
        switch new {
        case .federated(let proof): account.method(for: proof.identity.key)?.isActive ?? false
        case .phone(let proof, _): account.phoneNumber == proof.number
        case .mailbox, .password: false
        }
    }
}

extension ChangeSet {
    /// Changes the challenges that this puts.
    mutating func alterChallenges(_ alter: (FactorChallenge) -> FactorChallenge) {
        for index in capabilities.indices {
            guard case .put(var capability) = capabilities[index],
                case .factorChallenge(let challenge) = capability.content
            else { continue }
            capability.content = .factorChallenge(alter(challenge))
            capabilities[index] = .put(capability)
        }
    }
}

extension CapabilityChange {
    /// Whether a refusal may write it: what it asks for next, and what it takes for that.
    fileprivate var isOfRefusal: Bool {
        switch self {
        case .put(let capability): capability.purpose != .notMe && capability.purpose != .recoverEmail
        case .consume: true
        case .replace, .revoke, .revokeAll: false
        }
    }
}
