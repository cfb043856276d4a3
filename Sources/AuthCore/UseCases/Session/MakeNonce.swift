/// Records what a person is about to do, under the nonce that their proof must have.
struct MakeNonce: Operation {
    typealias Outcome = Void

    let key: OneTimeRecordID
    /// What it is for, and the session and the account in which that is done; nil for a sign-in.
    let action: Intent.Action
    let handle: ActingHandle?

    func lookups(_ request: Request) -> Lookups { handle?.lookups ?? Lookups() }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) {
        let context = transaction.context
        var account: AccountID?
        if let handle { account = try handle.actor(in: seen, context).account.id }
        transaction.changes.records.append(
            .put(
                OneTimeRecord(
                    key: key,
                    account: account,
                    createdAt: context.now,
                    expiresAt: context.now + context.policy.lifetimes.nonce,
                    device: context.device,
                    content: .intent(Intent(action, in: handle?.session))
                )
            )
        )
    }
}
