extension User {
    /// Adds a way in.
    @discardableResult
    public func link(with credential: AuthCredential) async throws(AuthError) -> AuthResult {
        if case .password(let email, let password) = credential.content {
            let method = try await newPassword(email: email, password: password)
            let signedIn = try await act(LinkMethod(handle: handle, method: method))
            return AuthResult(user: self, isNewUser: signedIn.isNewUser, provider: .password, additionalUserInfo: nil)
        }
        return try await link(with: try await service.verify(credential, context: context))
    }

    /// Adds a way in by a credential that was checked before.
    @discardableResult
    public func link(with verified: VerifiedCredential) async throws(AuthError) -> AuthResult {
        result(try await act(LinkMethod(handle: handle, method: try newMethod(verified))), verified)
    }

    private func newPassword(email: String, password: Secret) async throws(AuthError) -> NewMethod {
        .password(try service.parse(email: email), try await service.prepare(newPassword: password))
    }

    /// Takes a way in off the account.
    @discardableResult
    public func unlink(_ provider: ProviderID) async throws(AuthError) -> User {
        _ = try await act(Unlink(handle: handle, provider: provider))
        return self
    }

    /// Puts a way in into the place of a provider's, in one step; the same provider may give the new one.
    @discardableResult
    public func replace(_ old: ProviderID, with credential: AuthCredential) async throws(AuthError) -> AuthResult {
        if case .password(let email, let password) = credential.content {
            let new = try await newPassword(email: email, password: password)
            let signedIn = try await act(ReplaceMethod(handle: handle, old: old, new: new))
            return AuthResult(user: self, isNewUser: signedIn.isNewUser, provider: .password, additionalUserInfo: nil)
        }
        return try await replace(old, with: try await service.verify(credential, context: context))
    }

    /// Puts a way in, by a credential that was checked before, into the place of a provider's.
    @discardableResult
    public func replace(_ old: ProviderID, with verified: VerifiedCredential) async throws(AuthError) -> AuthResult {
        let new = try newMethod(verified)
        return result(try await act(ReplaceMethod(handle: handle, old: old, new: new)), verified)
    }

    /// The way in that a proof would add.
    func newMethod(_ verified: VerifiedCredential) throws(AuthError) -> NewMethod {
        guard let method = NewMethod(verified.proof) else {
            throw AuthError(.operationNotAllowed, message: "This kind of credential cannot be linked.")
        }
        return method
    }

    /// Proves again that this person is the account's owner; another person's credential is `userMismatch`.
    @discardableResult
    public func reauthenticate(with credential: AuthCredential) async throws(AuthError) -> AuthResult {
        try await reauthenticate(with: try await service.verify(credential, context: context))
    }

    /// Proves again that this person is the account's owner, by a credential that was checked before, and as of then.
    @discardableResult
    public func reauthenticate(with verified: VerifiedCredential) async throws(AuthError) -> AuthResult {
        let operation = Reauthenticate(handle: handle, proof: verified.proof)
        return result(try await act(operation), verified)
    }

    /// Puts a number in the place of the one the account has, or adds it.
    public func updatePhoneNumber(with credential: AuthCredential) async throws(AuthError) {
        let proof = try await service.verify(credential, context: context).proof
        guard case .phone = proof.claim else {
            throw AuthError(.invalidCredential, message: "Only a phone credential changes the number.")
        }
        _ = try await act(
            ReplaceMethod(handle: handle, old: .phone, new: .proved(proof, renews: true), addsIfMissing: true)
        )
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
