extension AuthCredential {
    /// An email address and a password.
    ///
    /// ```swift
    /// try await auth.signIn(with: .password(email: email, password: password))
    /// ```
    ///
    /// - Parameters:
    ///   - email: The address.
    ///   - password: The password; for a link, the new one.
    /// - Returns: The credential.
    public static func password(email: String, password: String) -> AuthCredential {
        AuthCredential(.password(email: email, password: Secret(password)))
    }
}
