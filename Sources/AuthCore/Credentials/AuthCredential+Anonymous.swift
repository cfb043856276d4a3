extension AuthCredential {
    /// Nothing: a new account that only this seat holds.
    public static var anonymous: AuthCredential { AuthCredential(.anonymous) }
}
