/// Lets mailed links sign in to the account of the acting session, under an address that a link just verified.
struct LinkMailbox {
    let proof: MailboxProof
    var factor: FactorProof?

    struct Facts: Sendable, Hashable {
        var isAddressOfAnother: Bool
        var factor: FactorStatus
    }

    static func rule(_ facts: Facts) throws(Refusal) -> FactorFinding {
        if facts.isAddressOfAnother { throw .addressOwned }
        return facts.factor == .owed ? .challenge : .proceed
    }

    /// Links it to an account and a session that the transaction may have created or changed.
    func decide(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        let other = acting.seen.owner(ofAddress: proof.email, under: context.policy)
            .flatMap { $0.id == acting.account.id ? nil : $0 }
        let facts = Facts(
            isAddressOfAnother: other.map { !$0.yieldsEmail(of: proof.email, under: context.policy) } ?? false,
            factor: acting.account.factorStatus(in: acting.session, shown: factor)
        )
        switch try Self.rule(facts) {
        case .challenge:
            throw transaction.challenge(acting, linking: .mailbox(proof))
        case .proceed:
            // The name that the account has for the mailbox, which may have two.
            let own = acting.account.email.flatMap { context.policy.isSameMailbox($0, proof.email) ? $0 : nil }
            let movesAddress = own == nil
            let email = own ?? proof.email
            if movesAddress { try acting.requireSeniority(over: acting.addressAges, context) }
            transaction.reasons.append(.personAddsMethod)
            if let other { transaction.releaseEmail(other, by: .mailbox(proof.email)) }
            var account = acting.account
            if movesAddress {
                account.moveToUnverified(proof.email, at: context.now)
                if context.policy.emailRecovery == .everyChange {
                    transaction.offerRecovery(
                        of: acting.account,
                        in: &account,
                        context.mailCode(transaction.unusedNumber)
                    )
                }
            }
            account.note(.email(email), .mailboxCode, at: context.now)
            account.reservesEmail = true
            transaction.endProvision(of: &account)
            let method = account.confirm(account.allowEmailLink(at: context.now), at: context.now)
            return transaction.link(
                method,
                by: .mailbox(proof),
                to: &account,
                of: acting,
                factor,
                verified: .email(email)
            )
        }
    }
}
