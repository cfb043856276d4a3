extension User {
    /// What a nonce of a user, or a visit to a provider, is for.
    public enum Intent: Sendable, Hashable {
        /// Linking or replacing an identity.
        case link
        /// Authenticating again.
        case reauthenticate
    }

    /// Makes a nonce for one link or one reauthentication with an ID token, in this session and on this device.
    ///
    /// A server needs one wherever the policy's ``AuthPolicy/linkNonce`` asks for it. An ID token that was got
    /// elsewhere is then worth nothing here.
    ///
    /// ```swift
    /// func link(_ token: (String) async throws -> String, to user: User) async throws {
    ///     let nonce = try await user.nonce(for: .link)
    ///     try await user.link(with: .google(idToken: token(nonce), nonce: nonce))
    /// }
    /// ```
    ///
    /// - Parameter intent: What it is for.
    /// - Returns: The nonce; the provider gets it, or its SHA-256 in hexadecimal digits, and the credential the nonce.
    /// - Throws: ``AuthErrorCode/userTokenExpired``, ``AuthErrorCode/userDisabled``, ``AuthErrorCode/userNotFound`` or
    ///   ``AuthErrorCode/accountMerged``
    ///   if the session is over; ``AuthErrorCode/tooManyRequests``.
    public func nonce(for intent: Intent) async throws(AuthError) -> String {
        let handle = handle
        return try await inSession { () async throws(AuthError) in
            switch intent {
            case .link: try await service.nonce(for: .link(handle.session), by: handle, context)
            case .reauthenticate: try await service.nonce(for: .reauthentication(handle.session), by: handle, context)
            }
        }
    }
}
