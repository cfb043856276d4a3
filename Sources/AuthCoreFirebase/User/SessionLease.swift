internal import AuthCore
internal import Synchronization

/// Ends a session with its last handle, if the user signed out.
///
/// FirebaseAuth's sign-out affects only the client: code that holds a handle can continue. When the last handle is
/// released, the session cannot be used any more, so it ends.
final class SessionLease: Sendable {
    let core: AuthCore.User
    private let isOver = Mutex(false)

    init(_ core: AuthCore.User) { self.core = core }

    deinit {
        guard isOver.withLock({ $0 }) else { return }
        Task.detached { [core] in try? await core.signOut() }
    }

    /// Sets whether the session ends when the last handle is released.
    func end(_ ends: Bool) { isOver.withLock { $0 = ends } }
}
