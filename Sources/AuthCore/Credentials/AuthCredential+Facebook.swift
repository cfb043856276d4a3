extension AuthCredential {
    /// A credential from Facebook's login.
    ///
    /// - Parameter accessToken: The token from Facebook's login.
    /// - Returns: The credential.
    public static func facebook(accessToken: String) -> AuthCredential { oauth(.facebook, accessToken: accessToken) }
}
