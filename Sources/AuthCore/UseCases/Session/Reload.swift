/// Reads the current account of the acting session.
struct Reload: SessionOperation {
    let handle: ActingHandle

    init(handle: ActingHandle) { self.handle = handle }

    func decide(
        _ acting: ActingSession,
        _ seen: Snapshot,
        _ transaction: inout Transaction
    ) throws(Refusal) -> SignedIn {
        SignedIn(
            account: acting.account,
            session: acting.session,
            isNewUser: false,
            lastSignIn: seen.lastSignIn(of: acting.account.id)
        )
    }
}
