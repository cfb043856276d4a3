internal import AuthCore
internal import Foundation
internal import Synchronization

extension User {
    /// The `Auth` that the user belongs to.
    var auth: Auth? {
        get { view.withLock { $0.device }?.value }
        set {
            let device = newValue.map { WeakHandover($0) }
            view.withLock { $0.device = device }
        }
    }

    /// Does something as this user; if the session has ended, the `Auth` removes the user before the error is reported.
    ///
    /// What the app wrote over the account's values is discarded if the work loads the account.
    func acting<Outcome>(
        presenting credential: AuthCredential? = nil,
        loadsAccount: Bool = true,
        _ work: @escaping (AuthCore.User) async throws(AuthError) -> Outcome
    ) async throws -> Outcome {
        let (version, device) = (core.account.version, core.device)
        do throws(AuthError) {
            let outcome = try await shielded { () throws(AuthError) in try await work(self.core) }
            if loadsAccount { forgetChanges() }
            if core.device != device { auth?.use(core.device) }
            await renewTokens()
            if core.account.version != version { await auth?.tokenDidChange(of: self) }
            return outcome
        } catch {
            if error.code.endsSession { await leave() }
            throw NSError(error, presenting: credential, in: auth)
        }
    }

    /// Issues the tokens that replace those from before a change of privileges, unless they have been issued; signs out
    /// if the session has ended.
    func renewTokens() async { if await lease.renewTokens(of: core) { await leave() } }

    /// Signs out, if the session that is over is that of the current user, of which this may be another object.
    func leave() async {
        guard let auth, auth.leave(where: { $0.lease === lease }) else { return }
        await auth.listenersWereCalled()
    }

    /// Signs out if the session has ended; that the store cannot say so now changes nothing.
    func leaveIfEnded() async {
        do throws(AuthError) {
            try await shielded { () throws(AuthError) in try await self.core.reload() }
        } catch {
            if error.code.endsSession { await leave() }
        }
    }

    private func forgetChanges() {
        let factors = view.withLock { view in
            view.displayName = nil
            view.photoURL = nil
            return view.factors
        }
        factors?.value.forgetChanges()
    }
}
