extension AuthCredential {
    /// What GitHub's OAuth flow gives an app.
    public static func gitHub(accessToken: String) -> AuthCredential {
        oauth(.gitHub, accessToken: accessToken)
    }
}
