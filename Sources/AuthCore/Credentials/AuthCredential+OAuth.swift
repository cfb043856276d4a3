extension AuthCredential {
    /// What any OAuth or OpenID Connect provider gives an app.
    public static func oauth(
        _ provider: ProviderID,
        idToken: String? = nil,
        accessToken: String? = nil,
        secret: String? = nil,
        rawNonce: String? = nil
    ) -> AuthCredential {
        var federated = FederatedCredential(provider: provider)
        federated.idToken = idToken.map { Secret($0) }
        federated.accessToken = accessToken.map { Secret($0) }
        federated.tokenSecret = secret.map { Secret($0) }
        federated.rawNonce = rawNonce.map { Secret($0) }
        return AuthCredential(.federated(federated))
    }

    /// A credential that the app filled in itself.
    public static func federated(_ credential: FederatedCredential) -> AuthCredential {
        AuthCredential(.federated(credential))
    }
}
