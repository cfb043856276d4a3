internal import AuthCore
internal import Synchronization

/// What the handles of one session share: its refresh token, and that it ends with the last of them if the user signed
/// out.
///
/// FirebaseAuth's sign-out affects only the client: code that holds a handle can continue. When the last handle is
/// released, the session cannot be used any more, so it ends.
final class SessionLease: Sendable {
    let core: AuthCore.User
    private let state = Mutex(State())

    private struct State {
        var endsWhenReleased = false
        var refreshToken: String?
        /// Whether the last renewal failed.
        var isOutdated = false
        /// The renewal that was begun last.
        var renewal: Task<Void, Never>?
    }

    init(_ core: AuthCore.User) { self.core = core }

    deinit {
        guard state.withLock({ $0.endsWhenReleased }) else { return }
        Task.detached { [core] in try? await core.signOut() }
    }

    /// Sets whether the session ends when the last handle is released.
    func endsWhenReleased(_ ends: Bool) { state.withLock { $0.endsWhenReleased = ends } }

    /// The newest refresh token; nil if none could be issued.
    var refreshToken: String? { state.withLock { $0.refreshToken } }

    /// Whether the tokens are to be renewed once more, since the last renewal failed.
    var isOutdated: Bool { state.withLock { $0.isOutdated } }

    /// Issues the tokens that replace the earlier ones, one pair after the other, so that the last is the one that is
    /// kept.
    func renewTokens(of user: AuthCore.User) async {
        let renewal = state.withLock { state in
            let before = state.renewal
            let renewal = Task {
                await before?.value
                let tokens = try? await user.issueTokens()
                self.state.withLock { state in
                    state.isOutdated = tokens == nil
                    if let tokens { state.refreshToken = tokens.refreshToken }
                }
            }
            state.renewal = renewal
            return renewal
        }
        await renewal.value
    }
}
