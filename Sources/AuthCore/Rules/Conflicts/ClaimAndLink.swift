/// Enters the account of a conflict by a code from its mailbox, and links what arrived: "this is mine".
///
/// Whatever the mailbox's proof does not cover is suspended, as on any recovery; another identity of the same provider
/// gives way to the arriving one.
struct ClaimAndLink: Operation {
    typealias Outcome = SignedIn

    let proof: MailboxProof
    /// The identity that met the conflict.
    let arrival: FederatedProof
    let pending: PendingLink
    var factor: FactorProof?

    init(proof: MailboxProof, arrival: FederatedProof, pending: PendingLink, factor: FactorProof? = nil) {
        self.proof = proof
        self.arrival = arrival
        self.pending = pending
        self.factor = factor
    }

    /// What the code does where the policy lets a mailbox open every account of its address.
    private var signIn: SignInAndLink<SignInWithMailbox> {
        SignInAndLink(first: SignInWithMailbox(proof: proof, factor: factor), pending: pending)
    }

    var requires: [CapabilityKey] { factor?.consumes ?? [] }

    func lookups(_ request: Request) -> Lookups {
        var lookups = signIn.lookups(request)
        if let target = pending.target { lookups.insert(.account(target)) }
        return lookups
    }

    struct Facts: Sendable, Hashable {
        var code: CodeStanding
        var owner: OwnerStanding
        /// Whether the account of the conflict has the mailbox's address, and nobody else does.
        var isTarget: Bool
        var isIdentityOwned: Bool
        var factor: FactorStanding
    }

    enum Finding: Sendable, Hashable {
        case claim
        case challenge
    }

    static func rule(_ facts: Facts) throws(Refusal) -> Finding {
        if let refusal = facts.code.refusal { throw refusal }
        if facts.owner == .none || !facts.isTarget { throw .conflictWithAnother }
        if facts.owner == .disabled { throw .accountDisabled }
        if facts.isIdentityOwned { throw .identityOwned }
        return facts.factor == .owed ? .challenge : .claim
    }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        if let refusal = context.policy.refusal(of: .emailLink) ?? context.policy.refusal(of: pending.proof.provider)
            ?? pending.proof.refusal(in: seen, context)
        {
            throw refusal
        }
        if context.policy.joining == .whenProven { return try signIn.decide(seen, &transaction) }
        let found = pending.target.flatMap { seen[$0] }
        let facts = Facts(
            code: seen.signInLinkStanding(proof, context),
            owner: OwnerStanding(found),
            isTarget: context.policy.isSameMailbox(found?.email, proof.email)
                && seen.owner(ofAddress: proof.email, under: context.policy).map { $0.id == found?.id } ?? true,
            isIdentityOwned: seen.owner(of: .identity(arrival.identity.key)) != nil,
            factor: found?.factorStanding(shown: factor) ?? .none
        )
        let finding = try Self.rule(facts)
        guard let owner = found, let email = owner.email else { throw .conflictWithAnother }
        if finding == .challenge {
            let stored = StoredProof.mailbox(proof.email, proof.capability)
            throw transaction.challenge(owner, for: .signIn, proof: stored, generation: nil, completing: pending.key)
        }
        transaction.reasons.append(.mailboxIsProven)
        return claim(owner, email, &transaction)
    }

    private func claim(_ owner: Account, _ email: EmailAddress, _ transaction: inout Transaction) -> SignedIn {
        let context = transaction.context
        var account = owner
        if account.isAdoptable {
            transaction.strip(&account)
        } else {
            transaction.reasons.append(.recoverySuspends)
            account.suspendDoubtful(for: email, sparing: [], context)
            transaction.endOtherSessions(of: &account, except: nil)
            transaction.changes.capabilities.append(
                .revokeAll(owner.id, [.verifyEmail, .changeEmail, .resetPassword, .totpSeed])
            )
        }
        let method: Method
        if let index = account.methods.firstIndex(where: { $0.kind.provider == arrival.identity.provider }) {
            if context.policy.seversRemovedIssuers { account.sever([account.methods[index]]) }
            method = account.replaceMethod(at: index, by: .federated(arrival.identity), at: context.now)
        } else {
            method = account.add(.federated(arrival.identity), at: context.now)
        }
        account.severedIssuers.removeAll { $0 == arrival.identity.key.issuer }
        account.note(.email(email), .mailboxCode, at: context.now)
        if context.policy.isSameMailbox(arrival.identity.email, email) {
            account.noteWord(of: arrival.identity, at: context.now)
        }
        account.reservesEmail = true
        transaction.changes.capabilities.append(.consume(proof.capability))
        transaction.use(pending.proof)
        let showing = Showing(SessionBasis(method), factor: factor, proved: .email(email))
        return transaction.signIn(to: &account, from: owner, showing: showing, by: .mailbox(email))
    }
}
