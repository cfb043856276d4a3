extension AuthCredential {
    /// A credential from Google's sign-in.
    ///
    /// - Parameters:
    ///   - idToken: Google's signed statement.
    ///   - accessToken: A token for Google's own interfaces.
    ///   - rawNonce: The nonce whose hash the statement carries.
    /// - Returns: The credential.
    public static func google(idToken: String, accessToken: String? = nil, rawNonce: String? = nil) -> AuthCredential {
        oauth(.google, idToken: idToken, accessToken: accessToken, rawNonce: rawNonce)
    }
}
