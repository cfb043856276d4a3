/// Proves again that the person in the session is its account's owner; it never makes or changes an account.
struct Reauthenticate: ActingOperation {
    typealias Outcome = SignedIn

    let handle: ActingHandle
    let proof: Proof
    var factor: FactorProof?
    let verifiedAt: Timestamp?

    init(handle: ActingHandle, proof: Proof, factor: FactorProof? = nil, verifiedAt: Timestamp? = nil) {
        self.handle = handle
        self.proof = proof
        self.factor = factor
        self.verifiedAt = verifiedAt
    }

    var spends: [CapabilityKey] { factor?.consumes ?? [] }

    func moreLookups(_ request: Request) -> Lookups {
        var lookups = Lookups()
        switch proof {
        case .password(let proof):
            lookups.insert(ownerOf: proof.email)
        case .mailbox(let proof):
            lookups.insert(ownerOf: proof.email)
            lookups.insert(.record(proof.capability))
        case .phone(let proof):
            lookups.insert(.owner(.phone(proof.number)))
            lookups.insert(.record(proof.capability))
        case .federated(let proof):
            lookups.insert(.owner(.identity(proof.identity.key)))
            for key in proof.capabilities { lookups.insert(.record(key)) }
        case .customToken, .anonymous:
            break
        }
        return lookups
    }

    struct Facts: Sendable, Hashable {
        /// Whose the credential is.
        var owner: CredentialOwner
        /// Whether the credential holds, once it is the person's own.
        var holds: CredentialStanding
        var factor: FactorStanding
    }

    enum CredentialOwner: Sendable, Hashable, CaseIterable {
        case nobody
        case thePerson
        case another
    }

    enum CredentialStanding: Sendable, Hashable, CaseIterable {
        case good
        case wrong
        case spent
    }

    enum Finding: Sendable, Hashable {
        case renew
        case challenge
        case refuseMismatch
        case refuseCredential
    }

    static func rule(_ facts: Facts) -> Finding {
        if facts.holds == .spent { return .refuseCredential }
        if facts.owner != .thePerson { return .refuseMismatch }
        if facts.holds == .wrong { return .refuseCredential }
        return facts.factor == .owed ? .challenge : .renew
    }

    func decide(
        for acting: ActingSession,
        on snapshot: Snapshot,
        by ruling: Ruling
    ) -> Decision<SignedIn> {
        if let refusal = ruling.policy.refusal(of: proof.provider) { return refuse(refusal, by: ruling) }
        let (owner, holds, failure) = standing(of: acting, in: snapshot, by: ruling)
        let facts = Facts(owner: owner, holds: holds, factor: acting.account.factorStanding(shown: factor))
        var draft = Draft(ruling)
        switch Self.rule(facts) {
        case .refuseMismatch:
            return refuse(Refusal(.userMismatch, .credentialIsOfAnother), by: ruling)
        case .refuseCredential:
            return refuse(failure, by: ruling)
        case .challenge:
            guard let stored = proof.stored(for: acting.account) else { return refuse(failure, by: ruling) }
            return draft.refused(
                draft.challenge(
                    acting.account,
                    for: .reauthentication(acting.session.id),
                    proof: stored,
                    generation: basis(in: acting.account)?.generation
                )
            )
        case .renew:
            draft.reasons.append(.personProvedAgain)
            var account = acting.account
            proof.spend(by: ruling, &draft)
            noteEvidence(in: &account, ruling)
            if case .mailbox(let proof) = proof,
                let other = snapshot.owner(ofAddress: proof.email, under: ruling.policy), other.id != account.id
            {
                draft.evict(other, by: .session(acting.session.id))
            }
            if !acting.account.isEmailVerified(under: ruling.policy), account.isEmailVerified(under: ruling.policy) {
                // Whoever else is signed in need not be the one who proved; and what is proved is shown no longer only.
                draft.endProvision(of: &account)
                account.reservesEmail = true
                if let email = account.email { draft.expectNobody(hasTwinOf: email, in: snapshot) }
                draft.raiseEpoch(of: &account, for: .firstProof, except: acting.session.id)
            }
            draft.event(.reauthenticated, account.id, by: .session(acting.session.id))
            var showing = Showing(
                basis(in: account) ?? acting.session.basis,
                factor: factor,
                proved: proof.provedSubject(under: ruling.policy)
            )
            if case .customToken(let proof) = proof { showing.authenticatedAt = proof.authenticatedAt(by: ruling) }
            return draft.granted(
                draft.keep(acting, with: &account, showing: showing, lastSignIn: snapshot.lastSignIn(of: account.id))
            )
        }
    }

