/// Lets mailed links open the account of the acting session, under an address that a link just proved.
struct LinkMailbox: LinkingStep {
    let proof: MailboxProof
    var factor: FactorProof?

    struct Facts: Sendable, Hashable {
        var isProviderLinked: Bool
        var code: CodeStanding
        var isAddressOfAnother: Bool
        var factor: FactorStanding
    }

    enum Finding: Sendable, Hashable {
        case link
        case challenge
        case refuse(AuthErrorCode, Reason)
    }

    static func rule(_ facts: Facts) -> Finding {
        if facts.isProviderLinked { return .refuse(.providerAlreadyLinked, .providerIsLinked) }
        if let refusal = facts.code.refusal { return .refuse(refusal.code, refusal.reason) }
        if facts.isAddressOfAnother { return .refuse(.emailAlreadyInUse, .addressIsOwned) }
        return facts.factor == .owed ? .challenge : .link
    }

    /// Decides as a further step of a draft, for an account and a session that the draft may have made or changed.
    func decide(
        for acting: ActingSession,
        on snapshot: Snapshot,
        continuing draft: consuming Draft
    ) -> Decision<SignedIn> {
        let ruling = draft.ruling
        if let refusal = ruling.policy.refusal(of: .emailLink) { return refuse(refusal, by: ruling) }
        let other = snapshot.owner(ofAddress: proof.email, under: ruling.policy)
            .flatMap { $0.id == acting.account.id ? nil : $0 }
        let facts = Facts(
            isProviderLinked: acting.account.hasPasswordEntry
                && !isConfirmation(for: acting.account, under: ruling.policy),
            code: snapshot.signInLinkStanding(proof, by: ruling),
            isAddressOfAnother: other.map { !$0.givesWay(of: proof.email, under: ruling.policy) } ?? false,
            factor: acting.account.factorStanding(in: acting.session, shown: factor)
        )
        switch Self.rule(facts) {
        case .refuse(let code, let reason):
            return refuse(Refusal(code, reason), by: ruling)
        case .challenge:
            let stored = StoredProof.mailbox(proof.email, proof.capability)
            return draft.refused(
                draft.challenge(acting.account, for: .change(acting.session.id), proof: stored, generation: nil)
            )
        case .link:
            // The account's own name of the mailbox, which may have two.
            let own = acting.account.email.flatMap { ruling.policy.isSameMailbox($0, proof.email) ? $0 : nil }
            let movesAddress = own == nil
            let email = own ?? proof.email
            if movesAddress, let refusal = acting.seniorityRefusal(for: acting.addressAges, by: ruling) {
                return refuse(refusal, by: ruling)
            }
            draft.reasons.append(.personAddsMethod)
            if let other { draft.evict(other, by: .mailbox(proof.email)) }
            draft.expectNobody(hasTwinOf: email, in: snapshot)
            var account = acting.account
            if movesAddress {
                account.moveToUnproven(proof.email, at: ruling.now)
                if ruling.policy.emailRecovery == .everyChange {
                    draft.offerRecovery(of: acting.account, in: &account, ruling.mailCode(draft.unusedNumber))
                }
            }
            account.note(.email(email), .mailboxCode, at: ruling.now)
            account.reservesEmail = true
            draft.endProvision(of: &account)
            let method = account.confirm(account.allowEmailLink(at: ruling.now))
            draft.changes.capabilities.append(.consume(proof.capability))
            draft.raiseEpoch(of: &account, after: acting, except: acting.session.id)
            return draft.granted(
                draft.keep(
                    acting,
                    with: &account,
                    showing: acting.adding(method, factor: factor, proved: .email(email), under: ruling.policy),
                    lastSignIn: snapshot.lastSignIn(of: account.id)
                )
            )
        }
    }

    /// Whether mailed links to the address are the account's already, and wait to be confirmed.
    private func isConfirmation(for account: Account, under policy: AuthPolicy) -> Bool {
        policy.isSameMailbox(account.email, proof.email) && account.emailLinkMethod.map { !$0.isActive } ?? false
    }
}
