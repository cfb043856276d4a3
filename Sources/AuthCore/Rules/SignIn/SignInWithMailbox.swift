/// Signs in with a link that was mailed: to the account of the address, or to a new one.
struct SignInWithMailbox: Operation {
    typealias Outcome = SignedIn

    let proof: MailboxProof
    var factor: FactorProof?

    init(proof: MailboxProof, factor: FactorProof? = nil) {
        self.proof = proof
        self.factor = factor
    }

    func lookups(_ request: Request) -> Lookups {
        var lookups = Lookups()
        lookups.insert(ownerOf: proof.email)
        lookups.insert(.record(proof.capability))
        return lookups
    }

    struct Facts: Sendable, Hashable {
        var code: CodeStanding
        var owner: OwnerStanding
        /// Whether mailed links sign in to the account already, and nothing suspends them.
        var isLinked: Bool
        /// Whether mailed links were suspended until the owner confirms them.
        var isSuspended: Bool
        var isOwnerProven: Bool
        var isOwnerCovered: Bool
        var isOwnerAdoptable: Bool
        var factor: FactorStanding
        var joining: AuthPolicy.Joining
    }

    enum Finding: Sendable, Hashable {
        case create
        case signIn(strips: Bool)
        case challenge
        case conflict(Reason)
        case refuse(AuthErrorCode, Reason)
    }

    static func rule(_ facts: Facts) -> Finding {
        if let refusal = facts.code.refusal { return .refuse(refusal.code, refusal.reason) }
        switch facts.owner {
        case .none: return .create
        case .disabled: return .refuse(.userDisabled, .accountIsDisabled)
        case .open: break
        }
        if facts.isSuspended { return .refuse(.rejectedCredential, .methodIsSuspended) }
        let strips: Bool
        switch facts.joining {
        case .whenProven:
            strips = !facts.isOwnerProven
        case .whenCovered:
            strips = facts.isOwnerAdoptable
            if !strips && !facts.isLinked {
                if !facts.isOwnerProven { return .conflict(.ownerProofIsNotFresh) }
                if !facts.isOwnerCovered { return .conflict(.methodsAreNotCovered) }
            }
        }
        return facts.factor == .owed ? .challenge : .signIn(strips: strips)
    }

    func decide(on snapshot: Snapshot, by ruling: Ruling) throws(Refusal) -> Decision<SignedIn> {
        if let refusal = ruling.policy.refusal(of: .emailLink) { return refuse(refusal, by: ruling) }
        let owner = snapshot.owner(ofAddress: proof.email, under: ruling.policy)
        // An address that the account has left is only kept for it, and leads nowhere.
        let own = ruling.policy.isSameMailbox(owner?.email, proof.email) ? owner : nil
        let email = own?.email ?? proof.email
        let facts = Facts(
            code: snapshot.signInLinkStanding(proof, by: ruling),
            owner: OwnerStanding(owner),
            isLinked: own.map { mayOpen($0, email) } ?? false,
            isSuspended: own?.emailLinkMethod.map { !$0.isActive } ?? false,
            isOwnerProven: own?.isEmailVerified(under: ruling.policy) ?? false,
            isOwnerCovered: owner?.isCovered(by: email) ?? false,
            isOwnerAdoptable: own?.isAdoptable ?? false,
            factor: owner?.factorStanding(shown: factor) ?? .none,
            joining: ruling.policy.joining
        )
        var draft = Draft(ruling)
        switch Self.rule(facts) {
        case .refuse(let code, let reason):
            return refuse(Refusal(code, reason), by: ruling)
        case .conflict(let reason):
            let owner = try owner.promised()
            return refuse(try mailboxConflict(reason, with: owner, in: snapshot, by: ruling), by: ruling)
        case .create:
            draft.reasons.append(.addressIsFree)
            draft.expectNobody(hasTwinOf: proof.email, in: snapshot)
            var account = Account(id: AccountID(bits: ruling.fresh.account), createdAt: ruling.now)
            account.email = proof.email
            account.reservesEmail = true
            let method = account.add(.emailLink, at: ruling.now)
            account.note(.email(proof.email), .mailboxCode, at: ruling.now)
            draft.changes.capabilities.append(.consume(proof.capability))
            let showing = Showing(SessionBasis(method), proved: .email(proof.email))
            return draft.granted(draft.signIn(to: &account, from: nil, showing: showing, by: .mailbox(proof.email)))
        case .challenge:
            let owner = try owner.promised()
            let stored = StoredProof.mailbox(proof.email, proof.capability)
            return draft.refused(draft.challenge(owner, for: .signIn, proof: stored, generation: nil))
        case .signIn(let strips):
            let owner = try owner.promised()
            draft.reasons.append(.mailboxIsProven)
            var account = owner
            if strips { draft.strip(&account) }
            let method = account.allowEmailLink(at: ruling.now)
            account.note(.email(email), .mailboxCode, at: ruling.now)
            draft.changes.capabilities.append(.consume(proof.capability))
            // Whoever was signed in before the first proof need not be the one who proved.
            if !strips && !facts.isOwnerProven { draft.raiseEpoch(of: &account, for: .firstProof, except: nil) }
            let showing = Showing(SessionBasis(method), factor: factor, proved: .email(email))
            return draft.granted(draft.signIn(to: &account, from: owner, showing: showing, by: .mailbox(email)))
        }
    }

    /// Whether mailed links sign in already: they were linked, or an import says that the address is the account's.
    private func mayOpen(_ owner: Account, _ email: EmailAddress) -> Bool {
        if let method = owner.emailLinkMethod { return method.isActive }
        return owner.evidence.contains { $0.isFresh && $0.isAbout(.email(email)) && $0.source.isOfOutside }
    }

    /// The link itself stays usable: it is what can be linked once its owner signed in otherwise.
    private func mailboxConflict(
        _ reason: Reason,
        with owner: Account,
        in snapshot: Snapshot,
        by ruling: Ruling
    ) throws(Refusal) -> Refusal {
        let conflict = Conflict(
            provider: .password,
            email: proof.email.text,
            displayName: "mail to \(proof.email)",
            existingProviders: ruling.policy.isSameMailbox(owner.email, proof.email) ? owner.listedProviders : [],
            pending: PendingCredential(provider: .password, id: proof.capability),
            expiresAt: try (snapshot.record(proof.capability)?.expiresAt).promised().date
        )
        return Refusal(.accountExistsWithDifferentCredential, reason, detail: .conflict(conflict))
    }
}
