extension AuthCredential {
    /// What Sign in with Apple gives an app; Apple tells the name only the first time.
    public static func apple(idToken: String, rawNonce: String?, fullName: String? = nil) -> AuthCredential {
        var federated = FederatedCredential(provider: .apple)
        federated.idToken = Secret(idToken)
        federated.rawNonce = rawNonce.map { Secret($0) }
        federated.fullName = fullName
        return AuthCredential(.federated(federated))
    }
}
