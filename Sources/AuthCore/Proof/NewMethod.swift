/// A sign-in method that was verified, or set, and is to be added.
enum NewMethod: Sendable {
    /// The method that a proof adds; `renews` lets the account's own number be presented again to renew its proof.
    case proved(Proof, renews: Bool = false)
    /// An address with the hash of a password, or the password rule's refusal.
    case password(EmailAddress, Result<PasswordHash, PasswordRefusal>)

    /// The method that a proof would add; nil for a proof that adds none.
    init?(_ proof: Proof) {
        guard proof.addsMethod else { return nil }
        self = .proved(proof)
    }

    /// What must be looked up before the method is added.
    func lookups(_ request: Request) -> Lookups {
        var lookups = Lookups()
        switch self {
        case .proved(let proof, _):
            lookups = proof.lookups(request)
            if case .identity(let proof) = proof.claim { lookups.insert(ownerOf: proof.identity.email, request) }
        case .password(let email, _):
            lookups.insert(ownerOf: email, request)
            // A first password may be a concealed sign-up, and this device may have signed up before.
            if let device = request.device { lookups.insert(.record(.provisional(email, device))) }
        }
        return lookups
    }
}

extension Proof {
    /// Whether what the proof verifies can be linked: an identity, a mailbox or a number.
    fileprivate var addsMethod: Bool { !provider.isReserved || provider == .emailLink || provider == .phone }
}
