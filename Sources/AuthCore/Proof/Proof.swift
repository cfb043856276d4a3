/// What a verified credential verified.
///
/// Only this package creates one; an app's own verifier returns an assertion, which the service turns into a proof.
package struct Proof: Sendable {
    /// What was verified.
    ///
    /// Everything large is by reference, since a proof is passed through many calls.
    enum Claim: Sendable {
        /// Whether a password is that of the account with an address.
        indirect case password(PasswordProof)
        /// Control of a mailbox.
        indirect case mailbox(MailboxProof)
        /// Control of a number.
        indirect case phone(PhoneProof)
        /// An identity at a provider.
        case identity(FederatedProof)
        /// A custom token of the app's own server.
        indirect case customToken(CustomTokenProof)
        /// Nothing.
        case nothing
    }

    let claim: Claim
    /// When it was verified; nil for now.
    var verifiedAt: Timestamp?

    init(_ claim: Claim) { self.claim = claim }
}

/// The result of comparing a password with what is stored for an address.
struct PasswordProof: Sendable {
    /// The result of the comparison.
    enum Finding: Sendable, Hashable {
        /// The password is the account's, in this generation; the new hash is set if parameters were raised since.
        case matches(AccountID, generation: UInt32, rehashed: PasswordHash?)
        /// The password is not the account's, or there is no account or no password; the work is the same in each case.
        case differs
        /// There were too many wrong passwords; this one was not compared.
        case mustWait(Refusal)
    }

    let email: EmailAddress
    let finding: Finding
    /// The key of the provisional account that has the password; nil for the owner of the address.
    var provisional: OneTimeRecordID?
}

/// Control of a mailbox, verified by a code that was sent there.
struct MailboxProof: Sendable {
    let email: EmailAddress
    let record: OneTimeRecordID
    /// The ID by which its presenter knows the record, if that was stored by a conflict.
    var handedOut: OneTimeRecordID?
}

/// Control of a number, verified by a code that was sent there.
struct PhoneProof: Sendable {
    let number: PhoneNumber
    let record: OneTimeRecordID
    /// The ID by which its presenter knows the record, if that was stored by a conflict.
    var handedOut: OneTimeRecordID?
}

/// The content of a custom token.
struct CustomTokenProof: Sendable {
    let account: AccountID
    let claims: [String: ClaimValue]
    /// When its issuer authenticated the person, if the token says so and the policy accepts it.
    let authenticatedAt: Timestamp?
}

extension Proof {
    /// A proof of whether a password is that of the account with an address.
    static func password(_ proof: PasswordProof) -> Proof { Proof(.password(proof)) }

    /// A proof of control of a mailbox.
    static func mailbox(_ proof: MailboxProof) -> Proof { Proof(.mailbox(proof)) }

    /// A proof of control of a number.
    static func phone(_ proof: PhoneProof) -> Proof { Proof(.phone(proof)) }

    /// A proof of an identity at a provider.
    package static func federated(_ proof: FederatedProof) -> Proof { Proof(.identity(proof)) }

    /// A proof by a custom token of the app's own server.
    static func customToken(_ proof: CustomTokenProof) -> Proof { Proof(.customToken(proof)) }

    /// A proof of nothing, for an anonymous sign-in.
    package static var anonymous: Proof { Proof(.nothing) }
}

/// What use cases ask of a proof, answered once for each kind.
extension Proof {
    /// The provider whose switch decides whether the proof may be used.
    var provider: ProviderID {
        switch claim {
        case .password: .password
        case .mailbox: .emailLink
        case .phone: .phone
        case .identity(let proof): proof.identity.provider
        case .customToken: .custom
        case .nothing: .anonymous
        }
    }

    /// The provider under which its method is listed; a password and mailed links share one.
    var listedProvider: ProviderID { provider == .emailLink ? .password : provider }

    /// What must be seen to tell whose it is, and whether it is still good.
    func lookups(_ request: Request) -> Lookups {
        var lookups = Lookups()
        switch claim {
        case .password(let proof):
            if let provisional = proof.provisional { lookups.insert(.record(provisional)) }
            lookups.insert(request.owner(of: proof.email))
        case .mailbox(let proof):
            lookups.insert(request.owner(of: proof.email))
            lookups.insert(.record(proof.record))
        case .phone(let proof):
            lookups.insert(.owner(.phone(proof.number)))
            lookups.insert(.record(proof.record))
        case .identity(let proof):
            lookups.insert(.owner(.identity(proof.identity.key)))
            for key in proof.records { lookups.insert(.record(key)) }
        case .customToken(let proof): lookups.insert(.account(proof.account))
        case .nothing: break
        }
        return lookups
    }

    /// Refuses a proof of a provider that is disabled, and one that does not hold.
    func validate(_ seen: Snapshot, _ context: DecisionContext, as use: Intent) throws(Refusal) {
        try context.requireEnabled(provider)
        if let refusal = refusal(in: seen, context, as: use) { throw refusal }
    }

