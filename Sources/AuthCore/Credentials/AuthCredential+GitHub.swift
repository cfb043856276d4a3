extension AuthCredential {
    /// A credential from GitHub's OAuth flow.
    ///
    /// ```swift
    /// try await auth.signIn(with: .gitHub(accessToken: token))
    /// ```
    ///
    /// - Parameter accessToken: The token from the OAuth flow.
    /// - Returns: The credential.
    public static func gitHub(accessToken: String) -> AuthCredential { oauth(.gitHub, accessToken: accessToken) }
}
