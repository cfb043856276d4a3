/// Notes that a person is sent to a provider, so that only the same device, session and intent can end the visit.
struct BeginAuthorization: Operation {
    /// The session that asks; nil for a sign-in.
    let handle: ActingHandle?
    let key: OneTimeRecordID
    let authorization: Store.Authorization

    func lookups(_ request: Request) -> Lookups { handle?.lookups ?? Lookups() }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) {
        let context = transaction.context
        try context.requireEnabled(authorization.provider)
        if let handle {
            let acting = try handle.actor(in: seen, context)
            if case .link = authorization.intent { try acting.requireRecency(for: .link, context) }
        }
        let until = context.now + context.policy.lifetimes.pendingIdentity
        transaction.put(key, .authorization(authorization), of: handle?.account, until: until, on: context.device)
    }
}
