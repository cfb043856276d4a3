/// Links any kind of sign-in method to the account of the acting session.
struct LinkMethod: SessionOperation {
    var sensitivity: AuthPolicy.SensitiveOperation? { .link }

    let handle: ActingHandle
    let method: NewMethod
    var factor: FactorProof?

    var requires: [OneTimeRecordID] { factor?.consumes ?? [] }

    func moreLookups(_ request: Request) -> Lookups { method.lookups(request) }

    func decide(
        _ acting: ActingSession,
        _ seen: Snapshot,
        _ transaction: inout Transaction
    ) throws(Refusal) -> SignedIn {
        switch method {
        case .password(let email, let password):
            try LinkPassword(email: email, password: password, factor: factor).decide(acting, seen, &transaction)
        case .proved(let proof, let renews):
            try proof.link(to: acting, renews: renews, factor: factor, seen, &transaction)
        }
    }
}
