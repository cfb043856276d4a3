/// A sign-in method that was verified, or set, and is to be added.
enum NewMethod: Sendable {
    /// The method that a proof adds; `renews` lets the account's own number or address be presented again to renew its
    /// proof.
    case verified(Proof, renews: Bool = false)
    /// An address with the hash of a password, or the password rule's refusal.
    case password(EmailAddress, Result<PasswordHash, Refusal>)

    /// The method that a proof would add: an identity, mailed links or a number; nil for a proof that adds none.
    init?(_ proof: Proof) {
        guard !proof.provider.isReserved || [.emailLink, .phone].contains(proof.provider) else { return nil }
        self = .verified(proof)
    }

    /// The method that the proof of a credential would add.
    init(adding proof: Proof) throws(AuthError) {
        guard let method = NewMethod(proof) else {
            throw AuthError(.operationNotAllowed, message: "This kind of credential cannot be linked.")
        }
        self = method
    }

    /// The provider whose switch decides whether the method may be added.
    var provider: ProviderID {
        switch self {
        case .verified(let proof, _): proof.provider
        case .password: .password
        }
    }

    /// When what is added was verified; nil for a new password, which is set now.
    var verifiedAt: Timestamp? { if case .verified(let proof, _) = self { proof.verifiedAt } else { nil } }

    /// Whether a method that does not give way to the new one has its place in the account.
    ///
    /// A suspended identity, number or mailed link gives way, to a login that is old enough; otherwise an attacker who
    /// linked it could keep the owner from linking theirs. A suspended password is changed instead, if the account
    /// still has an address.
    func isTaken(in account: Account, _ context: DecisionContext) -> Bool {
        switch self {
        case .password: return account.lists(.password)
        case .verified(let proof, renews: true) where proof.provider == .phone && proof.match(account, context) != nil:
            return false
        case .verified(let proof, let renews) where proof.provider == .emailLink:
            let mailbox = account.email.map { Evidence.Subject.email($0.mailbox) }
            if renews, mailbox != nil, proof.verifiedContact(under: context.policy)?.mailbox == mailbox { return false }
            return account.lists(.password) && proof.match(account, context)?.isActive ?? true
        case .verified(let proof, _):
            let methods = account.methods
            return methods.indices.contains { methods[$0].isActive && methods[$0].kind.provider == proof.provider }
        }
    }

    /// The suspended methods that give way to the new one; a method that is presented itself is confirmed instead.
    func replaced(in account: Account, _ context: DecisionContext) -> [SignInMethod] {
        guard case .verified(let proof, _) = self, proof.match(account, context) == nil else { return [] }
        return account.methods.filter { !$0.isActive && $0.kind.provider == proof.provider }
    }

    /// What must be looked up before the method is added.
    func lookups(_ request: Request) -> Lookups {
        var lookups = Lookups()
        switch self {
        case .verified(let proof, _):
            lookups = proof.lookups(request)
            if case .identity(let proof) = proof.claim, let email = proof.identity.email {
                lookups.insert(request.owner(of: email))
            }
        case .password(let email, _):
            lookups.insert(request.owner(of: email))
            // A first password may be a concealed sign-up, and this device may have signed up before.
            if let device = request.device { lookups.insert(.record(.provisional(email, device))) }
        }
        return lookups
    }
}
