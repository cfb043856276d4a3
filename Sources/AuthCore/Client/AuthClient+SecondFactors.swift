extension AuthClient {
    /// Sends digits to the phone number of a second factor.
    ///
    /// - Parameters:
    ///   - challenge: The challenge, from the error of a sign-in or a change.
    ///   - factor: One of the factors in the challenge's hints.
    /// - Returns: An ID that goes with the digits into ``SecondFactor/Assertion/phone(verificationID:code:)``.
    /// - Throws: ``AuthErrorCode/multiFactorInfoNotFound`` if the account has no such phone factor,
    ///   ``AuthErrorCode/invalidMultiFactorSession`` if the challenge is over, ``AuthErrorCode/deviceMismatch`` on
    ///   another device, ``AuthErrorCode/tooManyRequests``, or ``AuthErrorCode/messageNotSent``.
    public func sendPhoneCode(
        for challenge: SecondFactor.Challenge,
        factor: SecondFactor.ID
    ) async throws(AuthError) -> String {
        try await service.countFactorText(for: challenge.key, to: factor, context)
        let request = RequestChallengeCode(challenge: challenge.key, factor: factor, code: service.issueDigits())
        return try await service.perform(request, context, delivering: .awaited).text
    }

    /// Answers a challenge, and carries out the sign-in or change that waited for it.
    ///
    /// ```swift
    /// do {
    ///     return try await client.signIn(with: credential).user
    /// } catch {
    ///     guard let challenge = error.secondFactor else { throw error }
    ///     return try await client.resolve(challenge, with: .totp(await digits())).user
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - challenge: The challenge, from the error of a sign-in or a change.
    ///   - assertion: The answer.
    /// - Returns: The signed-in user.
    /// - Throws: ``AuthErrorCode/invalidVerificationCode`` if the answer is wrong,
    ///   ``AuthErrorCode/invalidMultiFactorSession`` if the challenge is over, ``AuthErrorCode/deviceMismatch`` on
    ///   another device, ``AuthErrorCode/tooManyRequests``, ``AuthErrorCode/multiFactorInfoNotFound`` if the account
    ///   has no such factor, ``AuthErrorCode/invalidVerificationID`` or ``AuthErrorCode/sessionExpired`` if the digits
    ///   are unknown or have expired, ``AuthErrorCode/sealedSecretUnreadable`` if the key of a seed or of recovery
    ///   codes is gone, or an error of the sign-in or change that waited.
    @discardableResult
    public func resolve(
        _ challenge: SecondFactor.Challenge,
        with assertion: SecondFactor.Assertion
    ) async throws(AuthError) -> AuthResult { try await resolve(challenge, with: assertion, updating: nil) }

    /// Answers a challenge; a waiting change of this user's session is performed as this user.
    package func resolve(
        _ challenge: SecondFactor.Challenge,
        with assertion: SecondFactor.Assertion,
        updating user: User?
    ) async throws(AuthError) -> AuthResult {
        let resolved = try await service.resolveChallenge(challenge, with: assertion, context)
        guard let user, user.handle.session == resolved.signedIn.session.id else {
            return result(resolved.signedIn, by: resolved.provider, resolved.additional)
        }
        await user.adopt(resolved.signedIn)
        return user.result(by: resolved.provider, resolved.additional)
    }

    /// Removes the second factors of an account whose owner lost them all.
    ///
    /// It needs a sign-in link (``sendSignInLink(to:settings:)``) and a method that is older than every factor. Without
    /// such a method, call again with another link after the waiting time of the policy
    /// (``AuthPolicy/factorRecoveryWait``).
    ///
    /// ```swift
    /// switch try await client.recoverFromLostFactors(with: link, and: older) {
    /// case .removed: print("The factors are removed. Sign in and enroll new ones.")
    /// case .waiting(let time): print("Ask for another link after", time)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - link: A link that was mailed to the account's address.
    ///   - other: A credential of a method that is older than every factor, and not of the provider that runs the
    ///     mailbox.
    /// - Returns: Whether the factors are removed, or when to call again.
    /// - Throws: ``AuthErrorCode/operationNotAllowed`` if the policy leaves this to administrators or disables sign-in
    ///   links, ``AuthErrorCode/userNotFound`` or ``AuthErrorCode/userDisabled`` of the account,
    ///   ``AuthErrorCode/unverifiedEmail`` if the account's address is not verified,
    ///   ``AuthErrorCode/multiFactorInfoNotFound`` if it has no factors, ``AuthErrorCode/tooManyRequests``,
    ///   ``AuthErrorCode/mergeInProgress`` while a merge locks the account, or the code that says what is wrong with a
    ///   credential.
    @discardableResult
    public func recoverFromLostFactors(
        with link: AuthCredential.EmailLink,
        and other: AuthCredential? = nil
    ) async throws(AuthError) -> SecondFactor.Recovery {
        let mailbox = try await service.verify(link, context)
        var proof: Proof?
        if let other { proof = try await verify(other).proof }
        let recovery = try await service.perform(RecoverFromLostFactors(mailbox: mailbox, other: proof), context)
        if recovery == .removed { await service.forgetAttempts(at: mailbox.email) }
        return recovery
    }
}
