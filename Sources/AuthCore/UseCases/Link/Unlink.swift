/// Removes a provider's methods from the account of the acting session.
struct Unlink: SessionOperation {
    var sensitivity: AuthPolicy.SensitiveOperation? { .unlink }

    let handle: ActingHandle
    let provider: ProviderID

    func decide(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        if !acting.account.lists(provider) { throw .providerNotLinked }
        var account = acting.account
        account.unlink(provider, context)
        if account.lacksLastMethod(context) { throw .lastMethod }
        let removed = acting.account.methods.lazy.filter { $0.kind.provider == provider }
        try acting.requireSeniority(over: removed.map(\.seniorSince), context)
        if account.email != acting.account.email {
            try acting.requireSeniority(over: acting.addressAges(context), context)
        }
        try acting.requireAddress(in: account, context)
        transaction.reasons.append(.personRemovesMethod)
        transaction.offerFormerAddress(of: acting.account, in: &account)
        transaction.raiseSessionGeneration(of: &account, for: [.unlink], except: acting.session.id)
        return transaction.keep(acting, with: &account)
    }
}
