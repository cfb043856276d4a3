/// Signs in with any kind of proof; each kind has a rule of its own.
struct SignIn: Operation {
    let proof: Proof
    var factor: FactorProof?
    /// The password of the address, if it was presented in the same attempt.
    let shown: PasswordProof?

    init(_ proof: Proof, factor: FactorProof? = nil, shown: PasswordProof? = nil) {
        self.proof = proof
        self.factor = factor
        self.shown = shown
    }

    var verifiedAt: Timestamp? { proof.verifiedAt }

    var requires: [OneTimeRecordID] { factor?.consumes ?? [] }

    func lookups(_ request: Request) -> Lookups { proof.lookups(request) }

    func further(_ seen: Snapshot, _ request: Request) -> Lookups? {
        guard case .identity(let proof) = proof.claim else { return nil }
        return SignInFederated(proof: proof).further(seen, request)
    }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        switch proof.claim {
        case .password(let proof):
            try SignInWithPassword(proof: proof, factor: factor).decide(seen, &transaction)
        case .mailbox(let proof): try SignInWithMailbox(proof: proof, factor: factor).decide(seen, &transaction)
        case .phone(let proof): try SignInWithPhone(proof: proof, factor: factor).decide(seen, &transaction)
        case .identity(let proof):
            try SignInFederated(proof: proof, factor: factor, shown: shown).decide(seen, &transaction)
        case .customToken(let proof):
            try SignInWithCustomToken(proof: proof, factor: factor).decide(seen, &transaction)
        case .nothing: try SignInAnonymously().decide(&transaction)
        }
    }
}
