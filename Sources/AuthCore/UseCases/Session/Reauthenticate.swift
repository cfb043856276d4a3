/// Verifies again that the person in the session owns its account; it never creates an account or switches to another.
struct Reauthenticate: SessionOperation {
    let handle: ActingHandle
    let proof: Proof
    var factor: FactorProof?

    var verifiedAt: Timestamp? { proof.verifiedAt }

    var requires: [OneTimeRecordID] { factor?.consumes ?? [] }

    func moreLookups(_ request: Request) -> Lookups { proof.lookups(request) }

    struct Facts: Sendable, Hashable {
        /// The owner of the credential.
        var owner: OwnerRelation
        /// Whether the credential is valid, if it is the person's own.
        var credential: CredentialStatus
        var factor: FactorStatus
        var disclosure: AuthPolicy.Disclosure
    }

    enum CredentialStatus: Sendable, Hashable, CaseIterable {
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
        if facts.credential == .spent { return .refuseCredential }
        // As at Firebase, where this is a sign-in that is compared with the person afterwards.
        if facts.owner == .noAccount, facts.disclosure == .protected { return .refuseCredential }
        if facts.owner != .thePerson { return .refuseMismatch }
        if facts.credential == .wrong { return .refuseCredential }
        return facts.factor == .required ? .challenge : .renew
    }

    func decide(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        try context.requireEnabled(proof.provider)
        let match = proof.match(acting.account, context)
        let spent =
            proof.refusal(in: acting.seen, context, as: .reauthentication(acting.session.id))
            ?? barred(match, of: acting.account, under: context.policy)
        let isValid = isValid(match, for: acting.account, under: context.policy)
        let facts = Facts(
            owner: owner(acting.account, in: acting.seen, under: context.policy),
            credential: spent != nil ? .spent : isValid ? .good : .wrong,
            factor: acting.account.factorStatus(presented: factor),
            disclosure: context.policy.disclosure
        )
        let failure = spent ?? failure(match, of: acting.account, under: context.policy)
        switch Self.rule(facts) {
        case .refuseMismatch: throw Refusal(.userMismatch, .credentialIsOfAnother)
        case .refuseCredential: throw failure
        case .challenge:
            throw transaction.challenge(acting.account, for: .reauthentication(acting.session.id), over: proof)
        case .renew: return renew(acting, &transaction)
        }
    }

    /// Notes what was verified, and lets the session rest on it.
    private func renew(_ acting: ActingSession, _ transaction: inout Transaction) -> SignedIn {
        let context = transaction.context
        transaction.reasons.append(.personReauthenticated)
        var account = acting.account
        transaction.use(proof)
        noteEvidence(in: &account, context)
        if let proof = proof.mailbox,
            let other = acting.seen.otherOwner(ofAddress: proof.email, than: account.id, under: context.policy)
        {
            transaction.releaseEmail(other, by: .session(acting.session.id))
        }
        if account.isNewlyVerified(since: acting.account, context) {
            // Another signed-in person need not be the one who verified the address, and a verified address is no
            // longer only displayed.
            transaction.endProvision(of: &account)
            account.reservesEmail = true
            transaction.raiseSessionGeneration(of: &account, for: [.firstVerification], except: acting.session.id)
        }
        transaction.event(.reauthenticated, account.id, by: .session(acting.session.id))
        var authentication = Authentication(
            basis: proof.match(account, context)?.basis ?? basis(ofLinkWithoutMethodIn: acting, context),
            factor: factor,
            verified: proof.verifiedContact(under: context.policy)
        )
        if case .customToken(let proof) = proof.claim {
            account.noteCustomToken(at: context.now)
            authentication.authenticatedAt = proof.authenticatedAt(context.now, under: context.policy)
        }
        return transaction.keep(acting, with: &account, authentication: authentication)
    }

