extension AuthCredential {
    /// What GitHub's OAuth flow gives an app.
    public static func gitHub(accessToken: String) -> AuthCredential {
        oauth(.gitHub, accessToken: accessToken)
    }

    /// What GitHub's OAuth flow gives an app.
    public static func github(accessToken: String) -> AuthCredential {
        gitHub(accessToken: accessToken)
    }
}
