/// Answers a conflict by a new account: what was proved moves there, and the old account keeps everything else.
struct StartFresh: Operation {
    typealias Outcome = SignedIn

    let pending: PendingLink
    /// A code from the mailbox, where the arrival itself does not prove it.
    let mailbox: MailboxProof?

    init(pending: PendingLink, mailbox: MailboxProof?) {
        self.pending = pending
        self.mailbox = mailbox
    }

    func lookups(_ request: Request) -> Lookups {
        var lookups = Lookups(pending.capabilities.map { .record($0) })
        for mailbox in mailboxes { lookups.insert(.record(mailbox.capability)) }
        if case .federated(let proof) = pending.proof { lookups.insert(.owner(.identity(proof.identity.key))) }
        switch subject {
        case .phone(let number)?: lookups.insert(.owner(.phone(number)))
        case .email(let email)?: lookups.insert(ownerOf: email)
        case nil: break
        }
        return lookups
    }

    /// What proves that the newcomer may take along what the account has.
    enum Proven: Sendable, Hashable, CaseIterable {
        case nothing
        case mailbox
        case number
    }

    struct Facts: Sendable, Hashable {
        var code: CodeStanding
        var proven: Proven
        var owner: OwnerStanding
        /// Whether the account has what was proved as its own, rather than held back for its recovery.
        var isOwn: Bool
        /// Whether the account proved it too.
        var isOwnerProven: Bool
        /// Whether nothing would be left that opens the account, or brings it back to an address that it left.
        var isLastMethod: Bool
        var lastMethod: AuthPolicy.LastMethod
        var isIdentityOwned: Bool
    }

    enum Finding: Sendable, Hashable {
        /// A new account; the old one, if there is one, gives up what was proved.
        case start
        case refuse(AuthErrorCode, Reason)
    }

    static func rule(_ facts: Facts) -> Finding {
        if let refusal = facts.code.refusal { return .refuse(refusal.code, refusal.reason) }
        if facts.isIdentityOwned { return .refuse(.credentialAlreadyInUse, .identityIsOwned) }
        if facts.proven == .nothing { return .refuse(.unverifiedEmail, .addressIsNotProven) }
        switch facts.owner {
        case .none: return .start
        case .disabled: return .refuse(.userDisabled, .accountIsDisabled)
        case .open: break
        }
        if !facts.isOwn { return .refuse(.emailAlreadyInUse, .addressIsOwned) }
        if facts.isOwnerProven && facts.isLastMethod && facts.lastMethod == .kept {
            return .refuse(.lastMethod, .methodIsTheLast)
        }
        return .start
    }

    func decide(on snapshot: Snapshot, by ruling: Ruling) -> Decision<SignedIn> {
        if let refusal = refusal(in: snapshot, by: ruling) { return refuse(refusal, by: ruling) }
        let owner = self.owner(in: snapshot, under: ruling.policy)
        let rest = owner.map { self.rest(of: $0, by: ruling) }
        let facts = Facts(
            code: codeStanding(in: snapshot, by: ruling),
            proven: proven(under: ruling.policy),
            owner: OwnerStanding(owner),
            isOwn: isOwn(of: owner, under: ruling.policy),
            isOwnerProven: isProven(by: owner, under: ruling.policy),
            isLastMethod: rest.map { $0.usableMethods(under: ruling.policy).isEmpty && !$0.canReturn(at: ruling.now) }
                ?? false,
            lastMethod: ruling.policy.lastMethod,
            isIdentityOwned: isIdentityOwned(in: snapshot)
        )
        if case .refuse(let code, let reason) = Self.rule(facts) { return refuse(Refusal(code, reason), by: ruling) }
        var draft = Draft(ruling)
        draft.reasons.append(.newcomerStartsFresh)
        if let owner, var rest {
            draft.release(owner, to: &rest, by: actor)
        }
        if let email = provedAddress { draft.expectNobody(hasTwinOf: email, in: snapshot) }
        return draft.granted(start(&draft))
    }

    private func start(_ draft: inout Draft) -> SignedIn {
        let ruling = draft.ruling
        var account = Account(id: AccountID(bits: ruling.fresh.account), createdAt: ruling.now)
        let method: Method
        switch pending.proof {
        case .federated(let proof):
            (account, method) = proof.newcomer(.reserved, by: ruling)
            if let mailbox { account.email = mailbox.email }
            proof.spend(by: ruling, &draft)
        case .phone(let proof):
            method = account.add(.phone(proof.number), at: ruling.now)
            account.note(.phone(proof.number), .phoneCode, at: ruling.now)
            draft.changes.capabilities.append(.consume(proof.capability))
        case .mailbox, .password, .customToken, .anonymous:
            account.email = provedAddress
            account.reservesEmail = true
            method = account.add(.emailLink, at: ruling.now)
        }
        for mailbox in mailboxes {
            account.note(.email(mailbox.email), .mailboxCode, at: ruling.now)
            draft.changes.capabilities.append(.consume(mailbox.capability))
        }
        let showing = Showing(SessionBasis(method), proved: subject)
        return draft.signIn(to: &account, from: nil, showing: showing, by: actor)
    }
}

