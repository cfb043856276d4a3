/// Records what a person is about to do, under the nonce that their proof must have.
struct MakeNonce: Operation {
    let key: OneTimeRecordID
    let intent: Intent
    /// The session that asks; nil for a sign-in.
    let handle: ActingHandle?

    func lookups(_ request: Request) -> Lookups { handle?.lookups ?? Lookups() }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) {
        let context = transaction.context
        var account: AccountID?
        if let handle { account = try handle.actor(in: seen, context).account.id }
        let until = context.now + context.policy.lifetimes.nonce
        transaction.put(key, .nonce(intent), of: account, until: until, on: context.device)
    }
}
