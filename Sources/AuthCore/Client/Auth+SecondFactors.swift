extension Auth {
    /// Sends digits to the phone number of a second factor.
    ///
    /// See ``AuthClient/sendPhoneCode(for:factor:)``.
    public func sendPhoneCode(
        for challenge: SecondFactorChallenge,
        factor: FactorID
    ) async throws(AuthError) -> String {
        try await client.sendPhoneCode(for: challenge, factor: factor)
    }

    /// Answers a challenge, and carries out the sign-in or change that waited for it.
    ///
    /// A change of the current user's keeps that user. See ``AuthClient/resolve(_:with:)``.
    @discardableResult
    public func resolve(
        _ challenge: SecondFactorChallenge,
        with assertion: SecondFactorAssertion
    ) async throws(AuthError) -> AuthResult {
        let user = currentUser
        let result = try await client.resolve(challenge, with: assertion, updating: user)
        return result.user === user ? result : await setCurrentUser(result)
    }

    /// Removes the second factors of an account whose owner lost them all.
    ///
    /// See ``AuthClient/recoverFromLostFactors(with:and:)``.
    @discardableResult
    public func recoverFromLostFactors(
        with link: EmailLinkCredential,
        and other: AuthCredential? = nil
    ) async throws(AuthError) -> LostFactorRecovery {
        try await client.recoverFromLostFactors(with: link, and: other)
    }
}
