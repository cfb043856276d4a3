extension AuthClient {
    /// Returns the user of an ID token, after checking its signature, its times, its session and its account.
    ///
    /// A server calls it once per request, and uses the ``User`` that it returns for all operations of that person.
    ///
    /// ```swift
    /// try await client.user(forIDToken: token).link(with: credential)
    /// ```
    ///
    /// - Parameter token: The token that the request presents.
    /// - Returns: The user; what they do is bound to the device of this client.
    /// - Throws: ``AuthErrorCode/invalidUserToken`` if the service did not issue the token, whatever is wrong with it,
    ///   ``AuthErrorCode/userTokenExpired`` if the token or its session is over, ``AuthErrorCode/userDisabled``,
    ///   ``AuthErrorCode/userNotFound`` or ``AuthErrorCode/accountMerged``; ``AuthErrorCode/internalError``
    ///   if the ``TokenSigner`` could not check it.
    public func user(forIDToken token: String) async throws(AuthError) -> User {
        let handle = try await service.audited("VerifyIDToken", context) { () async throws(AuthError) in
            try await service.handle(ofIDToken: token)
        }
        let signedIn = try await service.perform(Reload(handle: handle), context)
        return User(client: self, signedIn: signedIn, isOfToken: true)
    }

    /// Exchanges a refresh token for the next pair of tokens.
    ///
    /// ```swift
    /// let tokens = try await client.refresh(refreshToken)
    /// return (tokens.idToken.token, tokens.refreshToken)
    /// ```
    ///
    /// - Parameter refreshToken: The token of the newest pair. One that was exchanged or replaced before ends its
    ///   session; the one from before the last change of privileges is only refused.
    /// - Returns: The next pair.
    /// - Throws: ``AuthErrorCode/invalidUserToken``, ``AuthErrorCode/userTokenExpired``,
    ///   ``AuthErrorCode/userDisabled``, ``AuthErrorCode/userNotFound`` or ``AuthErrorCode/accountMerged``;
    ///   ``AuthErrorCode/internalError`` if the ``TokenSigner`` could not sign.
    public func refresh(_ refreshToken: String) async throws(AuthError) -> Session.Tokens {
        try await service.refresh(refreshToken, context: context)
    }

    /// Ends the session of a refresh token: a sign-out needs no ID token, which may have expired.
    ///
    /// ```swift
    /// try await client.signOut(refreshToken: refreshToken)
    /// ```
    ///
    /// - Parameter refreshToken: A token of the session, also one that was exchanged or replaced before. One that the
    ///   service did not issue, or whose session has ended, does nothing.
    /// - Throws: ``AuthErrorCode/storeUnavailable`` if the store fails.
    public func signOut(refreshToken: String) async throws(AuthError) {
        try await service.signOut(refreshToken, context: context)
    }
}
