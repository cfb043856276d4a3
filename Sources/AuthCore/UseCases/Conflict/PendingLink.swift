/// The stored proof of a conflict, after it was found again.
struct PendingLink: Sendable {
    /// The key under which it is stored.
    let key: OneTimeRecordID
    /// What was verified.
    let proof: Proof
    /// The account with which an identity had a conflict; a number or an address leads to its account.
    let target: AccountID?

    /// What must be looked up for it.
    func lookups(_ request: Request) -> Lookups { proof.lookups(request).union([.record(key)]) }
}
