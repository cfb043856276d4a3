/// Ends a visit to a provider, once.
struct RedeemAuthorization: Operation {
    /// The session that the visit must have begun in; nil for a sign-in.
    let handle: ActingHandle?
    let key: OneTimeRecordID

    func lookups(_ request: Request) -> Lookups { (handle?.lookups ?? Lookups()).union([.record(key)]) }

    /// Returns the visit if this request may end it; a refusal uses nothing up.
    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> Store.Authorization {
        let context = transaction.context
        if let handle { _ = try handle.actor(in: seen, context) }
        guard let record = seen.record(key), case .authorization(let authorization) = record.content else {
            throw Refusal(.invalidCredential, .codeIsUnknown)
        }
        guard record.isLive(at: context.now) else { throw Refusal(.sessionExpired, .codeIsExpired) }
        if context.isElsewhere(record) { throw .codeOfAnotherDevice }
        guard authorization.intent.session == handle?.session, record.account == handle?.account else {
            throw Refusal(.invalidCredential, .codeIsForSomethingElse)
        }
        try context.requireEnabled(authorization.provider)
        transaction.consume(key)
        return authorization
    }
}

extension Store.Authorization.Intent {
    /// The only session that may end the visit; nil for a sign-in.
    fileprivate var session: SessionID? {
        switch self {
        case .signIn: nil
        case .link(let session), .reauthentication(let session): session
        }
    }
}
