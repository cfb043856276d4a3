/// A way in that was proved, or set, and is to be added.
enum NewMethod: Sendable {
    case federated(FederatedProof)
    case mailbox(MailboxProof)
    /// A number; the account's own may be shown again where that renews its proof.
    case phone(PhoneProof, renews: Bool)
    /// An address with the hash of a password, or what the password rule has against it.
    case password(EmailAddress, Result<PasswordHash, PasswordRefusal>)

    /// What a proof would add; nil for one that adds nothing.
    init?(_ proof: Proof) {
        switch proof {
        case .federated(let proof): self = .federated(proof)
        case .mailbox(let proof): self = .mailbox(proof)
        case .phone(let proof): self = .phone(proof, renews: false)
        case .password, .customToken, .anonymous: return nil
        }
    }

    /// What must be seen before it is added.
    func lookups(_ request: Request) -> Lookups {
        var lookups = Lookups()
        switch self {
        case .federated(let proof):
            lookups.insert(.owner(.identity(proof.identity.key)))
            lookups.insert(ownerOf: proof.identity.email)
            for key in proof.capabilities { lookups.insert(.record(key)) }
        case .mailbox(let proof):
            lookups.insert(ownerOf: proof.email)
            lookups.insert(.record(proof.capability))
        case .phone(let proof, _):
            lookups.insert(.owner(.phone(proof.number)))
            lookups.insert(.record(proof.capability))
        case .password(let email, _):
            lookups.insert(ownerOf: email)
            // A first password may be a concealed sign-up, and the seat may have signed up before.
            if let seat = request.context.seat { lookups.insert(.record(.provisional(email, seat))) }
        }
        return lookups
    }
}

/// Adds a way in to the account of the acting session.
struct LinkMethod: SessionOperation {
    typealias Outcome = SignedIn

    var sensitivity: SensitiveOperation? { .link }

    let handle: ActingHandle
    let method: NewMethod
    var factor: FactorProof?

    init(handle: ActingHandle, method: NewMethod, factor: FactorProof? = nil) {
        self.handle = handle
        self.method = method
        self.factor = factor
    }

    var requires: [CapabilityKey] { factor?.consumes ?? [] }

    func moreLookups(_ request: Request) -> Lookups { method.lookups(request) }

    func decide(
        _ acting: ActingSession,
        _ seen: Snapshot,
        _ transaction: inout Transaction
    ) throws(Refusal) -> SignedIn {
        switch method {
        case .federated(let proof):
            try LinkFederated(proof: proof, factor: factor).decide(acting, seen, &transaction)
        case .mailbox(let proof):
            try LinkMailbox(proof: proof, factor: factor).decide(acting, seen, &transaction)
        case .phone(let proof, let renews):
            try LinkPhone(proof: proof, renews: renews, factor: factor).decide(acting, seen, &transaction)
        case .password(let email, let password):
            try LinkPassword(email: email, password: password, factor: factor).decide(acting, seen, &transaction)
        }
    }
}
