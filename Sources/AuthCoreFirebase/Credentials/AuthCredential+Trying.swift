internal import AuthCore

extension AuthCredential {
    /// Calls the engine with each form of the credential, until the engine knows one.
    ///
    /// What the engine stored after a conflict lasts a short time, for one use on one device. The tokens beside it may
    /// last longer.
    func tried<Outcome>(
        _ ask: (AuthCore.AuthCredential) async throws(AuthError) -> Outcome
    ) async throws(AuthError) -> Outcome {
        for form in presented.dropLast() {
            do throws(AuthError) {
                return try await ask(form)
            } catch {
                let isOver = error.reason == .pendingIdentityIsOver
                guard isOver || error.reason == .pendingIdentityIsOfAnotherDevice else { throw error }
            }
        }
        guard let last = presented.last else { throw AuthError(.invalidCredential) }
        return try await ask(last)
    }

    /// What is wrong with the credential before the engine is called: the original also refuses empty passwords itself.
    func checkFields() throws {
        guard let email = self as? EmailAuthCredential else { return }
        switch email.kind {
        case .password(let password):
            if password.isEmpty { throw NSError(.wrongPassword) }
        case .link(let link):
            if ActionCode.Link(link)?.mode != "signIn" {
                throw NSError(.invalidActionCode, message: "This link is not a sign-in link.")
            }
        }
    }
}
