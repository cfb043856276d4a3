extension AuthCredential {
    /// A credential from any OAuth or OpenID Connect provider.
    ///
    /// ```swift
    /// try await auth.signIn(with: .oauth("oidc.example", idToken: idToken, nonce: nonce))
    /// ```
    ///
    /// - Parameters:
    ///   - provider: The provider, for which the service has a ``CredentialVerifier``.
    ///   - idToken: The provider's ID token.
    ///   - accessToken: A token for the provider's APIs.
    ///   - secret: The token secret, for OAuth 1.
    ///   - nonce: The nonce as it was made; the ID token has it or its hash.
    /// - Returns: The credential.
    public static func oauth(
        _ provider: ProviderID,
        idToken: String? = nil,
        accessToken: String? = nil,
        secret: String? = nil,
        nonce: String? = nil
    ) -> AuthCredential {
        var federated = Federated(provider: provider)
        federated.idToken = idToken.map { Secret($0) }
        federated.accessToken = accessToken.map { Secret($0) }
        federated.tokenSecret = secret.map { Secret($0) }
        federated.nonce = nonce.map { Secret($0) }
        return AuthCredential(.federated(federated))
    }

    /// A credential whose fields the app sets itself.
    ///
    /// - Parameter credential: The credential, for the provider's ``CredentialVerifier``.
    /// - Returns: The credential.
    public static func federated(_ credential: Federated) -> AuthCredential { AuthCredential(.federated(credential)) }
}
