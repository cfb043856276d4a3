/// Signs in with a link that was mailed: to the account of the address, or to a new one.
struct SignInWithMailbox: DecidingOperation {
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

    func decide(on snapshot: Snapshot, _ context: DecisionContext) throws(Refusal) -> Decision<SignedIn> {
        if let refusal = context.policy.refusal(of: .emailLink) { return refuse(refusal, context) }
        let owner = snapshot.owner(ofAddress: proof.email, under: context.policy)
        // An address that the account has left is only kept for it, and leads nowhere.
        let own = context.policy.isSameMailbox(owner?.email, proof.email) ? owner : nil
        let email = own?.email ?? proof.email
        let facts = Facts(
            code: snapshot.signInLinkStanding(proof, context),
            owner: OwnerStanding(owner),
            isLinked: own.map { mayOpen($0, email) } ?? false,
            isSuspended: own?.emailLinkMethod.map { !$0.isActive } ?? false,
            isOwnerProven: own?.isEmailVerified(under: context.policy) ?? false,
            isOwnerCovered: owner?.isCovered(by: email) ?? false,
            isOwnerAdoptable: own?.isAdoptable ?? false,
            factor: owner?.factorStanding(shown: factor) ?? .none,
            joining: context.policy.joining
        )
        var transaction = Transaction(context)
        switch Self.rule(facts) {
        case .refuse(let code, let reason):
            return refuse(Refusal(code, reason), context)
        case .conflict(let reason):
            let owner = try owner.promised()
            return refuse(try mailboxConflict(reason, with: owner, in: snapshot, context), context)
        case .create:
            transaction.reasons.append(.addressIsFree)
            transaction.expectNobody(hasTwinOf: proof.email, in: snapshot)
            var account = Account(id: AccountID(bits: context.fresh.account), createdAt: context.now)
            account.email = proof.email
            account.reservesEmail = true
            let method = account.add(.emailLink, at: context.now)
            account.note(.email(proof.email), .mailboxCode, at: context.now)
            transaction.changes.capabilities.append(.consume(proof.capability))
            let showing = Showing(SessionBasis(method), proved: .email(proof.email))
            return transaction.granted(
                transaction.signIn(to: &account, from: nil, showing: showing, by: .mailbox(proof.email))
            )
        case .challenge:
            let owner = try owner.promised()
            let stored = StoredProof.mailbox(proof.email, proof.capability)
            return transaction.refused(transaction.challenge(owner, for: .signIn, proof: stored, generation: nil))
        case .signIn(let strips):
            let owner = try owner.promised()
            transaction.reasons.append(.mailboxIsProven)
            var account = owner
            if strips { transaction.strip(&account) }
            let method = account.allowEmailLink(at: context.now)
            account.note(.email(email), .mailboxCode, at: context.now)
            transaction.changes.capabilities.append(.consume(proof.capability))
            // Whoever was signed in before the first proof need not be the one who proved.
            if !strips && !facts.isOwnerProven { transaction.raiseEpoch(of: &account, for: .firstProof, except: nil) }
            let showing = Showing(SessionBasis(method), factor: factor, proved: .email(email))
            return transaction.granted(
                transaction.signIn(to: &account, from: owner, showing: showing, by: .mailbox(email))
            )
        }
    }

    /// Whether mailed links sign in already: they were linked, or an import says that the address is the account's.
    private func mayOpen(_ owner: Account, _ email: EmailAddress) -> Bool {
        if let method = owner.emailLinkMethod { return method.isActive }
        return owner.evidence.contains { $0.isFresh && $0.subject == .email(email) && $0.source.isOfOutside }
    }

    /// The link itself stays usable: it is what can be linked once its owner signed in otherwise.
    private func mailboxConflict(
        _ reason: Reason,
        with owner: Account,
        in snapshot: Snapshot,
        _ context: DecisionContext
    ) throws(Refusal) -> Refusal {
        let conflict = Conflict(
            provider: .password,
            email: proof.email.text,
            displayName: "mail to \(proof.email)",
            existingProviders: context.policy.isSameMailbox(owner.email, proof.email) ? owner.listedProviders : [],
            pending: PendingCredential(provider: .password, id: proof.capability),
            expiresAt: try (snapshot.record(proof.capability)?.expiresAt).promised().date
        )
        return Refusal(.accountExistsWithDifferentCredential, reason, detail: .conflict(conflict))
    }
}
