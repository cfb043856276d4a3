extension Auth {
    /// Sends digits to the phone number of a second factor.
    ///
    /// See ``AuthClient/sendPhoneCode(for:factor:)``.
    public func sendPhoneCode(
        for challenge: SecondFactor.Challenge,
        factor: SecondFactor.ID
    ) async throws(AuthError) -> String {
        try await client.sendPhoneCode(for: challenge, factor: factor)
    }

    /// Answers a challenge, and carries out the sign-in or change that waited for it.
    ///
    /// ```swift
    /// if hint.kind == .phone {
    ///     let id = try await auth.sendPhoneCode(for: challenge, factor: hint.id)
    ///     let code = await digits(hint)
    ///     return try await auth.resolve(challenge, with: .phone(verificationID: id, code: code)).user
    /// }
    /// return try await auth.resolve(challenge, with: .totp(await digits(hint))).user
    /// ```
    ///
    /// A change of the current user's keeps that user. Otherwise the user of the result becomes the current user, also
    /// if another person has signed in since the challenge was made. See ``AuthClient/resolve(_:with:)``.
    @discardableResult
    public func resolve(
        _ challenge: SecondFactor.Challenge,
        with assertion: SecondFactor.Assertion
    ) async throws(AuthError) -> AuthResult {
        let user = currentUser
        let result: AuthResult
        do throws(AuthError) {
            result = try await client.resolve(challenge, with: assertion, updating: user)
        } catch {
            if error.code.endsSession { await noticeEndedSession() }
            throw error
        }
        return result.user === user ? result : await setCurrentUser(result)
    }

    /// Removes the second factors of an account whose owner lost them all.
    ///
    /// See ``AuthClient/recoverFromLostFactors(with:and:)``.
    @discardableResult
    public func recoverFromLostFactors(
        with link: AuthCredential.EmailLink,
        and other: AuthCredential? = nil
    ) async throws(AuthError) -> SecondFactor.Recovery {
        let recovery = try await client.recoverFromLostFactors(with: link, and: other)
        await noticeEndedSession()
        return recovery
    }
}
