/// Links an identity at a provider to the account of the acting session.
struct LinkFederated {
    let proof: FederatedProof
    var factor: FactorProof?

    struct Facts: Sendable, Hashable {
        var isIdentityOwned: Bool
        /// Whether the address is another account's primary one.
        var isAddressOfAnother: Bool
        /// Whether it comes from a conflict with another account.
        var isConflictWithAnother: Bool
        var factor: FactorStatus
        var accountsPerEmail: AuthPolicy.AccountsPerEmail
    }

    enum Finding: Sendable, Hashable {
        case link
        case challenge
        case conflict(AuthErrorCode, Reason)
    }

    static func rule(_ facts: Facts) throws(Refusal) -> Finding {
        if facts.isIdentityOwned { return .conflict(.credentialAlreadyInUse, .identityIsOwned) }
        if facts.accountsPerEmail == .one && facts.isAddressOfAnother {
            return .conflict(.emailAlreadyInUse, .addressIsOwned)
        }
        if facts.isConflictWithAnother { throw .conflictWithAnother }
        return facts.factor == .owed ? .challenge : .link
    }

    /// Links it to an account and a session that the transaction may have created or changed.
    func decide(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let policy = transaction.context.policy
        let identityOwner = acting.seen.row(owning: .identity(proof.identity.key))
        let addressOwner = acting.seen.row(owningAddress: proof.identity.email, under: policy)
        let isConfirmation = isConfirmation(for: acting.account)
        let facts = Facts(
            isIdentityOwned: identityOwner != nil && !isConfirmation,
            // An identity that the account has already brings no new address.
            isAddressOfAnother: !isConfirmation
                && isAddress(of: addressOwner, elsewhereThan: acting.account, under: policy),
            isConflictWithAnother: proof.target(in: acting.seen).map { $0 != acting.account.id } ?? false,
            factor: acting.account.factorStatus(in: acting.session, shown: factor),
            accountsPerEmail: policy.accountsPerEmail
        )
        switch try Self.rule(facts) {
        case .conflict(let code, let reason):
            guard let other = identityOwner ?? addressOwner else { throw .contradiction }
            throw transaction.conflict(code, reason, over: proof, with: other.account, in: acting.seen)
        case .challenge:
            throw transaction.challenge(acting, linking: .federated(proof))
        case .link:
            transaction.reasons.append(.personAddsMethod)
            var isTaken = addressOwner.map { $0.account.id != acting.account.id } ?? false
            if isTaken, let addressOwner = addressOwner?.account,
                acting.account.email == nil
                    || policy.isSameMailbox(acting.account.email, proof.identity.email),
                isYielded(by: addressOwner, under: policy)
            {
                transaction.releaseEmail(addressOwner, by: .session(acting.session.id))
                isTaken = false
            }
            return link(acting, isTaken: isTaken, &transaction)
        }
    }

    /// Whether the identity is the account's own and waits to be confirmed.
    private func isConfirmation(for account: Account) -> Bool {
        account.method(for: proof.identity.key).map { !$0.isActive } ?? false
    }

    /// Whether the address is another account's own, as far as the provider's assurance says anything about it.
    private func isAddress(of owner: Snapshot.Row?, elsewhereThan account: Account, under policy: AuthPolicy) -> Bool {
        guard let owner = owner?.account, owner.id != account.id else { return false }
        if isYielded(by: owner, under: policy) { return false }
        return policy.addressTrust == .verifiedFlag || proof.identity.assurance > .claimed
    }

    /// Whether the address's owner never verified it, and the provider runs its mailbox.
    private func isYielded(by owner: Account, under policy: AuthPolicy) -> Bool {
        guard let email = proof.identity.email, proof.verifiedSubject(under: policy) != nil else { return false }
        return owner.yieldsEmail(of: email, under: policy)
    }

    private func link(_ acting: ActingSession, isTaken: Bool, _ transaction: inout Transaction) -> SignedIn {
        let context = transaction.context
        let policy = context.policy
        var account = acting.account
        let method: SignInMethod
        if let known = account.methods.first(where: { $0.identity?.key == proof.identity.key }) {
            method = account.confirm(known, at: context.now)
        } else {
            let replaced = account.methods.filter { $0.kind.provider == proof.identity.provider }
            if !replaced.isEmpty {
                if policy.blocksRemovedIssuers { account.blockAutoLinking(replaced) }
                account.remove(proof.identity.provider)
            }
            method = account.add(.federated(proof.identity), at: context.now)
        }
        if account.blockedIssuers.contains(proof.identity.key.issuer) {
            account.blockedIssuers.removeAll { $0 == proof.identity.key.issuer }
        }
        let isVerified = proof.verifiedSubject(under: policy) != nil
        // No unverified address comes in the place of a verified one that the same step took away.
        let mayShow = isVerified || !transaction.drops(verifiedAddressOf: account)
        if account.email == nil, policy.accountsPerEmail == .one, mayShow {
            account.show(proof.identity, isTaken: isTaken, under: policy)
        }
        let isOwn = policy.isSameMailbox(account.email, proof.identity.email)
        if isOwn && isVerified && !isTaken {
            account.reservesEmail = true
            transaction.endProvision(of: &account)
        }
        // Record another verified address too, so that the account's owner is notified of changes there.
        if isOwn || isVerified && policy.sendsNotices {
            account.recordAssurance(of: proof.identity, at: context.now)
        }
        return transaction.link(
            method,
            by: .federated(proof),
            to: &account,
            of: acting,
            factor,
            verified: proof.verifiedSubject(under: policy)
        )
    }
}
