extension AuthClient {
    /// Signs in with a method of the existing account and links the identity that caused the conflict, in one step.
    ///
    /// If the account requires a second factor, resolving the challenge signs in and links the identity.
    ///
    /// ```swift
    /// let result = try await client.resolve(conflict, signingInWith: credential)
    /// print(result.user.providerData.map(\.provider))
    /// ```
    ///
    /// - Parameters:
    ///   - conflict: The conflict, from the error of a sign-in.
    ///   - credential: A credential of the existing account, or a link that was mailed to its address.
    /// - Returns: The signed-in user of the existing account.
    /// - Throws: ``AuthErrorCode/userMismatch`` if the credential is another account's,
    ///   ``AuthErrorCode/emailAlreadyInUse`` if another account owns the address by now,
    ///   ``AuthErrorCode/requiresRecentLogin`` if the login is too young to add a method,
    ///   ``AuthErrorCode/providerAlreadyLinked`` if the account has another identity of the provider by now,
    ///   ``AuthErrorCode/credentialAlreadyInUse`` if an account has the identity by now,
    ///   ``AuthErrorCode/operationNotAllowed`` if the method is disabled,
    ///   ``AuthErrorCode/deviceMismatch`` on another device than the one that met the conflict,
    ///   ``AuthErrorCode/tooManyRequests``, ``AuthErrorCode/mergeInProgress`` while a merge locks the account,
    ///   ``AuthErrorCode/secondFactorRequired`` with a ``SecondFactor/Challenge``,
    ///   ``AuthErrorCode/invalidCredential`` if the conflict is over, or the code that says what is wrong with the
    ///   credential. After too many wrong credentials the conflict can no longer be resolved.
    @discardableResult
    public func resolve(
        _ conflict: Conflict,
        signingInWith credential: AuthCredential
    ) async throws(AuthError) -> AuthResult {
        try await counting(failuresOf: conflict) { () async throws(AuthError) in
            let existing = try await verify(credential)
            let (signedIn, additional) = try await service.signIn(
                proof: existing.proof,
                factor: nil,
                completing: conflict.pending.key,
                context
            )
            return result(signedIn, by: conflict.provider, additional)
        }
    }

    /// Creates a new account for the identity that caused the conflict.
    ///
    /// The address or number moves to the new account, and the old account keeps the rest. Where the provider does not
    /// run the mailbox, a mailed link must verify the address: ask for it by ``sendSignInLink(to:settings:)``.
    ///
    /// - Parameters:
    ///   - conflict: The conflict, from the error of a sign-in.
    ///   - link: A link that was mailed to the conflict's address; nil for a number, or where the credential verifies
    ///     the mailbox.
    /// - Returns: The signed-in user of the new account.
    /// - Throws: ``AuthErrorCode/emailAlreadyInUse`` if another account owns the address by now,
    ///   ``AuthErrorCode/unverifiedEmail`` if a mailed link must verify the address first, or if this link verifies
    ///   another, ``AuthErrorCode/credentialAlreadyInUse`` if the number signs in to its account, or if an account has
    ///   the identity by now, ``AuthErrorCode/userDisabled`` if the old account is disabled,
    ///   ``AuthErrorCode/operationNotAllowed`` if the method or mailed links are disabled by now,
    ///   ``AuthErrorCode/lastMethod`` if nothing would be left to sign in to an old account that has verified the
    ///   address or number, ``AuthErrorCode/deviceMismatch`` on another device than the one that met the conflict,
    ///   ``AuthErrorCode/tooManyRequests``, ``AuthErrorCode/mergeInProgress`` while a merge locks the old account,
    ///   ``AuthErrorCode/invalidCredential`` if the conflict is over, or the code that says what is wrong with the
    ///   link.
    @discardableResult
    public func createSeparateAccount(
        from conflict: Conflict,
        verifying link: AuthCredential.EmailLink? = nil
    ) async throws(AuthError) -> AuthResult {
        try await counting(failuresOf: conflict) { () async throws(AuthError) in
            var mailbox: MailboxProof?
            if let link { mailbox = try await service.verify(link, context) }
            let (pending, additional) = try await service.pendingLink(conflict.pending.key, context)
            let operation = CreateSeparateAccount(pending: pending, mailbox: mailbox)
            return result(try await service.perform(operation, context), by: conflict.provider, additional)
        }
    }

    /// Performs an attempt to resolve a conflict, which ends after as many wrong answers as a code may have.
    ///
    /// The attempt is counted before anything is compared, and given back if nothing was answered wrongly.
    private func counting(
        failuresOf conflict: Conflict,
        _ act: () async throws(AuthError) -> AuthResult
    ) async throws(AuthError) -> AuthResult {
        let takes = service.answerTakes(conflict.pending.key)
        let taken = try await service.audited("ResolveConflict", context) { () async throws(AuthError) in
            try await service.requirePresent(conflict.pending, context)
            return try await service.take(takes)
        }
        // What was decided is written already: that it cannot be given back changes nothing.
        return try await service.settling(
            taken,
            isGuess: false,
            freeOf: { $0.code.isRefusal && !$0.isWrongAnswer || [.networkError, .overloaded].contains($0.code) },
            act
        )
    }
}

extension AuthError {
    /// Whether the error tells an attacker who guesses whether the guess was right.
    fileprivate var isWrongAnswer: Bool {
        [
            .wrongPassword, .invalidCredential, .userMismatch, .userNotFound, .invalidVerificationCode,
            .invalidActionCode, .invalidEmail,
        ].contains(code)
    }
}