    /// What the session rests on after a mailed link of an account that has no such method.
    ///
    /// The session keeps its method only where the mailbox has been verified for as long, or for as long as the policy
    /// asks: otherwise a mailbox that was added a moment ago would pass for the older method, which was not presented.
    private func basis(ofLinkWithoutMethodIn acting: ActingSession, _ context: DecisionContext) -> Session.Basis {
        let verified = acting.account.email.flatMap { acting.account.verifiedSince($0, under: context.policy) }
        let (last, methods) = (acting.session.basis, acting.account.methods)
        let method = last.kind == .emailLink && last.generation == nil ? acting.session.used.last ?? last : last
        let age = methods.first { $0.generation == method.generation }?.seniorSince ?? acting.seniorSince
        if context.isSenior(verified ?? context.now, than: age) { return method }
        return Session.Basis(kind: .emailLink, provider: .password, generation: nil)
    }

    /// Whether the credential is valid for the person; a mailed link also is if none is linked yet.
    ///
    /// An old number is, in a session of the account, where only the app's own server signs in beside it: the word of
    /// the server need not be recent, and nothing else could renew the number.
    private func isValid(_ match: Match?, for person: Account, under policy: AuthPolicy) -> Bool {
        guard let match else { return proof.mailbox != nil }
        return match.isActive && (!match.isStale || !person.hasVerifiedMethodBesideNumber(under: policy))
    }

    /// Why the number of a person with factors is refused, where it is no first factor.
    private func barred(_ match: Match?, of person: Account, under policy: AuthPolicy) -> Refusal? {
        guard case .phone = proof.claim, match != nil else { return nil }
        return person.acceptsNumber(under: policy) ? nil : .phoneIsNoFirstFactor
    }

    /// Why a credential that is valid in itself is refused for this person.
    private func failure(_ match: Match?, of person: Account, under policy: AuthPolicy) -> Refusal {
        if let match { return match.isActive ? .numberVerificationOld : .suspendedMethodPresented }
        guard let proof = proof.password else { return .credentialWrong }
        return proof.status(of: person).refusal(disclosing: policy.disclosure)
    }

    /// The owner of the credential.
    private func owner(_ person: Account, in seen: Snapshot, under policy: AuthPolicy) -> OwnerRelation {
        let password = proof.password
        let owner: Account?
        if let email = proof.mailbox?.email ?? password?.email {
            owner = holder(of: email, person, seen, under: policy)
        } else {
            owner = proof.account(in: seen, under: policy)
        }
        guard let owner else { return .noAccount }
        if policy.disclosure != .detailed, let password, owner.id != person.id, password.method(of: owner) == nil {
            // A password that is not the owner's must not show whether another account has the address, neither by an
            // account that displays it, nor by one that signed up on this device and waits for it.
            let isDisplayed = policy.keyRule.isSameMailbox(person.email, password.email)
            return isDisplayed && policy.disclosure == .uniform ? .thePerson : .noAccount
        }
        return owner.id == person.id ? .thePerson : .another
    }

    /// The owner of the address; the person may not use one that their account has left, or that another account owns.
    private func holder(
        of email: EmailAddress,
        _ person: Account,
        _ seen: Snapshot,
        under policy: AuthPolicy
    ) -> Account? {
        let isTheirs = policy.keyRule.isSameMailbox(person.email, email)
        if let owner = seen.otherOwner(ofAddress: email, than: person.id, under: policy) {
            // An unverified address yields to the person who verifies it, and does not matter to a password that waits
            // for its address.
            if isTheirs, proof.mailbox != nil ? owner.yieldsEmail(of: email, under: policy) : person.isProvisional {
                return person
            }
            return owner
        }
        return isTheirs ? person : nil
    }

    private func noteEvidence(in account: inout Account, _ context: DecisionContext) {
        // The name that the account has for the mailbox, which may have two.
        if proof.mailbox != nil, let email = account.email {
            account.note(.email(email), .mailboxCode, at: context.now)
        }
        if case .phone(let proof) = proof.claim { account.note(.phone(proof.number), .phoneCode, at: context.now) }
        if case .identity(let proof) = proof.claim { _ = account.renew(proof.identity, context) }
    }
}
