extension User {
    /// Adds a way in.
    @discardableResult
    public func link(with credential: AuthCredential) async throws(AuthError) -> AuthResult {
        if case .password(let email, let password) = credential.content {
            return try await linkPassword(email: email, password: password)
        }
        return try await link(with: try await service.verify(credential, context: context))
    }

    /// Adds a way in by a credential that was checked before.
    @discardableResult
    public func link(with verified: VerifiedCredential) async throws(AuthError) -> AuthResult {
        let signedIn: SignedIn
        switch verified.proof {
        case .federated(let proof): signedIn = try await act(LinkFederated(handle: handle, proof: proof))
        case .mailbox(let proof): signedIn = try await act(LinkMailbox(handle: handle, proof: proof))
        case .phone(let proof): signedIn = try await act(LinkPhone(handle: handle, proof: proof, replaces: false))
        case .password, .customToken, .anonymous:
            throw AuthError(.operationNotAllowed, message: "This kind of credential cannot be linked.")
        }
        return result(signedIn, verified)
    }

    private func linkPassword(email: String, password: Secret) async throws(AuthError) -> AuthResult {
        let address = try service.parse(email: email)
        let hash = try await service.prepare(newPassword: password)
        let signedIn = try await act(LinkPassword(handle: handle, email: address, password: hash))
        return AuthResult(user: self, isNewUser: signedIn.isNewUser, provider: .password, additionalUserInfo: nil)
    }

    /// Takes a way in off the account.
    @discardableResult
    public func unlink(_ provider: ProviderID) async throws(AuthError) -> User {
        _ = try await act(Unlink(handle: handle, provider: provider))
        return self
    }

    /// Proves again that this person is the account's owner; another person's credential is `userMismatch`.
    @discardableResult
    public func reauthenticate(with credential: AuthCredential) async throws(AuthError) -> AuthResult {
        try await reauthenticate(with: try await service.verify(credential, context: context))
    }

    /// Proves again that this person is the account's owner, by a credential that was checked before.
    @discardableResult
    public func reauthenticate(with verified: VerifiedCredential) async throws(AuthError) -> AuthResult {
        result(try await act(Reauthenticate(handle: handle, proof: verified.proof)), verified)
    }

    /// Puts a number in the place of the one the account has, or adds it.
    public func updatePhoneNumber(with credential: AuthCredential) async throws(AuthError) {
        guard case .phone(let proof) = try await service.verify(credential, context: context).proof else {
            throw AuthError(.invalidCredential, message: "Only a phone credential changes the number.")
        }
        _ = try await act(LinkPhone(handle: handle, proof: proof, replaces: true))
    }

    private func result(_ signedIn: SignedIn, _ verified: VerifiedCredential) -> AuthResult {
        AuthResult(
            user: self,
            isNewUser: signedIn.isNewUser,
            provider: verified.provider,
            additionalUserInfo: verified.additional
        )
    }
}
