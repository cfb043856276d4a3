/// A sign-in method that was proved, or set, and is to be added.
enum NewMethod: Sendable {
    /// What a proof adds; the account's own number may be shown again where that renews its proof.
    case proved(Proof, renews: Bool = false)
    /// An address with the hash of a password, or what the password rule has against it.
    case password(EmailAddress, Result<PasswordHash, PasswordRefusal>)

    /// What a proof would add; nil for one that adds nothing.
    init?(_ proof: Proof) {
        guard proof.addsMethod else { return nil }
        self = .proved(proof)
    }

    /// What must be seen before it is added.
    func lookups(_ request: Request) -> Lookups {
        var lookups = Lookups()
        switch self {
        case .proved(let proof, _):
            lookups = proof.lookups
            if case .identity(let proof) = proof.claim { lookups.insert(ownerOf: proof.identity.email) }
        case .password(let email, _):
            lookups.insert(ownerOf: email)
            // A first password may be a concealed sign-up, and the seat may have signed up before.
            if let device = request.context.device { lookups.insert(.record(.provisional(email, device))) }
        }
        return lookups
    }
}

extension Proof {
    /// Whether what it shows can be linked: an identity, a mailbox or a number.
    fileprivate var addsMethod: Bool { !provider.isReserved || provider == .emailLink || provider == .phone }
}
