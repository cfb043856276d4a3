extension AuthCredential {
    /// A credential from an earlier error, which needs no second visit to the provider.
    ///
    /// - Parameter pending: The credential, from a ``Conflict``.
    /// - Returns: The credential.
    public static func pending(_ pending: Conflict.PendingCredential) -> AuthCredential {
        AuthCredential(.pending(pending))
    }
}

extension Conflict {
    /// The credential to link or sign in with later.
    public var credential: AuthCredential { .pending(pending) }
}
