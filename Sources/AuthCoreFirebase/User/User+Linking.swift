internal import AuthCore
internal import Foundation

extension User {
    func link(presenting credential: AuthCredential) async throws -> AuthDataResult {
        try credential.checkLinkFields()
        if core.providerData.contains(where: { $0.provider.rawValue == credential.provider }) {
            // The original answers this by what it last saw, without showing the credential to anybody. Look again
            // first: what it saw may be old, and the session may be over.
            try await acting { user throws(AuthError) in try await user.reload() }
            if core.providerData.contains(where: { $0.provider.rawValue == credential.provider }) {
                throw NSError(.providerAlreadyLinked)
            }
        }
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
            let result = try await credential.tried { form throws(AuthError) in
                try await core.reauthenticate(with: form)
            }
            auth?.tokenDidChange(of: self)
            return AuthDataResult(
                user: self,
                additionalUserInfo: AdditionalUserInfo(result),
                credential: .tokens(in: credential)
            )
        } catch {
            // Nobody has the credential, so this person has not: the original says so too.
            if error.code == .userNotFound { throw NSError(.userMismatch) }
            if error.code == .userTokenExpired || error.code == .invalidUserToken { auth?.leave(self) }
            throw NSError(error, presenting: credential, in: auth)
        }
    }

    func unlinked(_ provider: String) async throws -> User {
        try await acting { user throws(AuthError) in _ = try await user.unlink(ProviderID(provider)) }
        return self
    }
}

extension AuthCredential {
    /// What is wrong with the credential before anybody is asked to link it.
    fileprivate func checkLinkFields() throws {
        if let email = self as? EmailAuthCredential, case .password(let password) = email.kind {
            if password.isEmpty { throw NSError(.weakPassword) }
            return
        }
        try checkFields()
    }
}
