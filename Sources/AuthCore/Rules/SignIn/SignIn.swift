/// Signs in with whatever was proved; each kind of proof has a rule of its own.
struct SignIn: Operation {
    typealias Outcome = SignedIn

    let proof: Proof
    var factor: FactorProof?
    /// The password of the address, if it was shown in the same attempt.
    let shown: PasswordProof?
    let verifiedAt: Timestamp?

    init(
        _ proof: Proof,
        factor: FactorProof? = nil,
        shown: PasswordProof? = nil,
        verifiedAt: Timestamp? = nil
    ) {
        self.proof = proof
        self.factor = factor
        self.shown = shown
        self.verifiedAt = verifiedAt
    }

    var requires: [CapabilityKey] { factor?.consumes ?? [] }

    func lookups(_ request: Request) -> Lookups { proof.lookups }

    func further(_ seen: Snapshot, _ request: Request) -> Lookups? {
        guard case .federated(let proof) = proof else { return nil }
        return SignInFederated(proof: proof, factor: factor).further(seen, request)
    }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        switch proof {
        case .password(let proof):
            try SignInWithPassword(proof: proof, factor: factor).decide(seen, &transaction)
        case .mailbox(let proof): try SignInWithMailbox(proof: proof, factor: factor).decide(seen, &transaction)
        case .phone(let proof): try SignInWithPhone(proof: proof, factor: factor).decide(seen, &transaction)
        case .federated(let proof):
            try SignInFederated(proof: proof, factor: factor, shown: shown).decide(seen, &transaction)
        case .customToken(let proof):
            try SignInWithCustomToken(proof: proof, factor: factor).decide(seen, &transaction)
        case .anonymous: try SignInAnonymously().decide(seen, &transaction)
        }
    }
}
