extension AuthClient {
    /// What a nonce of a client, or a visit to a provider, is for.
    public enum Intent: Sendable, Hashable {
        /// Signing in.
        case signIn
    }

    /// Makes a nonce for one sign-in with an ID token, on this device.
    ///
    /// ```swift
    /// func signIn(by token: (String) async throws -> String, on client: AuthClient) async throws {
    ///     let nonce = try await client.nonce(for: .signIn)
    ///     try await client.signIn(with: .google(idToken: token(nonce), nonce: nonce))
    /// }
    /// ```
    ///
    /// - Parameter intent: What it is for.
    /// - Returns: The nonce; the provider gets it, or its SHA-256 in hexadecimal digits, and the credential the nonce.
    /// - Throws: ``AuthErrorCode/tooManyRequests``, or ``AuthErrorCode/storeUnavailable``.
    public func nonce(for intent: Intent) async throws(AuthError) -> String {
        switch intent {
        case .signIn: try await service.nonce(for: .signIn, by: nil, context)
        }
    }
}

extension User {
    /// What a nonce of a user, or a visit to a provider, is for.
    public enum Intent: Sendable, Hashable {
        /// Linking or replacing an identity.
        case link
        /// Authenticating again.
        case reauthenticate
    }

    /// Makes a nonce for one link or one re-authentication with an ID token, in this session and on this device.
    ///
    /// A server needs one wherever the policy's ``AuthPolicy/linkNonce`` asks for it. An ID token that was got elsewhere
    /// is then worth nothing here.
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
    /// - Throws: ``AuthErrorCode/userTokenExpired``, ``AuthErrorCode/userDisabled`` or ``AuthErrorCode/userNotFound``
    ///   if the session is over; ``AuthErrorCode/tooManyRequests``.
    public func nonce(for intent: Intent) async throws(AuthError) -> String {
        let handle = handle
        switch intent {
        case .link: return try await service.nonce(for: .link(handle.session), by: handle, context)
        case .reauthenticate:
            return try await service.nonce(for: .reauthentication(handle.session), by: handle, context)
        }
    }
}

extension AuthService {
    /// Makes a nonce for one intent; its record is stored under a hash of it.
    fileprivate func nonce(
        for intent: Store.Authorization.Intent,
        by handle: ActingHandle?,
        _ context: RequestContext
    ) async throws(AuthError) -> String {
        try await countVisit(by: handle, "MakeNonce", context)
        let nonce = Nonce.text(environment.randomBytes(18))
        guard let key = Nonce.key(nonce) else { throw AuthError(.internalError, reasons: [.factsContradict]) }
        _ = try await perform(MakeNonce(key: key, intent: intent, handle: handle), context)
        return nonce
    }
}
