/// Creates an account with an address and a password.
struct SignUp: Operation {
    let email: EmailAddress
    /// The hash of the password, or the password rule's refusal.
    let password: Result<PasswordHash, Refusal>

    func lookups(_ request: Request) -> Lookups { NewMethod.password(email, password).lookups(request) }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        try context.requireEnabled(.password)
        // If the caller must not learn whether the address is taken, the account is created in any case, and only its
        // device can sign in to it until the address is verified.
        let isProvisional = !context.policy.tellsOwnership(to: nil) && context.device != nil
        if !isProvisional, seen.row(owningAddress: email, under: context.keyRule) != nil { throw .addressOwned }
        let hash = try password.get()
        transaction.reasons.append(isProvisional ? .disclosureIsWithheld : .addressIsFree)
        var account = context.newAccount
        account.email = email
        account.reservesEmail = !isProvisional
        let method = account.add(.password(hash), at: context.now)
        if isProvisional { transaction.makeProvisional(&account, under: email, in: seen) }
        return transaction.signIn(to: &account, from: nil, authentication: Authentication(basis: Session.Basis(method)))
    }
}
