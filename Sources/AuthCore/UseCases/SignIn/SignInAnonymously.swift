/// Creates an account that can be used only on this device.
struct SignInAnonymously {
    func decide(_ transaction: inout Transaction) -> SignedIn {
        let context = transaction.context
        transaction.reasons.append(.newAccountIsAnonymous)
        var account = Account(id: AccountID(bits: context.fresh.account.bits), createdAt: context.now)
        account.isAnonymous = true
        return transaction.signIn(to: &account, from: nil, authentication: Authentication(.anonymous))
    }
}
