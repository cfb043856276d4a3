public import AuthCoreFoundation

/// A verified identity, phone number or mailbox that belongs to another account, or an identity whose address does,
/// with the credential to resolve it.
///
/// It is a plain value: store it, encode it, or pass it to a later request of the same browser or app installation. It
/// is valid until it expires, and needs no second visit to the provider.
///
/// ```swift
/// func answer(_ conflict: Conflict, on auth: Auth, password: String?, link: AuthCredential.EmailLink)
///     async throws
/// {
///     if let password, let email = conflict.email {
///         try await auth.resolve(conflict, signingInWith: .password(email: email, password: password))
///     } else {
///         try await auth.createSeparateAccount(from: conflict, verifying: link)
///     }
/// }
/// ```
public struct Conflict: Sendable, Hashable, Codable {
    /// The provider of the identity; ``ProviderID/phone`` for a number, ``ProviderID/password`` for a mailbox.
    public let provider: ProviderID
    /// The address in question, if there is one.
    public let email: String?
    /// A name by which a person recognizes what was verified: the user name, address or name at the ``provider``, the
    /// last digits of the number, or the address of the mailbox; the provider's ID if nothing else is known.
    ///
    /// It is in no language: the app says in the person's language what it names.
    public let displayName: String
    /// The other account's sign-in providers, as far as the policy discloses them.
    public let existingProviders: [ProviderID]
    /// The credential to link or sign in with later; it needs no second visit to the provider.
    public let pending: PendingCredential
    /// When it expires.
    public let expiresAt: Date
}
