extension AuthCredential {
    /// An address and its password.
    public static func password(email: String, password: String) -> AuthCredential {
        AuthCredential(.password(email: email, password: Secret(password)))
    }
}
