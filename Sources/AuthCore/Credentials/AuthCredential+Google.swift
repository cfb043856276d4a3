extension AuthCredential {
    /// What Google's sign-in gives an app.
    public static func google(idToken: String, accessToken: String? = nil, rawNonce: String? = nil) -> AuthCredential {
        oauth(.google, idToken: idToken, accessToken: accessToken, rawNonce: rawNonce)
    }
}
