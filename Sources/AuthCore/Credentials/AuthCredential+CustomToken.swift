extension AuthCredential {
    /// A token that the app's own server made by ``AuthService/makeCustomToken(for:claims:authenticatedAt:lifetime:)``.
    ///
    /// - Parameter token: The token.
    /// - Returns: The credential.
    public static func customToken(_ token: String) -> AuthCredential { AuthCredential(.customToken(Secret(token))) }
}
