extension Auth {
    /// Sends digits to the number of a factor that a challenge asks for.
    public func sendPhoneCode(
        for challenge: SecondFactorChallenge,
        factor: FactorID
    ) async throws(AuthError) -> String {
        try await service.sendPhoneCode(for: challenge, factor: factor, context: context)
    }

    /// Answers a challenge and does what waited for it, a sign-in or a change.
    @discardableResult
    public func resolve(
        _ challenge: SecondFactorChallenge,
        with assertion: SecondFactorAssertion
    ) async throws(AuthError) -> AuthResult {
        let resolved = try await service.resolveChallenge(challenge, with: assertion, context)
        if let user = currentUser, user.handle.session == resolved.signedIn.session.id {
            user.adopt(resolved.signedIn)
            return AuthResult(
                user: user,
                isNewUser: false,
                provider: resolved.provider,
                additionalUserInfo: resolved.additional
            )
        }
        return await seat(
            service.result(of: resolved.signedIn, provider: resolved.provider, additional: resolved.additional)
        )
    }

    /// Takes the second factors off an account whose person lost them all; see the service's method of this name.
    @discardableResult
    public func recoverFromLostFactors(
        provingMailbox link: AuthCredential,
        and other: AuthCredential? = nil
    ) async throws(AuthError) -> LostFactorRecovery {
        try await service.recoverFromLostFactors(provingMailbox: link, and: other, context: context)
    }
}
