internal import AuthCore
internal import Foundation
internal import Synchronization

extension Auth {
    /// What changes about a seat.
    struct State: Sendable {
        var user: Handover<User>?
        var listeners: [Listener] = []
        var handles: [String: WeakHandover<AuthCore.User>] = [:]
        var settings: Handover<AuthSettings>? = Handover(AuthSettings())
        var languageCode: String?
        var tenantID: String?
        var customAuthDomain: String?
        var userAccessGroup: String?
        var sharesAcrossDevices = false
        var usesEmulator = false
        var pushToken: Data?
    }

    var usesEmulator: Bool { state.withLock { $0.usesEmulator } }

    /// Puts the person of a new session into the seat.
    func seat(_ core: AuthCore.User) async -> User {
        // Whoever signs in has a token at once, as in the original; a failure to issue one shows when it is asked for.
        let tokens = try? await core.issueTokens()
        if let token = tokens?.idToken { core.keep(token) }
        let user = User(core, in: self, refreshToken: tokens?.refreshToken)
        let session = core.handle.session.text
        let handle = WeakHandover(core)
        state.withLock { state in
            state.handles = state.handles.filter { $0.value.value != nil }
            state.handles[session] = handle
        }
        sit(user)
        return user
    }

    /// Answers a challenge, and makes its user the current one, who it may already be.
    func resolve(
        _ challenge: SecondFactorChallenge,
        with assertion: SecondFactorAssertion
    ) async throws(AuthError) -> User {
        let user = currentUser
        let core = try await client.resolve(challenge, with: assertion, updating: user?.core).user
        guard let user, user.core === core else { return await seat(core) }
        tokenDidChange(of: user)
        return user
    }

    private func sit(_ user: User?) {
        let handover = user.map { Handover($0) }
        state.withLock { $0.user = handover }
        announceChange()
    }

    /// Empties the seat; the session ends with the person's last handle.
    func empty() {
        guard let user = currentUser else { return }
        user.endWithHandle(true)
        sit(nil)
    }

    /// Empties the seat, if this person sits there.
    func leave(_ user: User) {
        let left = state.withLock { state in
            guard state.user?.value === user else { return false }
            state.user = nil
            return true
        }
        if left { announceChange() }
    }

    /// Tells the listeners, if this person sits here.
    func tokenDidChange(of user: User) {
        if currentUser === user { announceChange() }
    }

    func adopt(_ user: User?) throws {
        guard let user else { throw NSError(.nullUser) }
        if user.tenantID != tenantID { throw NSError(.tenantIDMismatch) }
        user.auth = self
        user.endWithHandle(false)
        sit(user)
    }

    /// The handle of a session that began in this seat, while somebody holds it.
    func handle(ofSession session: String) -> AuthCore.User? { state.withLock { $0.handles[session] }?.value }
}
