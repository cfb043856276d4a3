extension User {
    /// Returns an ID token: the last one if it is valid for five more minutes and not older than a tenth of the time
    /// that the session may be unused, otherwise a new one.
    ///
    /// ```swift
    /// try await get(path, ["Authorization": "Bearer " + user.idToken()])
    /// ```
    ///
    /// - Parameter forcingRefresh: Whether to issue a new token in any case.
    /// - Returns: The token.
    /// - Throws: ``AuthErrorCode/userTokenExpired``, ``AuthErrorCode/userDisabled``, ``AuthErrorCode/userNotFound`` or
    ///   ``AuthErrorCode/accountMerged`` if the session is over; ``AuthErrorCode/internalError`` if the ``TokenSigner``
    ///   could not sign.
    public func idToken(forcingRefresh: Bool = false) async throws(AuthError) -> String {
        try await idTokenResult(forcingRefresh: forcingRefresh).token
    }

    /// Returns an ID token with its claims.
    ///
    /// - Parameter forcingRefresh: Whether to issue a new token in any case.
    /// - Returns: The token and its claims.
    /// - Throws: As ``idToken(forcingRefresh:)``.
    public func idTokenResult(forcingRefresh: Bool = false) async throws(AuthError) -> IDTokenResult {
        let now = service.environment.now
        // No server accepts a token that a clock issued which was ahead.
        if !forcingRefresh, let last = lastToken, Timestamp(last.expirationDate) > now + .minutes(5),
            Timestamp(last.issuedAtDate) <= now + .minutes(1)
        {
            // A session that may be unused for minutes only must not end while its tokens are asked for.
            let limits = service.sharedPolicy.policy.sessions
            if !limits.mustRecordUse(after: now - Timestamp(last.issuedAtDate), on: account) { return last }
        }
        let signedIn = try await perform(Reload(handle: handle))
        let token = try await service.idToken(for: signedIn, isUnique: forcingRefresh)
        keep(token, of: signedIn)
        return token
    }

    /// Issues a pair of tokens for a client that makes its later requests without this object.
    ///
    /// Refresh tokens that were issued for the session before stop working: one that is presented from then on ends the
    /// session, as it would after an exchange, and the one from before the last change of privileges is only refused.
    /// After a change of privileges in the session (a new password, an address that changed at once or was verified for
    /// the first time, a first or removed method, a factor, another login) and after ``revokeOtherSessions()``, its
    /// earlier ID tokens are refused, too, so a server answers with new tokens.
    ///
    /// ```swift
    /// let tokens = try await user.issueTokens()
    /// return (tokens.idToken.token, tokens.refreshToken)
    /// ```
    ///
    /// - Returns: A short-lived token for ``AuthClient/user(forIDToken:)`` and one for ``AuthClient/refresh(_:)``.
    /// - Throws: As ``idToken(forcingRefresh:)``, or ``AuthErrorCode/storeUnavailable`` if others issue tokens for the
    ///   same session at every try.
    public func issueTokens() async throws(AuthError) -> Session.Tokens {
        for _ in 1...max(1, service.configuration.retries) {
            let last = session
            let count = last.refreshCount + 1
            let (token, hash) = service.nextRefreshToken(of: handle, rotation: last.rotation, count: count)
            let operation = RefreshSession(handle: handle, presented: nil, next: hash, replaced: last.refreshCount)
            let (signedIn, idToken) = try await inSession { () async throws(AuthError) in
                try await service.exchange(operation, context)
            }
            await adopt(signedIn)
            // Another token was issued meanwhile, or privileges changed, which counts as well; the snapshot now has the
            // count and the rotation.
            if signedIn.session.refreshHash != hash { continue }
            keep(idToken, of: signedIn)
            return Session.Tokens(idToken: idToken, refreshToken: token)
        }
        throw AuthError(.storeUnavailable, message: "Others kept issuing tokens for the same session; try again.")
    }
}
