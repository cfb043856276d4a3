/// What a conflict kept, once it was found again.
struct PendingLink: Sendable {
    /// The name under which it is kept.
    let key: OneTimeRecordID
    /// What was proved.
    let proof: Proof
    /// The account that the conflict was with, if it named one.
    let target: AccountID?

    init(key: OneTimeRecordID, proof: Proof, target: AccountID?) {
        self.key = key
        self.proof = proof
        self.target = target
    }

    /// What must be seen of it.
    var lookups: Lookups { proof.lookups.union([.record(key)]) }
}
