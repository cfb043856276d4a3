/// Ends one other session of the account, or all but the acting one.
struct RevokeSessions: SessionOperation {
    let handle: ActingHandle
    /// The session to end; nil for all but the acting one.
    let target: SessionID?

    func moreLookups(_ request: Request) -> Lookups {
        [.sessions(of: .account(handle.account)), .records(of: .account(handle.account), .changeEmail)]
    }

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
            transaction.raiseVersion(of: &account)
            if transaction.context.policy.endsAddressChanges { endChanges(begunIn: target, acting, &transaction) }
        } else {
            transaction.endOtherSessions(of: &account, except: acting.session.id)
        }
        transaction.event(.sessionsRevoked, account.id, by: .session(acting.session.id))
        return transaction.keep(acting, with: &account)
    }

    /// Takes back the mailed codes with which an attacker in that session could still move the address.
    private func endChanges(begunIn session: SessionID, _ acting: ActingSession, _ transaction: inout Transaction) {
        for code in acting.seen.records(of: .account(handle.account), .changeEmail) where code.content.asker == session
        {
            transaction.changes.records.append(.revoke(code.key))
        }
    }
}
