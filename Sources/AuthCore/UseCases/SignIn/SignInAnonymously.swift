/// Creates an account that can be used only on this device.
struct SignInAnonymously {
    func decide(_ transaction: inout Transaction) -> SignedIn {
        let context = transaction.context
        transaction.reasons.append(.newAccountIsAnonymous)
        var account = context.newAccount
        account.isAnonymous = true
        return transaction.signIn(to: &account, from: nil, authentication: Authentication(basis: .anonymous))
    }
}
