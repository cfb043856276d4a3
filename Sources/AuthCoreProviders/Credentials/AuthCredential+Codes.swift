public import AuthCore

extension AuthCredential {
    /// An authorization code of GitHub, which the verifier exchanges.
    ///
    /// - Parameters:
    ///   - code: The code.
    ///   - codeVerifier: The verifier of PKCE with which the code was requested.
    ///   - redirectURI: The redirect URI with which the code was requested, if one was sent.
    /// - Returns: The credential.
    public static func gitHub(code: String, codeVerifier: String?, redirectURI: String? = nil) -> AuthCredential {
        .code(code, of: .gitHub, codeVerifier: codeVerifier, redirectURI: redirectURI)
    }

    /// An authorization code of Facebook, which the verifier exchanges.
    ///
    /// - Parameters:
    ///   - code: The code.
    ///   - codeVerifier: The verifier of PKCE with which the code was requested, if there was one.
    ///   - redirectURI: The redirect URI with which the code was requested.
    /// - Returns: The credential.
    public static func facebook(code: String, codeVerifier: String? = nil, redirectURI: String) -> AuthCredential {
        .code(code, of: .facebook, codeVerifier: codeVerifier, redirectURI: redirectURI)
    }

    /// An ID token of Facebook's Limited Login.
    ///
    /// - Parameters:
    ///   - idToken: The token.
    ///   - nonce: The nonce that the app gave to the login.
    /// - Returns: The credential.
    public static func facebook(idToken: String, nonce: String?) -> AuthCredential {
        .oauth(.facebook, idToken: idToken, nonce: nonce)
    }

    private static func code(
        _ code: String,
        of provider: ProviderID,
        codeVerifier: String?,
        redirectURI: String?
    ) -> AuthCredential {
        var credential = AuthCredential.Federated(provider: provider)
        credential.authorizationCode = Secret(code)
        credential.codeVerifier = codeVerifier.map { Secret($0) }
        credential.redirectURI = redirectURI
        return .federated(credential)
    }
}
