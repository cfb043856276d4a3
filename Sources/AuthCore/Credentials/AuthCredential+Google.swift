extension AuthCredential {
    /// A credential from Google's sign-in.
    ///
    /// ```swift
    /// let nonce = try await client.nonce(for: .signIn)
    /// try await client.signIn(with: .google(idToken: token(nonce), nonce: nonce))
    /// ```
    ///
    /// - Parameters:
    ///   - idToken: Google's ID token.
    ///   - accessToken: A token for Google's APIs.
    ///   - nonce: The nonce as it was made; the ID token has it or its hash.
    /// - Returns: The credential.
    public static func google(idToken: String, accessToken: String? = nil, nonce: String? = nil) -> AuthCredential {
        oauth(.google, idToken: idToken, accessToken: accessToken, nonce: nonce)
    }
}
