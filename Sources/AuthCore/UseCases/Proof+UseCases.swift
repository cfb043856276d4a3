/// What each kind of proof does; each kind has rules of its own.
extension Proof {
    /// Signs in to the account that the proof, which holds, leads to, or to a new one.
    func signIn(
        factor: FactorProof?,
        presented: PasswordProof?,
        _ seen: Snapshot,
        _ transaction: inout Transaction
    ) throws(Refusal) -> SignedIn {
        switch claim {
        case .password(let proof): try SignInWithPassword(proof: proof, factor: factor).decide(seen, &transaction)
        case .mailbox(let proof): try SignInWithMailbox(proof: proof, factor: factor).decide(seen, &transaction)
        case .phone(let proof): try SignInWithPhone(proof: proof, factor: factor).decide(seen, &transaction)
        case .identity(let proof):
            try SignInFederated(proof: proof, factor: factor, presented: presented).decide(seen, &transaction)
        case .customToken(let proof): try SignInWithCustomToken(proof: proof, factor: factor).decide(seen, &transaction)
        case .nothing: SignInAnonymously().decide(&transaction)
        }
    }

    /// Links what the proof, which holds, verifies to an account and a session that the transaction may have created or
    /// changed.
    func link(
        to acting: ActingSession,
        factor: FactorProof?,
        _ transaction: inout Transaction
    ) throws(Refusal) -> SignedIn {
        switch claim {
        case .mailbox(let proof): try LinkMailbox(proof: proof, factor: factor).decide(acting, &transaction)
        case .phone(let proof): try LinkPhone(proof: proof, factor: factor).decide(acting, &transaction)
        case .identity(let proof): try LinkFederated(proof: proof, factor: factor).decide(acting, &transaction)
        case .password, .customToken, .nothing: throw .contradiction
        }
    }
}
