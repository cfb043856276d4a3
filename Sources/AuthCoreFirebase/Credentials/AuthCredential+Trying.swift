internal import AuthCore

extension AuthCredential {
    /// Asks the engine with each form of the credential, as long as it no longer knows the one before.
    ///
    /// What the engine kept after a conflict lasts a while, once and at one seat; the tokens beside it may last longer.
    func tried<Outcome>(
        _ ask: (AuthCore.AuthCredential) async throws(AuthError) -> Outcome
    ) async throws(AuthError) -> Outcome {
        for form in presented.dropLast() {
            do throws(AuthError) {
                return try await ask(form)
            } catch {
                let isOver = error.reason == .pendingIdentityIsOver
                guard isOver || error.reason == .pendingIdentityIsOfAnotherSeat else { throw error }
            }
        }
        guard let last = presented.last else { throw AuthError(.invalidCredential) }
        return try await ask(last)
    }

    /// What is wrong with the credential before anybody is asked: the original refuses empty passwords by itself.
    func checkFields() throws {
        guard let email = self as? EmailAuthCredential else { return }
        switch email.kind {
        case .password(let password):
            if password.isEmpty { throw NSError(.wrongPassword) }
        case .link(let link):
            if ActionLink(link)?.mode != "signIn" {
                throw NSError(.invalidActionCode, message: "This link was not mailed to sign anybody in.")
            }
        }
    }
}
