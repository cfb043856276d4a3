/// Links a number to the account of the acting session, or renews the proof of the one it has.
struct LinkPhone {
    let proof: PhoneProof
    var factor: FactorProof?

    /// Links it to an account and a session that the transaction may have created or changed.
    func decide(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        var account = acting.account
        let refusal = refusal(on: account, under: context.policy)
        // A factor would not change that. Whose the number is, is told only after a factor was presented.
        if let refusal, account.factorStatus(in: acting.session, presented: factor) == .required { throw refusal }
        try transaction.requireFactor(factor, of: acting, linking: .phone(proof))
        if let owner = acting.seen.owner(of: .phone(proof.number)), owner.id != account.id {
            throw transaction.phoneConflict(.credentialAlreadyInUse, .numberIsOwned, over: proof, in: acting.seen)
        }
        if let refusal { throw refusal }
        transaction.reasons.append(.personAddsMethod)
        let method = account.confirm(account.setPhone(proof.number, at: context.now), at: context.now)
        account.note(.phone(proof.number), .phoneCode, at: context.now)
        return transaction.link(
            method,
            by: .phone(proof),
            to: &account,
            of: acting,
            factor,
            verified: .phone(proof.number)
        )
    }

    /// Why the account itself cannot have the number as a method.
    private func refusal(on account: Account, under policy: AuthPolicy) -> Refusal? {
        if !account.acceptsNumber(under: policy) { return .phoneIsNoFirstFactor }
        // A number that is a second factor of the account would be both factors of a sign-in.
        return account.factors.contains { $0.phoneNumber == proof.number } ? .factorEnrolled : nil
    }
}
