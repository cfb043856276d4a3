/// Ends one other session of the account, or all but the acting one.
struct RevokeSessions: SessionOperation {
    let handle: ActingHandle
    /// The session to end; nil for all but the acting one.
    let target: SessionID?

    func moreLookups(_ request: Request) -> Lookups { [.sessions(of: .account(handle.account))] }

    func decide(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        transaction.reasons.append(.personEndsSessions)
        var account = acting.account
        if let target {
            // Only a session of the same account can be ended; any other ID is treated as that of an ended session.
            guard acting.seen.sessions(of: .account(handle.account)).contains(where: { $0.id == target }) else {
                return transaction.keep(acting, with: &account)
            }
            transaction.changes.sessions.append(.end(target))
            // What that session decided before may not be written any more.
            account.postponeExpiry(hasSessions: true, transaction.context)
            transaction.raiseVersion(of: &account)
        } else {
            transaction.endOtherSessions(of: &account, except: acting.session.id)
        }
        transaction.event(.sessionsRevoked, account.id, by: .session(acting.session.id))
        return transaction.keep(acting, with: &account)
    }
}
