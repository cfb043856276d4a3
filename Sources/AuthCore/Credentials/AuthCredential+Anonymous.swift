extension AuthCredential {
    /// No credential: a new account that only the session opens.
    public static var anonymous: AuthCredential { AuthCredential(.anonymous) }
}
