/// Signs in with any kind of proof.
struct SignIn: Operation {
    let proof: Proof
    var factor: FactorProof?
    /// The password of the address, if it was presented in the same attempt.
    var presented: PasswordProof?

    var verifiedAt: Timestamp? { proof.verifiedAt }

    var requires: [OneTimeRecordID] { factor?.consumes ?? [] }

    func lookups(_ request: Request) -> Lookups { proof.lookups(request) }

    /// Looks up the accounts with a provider's address only if no account has the identity.
    ///
    /// Accounts that display the address are looked up even if an account owns it. Otherwise a caller who only claims
    /// the address could learn from the response time whether it is owned.
    func further(_ seen: Snapshot, _ request: Request) -> Lookups? {
        guard case .identity(let proof) = proof.claim, seen.row(owning: .identity(proof.identity.key)) == nil,
            let email = proof.identity.email
        else { return nil }
        return [request.owner(of: email), request.references(to: email)]
    }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        try proof.validate(seen, transaction.context, as: .signIn)
        return try proof.signIn(factor: factor, presented: presented, seen, &transaction)
    }
}
