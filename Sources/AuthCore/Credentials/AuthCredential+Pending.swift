extension AuthCredential {
    /// A credential that an earlier error carried, which needs no second visit to the provider.
    public static func pending(_ pending: PendingCredential) -> AuthCredential {
        AuthCredential(.pending(pending))
    }
}
