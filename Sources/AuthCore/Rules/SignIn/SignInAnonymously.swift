/// Makes an account that only the seat holds.
struct SignInAnonymously: Operation {
    typealias Outcome = SignedIn

    init() {}

    func lookups(_ request: Request) -> Lookups { Lookups() }

    func decide(on snapshot: Snapshot, by ruling: Ruling) -> Decision<SignedIn> {
        if let refusal = ruling.policy.refusal(of: .anonymous) { return refuse(refusal, by: ruling) }
        var draft = Draft(ruling)
        draft.reasons.append(.newcomerIsAnonymous)
        var account = Account(id: AccountID(bits: ruling.fresh.account), createdAt: ruling.now)
        account.isAnonymous = true
        return draft.granted(draft.signIn(to: &account, from: nil, showing: Showing(.anonymous)))
    }
}

extension AuthPolicy {
    /// The refusal of a provider that is switched off; nil for one that is on.
    func refusal(of provider: ProviderID) -> Refusal? {
        guard disabledProviders.contains(provider) else { return nil }
        return Refusal(
            provider == .anonymous ? .adminRestrictedOperation : .operationNotAllowed,
            .providerIsSwitchedOff
        )
    }
}
