/// Lets mailed links sign in to the account of the acting session, under an address that a link just verified.
struct LinkMailbox {
    let proof: MailboxProof
    var factor: FactorProof?

    /// Links it to an account and a session that the transaction may have created or changed.
    func decide(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        var account = acting.account
        try transaction.requireFactor(factor, of: acting, linking: .mailbox(proof))
        let other = acting.seen.otherOwner(ofAddress: proof.email, than: account.id, under: context.policy)
        if let other, !other.yieldsEmail(of: proof.email, under: context.policy) { throw .addressOwned }
        // The name that the account has for the mailbox, which may have two.
        let own = account.email.flatMap { context.keyRule.isSameMailbox($0, proof.email) ? $0 : nil }
        let email = own ?? proof.email
        if own == nil { try acting.requireSeniority(over: acting.addressAges(context), context) }
        transaction.reasons.append(.personAddsMethod)
        if let other { transaction.releaseEmail(other, by: .mailbox(proof.email)) }
        if own == nil {
            account.moveToUnverified(proof.email, at: context.now)
            transaction.offerFormerAddress(of: acting.account, in: &account)
        }
        account.own(email, at: context.now)
        transaction.endProvision(of: &account)
        let method = account.confirm(account.allowEmailLink(at: context.now), at: context.now)
        return transaction.link(method, by: .mailbox(proof), to: &account, of: acting, factor, verified: .email(email))
    }
}
