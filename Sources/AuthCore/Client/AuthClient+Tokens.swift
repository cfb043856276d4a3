extension AuthClient {
    /// Returns the user whom an ID token names, after every check: signature, time, session, account.
    ///
    /// A server calls it once per request, and acts for the person by the ``User`` that it returns.
    ///
    /// - Parameter token: The token that the request presents.
    /// - Returns: The user; what they do is bound to the device of this client.
    /// - Throws: ``AuthErrorCode/invalidUserToken`` if the service did not issue the token, whatever is wrong with it,
    ///   ``AuthErrorCode/userTokenExpired`` if the token or its session is over, ``AuthErrorCode/userDisabled`` or
    ///   ``AuthErrorCode/userNotFound``.
    public func user(forIDToken token: String) async throws(AuthError) -> User {
        let handle = try await service.audited("VerifyIDToken", context) { () async throws(AuthError) in
            try await service.handle(ofIDToken: token)
        }
        return User(client: self, signedIn: try await service.perform(Reload(handle: handle), context).outcome)
    }

    /// Exchanges a refresh token for the next pair of tokens.
    ///
    /// - Parameter refreshToken: The token of the newest pair. One that was exchanged before ends its session.
    /// - Returns: The next pair.
    /// - Throws: ``AuthErrorCode/invalidUserToken``, ``AuthErrorCode/userTokenExpired``, ``AuthErrorCode/userDisabled``
    ///   or ``AuthErrorCode/userNotFound``.
    public func refresh(_ refreshToken: String) async throws(AuthError) -> TokenPair {
        try await service.refresh(refreshToken, context: context)
    }
}
