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
        /// The session's rotation of which the newest tokens are; nil if none could be issued.
        var rotation: Int64?
        /// The renewal that was begun last.
        var renewal: Task<Bool, Never>?
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

    /// Issues the tokens that replace those from before a change of privileges, unless they have been issued; returns
    /// whether the session has ended.
    ///
    /// One pair after the other, so that the last is the one that is kept.
    func renewTokens(of user: AuthCore.User) async -> Bool {
        let renewal = state.withLock { state in
            let before = state.renewal
            let renewal = Task {
                _ = await before?.value
                let rotation = self.state.withLock { $0.rotation }
                if let rotation, user.session.rotation <= rotation { return false }
                do throws(AuthError) {
                    let tokens = try await user.issueTokens()
                    self.state.withLock { state in
                        state.refreshToken = tokens.refreshToken
                        // Another change may have raised the user's own rotation by now.
                        state.rotation = tokens.idToken.claims["rotation"]?.integerValue
                    }
                    return false
                } catch { return error.code.endsSession }
            }
            state.renewal = renewal
            return renewal
        }
        return await renewal.value
    }
}
