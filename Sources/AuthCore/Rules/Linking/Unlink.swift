/// Takes a provider's methods off the account of the acting session.
struct Unlink: ActingOperation {
    typealias Outcome = SignedIn

    var sensitivity: SensitiveOperation? { .unlink }

    let handle: ActingHandle
    let provider: ProviderID
    var factor: FactorProof?

    init(handle: ActingHandle, provider: ProviderID, factor: FactorProof? = nil) {
        self.handle = handle
        self.provider = provider
        self.factor = factor
    }

    var requires: [CapabilityKey] { factor?.consumes ?? [] }

    struct Facts: Sendable, Hashable {
        var isLinked: Bool
        /// Whether nothing would be left that can sign in.
        var isLastMethod: Bool
        var lastMethod: AuthPolicy.LastMethod
    }

    enum Finding: Sendable, Hashable {
        case unlink
        case refuse(AuthErrorCode, Reason)
    }

    static func rule(_ facts: Facts) -> Finding {
        if !facts.isLinked { return .refuse(.noSuchProvider, .providerIsNotLinked) }
        if facts.isLastMethod && facts.lastMethod == .kept { return .refuse(.lastMethod, .methodIsTheLast) }
        return .unlink
    }

    func decide(for acting: ActingSession, on snapshot: Snapshot, by ruling: Ruling) -> Decision<SignedIn> {
        var account = acting.account.unlinked(provider, by: ruling)
        let facts = Facts(
            isLinked: acting.account.lists(provider),
            isLastMethod: !account.hasUsableMethod(under: ruling.policy),
            lastMethod: ruling.policy.lastMethod
        )
        if case .refuse(let code, let reason) = Self.rule(facts) { return refuse(Refusal(code, reason), by: ruling) }
        let ages = acting.account.methods.lazy.filter { $0.kind.provider == provider }.map(\.seniorSince)
        if let refusal = acting.seniorityRefusal(for: ages, by: ruling) { return refuse(refusal, by: ruling) }
        var draft = Draft(ruling)
        draft.reasons.append(.personRemovesMethod)
        draft.offerDroppedAddress(of: acting.account, in: &account)
        draft.raiseEpoch(of: &account, for: .unlink, except: acting.session.id)
        return draft.granted(draft.keep(acting, with: &account, lastSignIn: snapshot.lastSignIn(of: account.id)))
    }
}

extension Account {
    /// The account with a provider's methods gone, and what goes with them.
    func unlinked(_ provider: ProviderID, by ruling: Ruling) -> Account {
        var account = without(provider)
        if ruling.policy.seversRemovedIssuers { account.sever(methods.lazy.filter { $0.kind.provider == provider }) }
        if provider == .password, let email, !identities.contains(where: { $0.email == email }) {
            account.dropEmail(at: ruling.now)
        }
        return account
    }
}
