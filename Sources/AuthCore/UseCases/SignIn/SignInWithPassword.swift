/// Signs in with an address and its password.
struct SignInWithPassword {
    let proof: PasswordProof
    var factor: FactorProof?

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        let disclosure = context.policy.disclosure
        guard let owner = Proof.password(proof).account(in: seen, under: context.policy) else {
            throw disclosure == .detailed ? .addressUnknown : .credentialWrong
        }
        let status = proof.status(of: owner)
        if owner.isDisabled {
            // If strangers learn nothing, only a caller who knows the password learns more.
            throw disclosure == .uniform && status != .matches ? .credentialWrong : .accountDisabled
        }
        guard status == .matches, let method = owner.passwordMethod else {
            throw status.refusal(disclosing: disclosure)
        }
        if owner.factorStatus(presented: factor) == .required {
            throw transaction.challenge(owner, for: .signIn, over: .password(proof))
        }
        transaction.reasons.append(.passwordMatches)
        var account = owner
        if case .matches(_, _, let rehashed?) = proof.finding,
            let index = account.methods.firstIndex(where: { $0.generation == method.generation })
        {
            account.methods[index].kind = .password(rehashed)
        }
        return transaction.signIn(
            to: &account,
            from: owner,
            authentication: Authentication(basis: Session.Basis(method), factor: factor)
        )
    }
}