extension StartFresh {
    /// Whether the account has what was proved as its own; nobody's is free to take.
    private func isOwn(of owner: Account?, under policy: AuthPolicy) -> Bool {
        guard let owner else { return true }
        guard let subject else { return false }
        return owner.has(subject, under: policy)
    }

    private func isProven(by owner: Account?, under policy: AuthPolicy) -> Bool {
        guard let owner, let subject else { return false }
        let proofs = [subject, policy.joinsTwins ? subject.twin : nil].compactMap(\.self)
        return proofs.contains { owner.hasProof(of: $0, atLeast: policy.provingWord) }
    }

    private func refusal(in snapshot: Snapshot, by ruling: Ruling) -> Refusal? {
        let policy = ruling.policy
        if mailbox != nil, let refusal = policy.refusal(of: .emailLink) { return refusal }
        switch pending.proof {
        case .federated(let proof): return proof.refusal(in: snapshot, by: ruling)
        case .mailbox: return policy.refusal(of: .emailLink)
        case .phone: return policy.refusal(of: .phone)
        case .password, .customToken, .anonymous: return Refusal(.internalError, .factsContradict)
        }
    }

    /// The codes from mailboxes that are shown: the one that is given now, and the one that met the conflict.
    private var mailboxes: [MailboxProof] {
        if let mailbox { return [mailbox] }
        if case .mailbox(let proof) = pending.proof { return [proof] }
        return []
    }

    private var provedAddress: EmailAddress? {
        if let mailbox = mailboxes.first { return mailbox.email }
        if case .federated(let proof) = pending.proof { return proof.identity.email }
        return nil
    }

    /// What is taken along: an address or a number.
    private var subject: Evidence.Subject? {
        if case .phone(let proof) = pending.proof { return .phone(proof.number) }
        return provedAddress.map { .email($0) }
    }

    private var actor: EventActor { mailboxes.first.map { .mailbox($0.email) } ?? .arrival }

    private func proven(under policy: AuthPolicy) -> Proven {
        switch pending.proof {
        case .phone: return .number
        case .mailbox: return .mailbox
        case .federated(let proof):
            if let mailbox {
                return proof.identity.email.map { mailbox.email.isMailbox(of: $0) } ?? false ? .mailbox : .nothing
            }
            return proof.provedSubject(under: policy) != nil ? .mailbox : .nothing
        case .password, .customToken, .anonymous: return .nothing
        }
    }

    private func codeStanding(in snapshot: Snapshot, by ruling: Ruling) -> CodeStanding {
        if case .phone(let proof) = pending.proof { return snapshot.phoneCodeStanding(proof, by: ruling) }
        return mailboxes.first.map { snapshot.signInLinkStanding($0, by: ruling) } ?? .good
    }

    private func owner(in snapshot: Snapshot, under policy: AuthPolicy) -> Account? {
        if case .phone(let number)? = subject { return snapshot.owner(of: .phone(number)) }
        return snapshot.owner(ofAddress: provedAddress, under: policy)
    }

    private func isIdentityOwned(in snapshot: Snapshot) -> Bool {
        guard case .federated(let proof) = pending.proof else { return false }
        return snapshot.owner(of: .identity(proof.identity.key)) != nil
    }

    /// The account without what the newcomer takes along, and without what hung on it.
    private func rest(of owner: Account, by ruling: Ruling) -> Account {
        if case .phone = pending.proof { return owner.without(.phone) }
        return owner.withoutAddress(at: ruling.now)
    }
}

extension Account {
    /// Whether the address or number is the account's own; an address that is held for its return is not.
    fileprivate func has(_ subject: Evidence.Subject, under policy: AuthPolicy) -> Bool {
        switch subject {
        case .email(let address):
            reservesEmail && policy.isSameMailbox(email, address)
                && !reservations.contains { policy.isSameMailbox($0.email, address) }
        case .phone(let number): phoneNumber == number
        }
    }
}

extension Account {
    /// Whether a code that was mailed to an earlier address can still bring the account back there.
    fileprivate func canReturn(at now: Timestamp) -> Bool {
        reservations.contains { $0.until > now && $0.email != email }
    }
}

extension EmailAddress {
    /// Whether both are names of one mailbox.
    func isMailbox(of other: EmailAddress) -> Bool { self == other || twin == other }
}
