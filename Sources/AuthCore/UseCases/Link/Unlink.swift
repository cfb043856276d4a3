/// Removes a provider's methods from the account of the acting session.
struct Unlink: SessionOperation {
    var sensitivity: AuthPolicy.SensitiveOperation? { .unlink }

    let handle: ActingHandle
    let provider: ProviderID

    struct Facts: Sendable, Hashable {
        var isLinked: Bool
        /// Whether no method would be left that can sign in.
        var isLastMethod: Bool
        var lastMethod: AuthPolicy.LastMethod
    }

    static func rule(_ facts: Facts) throws(Refusal) {
        if !facts.isLinked { throw .providerNotLinked }
        if facts.isLastMethod && facts.lastMethod == .kept { throw .lastMethod }
    }

    func decide(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        var account = acting.account
        account.unlink(provider, context)
        let facts = Facts(
            isLinked: acting.account.lists(provider),
            isLastMethod: !account.hasUsableMethod(under: context.policy),
            lastMethod: context.policy.lastMethod
        )
        try Self.rule(facts)
        let ages = acting.account.methods.lazy.filter { $0.kind.provider == provider }.map(\.seniorSince)
        let addressAges = account.email == acting.account.email ? [] : acting.addressAges
        try acting.requireSeniority(over: Array(ages) + addressAges, context)
        try acting.requireAddress(in: account, context)
        transaction.reasons.append(.personRemovesMethod)
        transaction.offerFormerAddress(of: acting.account, in: &account)
        transaction.raiseSessionGeneration(of: &account, for: .unlink, except: acting.session.id)
        return transaction.keep(acting, with: &account)
    }
}
