/// Reads the current account of the acting session, and notes that the session is used.
struct Reload: SessionOperation {
    let handle: ActingHandle

    func decide(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        var session = acting.session
        if transaction.context.policy.sessions != AuthPolicy.SessionLimits() || session.expiresAt != nil {
            transaction.noteUse(of: &session, on: acting.account)
            if session != acting.session {
                transaction.put(session, over: acting.session)
                transaction.read(acting.account)
            }
        }
        return SignedIn(acting.reference, session, lastSignIn: acting.lastSignIn)
    }
}