    /// Why the proof does not hold, or no longer, or not here, for any presenter; nil while it does.
    ///
    /// A provider that is disabled is refused apart from this.
    func refusal(in seen: Snapshot, _ context: DecisionContext, as use: Intent) -> Refusal? {
        switch claim {
        case .password(let proof): if case .mustWait(let refusal) = proof.finding { refusal } else { nil }
        case .mailbox(let proof): seen.signInLinkStatus(proof, context).refusal
        case .phone(let proof): seen.phoneCodeStatus(proof, context).phoneRefusal
        case .identity(let proof): proof.validityRefusal(in: seen, context, as: use)
        case .customToken, .nothing: nil
        }
    }

    /// The account that the proof leads to, open or not.
    func account(in seen: Snapshot, under policy: AuthPolicy) -> Account? {
        switch claim {
        case .password(let proof):
            if let provisional = proof.provisional {
                return seen.provisionalAccount(provisional).flatMap { $0.email == proof.email ? $0 : nil }
            }
            return seen.account(having: proof.email, under: policy)
        case .mailbox(let proof): return seen.owner(ofAddress: proof.email, under: policy)
        case .phone(let proof): return seen.owner(of: .phone(proof.number))
        case .identity(let proof): return seen.owner(of: .identity(proof.identity.key))
        case .customToken(let proof): return seen[proof.account]
        case .nothing: return nil
        }
    }

    /// What the proof verifies of an account, suspended or not; nil if it verifies nothing of it.
    func match(_ account: Account, _ context: DecisionContext) -> Match? {
        switch claim {
        case .password(let proof): return proof.method(of: account).map(Match.init)
        case .mailbox(let proof):
            guard context.keyRule.isSameMailbox(account.email, proof.email) else { return nil }
            return account.emailLinkMethod.map(Match.init)
        case .phone(let proof):
            guard account.phoneNumber == proof.number, let method = account.phoneMethod else { return nil }
            var match = Match(method)
            match.isStale = account.canSpareOldNumber(at: context.now, under: context.policy)
            return match
        case .identity(let proof): return account.method(for: proof.identity.key).map(Match.init)
        case .customToken(let proof):
            return proof.account == account.id && account.acceptsCustomTokens ? .customToken : nil
        case .nothing: return nil
        }
    }

    /// The address or number that the proof verifies.
    func verifiedContact(under policy: AuthPolicy) -> Evidence.Subject? {
        switch claim {
        case .mailbox(let proof): .email(proof.email)
        case .phone(let proof): .phone(proof.number)
        case .identity(let proof): proof.verifiedSubject(under: policy)
        case .password, .customToken, .nothing: nil
        }
    }

    /// What using the proof writes: the codes that it uses up, and that its token was used.
    func consumption(at now: Timestamp) -> [OneTimeRecordChange] {
        switch claim {
        case .mailbox(let proof): [.consume(proof.record)]
        case .phone(let proof): [.consume(proof.record)]
        case .identity(let proof): proof.consumption(at: now)
        case .password, .customToken, .nothing: []
        }
    }

    /// The password, if one was compared.
    var password: PasswordProof? { if case .password(let proof) = claim { proof } else { nil } }

    /// The identity at a provider, if that was verified.
    var federated: FederatedProof? { if case .identity(let proof) = claim { proof } else { nil } }

    /// The mailbox, if that was verified by a code.
    var mailbox: MailboxProof? { if case .mailbox(let proof) = claim { proof } else { nil } }

    /// The key of the nonce that is used up where the proof is kept for later.
    var nonceKey: OneTimeRecordID? { federated?.nonceKey }

    /// The proof as it can be kept while a second factor is asked for; nil where there is nothing to keep.
    var stored: Store.StoredProof? {
        switch claim {
        case .password(let proof):
            guard case .matches(let account, let generation, let rehashed) = proof.finding else { return nil }
            return .password(account, proof.email, generation: generation, rehashed: rehashed)
        case .mailbox(let proof): return .mailbox(proof.email, proof.record)
        case .phone(let proof): return .phone(proof.number, proof.record)
        case .identity(let proof): return .federated(proof.assertion, pending: proof.pending?.key)
        case .customToken(let proof): return .customToken(proof)
        case .nothing: return nil
        }
    }
}

extension Store.StoredProof {
    /// The proof as it was when the factor was asked for; nil for a new password, which is not a proof.
    func proof(under policy: AuthPolicy) -> Proof? {
        switch self {
        case .password(let account, let email, let generation, let rehashed):
            return .password(
                PasswordProof(email: email, finding: .matches(account, generation: generation, rehashed: rehashed))
            )
        case .mailbox(let email, let key): return .mailbox(MailboxProof(email: email, record: key))
        case .phone(let number, let key): return .phone(PhoneProof(number: number, record: key))
        case .federated(let assertion, let pending):
            let use = pending.map { PendingUse(key: $0) }
            return FederatedProof(assertion, under: policy, pending: use, nonce: .checked(nil)).map { .federated($0) }
        case .customToken(let account, let claims): return .customToken(CustomTokenProof(of: account, kept: claims))
        case .newPassword: return nil
        }
    }

    /// What the provider said, for the result.
    var additional: AdditionalUserInfo? {
        guard case .federated(let assertion, _) = self else { return nil }
        return AdditionalUserInfo(assertion)
    }
}
