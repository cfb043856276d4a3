/// Resolves a conflict by a new account: what was verified moves there, and the old account keeps everything else.
struct CreateSeparateAccount: Operation {
    let pending: PendingLink
    /// A code from the mailbox, if the incoming identity itself does not verify it.
    let mailbox: MailboxProof?

    var verifiedAt: Timestamp? { mailbox == nil ? pending.proof.verifiedAt : nil }

    func lookups(_ request: Request) -> Lookups {
        var lookups = pending.lookups(request)
        if let mailbox { lookups.insert(.record(mailbox.record)) }
        if let key = key(under: request.keyRule) { lookups.insert(.owner(key)) }
        return lookups
    }

    /// What verifies that the new account may take over what the old account has.
    enum Verified: Sendable, Hashable, CaseIterable {
        case nothing
        case mailbox
        case number
    }

    struct Facts: Sendable, Hashable {
        var verified: Verified
        var owner: OwnerStatus
        /// Whether what was verified is the account's own, rather than reserved for its recovery.
        var isOwn: Bool
        /// Whether it is a number that signs in to the account, since the account verified it recently.
        var isNumberInUse: Bool
        /// Whether the account verified it too.
        var isOwnerVerified: Bool
        /// Whether nothing would be left to sign in to the account, or to return it to an address that it left.
        var isLastMethod: Bool
        var lastMethod: AuthPolicy.LastMethod
        var isIdentityOwned: Bool
    }

    static func rule(_ facts: Facts) throws(Refusal) {
        if facts.isIdentityOwned { throw .identityOwned }
        if facts.verified == .nothing { throw .addressUnverified }
        switch facts.owner {
        case .absent: return
        case .disabled: throw .accountDisabled
        case .open: break
        }
        if !facts.isOwn { throw .addressOwned }
        if facts.isNumberInUse { throw Refusal(.credentialAlreadyInUse, .numberIsOwned) }
        if facts.isOwnerVerified && facts.isLastMethod && facts.lastMethod == .kept { throw .lastMethod }
    }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        if let mailbox { try Proof.mailbox(mailbox).validate(seen, context, as: .signIn) }
        try pending.proof.validate(seen, context, as: .signIn)
        let owner = key(under: context.keyRule).flatMap { seen.owner(of: $0) }
        let remaining = owner.map { remainder(of: $0, context) }
        let facts = Facts(
            verified: verified(under: context.policy),
            owner: OwnerStatus(owner),
            isOwn: isOwn(of: owner, under: context.policy),
            isNumberInUse: isNumberInUse(of: owner, context),
            isOwnerVerified: isVerified(by: owner, under: context.policy),
            isLastMethod: remaining.map {
                $0.lacksLastMethod(context) && !$0.canSignInByMail(under: context.policy)
                    && !$0.canReturn(at: context.now)
            } ?? false,
            lastMethod: context.policy.lastMethod,
            isIdentityOwned: isIdentityOwned(in: seen)
        )
        try Self.rule(facts)
        transaction.reasons.append(.separateAccountIsCreated)
        if let owner, var remaining { transaction.release(owner, to: &remaining, by: actor) }
        return start(&transaction)
    }

    private func start(_ transaction: inout Transaction) -> SignedIn {
        let context = transaction.context
        var account = context.newAccount
        let method: SignInMethod
        if case .identity(let proof) = pending.proof.claim {
            (account, method) = proof.newAccount(.reserved, context)
            if let mailbox { account.email = mailbox.email }
        } else if case .phone(let proof) = pending.proof.claim {
            method = account.add(.phone(proof.number), at: context.now)
            account.note(.phone(proof.number), .phoneCode, at: context.now)
        } else {
            account.email = verifiedAddress
            account.reservesEmail = true
            method = account.add(.emailLink, at: context.now)
        }
        transaction.use(pending.proof)
        if let mailbox { transaction.consume(mailbox.record) }
        if let verified = mailboxProof { account.note(.email(verified.email), .mailboxCode, at: context.now) }
        let authentication = Authentication(basis: Session.Basis(method), verified: subject)
        return transaction.signIn(to: &account, from: nil, authentication: authentication, by: actor)
    }

    /// Whether what was verified is the account's own; an address reserved for its return is not, and what no account
    /// has is free to take.
    private func isOwn(of owner: Account?, under policy: AuthPolicy) -> Bool {
        guard let owner, let subject else { return owner == nil }
        switch subject {
        case .email(let address):
            return owner.reservesEmail && policy.keyRule.isSameMailbox(owner.email, address)
                && !owner.reservations.contains { policy.keyRule.isSameMailbox($0.email, address) }
        case .phone(let number): return owner.phoneNumber == number
        }
    }

    private func isNumberInUse(of owner: Account?, _ context: DecisionContext) -> Bool {
        guard let owner, case .phone = pending.proof.claim else { return false }
        return !owner.canSpareOldNumber(at: context.now, under: context.policy)
    }

    private func isVerified(by owner: Account?, under policy: AuthPolicy) -> Bool {
        guard let owner, let subject else { return false }
        return owner.evidence.contains { piece in
            let isOfSubject =
                policy.keyRule == .mailbox ? piece.subject.mailbox == subject.mailbox : piece.subject == subject
            return isOfSubject && piece.counts(under: policy)
        }
    }

    /// The mailbox code that verifies the address: the one given now, or the one that met the conflict.
    private var mailboxProof: MailboxProof? { mailbox ?? pending.proof.mailbox }

    private var verifiedAddress: EmailAddress? { mailboxProof?.email ?? conflictAddress }

    /// The address that met the conflict.
    private var conflictAddress: EmailAddress? {
        pending.proof.federated?.identity.email ?? pending.proof.mailbox?.email
    }

    /// What the new account takes over: an address or a number.
    private var subject: Evidence.Subject? {
        if case .phone(let proof) = pending.proof.claim { return .phone(proof.number) }
        return verifiedAddress.map { .email($0) }
    }

    private var actor: IdentityEvent.Actor { mailboxProof.map { .mailbox($0.email) } ?? .unauthenticated }

    private func verified(under policy: AuthPolicy) -> Verified {
        // A link verifies the address that met the conflict, and nothing else.
        if let mailbox { return policy.keyRule.isSameMailbox(conflictAddress, mailbox.email) ? .mailbox : .nothing }
        switch pending.proof.verifiedContact(under: policy) {
        case .email?: return .mailbox
        case .phone?: return .number
        case nil: return .nothing
        }
    }

    /// The key of what the new account takes over.
    private func key(under rule: KeyRule) -> UniqueKey? {
        switch subject {
        case .phone(let number)?: .phone(number)
        case .email(let email)?: rule.key(for: email)
        case nil: nil
        }
    }

    private func isIdentityOwned(in seen: Snapshot) -> Bool {
        pending.proof.federated.map { seen.owner(of: .identity($0.identity.key)) != nil } ?? false
    }

    /// The account without what the new account takes over, and without what depended on it.
    private func remainder(of owner: Account, _ context: DecisionContext) -> Account {
        guard case .phone = pending.proof.claim else { return owner.withoutAddress(at: context.now) }
        var account = owner
        account.remove(.phone)
        return account
    }
}

extension Account {
    /// Whether a code that was mailed to an earlier address can still return the account to that address.
    fileprivate func canReturn(at now: Timestamp) -> Bool {
        reservations.contains { $0.until > now && $0.email != email }
    }
}
