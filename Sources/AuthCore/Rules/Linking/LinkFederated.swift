/// Adds an identity at a provider to the account of the acting session.
struct LinkFederated: LinkingStep {
    let proof: FederatedProof
    var factor: FactorProof?

    struct Facts: Sendable, Hashable {
        var isProviderLinked: Bool
        var isIdentityOwned: Bool
        /// Whether the address is the primary one of somebody else.
        var isAddressOfAnother: Bool
        /// Whether it comes from a conflict with somebody else.
        var isConflictWithAnother: Bool
        var factor: FactorStanding
        var accountsPerEmail: AuthPolicy.AccountsPerEmail
    }

    enum Finding: Sendable, Hashable {
        case link
        case challenge
        case conflict(AuthErrorCode, Reason)
        case refuse(AuthErrorCode, Reason)
    }

    static func rule(_ facts: Facts) -> Finding {
        if facts.isProviderLinked { return .refuse(.providerAlreadyLinked, .providerIsLinked) }
        if facts.isIdentityOwned { return .conflict(.credentialAlreadyInUse, .identityIsOwned) }
        if facts.accountsPerEmail == .one && facts.isAddressOfAnother {
            return .conflict(.emailAlreadyInUse, .addressIsOwned)
        }
        if facts.isConflictWithAnother { return .refuse(.userMismatch, .conflictIsWithAnother) }
        return facts.factor == .owed ? .challenge : .link
    }

    /// Decides as a further step of a draft, for an account and a session that the draft may have made or changed.
    func decide(
        for acting: ActingSession,
        on snapshot: Snapshot,
        continuing draft: consuming Draft
    ) throws(Refusal) -> Decision<SignedIn> {
        let ruling = draft.ruling
        if let refusal = proof.refusal(in: snapshot, by: ruling) { return refuse(refusal, by: ruling) }
        let identityOwner = snapshot.owner(of: .identity(proof.identity.key))
        let addressOwner = snapshot.owner(ofAddress: proof.identity.email, under: ruling.policy)
        let facts = Facts(
            isProviderLinked: hasOther(acting.account),
            isIdentityOwned: identityOwner != nil && !isConfirmation(for: acting.account),
            isAddressOfAnother: isAddress(of: addressOwner, elsewhereThan: acting.account, under: ruling.policy),
            isConflictWithAnother: proof.target(in: snapshot).map { $0 != acting.account.id } ?? false,
            factor: acting.account.factorStanding(in: acting.session, shown: factor),
            accountsPerEmail: ruling.policy.accountsPerEmail
        )
        switch Self.rule(facts) {
        case .refuse(let code, let reason):
            return refuse(Refusal(code, reason), by: ruling)
        case .conflict(let code, let reason):
            let other = try (identityOwner ?? addressOwner).promised()
            return draft.refused(try draft.conflict(code, reason, over: proof, with: other, in: snapshot))
        case .challenge:
            return draft.refused(
                draft.challenge(
                    acting.account,
                    for: .change(acting.session.id),
                    proof: .federated(proof.assertion, pending: proof.pending?.key),
                    generation: nil
                )
            )
        case .link:
            draft.reasons.append(.personAddsMethod)
            var isTaken = addressOwner.map { $0.id != acting.account.id } ?? false
            if isTaken, let addressOwner,
                acting.account.email == nil
                    || ruling.policy.isSameMailbox(acting.account.email, proof.identity.email),
                isGivenUp(by: addressOwner, under: ruling.policy)
            {
                draft.evict(addressOwner, by: .session(acting.session.id))
                isTaken = false
            }
            if let email = proof.identity.email { draft.expectNobody(hasTwinOf: email, in: snapshot) }
            return draft.granted(link(acting, snapshot.lastSignIn(of: acting.account.id), isTaken: isTaken, &draft))
        }
    }

    /// Whether another identity of the provider is linked that does not give way: a suspended one does, or whoever put it
    /// there would keep the account's owner from linking their own.
    private func hasOther(_ account: Account) -> Bool {
        account.methods.contains { $0.kind.provider == proof.identity.provider && $0.isActive }
    }

    /// Whether the identity is the account's own and waits to be confirmed.
    private func isConfirmation(for account: Account) -> Bool {
        account.method(for: proof.identity.key).map { !$0.isActive } ?? false
    }

    /// Whether the address is another account's own, as far as the provider's word says anything about it.
    private func isAddress(of owner: Account?, elsewhereThan account: Account, under policy: AuthPolicy) -> Bool {
        guard let owner, owner.id != account.id else { return false }
        if isGivenUp(by: owner, under: policy) { return false }
        return policy.addressTrust == .verifiedFlag || proof.identity.word > .claimed
    }

    /// Whether the address's owner never proved it, and the provider runs its mailbox.
    private func isGivenUp(by owner: Account, under policy: AuthPolicy) -> Bool {
        guard let email = proof.identity.email, proof.provedSubject(under: policy) != nil else { return false }
        return owner.givesWay(of: email, under: policy)
    }

    private func link(
        _ acting: ActingSession,
        _ lastSignIn: Timestamp?,
        isTaken: Bool,
        _ draft: inout Draft
    ) -> SignedIn {
        let ruling = draft.ruling
        var account = acting.account
        let method: Method
        if let index = account.methods.firstIndex(where: { $0.identityKey == proof.identity.key }) {
            account.methods[index].suspension = nil
            method = account.methods[index]
        } else {
            let replaced = account.methods.filter { $0.kind.provider == proof.identity.provider }
            if !replaced.isEmpty {
                if ruling.policy.seversRemovedIssuers { account.sever(replaced) }
                account = account.without(proof.identity.provider)
            }
            method = account.add(.federated(proof.identity), at: ruling.now)
        }
        if account.severedIssuers.contains(proof.identity.key.issuer) {
            account.severedIssuers.removeAll { $0 == proof.identity.key.issuer }
        }
        if account.email == nil, ruling.policy.accountsPerEmail == .one {
            account.show(proof.identity, isTaken: isTaken, under: ruling.policy)
        }
        let isProved = proof.provedSubject(under: ruling.policy) != nil
        let isOwn = ruling.policy.isSameMailbox(account.email, proof.identity.email)
        // Also where the address is another one its person is to be told there of what changes.
        if isOwn || isProved && ruling.policy.sendsNotices { account.noteWord(of: proof.identity, at: ruling.now) }
        if isOwn && isProved && !isTaken {
            account.reservesEmail = true
            draft.endProvision(of: &account)
        }
        proof.spend(by: ruling, &draft)
        draft.raiseEpoch(of: &account, after: acting, except: acting.session.id)
        return draft.keep(
            acting,
            with: &account,
            showing: acting.adding(
                method,
                factor: factor,
                proved: proof.provedSubject(under: ruling.policy),
                under: ruling.policy
            ),
            lastSignIn: lastSignIn
        )
    }
}

extension Account {
    /// Shows the address of an identity as the account's own, as far as the provider's word and the policy allow.
    ///
    /// One that is another account's is merely shown, as it is where the identity makes an account.
    mutating func show(_ identity: Identity, isTaken: Bool, under policy: AuthPolicy) {
        guard let address = identity.email else { return }
        let isOwn = !isTaken && (policy.addressReservation == .everyAddress || identity.word >= policy.provingWord)
        // A password that waits for an address must not come to hang on one that others may own.
        if !isOwn && passwordMethod != nil { return }
        email = address
        reservesEmail = isOwn
    }
}
