/// Proves again that the person in the session is its account's owner; it never makes or changes an account.
struct Reauthenticate: SessionOperation {
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
        _ acting: ActingSession,
        _ seen: Snapshot,
        _ transaction: inout Transaction
    ) throws(Refusal) -> SignedIn {
        let context = transaction.context
        if let refusal = context.policy.refusal(of: proof.provider) { throw refusal }
        let (owner, holds, failure) = standing(of: acting, in: seen, context)
        let facts = Facts(owner: owner, holds: holds, factor: acting.account.factorStanding(shown: factor))
        switch Self.rule(facts) {
        case .refuseMismatch:
            throw .credentialOfAnother
        case .refuseCredential:
            throw failure
        case .challenge:
            guard let stored = proof.stored(for: acting.account) else { throw failure }
            throw transaction.challenge(
                acting.account,
                for: .reauthentication(acting.session.id),
                proof: stored,
                generation: basis(in: acting.account)?.generation
            )
        case .renew:
            transaction.reasons.append(.personProvedAgain)
            var account = acting.account
            proof.spend(context, &transaction)
            noteEvidence(in: &account, context)
            if case .mailbox(let proof) = proof,
                let other = seen.owner(ofAddress: proof.email, under: context.policy), other.id != account.id
            {
                transaction.evict(other, by: .session(acting.session.id))
            }
            if !acting.account.isEmailVerified(under: context.policy), account.isEmailVerified(under: context.policy) {
                // Whoever else is signed in need not be the one who proved; and what is proved is shown no longer only.
                transaction.endProvision(of: &account)
                account.reservesEmail = true
                if let email = account.email { transaction.expectNobody(hasTwinOf: email, in: seen) }
                transaction.raiseEpoch(of: &account, for: .firstProof, except: acting.session.id)
            }
            transaction.event(.reauthenticated, account.id, by: .session(acting.session.id))
            var showing = Showing(
                basis(in: account) ?? acting.session.basis,
                factor: factor,
                proved: proof.provedSubject(under: context.policy)
            )
            if case .customToken(let proof) = proof { showing.authenticatedAt = proof.authenticatedAt(context) }
            return transaction.keep(
                acting,
                with: &account,
                showing: showing,
                lastSignIn: seen.lastSignIn(of: account.id)
            )
        }
    }

    private func standing(
        of acting: ActingSession,
        in seen: Snapshot,
        _ context: DecisionContext
    ) -> (CredentialOwner, CredentialStanding, Refusal) {
        let person = acting.account
        switch proof {
        case .password(let proof):
            let standing = PasswordStanding(proof, of: person)
            if standing == .mustWait {
                return (.thePerson, .wrong, Refusal.attemptsMustWait)
            }
            let code: AuthErrorCode = context.policy.disclosure == .uniform ? .invalidCredential : .wrongPassword
            return (
                owner(holder(of: proof.email, person, seen, under: context.policy), person),
                standing == .matches ? .good : .wrong,
                Refusal(code, standing.reason)
            )
        case .mailbox(let proof):
            let refusal = seen.signInLinkStanding(proof, context).refusal
            let isActive = person.emailLinkMethod?.isActive ?? true
            return (
                owner(holder(of: proof.email, person, seen, under: context.policy), person),
                refusal != nil ? .spent : isActive ? .good : .wrong,
                refusal ?? Refusal.suspendedMethodShown
            )
        case .phone(let proof):
            let refusal = seen.phoneCodeStanding(proof, context).phoneRefusal
            let isActive = person.phoneMethod?.isActive ?? true
            let isOld = isActive && person.hasOldPhoneProof(at: context.now, under: context.policy)
            return (
                owner(seen.owner(of: .phone(proof.number)), person),
                refusal != nil ? .spent : isActive && !isOld ? .good : .wrong,
                refusal
                    ?? (isOld
                        ? Refusal.numberProofOld
                        : Refusal.suspendedMethodShown)
            )
        case .federated(let proof):
            let refusal = proof.refusal(in: seen, context)
            let isActive = person.method(for: proof.identity.key)?.isActive ?? true
            return (
                owner(seen.owner(of: .identity(proof.identity.key)), person),
                refusal != nil ? .spent : isActive ? .good : .wrong,
                refusal ?? Refusal.suspendedMethodShown
            )
        case .customToken(let proof):
            return (
                proof.account == person.id ? .thePerson : .another,
                person.acceptsCustomTokens ? .good : .wrong,
                Refusal.credentialWrong
            )
        case .anonymous:
            return (.nobody, .wrong, Refusal.credentialOfAnother)
        }
    }

    /// Whose the address is; one that the person has left, or that another owns, is not theirs to show.
    private func holder(
        of email: EmailAddress,
        _ person: Account,
        _ seen: Snapshot,
        under policy: AuthPolicy
    ) -> Account? {
        let isTheirs = policy.isSameMailbox(person.email, email)
        if let owner = seen.owner(ofAddress: email, under: policy), owner.id != person.id {
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

    private func noteEvidence(in account: inout Account, _ context: DecisionContext) {
        switch proof {
        // The account's own name of the mailbox, which may have two.
        case .mailbox: if let email = account.email { account.note(.email(email), .mailboxCode, at: context.now) }
        case .phone(let proof): account.note(.phone(proof.number), .phoneCode, at: context.now)
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
    func spend(_ context: DecisionContext, _ transaction: inout Transaction) {
        switch self {
        case .mailbox(let proof): transaction.changes.capabilities.append(.consume(proof.capability))
        case .phone(let proof): transaction.changes.capabilities.append(.consume(proof.capability))
        case .federated(let proof): proof.spend(context, &transaction)
        case .password, .customToken, .anonymous: break
        }
    }
}
