/// Links an identity at a provider to the account of the acting session.
struct LinkFederated {
    let proof: FederatedProof
    var factor: FactorProof?

    /// Links it to an account and a session that the transaction may have created or changed.
    func decide(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        let seen = acting.seen
        // Whose the identity or its address is, is told once the factor was presented.
        try transaction.requireFactor(factor, of: acting, linking: .federated(proof))
        var holder = seen.row(owningAddress: proof.identity.email, under: context.keyRule)
        if holder?.account.id == acting.account.id { holder = nil }
        // An identity that the account has already has no other owner, and its address is not linked anew.
        if !isConfirmation(for: acting.account) {
            if let row = seen.row(owning: .identity(proof.identity.key)) {
                throw transaction.conflict(.credentialAlreadyInUse, .identityIsOwned, over: proof, with: row, in: seen)
            }
            if let holder, context.policy.accountsPerEmail == .one, isOwned(by: holder.account, under: context.policy) {
                throw transaction.conflict(.emailAlreadyInUse, .addressIsOwned, over: proof, with: holder, in: seen)
            }
        }
        if let target = proof.target(in: seen), target != acting.account.id { throw .conflictWithAnother }
        transaction.reasons.append(.personAddsMethod)
        guard let holder else { return link(acting, isTaken: false, &transaction) }
        let isFree = acting.account.email == nil && context.policy.accountsPerEmail == .one
        let mayTakeAddress = isFree || context.keyRule.isSameMailbox(acting.account.email, proof.identity.email)
        let takesAddress = mayTakeAddress && isYielded(by: holder.account, under: context.policy)
        if takesAddress { transaction.releaseEmail(holder.account, by: .session(acting.session.id)) }
        return link(acting, isTaken: !takesAddress, &transaction)
    }

    /// Whether the identity is the account's own and waits to be confirmed.
    private func isConfirmation(for account: Account) -> Bool {
        account.method(for: proof.identity.key).map { !$0.isActive } ?? false
    }

    /// Whether the address is another account's own, as far as the provider's assurance says anything about it.
    private func isOwned(by owner: Account, under policy: AuthPolicy) -> Bool {
        !isYielded(by: owner, under: policy)
            && (policy.addressTrust == .verifiedFlag || proof.identity.assurance > .claimed)
    }

    /// Whether the address's owner never verified it, and the provider runs its mailbox.
    private func isYielded(by owner: Account, under policy: AuthPolicy) -> Bool {
        guard let email = proof.identity.email, proof.verifiedSubject(under: policy) != nil else { return false }
        return owner.yieldsEmail(of: email, under: policy)
    }

    private func link(_ acting: ActingSession, isTaken: Bool, _ transaction: inout Transaction) -> SignedIn {
        let context = transaction.context
        var account = acting.account
        let method: SignInMethod
        if let known = account.refresh(proof.identity, context) {
            method = account.confirm(known, at: context.now)
        } else {
            account.removeAndBlock(proof.identity.provider, context)
            method = account.add(.federated(proof.identity), at: context.now)
        }
        account.blockedIssuers.removeAll { $0 == proof.identity.key.issuer }
        let verified = proof.verifiedSubject(under: context.policy)
        let isVerified = verified != nil
        // No unverified address comes in the place of a verified one that the same step took away, and none is verified
        // that another account owns.
        let mayShow = isVerified ? !isTaken : !transaction.drops(verifiedAddressOf: account)
        if account.email == nil, context.policy.accountsPerEmail == .one, mayShow {
            account.display(proof.identity, isTaken: isTaken, under: context.policy)
        }
        let isOwn = context.keyRule.isSameMailbox(account.email, proof.identity.email)
        if isOwn && isVerified && !isTaken {
            account.reservesEmail = true
            transaction.endProvision(of: &account)
        }
        // Record another verified address too, so that the account's owner is notified of changes there, but verify
        // none that the account only displays, since another owns it.
        if isOwn ? !isVerified || !isTaken : isVerified && context.policy.sendsNotices {
            account.recordAssurance(of: proof.identity, at: context.now)
        }
        return transaction.link(method, by: .federated(proof), to: &account, of: acting, factor, verified: verified)
    }
}
