/// Signs in with an identity at a provider: to its account, to the account whose address it verifies, or to a new one.
struct SignInFederated {
    let proof: FederatedProof
    var factor: FactorProof?
    /// The password of the address, if it was presented in the same attempt: the person who set it may keep it.
    var presented: PasswordProof?

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        let owner = seen.row(owning: .identity(proof.identity.key))
        // A password that was not compared may be the right one, and would be removed. An identity of an account
        // removes none.
        if owner == nil, case .mustWait(let refusal) = presented?.finding { throw refusal }
        let holder = owner == nil ? proof.addressHolder(in: seen, context) : nil
        let facts = facts(owner, holder, context)
        switch (try Self.rule(facts), owner ?? holder?.row) {
        case (.create(let address, let reason), _):
            transaction.reasons.append(reason)
            var (account, method) = proof.newAccount(address, context)
            transaction.use(.federated(proof))
            let authentication = authentication(on: Session.Basis(method), transaction)
            return transaction.signIn(to: &account, from: nil, authentication: authentication)
        case (.conflict(let reason), let row?):
            throw transaction.conflict(.accountExistsWithDifferentCredential, reason, over: proof, with: row, in: seen)
        case (.challenge, let row?):
            let retained = presented.flatMap { Proof.password($0).stored }
            throw transaction.challenge(row.account, for: .signIn, over: .federated(proof))
                .resuming { $0.retained = retained }
        case (.signIn(let reason), let row?):
            transaction.reasons.append(reason)
            return try signIn(to: row.reference, &transaction)
        case (.join(let removesMethods, let reason), let row?):
            transaction.reasons.append(reason)
            return join(row.account, removesMethods: removesMethods, &transaction)
        case (_, nil): throw .contradiction
        }
    }

    private func authentication(on basis: Session.Basis, _ transaction: Transaction) -> Authentication {
        Authentication(basis: basis, factor: factor, verified: proof.verifiedSubject(under: transaction.context.policy))
    }

    private func signIn(to reference: AccountReference, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let owner = reference.account
        if !owner.hasOldAssurance(of: proof.identity, transaction.context),
            let index = owner.methods.firstIndex(where: { $0.isIdentity(proof.identity) })
        {
            let authentication = authentication(on: Session.Basis(owner.methods[index]), transaction)
            if transaction.leavesUnchanged(owner, authentication: authentication) {
                transaction.use(.federated(proof))
                return transaction.signIn(toUnchanged: reference, authentication: authentication)
            }
        }
        var account = owner
        guard let method = account.renew(proof.identity, transaction.context) else { throw .contradiction }
        transaction.use(.federated(proof))
        // As for any first proof, another person may be signed in.
        if account.isNewlyVerified(since: owner, transaction.context) {
            transaction.raiseSessionGeneration(of: &account, for: [.firstVerification], except: nil)
        }
        let authentication = authentication(on: Session.Basis(method), transaction)
        return transaction.signIn(to: &account, from: owner, authentication: authentication)
    }

    private func join(_ owner: Account, removesMethods: Bool, _ transaction: inout Transaction) -> SignedIn {
        let now = transaction.context.now
        var account = owner
        if removesMethods {
            transaction.removeUnverifiedMethods(from: &account, keeping: presented?.method(of: owner))
            if let verified = proof.verifiedSubject(under: transaction.context.policy) {
                account.cover(account.methods.map(\.generation), by: [verified], at: now)
            }
        }
        let others = account.others(of: proof.identity)
        if !others.isEmpty {
            account.methods.removeAll(where: others.contains)
            transaction.raiseSessionGeneration(of: &account, for: [.unlink], except: nil)
        }
        let method = account.set(.federated(proof.identity), at: now)
        account.recordAssurance(of: proof.identity, at: now)
        switch transaction.context.policy.joinProfile {
        case .overwrites:
            account.displayName = proof.identity.displayName
            account.photoURL = proof.identity.photoURL
        case .fillsEmpty:
            account.displayName = account.displayName ?? proof.identity.displayName
            account.photoURL = account.photoURL ?? proof.identity.photoURL
        }
        transaction.use(.federated(proof))
        // The mailbox authorizes the join, which is therefore as old as the owner's verification of it.
        let policy = transaction.context.policy
        transaction.authorizedSince = proof.identity.email.flatMap { owner.verifiedSince($0, under: policy) }
        return transaction.signIn(
            to: &account,
            from: owner,
            authentication: authentication(on: Session.Basis(method), transaction)
        )
    }
}
