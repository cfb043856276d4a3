internal import AuthCore
internal import Foundation

extension User {
    func link(presenting credential: AuthCredential) async throws -> AuthDataResult {
        if core.providerData.contains(where: { $0.provider.rawValue == credential.provider && !$0.isSuspended }) {
            // The original answers this from its last state of the account, without presenting the credential. Load the
            // account first: the last state may be old, and the session may have ended.
            try await acting { user throws(AuthError) in try await user.reload() }
            if core.providerData.contains(where: { $0.provider.rawValue == credential.provider && !$0.isSuspended }) {
                throw NSError(.providerAlreadyLinked)
            }
        }
        try credential.checkLinkFields()
        let result = try await acting(presenting: credential) { user throws(AuthError) in
            try await credential.tried { form throws(AuthError) in try await user.link(with: form) }
        }
        guard result.additionalUserInfo != nil else { return AuthDataResult(user: self) }
        return AuthDataResult(
            user: self,
            additionalUserInfo: AdditionalUserInfo(result),
            credential: .tokens(in: credential)
        )
    }

    func reauthenticate(presenting credential: AuthCredential) async throws -> AuthDataResult {
        try credential.checkFields()
        do throws(AuthError) {
            let result = try await shielded { () throws(AuthError) in
                try await credential.tried { form throws(AuthError) in
                    try await self.core.reauthenticate(with: form)
                }
            }
            await renewTokens()
            await auth?.tokenDidChange(of: self)
            // The original also answers with another object than the one that was asked.
            return AuthDataResult(
                user: User(anotherOf: self),
                additionalUserInfo: AdditionalUserInfo(result),
                credential: .tokens(in: credential)
            )
        } catch {
            // No account has the credential, so it is not this user's; the original gives the same answer.
            if error.code == .userNotFound { throw NSError(.userMismatch) }
            if error.code == .userTokenExpired || error.code == .accountMerged { await leave() }
            throw NSError(error, presenting: credential, in: auth)
        }
    }

    func unlinked(_ provider: String) async throws -> User {
        try await acting { user throws(AuthError) in _ = try await user.unlink(ProviderID(provider)) }
        return self
    }
}

extension AuthCredential {
    /// What is wrong with the credential before the engine is called to link it.
    fileprivate func checkLinkFields() throws {
        if let email = self as? EmailAuthCredential, case .password(let password) = email.kind {
            if password.isEmpty { throw NSError.emptyNewPassword }
            return
        }
        try checkFields()
    }
}
