/// Makes an account that only the seat holds.
struct SignInAnonymously: Operation {
    typealias Outcome = SignedIn

    init() {}

    func lookups(_ request: Request) -> Lookups { Lookups() }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        if let refusal = context.policy.refusal(of: .anonymous) { throw refusal }
        transaction.reasons.append(.newcomerIsAnonymous)
        var account = Account(id: AccountID(bits: context.fresh.account), createdAt: context.now)
        account.isAnonymous = true
        return transaction.signIn(to: &account, from: nil, showing: Showing(.anonymous))
    }
}
