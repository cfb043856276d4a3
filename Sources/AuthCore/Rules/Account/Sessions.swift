/// Ends the acting session itself; there is nothing to refuse.
struct SignOut: Operation {
    typealias Outcome = Void

    let handle: ActingHandle

    init(handle: ActingHandle) { self.handle = handle }

    func lookups(_ request: Request) -> Lookups { handle.lookups }

    func decide(on snapshot: Snapshot, by ruling: Ruling) -> Decision<Void> {
        var draft = Draft(ruling)
        draft.reasons.append(.personSignsOut)
        if snapshot.session(handle.session) != nil {
            draft.changes.sessions.append(.end(handle.session))
            draft.event(.signedOut, handle.account, by: .session(handle.session))
        }
        return draft.granted(())
    }
}

/// Lists the living sessions of the acting session's account.
struct ListSessions: ActingOperation {
    typealias Outcome = [Session]

    let handle: ActingHandle

    init(handle: ActingHandle) { self.handle = handle }

    func moreLookups(_ request: Request) -> Lookups { [.sessions(of: .account(handle.account))] }

    func decide(for acting: ActingSession, on snapshot: Snapshot, by ruling: Ruling) -> Decision<[Session]> {
        var draft = Draft(ruling)
        return draft.granted(
            snapshot.sessions(of: .account(handle.account))
                .filter { $0.isAlive(for: acting.account, by: ruling) }
                .sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
        )
    }
}

/// Ends one other session of the account, or all but the acting one.
struct RevokeSessions: ActingOperation {
    typealias Outcome = SignedIn

    let handle: ActingHandle
    /// The session to end; nil for all but the acting one.
    let target: SessionID?

    init(handle: ActingHandle, target: SessionID?) {
        self.handle = handle
        self.target = target
    }

    func moreLookups(_ request: Request) -> Lookups { [.sessions(of: .account(handle.account))] }

    func decide(for acting: ActingSession, on snapshot: Snapshot, by ruling: Ruling) -> Decision<SignedIn> {
        var draft = Draft(ruling)
        draft.reasons.append(.personEndsSessions)
        var account = acting.account
        if let target {
            // Only a session of the same account can be ended; any other id is as good as one that is over.
            if snapshot.sessions(of: .account(handle.account)).contains(where: { $0.id == target }) {
                draft.changes.sessions.append(.end(target))
            }
        } else {
            draft.endOtherSessions(of: &account, except: acting.session.id)
        }
        draft.event(.sessionsRevoked, account.id, by: .session(acting.session.id))
        return draft.granted(draft.keep(acting, with: &account, lastSignIn: snapshot.lastSignIn(of: account.id)))
    }
}
