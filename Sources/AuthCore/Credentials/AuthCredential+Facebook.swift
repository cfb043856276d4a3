extension AuthCredential {
    /// What Facebook's login gives an app.
    public static func facebook(accessToken: String) -> AuthCredential {
        oauth(.facebook, accessToken: accessToken)
    }
}
