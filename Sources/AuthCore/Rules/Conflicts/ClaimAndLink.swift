/// Enters the account of a conflict by a code from its mailbox, and links what arrived: "this is mine".
///
/// Whatever the mailbox's proof does not cover is suspended, as on any recovery; another identity of the same provider
/// gives way to the arriving one.
struct ClaimAndLink: DecidingOperation {
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
        case refuse(AuthErrorCode, Reason)
    }

    static func rule(_ facts: Facts) -> Finding {
        if let refusal = facts.code.refusal { return .refuse(refusal.code, refusal.reason) }
        if facts.owner == .none || !facts.isTarget { return .refuse(.userMismatch, .conflictIsWithAnother) }
        if facts.owner == .disabled { return .refuse(.userDisabled, .accountIsDisabled) }
        if facts.isIdentityOwned { return .refuse(.credentialAlreadyInUse, .identityIsOwned) }
        return facts.factor == .owed ? .challenge : .claim
    }

    func decide(on snapshot: Snapshot, _ context: DecisionContext) throws(Refusal) -> Decision<SignedIn> {
        if let refusal = context.policy.refusal(of: .emailLink) ?? arrival.refusal(in: snapshot, context) {
            return refuse(refusal, context)
        }
        if context.policy.joining == .whenProven { return try signIn.decide(on: snapshot, context) }
        let found = pending.target.flatMap { snapshot[$0] }
        let facts = Facts(
            code: snapshot.signInLinkStanding(proof, context),
            owner: OwnerStanding(found),
            isTarget: context.policy.isSameMailbox(found?.email, proof.email)
                && snapshot.owner(ofAddress: proof.email, under: context.policy).map { $0.id == found?.id } ?? true,
            isIdentityOwned: snapshot.owner(of: .identity(arrival.identity.key)) != nil,
            factor: found?.factorStanding(shown: factor) ?? .none
        )
        let finding = Self.rule(facts)
        if case .refuse(let code, let reason) = finding { return refuse(Refusal(code, reason), context) }
        let owner = try found.promised()
        var transaction = Transaction(context)
        if finding == .challenge {
            let stored = StoredProof.mailbox(proof.email, proof.capability)
            return transaction.refused(
                transaction.challenge(owner, for: .signIn, proof: stored, generation: nil, completing: pending.key)
            )
        }
        transaction.reasons.append(.mailboxIsProven)
        return transaction.granted(try claim(owner, &transaction))
    }

    private func claim(_ owner: Account, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        let email = try owner.email.promised()
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
        arrival.spend(context, &transaction)
        let showing = Showing(SessionBasis(method), factor: factor, proved: .email(email))
        return transaction.signIn(to: &account, from: owner, showing: showing, by: .mailbox(email))
    }
}
