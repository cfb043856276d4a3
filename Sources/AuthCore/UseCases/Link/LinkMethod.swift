/// Links any kind of sign-in method to the account of the acting session.
struct LinkMethod: SessionOperation {
    var sensitivity: AuthPolicy.SensitiveOperation? { .link }

    let handle: ActingHandle
    let method: NewMethod
    var factor: FactorProof?

    var verifiedAt: Timestamp? { method.verifiedAt }

    var requires: [OneTimeRecordID] { factor?.consumes ?? [] }

    func moreLookups(_ request: Request) -> Lookups { method.lookups(request) }

    func decide(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        try context.requireEnabled(method.provider)
        if method.isTaken(in: acting.account, context) { throw .providerLinked }
        switch method {
        case .password(let email, let password):
            return try LinkPassword(email: email, password: password, factor: factor).decide(acting, &transaction)
        case .verified(let proof, _):
            if let refusal = proof.refusal(in: acting.seen, context, as: .link(acting.session.id)) { throw refusal }
            try acting.requireSeniority(over: method.replaced(in: acting.account, context).map(\.seniorSince), context)
            return try proof.link(to: acting, factor: factor, &transaction)
        }
    }
}