    private func standing(
        of acting: ActingSession,
        in snapshot: Snapshot,
        by ruling: Ruling
    ) -> (CredentialOwner, CredentialStanding, Refusal) {
        let person = acting.account
        switch proof {
        case .password(let proof):
            let standing = PasswordStanding(proof, of: person)
            if standing == .mustWait {
                return (.thePerson, .wrong, Refusal(.tooManyRequests, .attemptsMustWait))
            }
            let code: AuthErrorCode = ruling.policy.disclosure == .uniform ? .invalidCredential : .wrongPassword
            return (
                owner(holder(of: proof.email, person, snapshot, under: ruling.policy), person),
                standing == .matches ? .good : .wrong,
                Refusal(code, standing.reason)
            )
        case .mailbox(let proof):
            let refusal = snapshot.signInLinkStanding(proof, by: ruling).refusal
            let isActive = person.emailLinkMethod?.isActive ?? true
            return (
                owner(holder(of: proof.email, person, snapshot, under: ruling.policy), person),
                refusal != nil ? .spent : isActive ? .good : .wrong,
                refusal ?? Refusal(.invalidCredential, .methodIsSuspended)
            )
        case .phone(let proof):
            let refusal = snapshot.phoneCodeStanding(proof, by: ruling).phoneRefusal
            let isActive = person.phoneMethod?.isActive ?? true
            let isOld = isActive && person.hasOldPhoneProof(at: ruling.now, under: ruling.policy)
            return (
                owner(snapshot.owner(of: .phone(proof.number)), person),
                refusal != nil ? .spent : isActive && !isOld ? .good : .wrong,
                refusal
                    ?? (isOld
                        ? Refusal(.requiresRecentLogin, .numberProofIsOld)
                        : Refusal(.invalidCredential, .methodIsSuspended))
            )
        case .federated(let proof):
            let refusal = proof.refusal(in: snapshot, by: ruling)
            let isActive = person.method(for: proof.identity.key)?.isActive ?? true
            return (
                owner(snapshot.owner(of: .identity(proof.identity.key)), person),
                refusal != nil ? .spent : isActive ? .good : .wrong,
                refusal ?? Refusal(.invalidCredential, .methodIsSuspended)
            )
        case .customToken(let proof):
            return (
                proof.account == person.id ? .thePerson : .another,
                person.acceptsCustomTokens ? .good : .wrong,
                Refusal(.invalidCredential, .credentialIsWrong)
            )
        case .anonymous:
            return (.nobody, .wrong, Refusal(.userMismatch, .credentialIsOfAnother))
        }
    }

    /// Whose the address is; one that the person has left, or that another owns, is not theirs to show.
    private func holder(
        of email: EmailAddress,
        _ person: Account,
        _ snapshot: Snapshot,
        under policy: AuthPolicy
    ) -> Account? {
        let isTheirs = policy.isSameMailbox(person.email, email)
        if let owner = snapshot.owner(ofAddress: email, under: policy), owner.id != person.id {
            // What nobody proved gives way to who proves it, and is no matter to a password that waits for its address.
            if isTheirs, isMailbox ? owner.givesWay(of: email, under: policy) : person.isProvisional { return person }
            return owner
        }
        return isTheirs ? person : nil
    }

    private var isMailbox: Bool { if case .mailbox = proof { true } else { false } }

    private func owner(_ owner: Account?, _ person: Account) -> CredentialOwner {
        guard let owner else { return .nobody }
        return owner.id == person.id ? .thePerson : .another
    }

    /// The method that the credential used.
    private func basis(in account: Account) -> SessionBasis? {
        switch proof {
        case .password: account.passwordMethod.map(SessionBasis.init)
        case .mailbox: account.emailLinkMethod.map(SessionBasis.init)
        case .phone: account.phoneMethod.map(SessionBasis.init)
        case .federated(let proof): account.method(for: proof.identity.key).map(SessionBasis.init)
        case .customToken: .customToken
        case .anonymous: nil
        }
    }

    private func noteEvidence(in account: inout Account, _ ruling: Ruling) {
        switch proof {
        // The account's own name of the mailbox, which may have two.
        case .mailbox: if let email = account.email { account.note(.email(email), .mailboxCode, at: ruling.now) }
        case .phone(let proof): account.note(.phone(proof.number), .phoneCode, at: ruling.now)
        case .password, .federated, .customToken, .anonymous: break
        }
    }
}

extension Proof {
    /// The provider whose switch decides whether the proof may be used.
    var provider: ProviderID {
        switch self {
        case .password: .password
        case .mailbox: .emailLink
        case .phone: .phone
        case .federated(let proof): proof.identity.provider
        case .customToken: .custom
        case .anonymous: .anonymous
        }
    }

    /// The address or number that the proof shows control of.
    func provedSubject(under policy: AuthPolicy) -> Evidence.Subject? {
        switch self {
        case .mailbox(let proof): .email(proof.email)
        case .phone(let proof): .phone(proof.number)
        case .federated(let proof): proof.provedSubject(under: policy)
        case .password, .customToken, .anonymous: nil
        }
    }

    /// The proof as it can be kept while a factor is asked for.
    func stored(for account: Account) -> StoredProof? {
        switch self {
        case .password(let proof):
            guard case .matches(_, let generation, _) = proof.finding else { return nil }
            return .password(account.id, proof.email, generation: generation)
        case .mailbox(let proof): return .mailbox(proof.email, proof.capability)
        case .phone(let proof): return .phone(proof.number, proof.capability)
        case .federated(let proof): return .federated(proof.assertion, pending: proof.pending?.key)
        case .customToken(let proof): return .customToken(proof)
        case .anonymous: return nil
        }
    }

    /// Uses up the one-time things that the proof rests on.
    func spend(by ruling: Ruling, _ draft: inout Draft) {
        switch self {
        case .mailbox(let proof): draft.changes.capabilities.append(.consume(proof.capability))
        case .phone(let proof): draft.changes.capabilities.append(.consume(proof.capability))
        case .federated(let proof): proof.spend(by: ruling, &draft)
        case .password, .customToken, .anonymous: break
        }
    }
}
