extension AuthCredential {
    /// A credential from Sign in with Apple.
    ///
    /// - Parameters:
    ///   - idToken: Apple's signed statement.
    ///   - rawNonce: The nonce whose hash the statement carries.
    ///   - fullName: The person's name, which Apple gives an app only the first time.
    /// - Returns: The credential.
    public static func apple(idToken: String, rawNonce: String?, fullName: String? = nil) -> AuthCredential {
        var federated = FederatedCredential(provider: .apple)
        federated.idToken = Secret(idToken)
        federated.rawNonce = rawNonce.map { Secret($0) }
        federated.fullName = fullName
        return AuthCredential(.federated(federated))
    }
}
