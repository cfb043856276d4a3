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
        case refuse(AuthErrorCode, Reason)
    }

    static func rule(_ facts: Facts) -> Finding {
        if let refusal = facts.code.refusal { return .refuse(refusal.code, refusal.reason) }
        if facts.owner == .none || !facts.isTarget { return .refuse(.userMismatch, .conflictIsWithAnother) }
        if facts.owner == .disabled { return .refuse(.userDisabled, .accountIsDisabled) }
        if facts.isIdentityOwned { return .refuse(.credentialAlreadyInUse, .identityIsOwned) }
        return facts.factor == .owed ? .challenge : .claim
    }

    func decide(on snapshot: Snapshot, by ruling: Ruling) throws(Refusal) -> Decision<SignedIn> {
        if let refusal = ruling.policy.refusal(of: .emailLink) ?? arrival.refusal(in: snapshot, by: ruling) {
            return refuse(refusal, by: ruling)
        }
        if ruling.policy.joining == .whenProven { return try signIn.decide(on: snapshot, by: ruling) }
        let found = pending.target.flatMap { snapshot[$0] }
        let facts = Facts(
            code: snapshot.signInLinkStanding(proof, by: ruling),
            owner: OwnerStanding(found),
            isTarget: ruling.policy.isSameMailbox(found?.email, proof.email)
                && snapshot.owner(ofAddress: proof.email, under: ruling.policy).map { $0.id == found?.id } ?? true,
            isIdentityOwned: snapshot.owner(of: .identity(arrival.identity.key)) != nil,
            factor: found?.factorStanding(shown: factor) ?? .none
        )
        let finding = Self.rule(facts)
        if case .refuse(let code, let reason) = finding { return refuse(Refusal(code, reason), by: ruling) }
        let owner = try found.promised()
        var draft = Draft(ruling)
        if finding == .challenge {
            let stored = StoredProof.mailbox(proof.email, proof.capability)
            return draft.refused(
                draft.challenge(owner, for: .signIn, proof: stored, generation: nil, completing: pending.key)
            )
        }
        draft.reasons.append(.mailboxIsProven)
        return draft.granted(try claim(owner, &draft))
    }

    private func claim(_ owner: Account, _ draft: inout Draft) throws(Refusal) -> SignedIn {
        let ruling = draft.ruling
        let email = try owner.email.promised()
        var account = owner
        if account.isAdoptable {
            draft.strip(&account)
        } else {
            draft.reasons.append(.recoverySuspends)
            account.suspendDoubtful(for: email, sparing: [], by: ruling)
            draft.endOtherSessions(of: &account, except: nil)
            draft.changes.capabilities.append(
                .revokeAll(owner.id, [.verifyEmail, .changeEmail, .resetPassword, .totpSeed])
            )
        }
        let method: Method
        if let index = account.methods.firstIndex(where: { $0.kind.provider == arrival.identity.provider }) {
            if ruling.policy.seversRemovedIssuers { account.sever([account.methods[index]]) }
            method = account.replaceMethod(at: index, by: .federated(arrival.identity), at: ruling.now)
        } else {
            method = account.add(.federated(arrival.identity), at: ruling.now)
        }
        account.severedIssuers.removeAll { $0 == arrival.identity.key.issuer }
        account.note(.email(email), .mailboxCode, at: ruling.now)
        if ruling.policy.isSameMailbox(arrival.identity.email, email) {
            account.noteWord(of: arrival.identity, at: ruling.now)
        }
        account.reservesEmail = true
        draft.changes.capabilities.append(.consume(proof.capability))
        arrival.spend(by: ruling, &draft)
        let showing = Showing(SessionBasis(method), factor: factor, proved: .email(email))
        return draft.signIn(to: &account, from: owner, showing: showing, by: .mailbox(email))
    }
}
