extension AuthCredential {
    /// No credential: signs in to a new account that only its session gives access to.
    public static var anonymous: AuthCredential { AuthCredential(.anonymous) }
}
