/// Signs in with a custom token of the app's own server, to the account that it names.
struct SignInWithCustomToken {
    let proof: CustomTokenProof
    var factor: FactorProof?

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        let owner = seen[proof.account]
        if let owner {
            if owner.isDisabled { throw .accountDisabled }
            if owner.factorStatus(presented: factor) == .required {
                throw transaction.challenge(owner, for: .signIn, over: .customToken(proof))
            }
        } else if seen.tombstone(of: proof.account) != nil {
            // The name of an account that is gone is not used again.
            throw seen.refusal(ofMissing: proof.account)
        }
        transaction.reasons.append(.serverVouches)
        var account = owner ?? Account(id: proof.account, createdAt: context.now)
        account.acceptsCustomTokens = true
        account.noteCustomToken(at: context.now)
        account.isAnonymous = false
        var authentication = Authentication(basis: .customToken, factor: factor)
        authentication.authenticatedAt = proof.authenticatedAt(context.now, under: context.policy)
        authentication.claims = proof.claims
        return transaction.signIn(to: &account, from: owner, authentication: authentication)
    }
}
