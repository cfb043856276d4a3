extension AuthCredential {
    /// A credential from Sign in with Apple.
    ///
    /// ```swift
    /// try await auth.signIn(with: .apple(idToken: idToken, nonce: nonce, fullName: fullName))
    /// ```
    ///
    /// - Parameters:
    ///   - idToken: Apple's ID token.
    ///   - nonce: The nonce whose hash is in the ID token.
    ///   - fullName: The person's name, which Apple supplies to an app only at the first sign-in.
    /// - Returns: The credential.
    public static func apple(idToken: String, nonce: String?, fullName: String? = nil) -> AuthCredential {
        var federated = Federated(provider: .apple)
        federated.idToken = Secret(idToken)
        federated.nonce = nonce.map { Secret($0) }
        federated.fullName = fullName
        return AuthCredential(.federated(federated))
    }
}
