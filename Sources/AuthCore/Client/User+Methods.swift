extension User {
    /// Links a sign-in method to the account.
    ///
    /// ```swift
    /// func link(_ credential: AuthCredential, to user: User) async throws {
    ///     do {
    ///         try await user.link(with: credential)
    ///     } catch {
    ///         guard error.code == .requiresRecentLogin else { throw error }
    ///         print("Please sign in again first.")
    ///     }
    /// }
    /// ```
    ///
    /// - Parameter credential: A credential of the new method; for a password, the new password.
    /// - Returns: This user, and what the provider said.
    /// - Throws: ``AuthErrorCode/credentialAlreadyInUse`` with a ``Conflict`` if another account has the identity or
    ///   number, ``AuthErrorCode/emailAlreadyInUse`` if another account owns the address, for an identity with a
    ///   ``Conflict``; ``AuthErrorCode/providerAlreadyLinked`` if the account has a method of the provider;
    ///   ``AuthErrorCode/requiresRecentLogin``, also if the new method would replace a suspended one that is older than
    ///   this login; ``AuthErrorCode/secondFactorRequired`` with a
    ///   ``SecondFactor/Challenge``, ``AuthErrorCode/mergeInProgress`` while a merge locks the account,
    ///   ``AuthErrorCode/userMismatch`` if the credential is from a conflict with another account,
    ///   ``AuthErrorCode/operationNotAllowed`` for a credential of a kind that cannot be linked,
    ///   ``AuthErrorCode/missingOrInvalidNonce`` on a server where the policy's ``AuthPolicy/linkNonce`` asks for a
    ///   nonce of ``nonce(for:)`` and the credential has none, ``AuthErrorCode/tooManyRequests``, or the code that says
    ///   what is wrong with the credential. A number also: ``AuthErrorCode/secondFactorAlreadyEnrolled`` if it is a
    ///   factor, ``AuthErrorCode/unsupportedFirstFactor`` if the policy refuses numbers beside factors. A password
    ///   also: what ``updatePassword(to:)`` throws for it, ``AuthErrorCode/emailChangeNeedsVerification`` if its
    ///   address must be verified first, or ``AuthErrorCode/unverifiedEmail`` if a factor needs the verified address.
    @discardableResult
    public func link(with credential: AuthCredential) async throws(AuthError) -> AuthResult {
        try await add(credential) { LinkMethod(handle: handle, method: $0) }
    }

    /// Links a sign-in method by a credential that was verified before.
    ///
    /// - Parameter verified: The result of ``AuthClient/verify(_:)``.
    /// - Returns: This user, and what the provider said.
    /// - Throws: As ``link(with:)-(AuthCredential)``.
    @discardableResult
    public func link(with verified: VerifiedCredential) async throws(AuthError) -> AuthResult {
        try await act(LinkMethod(handle: handle, method: try NewMethod(adding: verified.proof)))
        return result(by: verified.provider, verified.additional)
    }

    /// Removes a provider's sign-in method from the account.
    ///
    /// ```swift
    /// do {
    ///     try await user.unlink(provider)
    /// } catch {
    ///     guard error.code == .requiresRecentLogin else { throw error }
    ///     try await user.reauthenticate(with: again)
    ///     try await user.unlink(provider)
    /// }
    /// ```
    ///
    /// ``ProviderID/password`` removes a password and mailed links together. The account's address goes with them,
    /// unless a linked identity states it.
    ///
    /// A number that was verified too long ago does not count as a remaining method; verify it again with
    /// ``updatePhoneNumber(with:)``.
    ///
    /// Under ``AuthPolicy/standard``, a session that rests on nothing but the method ends, and the user is signed out
    /// on this device.
    ///
    /// - Parameter provider: The provider.
    /// - Returns: This user.
    /// - Throws: ``AuthErrorCode/noSuchProvider`` if the account has no such method, ``AuthErrorCode/lastMethod`` if it
    ///   has no other and the policy keeps the last one, ``AuthErrorCode/unverifiedEmail`` if an enrolled factor needs
    ///   the address that would go, ``AuthErrorCode/requiresRecentLogin``, or ``AuthErrorCode/mergeInProgress`` while a
    ///   merge locks the account.
    @discardableResult
    public func unlink(_ provider: ProviderID) async throws(AuthError) -> User {
        try await act(Unlink(handle: handle, provider: provider))
        return self
    }

    /// Replaces a provider's sign-in method by another one, in one step.
    ///
    /// ```swift
    /// let nonce = try await user.nonce(for: .link)
    /// try await user.replace(.google, with: .google(idToken: token(nonce), nonce: nonce))
    /// ```
    ///
    /// - Parameters:
    ///   - old: The provider whose method is removed.
    ///   - credential: A credential of the new method, which may be the same provider's.
    /// - Returns: This user, and what the provider said.
    /// - Throws: As ``link(with:)-(AuthCredential)``, which needs a nonce on a server, too;
    ///   ``AuthErrorCode/lastMethod`` or ``AuthErrorCode/unverifiedEmail`` as ``unlink(_:)``; and
    ///   ``AuthErrorCode/noSuchProvider`` if there is nothing to replace.
    @discardableResult
    public func replace(_ old: ProviderID, with credential: AuthCredential) async throws(AuthError) -> AuthResult {
        try await add(credential) { ReplaceMethod(handle: handle, old: old, new: $0) }
    }

    /// Replaces a provider's sign-in method, by a credential that was verified before.
    ///
    /// - Parameters:
    ///   - old: The provider whose method is removed.
    ///   - verified: The result of ``AuthClient/verify(_:)``.
    /// - Returns: This user, and what the provider said.
    /// - Throws: As ``replace(_:with:)-(ProviderID,AuthCredential)``.
    @discardableResult
    public func replace(_ old: ProviderID, with verified: VerifiedCredential) async throws(AuthError) -> AuthResult {
        try await act(ReplaceMethod(handle: handle, old: old, new: try NewMethod(adding: verified.proof)))
        return result(by: verified.provider, verified.additional)
    }

    /// Authenticates the account's owner again, so that the login counts as recent.
    ///
    /// ```swift
    /// try await user.reauthenticate(with: .password(email: email, password: old))
    /// try await user.updatePassword(to: new)
    /// ```
    ///
    /// - Parameter credential: A credential of the account.
    /// - Returns: This user, and what the provider said.
    /// - Throws: ``AuthErrorCode/userMismatch`` if the credential is another account's,
    ///   ``AuthErrorCode/secondFactorRequired`` with a ``SecondFactor/Challenge``,
    ///   ``AuthErrorCode/missingOrInvalidNonce`` on a server where the policy's ``AuthPolicy/linkNonce`` asks for a
    ///   nonce of ``nonce(for:)`` and the credential has none, ``AuthErrorCode/tooManyRequests``, or the code that says
    ///   what is wrong with the credential.
    @discardableResult
    public func reauthenticate(with credential: AuthCredential) async throws(AuthError) -> AuthResult {
        try await takeOver { () async throws(AuthError) in
            try await service.perform(with: credential, context) { Reauthenticate(handle: handle, proof: $0) }
        }
    }

    /// Reauthenticates by a credential that was verified before; the login is as recent as that.
    ///
    /// - Parameter verified: The result of ``AuthClient/verify(_:)``.
    /// - Returns: This user, and what the provider said.
    /// - Throws: As ``reauthenticate(with:)-(AuthCredential)``.
    @discardableResult
    public func reauthenticate(with verified: VerifiedCredential) async throws(AuthError) -> AuthResult {
        try await act(Reauthenticate(handle: handle, proof: verified.proof))
        return result(by: verified.provider, verified.additional)
    }

    /// Sets the account's phone number.
    ///
    /// ```swift
    /// let id = try await client.sendPhoneCode(to: number)
    /// try await user.updatePhoneNumber(with: .phone(verificationID: id, code: await digits()))
    /// ```
    ///
    /// - Parameter credential: A phone credential of the new number.
    /// - Throws: ``AuthErrorCode/invalidCredential`` if the credential is not a phone's; else as
    ///   ``link(with:)-(AuthCredential)``.
    public func updatePhoneNumber(with credential: AuthCredential) async throws(AuthError) {
        _ = try await takeOver { () async throws(AuthError) in
            try await service.perform(with: credential, context) { proof throws(AuthError) in
                guard case .phone = proof.claim else {
                    throw AuthError(.invalidCredential, message: "Only a phone credential changes the number.")
                }
                let number = NewMethod.verified(proof, renews: true)
                return ReplaceMethod(handle: handle, old: .phone, new: number, addsIfMissing: true)
            }
        }
    }

    /// Performs the operation that adds the method of a credential.
    private func add<O: Operation>(
        _ credential: AuthCredential,
        _ operation: (NewMethod) -> O
    ) async throws(AuthError) -> AuthResult where O.Outcome == SignedIn {
        try await takeOver { () async throws(AuthError) in
            try await service.perform(adding: credential, by: handle, context, operation)
        }
    }

    /// Takes over the account and the session that a credential changed.
    private func takeOver(
        _ change: () async throws(AuthError) -> (SignedIn, VerifiedCredential?)
    ) async throws(AuthError) -> AuthResult {
        let (signedIn, verified) = try await inSession(change)
        await adopt(signedIn)
        // Without a verified credential, a new password was set.
        return result(by: verified?.provider ?? .password, verified?.additional)
    }

    /// What a change of this user's account answers.
    func result(by provider: ProviderID, _ additional: AdditionalUserInfo?) -> AuthResult {
        AuthResult(user: self, isNewUser: false, provider: provider, additionalUserInfo: additional)
    }
}
