/// Reads the account of the acting session as it is now.
struct Reload: ActingOperation {
    typealias Outcome = SignedIn

    let handle: ActingHandle

    init(handle: ActingHandle) { self.handle = handle }

    func decide(for acting: ActingSession, on snapshot: Snapshot, by ruling: Ruling) -> Decision<SignedIn> {
        var draft = Draft(ruling)
        return draft.granted(
            SignedIn(
                stored: acting.stored,
                session: acting.session,
                isNewUser: false,
                lastSignIn: snapshot.lastSignIn
            )
        )
    }
}
