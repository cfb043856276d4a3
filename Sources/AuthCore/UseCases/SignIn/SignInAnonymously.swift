/// Creates an account that can be used only on this device.
struct SignInAnonymously {
    func decide(_ transaction: inout Transaction) -> SignedIn {
        transaction.reasons.append(.newAccountIsAnonymous)
        var account = transaction.context.newAccount
        account.isAnonymous = true
        return transaction.signIn(to: &account, from: nil, authentication: Authentication(basis: .anonymous))
    }
}
