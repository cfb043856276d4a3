/// Recovers the account of a conflict by a code from its mailbox, and links the incoming identity.
///
/// Whatever control of the mailbox does not cover is suspended, as on any recovery; the incoming identity replaces
/// another identity of the same provider.
struct ClaimAndLink: Operation {
    let proof: MailboxProof
    /// When the code from the mailbox was verified; nil for now.
    var verifiedAt: Timestamp?
    /// The identity that met the conflict.
    let incoming: FederatedProof
    let pending: PendingLink
    var factor: FactorProof?

    /// The operation to perform if the policy lets a mailbox sign in to every account of its address.
    private var signIn: SignInAndLink {
        SignInAndLink(first: SignIn(proof: .mailbox(proof), factor: factor), pending: pending)
    }

    var requires: [OneTimeRecordID] { factor?.consumes ?? [] }

    func lookups(_ request: Request) -> Lookups {
        var lookups = signIn.lookups(request)
        if let target = pending.target {
            lookups.insert(contentsOf: [.account(target), .records(of: .account(target), .changeReport)])
        }
        return lookups
    }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        try Proof.mailbox(proof).validate(seen, context, as: .signIn)
        try pending.proof.validate(seen, context, as: .signIn)
        if context.policy.joining == .whenVerified { return try signIn.decide(seen, &transaction) }
        // The account of the conflict has the mailbox's address, and no other account does.
        guard let owner = pending.target.flatMap({ seen[$0] }), let email = owner.email,
            context.keyRule.isSameMailbox(email, proof.email),
            seen.otherOwner(ofAddress: proof.email, than: owner.id, under: context.policy) == nil
        else { throw .conflictWithAnother }
        if owner.isDisabled { throw .accountDisabled }
        if seen.owner(of: .identity(incoming.identity.key)) != nil { throw .identityOwned }
        var recovered = owner
        // Everything is suspended that control of the mailbox does not cover.
        if !owner.isAdoptable { recovered.suspendDoubtful(for: email, sparing: [], context) }
        // The incoming identity replaces one of its provider.
        var remaining = recovered
        remaining.methods.removeAll { $0.kind.provider == incoming.identity.provider }
        try owner.requireSettledAddress(for: remaining, in: seen, context)
        if owner.factorStatus(presented: factor) == .required {
            throw transaction.challenge(owner, for: .signIn, over: .mailbox(proof), completing: pending.key)
        }
        transaction.reasons.append(.mailboxIsVerified)
        return claim(recovered, of: owner, email, &transaction)
    }

    private func claim(
        _ recovered: Account,
        of owner: Account,
        _ email: EmailAddress,
        _ transaction: inout Transaction
    ) -> SignedIn {
        let context = transaction.context
        var account = recovered
        if owner.isAdoptable {
            transaction.removeUnverifiedMethods(from: &account)
        } else {
            transaction.endUncovered(on: &account, before: owner)
        }
        let former = account.methods.filter { $0.kind.provider == incoming.identity.provider }
        account.blockAutoLinking(former, context)
        let method = account.set(.federated(incoming.identity), at: context.now)
        account.blockedIssuers.removeAll { $0 == incoming.identity.key.issuer }
        account.own(email, at: context.now)
        if context.keyRule.isSameMailbox(incoming.identity.email, email) {
            account.recordAssurance(of: incoming.identity, at: context.now)
        }
        transaction.endProvision(of: &account)
        transaction.consume(proof.record)
        transaction.use(pending.proof)
        let authentication = Authentication(basis: Session.Basis(method), factor: factor, verified: .email(email))
        return transaction.signIn(to: &account, from: owner, authentication: authentication, by: .mailbox(email))
    }
}
