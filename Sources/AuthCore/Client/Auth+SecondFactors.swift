extension Auth {
    /// Sends digits to the phone number of a second factor.
    ///
    /// - Parameters:
    ///   - challenge: The challenge, from the error of a sign-in or a change.
    ///   - factor: One of the factors in the challenge's hints.
    /// - Returns: An ID that goes with the digits into ``SecondFactor/Assertion/phone(verificationID:code:)``.
    /// - Throws: As ``AuthClient/sendPhoneCode(for:factor:)``.
    public func sendPhoneCode(
        for challenge: SecondFactor.Challenge,
        factor: SecondFactor.ID
    ) async throws(AuthError) -> String { try await client.sendPhoneCode(for: challenge, factor: factor) }

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
    /// if another person has signed in since the challenge was made.
    ///
    /// - Parameters:
    ///   - challenge: The challenge, from the error of a sign-in or a change.
    ///   - assertion: The answer.
    /// - Returns: The signed-in user.
    /// - Throws: As ``AuthClient/resolve(_:with:)``. If the error says that the current user's session is over, no user
    ///   is signed in afterwards.
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
    /// If the factors are removed, the account's sessions end. If it is the current user's account, no user is signed
    /// in afterwards.
    ///
    /// ```swift
    /// func recover(
    ///     _ auth: Auth,
    ///     opening link: AuthCredential.EmailLink,
    ///     older: AuthCredential?
    /// ) async throws -> String {
    ///     switch try await auth.recoverFromLostFactors(with: link, and: older) {
    ///     case .removed: "The factors are removed. Sign in and enroll new ones."
    ///     case .waiting(let time): "Ask for another link after \(time)."
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - link: A link that was mailed to the account's address.
    ///   - other: A credential of a method that is older than every factor, and not of the provider that runs the
    ///     mailbox.
    /// - Returns: Whether the factors are removed, or when to call again.
    /// - Throws: As ``AuthClient/recoverFromLostFactors(with:and:)``.
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
