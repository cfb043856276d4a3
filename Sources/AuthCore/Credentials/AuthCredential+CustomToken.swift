extension AuthCredential {
    /// A token that the app's own server signed.
    public static func customToken(_ token: String) -> AuthCredential {
        AuthCredential(.customToken(Secret(token)))
    }
}
