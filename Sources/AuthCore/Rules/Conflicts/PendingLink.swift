/// What a conflict kept, once it was found again.
struct PendingLink: Sendable {
    /// The name under which it is kept.
    let key: CapabilityKey
    /// What was proved.
    let proof: Proof
    /// The account that the conflict was with, if it named one.
    let target: AccountID?

    init(key: CapabilityKey, proof: Proof, target: AccountID?) {
        self.key = key
        self.proof = proof
        self.target = target
    }

    /// The one-time things that it rests on.
    var capabilities: [CapabilityKey] {
        if case .federated(let proof) = proof { return proof.capabilities }
        return [key]
    }
}
