/// Signs in with a code that was sent to a number: to the number's account, or to a new one.
struct SignInWithPhone {
    let proof: PhoneProof
    var factor: FactorProof?

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        let owner = seen.owner(of: .phone(proof.number))
        if let owner {
            if owner.isDisabled { throw .accountDisabled }
            // The number's current owner must not be kept out by an account that may no longer use the number.
            if owner.canSpareOldNumber(at: context.now, under: context.policy) {
                throw transaction.phoneConflict(
                    .accountExistsWithDifferentCredential,
                    .numberVerificationIsOld,
                    over: proof,
                    in: seen
                )
            }
            if let method = owner.phoneMethod, !method.isActive { throw .methodSuspended }
            if !owner.acceptsNumber(under: context.policy) { throw .phoneIsNoFirstFactor }
            if owner.factorStatus(presented: factor) == .required {
                throw transaction.challenge(owner, for: .signIn, over: .phone(proof))
            }
        }
        transaction.reasons.append(owner == nil ? .numberIsFree : .numberIsKnown)
        var account = owner ?? context.newAccount
        let method = account.setPhone(proof.number, at: context.now)
        account.note(.phone(proof.number), .phoneCode, at: context.now)
        transaction.consume(proof.record)
        let authentication = Authentication(
            basis: Session.Basis(method),
            // A new account has no factors: one that was presented is another account's.
            factor: owner == nil ? nil : factor,
            verified: .phone(proof.number)
        )
        return transaction.signIn(to: &account, from: owner, authentication: authentication)
    }
}
