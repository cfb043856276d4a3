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
        guard case .proved(let proof, let renews) = method else {
            guard case .password(let email, let password) = method else { throw .contradiction }
            return try LinkPassword(email: email, password: password, factor: factor)
                .decide(acting, seen, &transaction)
        }
        switch proof {
        case .federated(let proof):
            return try LinkFederated(proof: proof, factor: factor).decide(acting, seen, &transaction)
        case .mailbox(let proof):
            return try LinkMailbox(proof: proof, factor: factor).decide(acting, seen, &transaction)
        case .phone(let proof):
            return try LinkPhone(proof: proof, renews: renews, factor: factor).decide(acting, seen, &transaction)
        case .password, .customToken, .anonymous:
            throw .contradiction
        }
    }
}
