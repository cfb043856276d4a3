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
}

/// Adds a way in to the account of the acting session.
struct LinkMethod: ActingOperation {
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

    var spends: [CapabilityKey] { factor?.consumes ?? [] }

    var query: SnapshotQuery {
        var query = handle.query
        switch method {
        case .federated(let proof):
            query.identity = proof.identity.key
            query.look(for: proof.identity.email)
            query.capabilities = proof.capabilities
        case .mailbox(let proof):
            query.look(for: proof.email)
            query.capabilities = [proof.capability]
        case .phone(let proof, _):
            query.phone = proof.number
            query.capabilities = [proof.capability]
        case .password(let email, _):
            query.look(for: email)
        }
        return query
    }

    /// A first password may be a concealed sign-up, and the seat, which the session tells, may have signed up before.
    func query(after snapshot: Snapshot) -> SnapshotQuery? {
        guard case .password(let email, _) = method, let seat = snapshot.session?.seat,
            let account = snapshot.sessionAccount?.account, account.methods.count <= 1
        else { return nil }
        var query = fullQuery
        query.capabilities.append(.provisional(email, seat))
        return query
    }

    func decide(
        for acting: ActingSession,
        on snapshot: Snapshot,
        by ruling: Ruling
    ) throws(Refusal) -> Decision<SignedIn> {
        try decide(for: acting, on: snapshot, continuing: Draft(ruling))
    }

    /// Decides as a further step of a draft, for an account and a session that the draft may have made or changed.
    func decide(
        for acting: ActingSession,
        on snapshot: Snapshot,
        continuing draft: consuming Draft
    ) throws(Refusal) -> Decision<SignedIn> {
        switch method {
        case .federated(let proof):
            try LinkFederated(proof: proof, factor: factor).decide(for: acting, on: snapshot, continuing: draft)
        case .mailbox(let proof):
            LinkMailbox(proof: proof, factor: factor).decide(for: acting, on: snapshot, continuing: draft)
        case .phone(let proof, let renews):
            LinkPhone(proof: proof, renews: renews, factor: factor)
                .decide(for: acting, on: snapshot, continuing: draft)
        case .password(let email, let password):
            try LinkPassword(email: email, password: password, factor: factor)
                .decide(for: acting, on: snapshot, continuing: draft)
        }
    }
}

/// One kind of way in, as `LinkMethod` adds it.
protocol LinkingStep: Sendable {}

extension LinkingStep {
    /// A refusal that writes nothing.
    func refuse(_ refusal: Refusal, by ruling: Ruling) -> Decision<SignedIn> {
        var draft = Draft(ruling)
        return draft.refused(refusal)
    }
}
