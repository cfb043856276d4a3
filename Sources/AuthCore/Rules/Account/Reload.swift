/// Reads the account of the acting session as it is now.
struct Reload: ActingOperation {
    typealias Outcome = SignedIn

    let handle: ActingHandle

    init(handle: ActingHandle) { self.handle = handle }

    func decide(for acting: ActingSession, on snapshot: Snapshot, by ruling: Ruling) -> Decision<SignedIn> {
        var draft = Draft(ruling)
        return draft.granted(
            SignedIn(
                account: acting.account,
                session: acting.session,
                isNewUser: false,
                lastSignIn: snapshot.lastSignIn(of: acting.account.id)
            )
        )
    }
}
