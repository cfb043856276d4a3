/// Ends the acting session itself; it is never refused.
struct SignOut: Operation {
    let handle: ActingHandle

    func lookups(_ request: Request) -> Lookups { handle.lookups }

    func further(_ seen: Snapshot, _ request: Request) -> Lookups? { seen.furtherSessions(of: handle.account) }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) {
        transaction.reasons.append(.personSignsOut)
        if seen.session(handle.session) == nil { return }
        transaction.changes.sessions.append(.end(handle.session))
        transaction.event(.signedOut, handle.account, by: .session(handle.session))
        guard let old = seen[handle.account], !old.wasEverVerified,
            transaction.context.policy.unverifiedLifetime != nil
        else { return }
        var account = old
        account.postponeExpiry(in: seen, besides: handle.session, transaction.context)
        // What decides at the same moment when the account may be removed must see that the session is over.
        if !transaction.replace(old, with: &account) { transaction.raiseVersion(of: &account) }
    }
}
