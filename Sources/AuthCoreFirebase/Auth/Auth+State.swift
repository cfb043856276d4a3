internal import AuthCore
internal import Foundation
internal import Synchronization

extension Auth {
    /// The mutable state of an `Auth`.
    struct State: Sendable {
        /// The engine's client, on the device as it was last handed out.
        var client: AuthClient
        var user: Handover<User>?
        var listeners: [Listener] = []
        var leases: [String: WeakHandover<SessionLease>] = [:]
        var settings: Handover<AuthSettings>? = Handover(AuthSettings())
        var languageCode: String?
        var tenantID: String?
        var customAuthDomain: String?
        var userAccessGroup: String?
        var sharesAcrossDevices = false
        var usesEmulator = false
        var pushToken: Data?
    }

    var client: AuthClient { state.withLock { $0.client } }

    /// Keeps the device with the secret that it got because it became known to an account, and the secrets of the
    /// present one.
    func use(_ device: DeviceID) {
        // The clock can be the app's, so it is not asked in the lock.
        let now = client.service.environment.now
        // Returned, so that the last reference to another `Auth` is not released in the lock.
        _ = state.change { state in
            state.client = state.client.keeping(device, at: now)
            let owner = state.user?.value.auth.map { Handover($0) }
            // Another `Auth` may have made the user its own, whose device they have since.
            if owner?.value === self { state.user?.value.core.use(state.client.device) }
            return owner
        }
    }

    var usesEmulator: Bool { state.withLock { $0.usesEmulator } }

    /// Makes the user of a new session the current user, and returns it.
    func signedIn(_ core: AuthCore.User) async -> User {
        use(core.device)
        // A challenge that is answered after the sign-out goes on in a session that others still hold.
        let lease = lease(ofSession: core.handle.session.text) ?? SessionLease(core)
        let user = User(core, lease, in: self)
        // A user has a token directly after the sign-in, as in the original. If none could be issued, the error is
        // reported when the token is requested.
        await user.renewTokens()
        setCurrentUser(user)
        await listenersWereCalled()
        return user
    }

    /// Answers a challenge, and makes its user the current user, unless that user already is.
    func resolve(
        _ challenge: SecondFactor.Challenge,
        with assertion: SecondFactor.Assertion
    ) async throws(AuthError) -> User {
        let user = currentUser
        let core: AuthCore.User
        do throws(AuthError) {
            core = try await shielded { () throws(AuthError) in
                try await self.client.resolve(challenge, with: assertion, updating: user?.core).user
            }
        } catch {
            if error.code.endsSession { await user?.leaveIfEnded() }
            throw error
        }
        guard let user, user.core === core else { return await signedIn(core) }
        await user.renewTokens()
        await tokenDidChange(of: user)
        return user
    }

    private func setCurrentUser(_ user: User) {
        let handover = Handover(user)
        let (session, lease) = (user.core.handle.session.text, WeakHandover(user.lease))
        let now = client.service.environment.now
        state.change { state in
            let user = handover.value
            // Codes and challenges are bound to the device that asked for them, so the user gets that of this `Auth`.
            // The device may have got another secret since the sign-in began, or the user may come from another `Auth`.
            // What was begun with the secrets of the user's device can still be finished, and accounts know it by them.
            let device = user.core.client.keeping(state.client.device, at: now).device
            state.client = state.client.on(device)
            user.core.use(device)
            // In one step: what removes the user at the same moment lets the session end, or finds that it goes on.
            user.lease.endsWhenReleased(false)
            state.leases = state.leases.filter { $0.value.value != nil }
            state.leases[session] = lease
            state.user = handover
        }
        announceChange()
    }

    /// Removes the current user; the session ends when the user's last handle is released.
    func removeCurrentUser() {
        leave { user in
            user.lease.endsWhenReleased(true)
            return true
        }
    }

    /// Removes the current user, if it is one of these, and returns whether it was.
    @discardableResult
    func leave(where isLeft: (User) -> Bool) -> Bool {
        let left = state.change { state in
            guard let user = state.user?.value, isLeft(user) else { return false }
            state.user = nil
            return true
        }
        if left { announceChange() }
        return left
    }

    /// Notifies the listeners, if this is the current user.
    func tokenDidChange(of user: User) async {
        guard currentUser === user else { return }
        announceChange()
        await listenersWereCalled()
    }

    /// Makes the user the current one, and returns after the listeners were called.
    func exchange(for user: User) async throws {
        try adopt(user)
        await listenersWereCalled()
    }

    func adopt(_ user: User?) throws {
        guard let user else { throw NSError(.nullUser) }
        if user.tenantID != tenantID { throw NSError(.tenantIDMismatch) }
        if user.core.service !== client.service {
            throw NSError(.invalidUserToken, message: "The user belongs to another project; sign in to this one.")
        }
        user.auth = self
        setCurrentUser(user)
    }

    /// What the handles share of a session whose user was the current one of this `Auth`, while there is one.
    func lease(ofSession session: String) -> SessionLease? { state.withLock { $0.leases[session] }?.value }
}
