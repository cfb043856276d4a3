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
