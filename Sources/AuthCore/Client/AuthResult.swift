/// The result of a sign-in, a link or a re-authentication.
public struct AuthResult: Sendable {
    /// The signed-in user.
    public let user: User
    /// Whether this operation created the account.
    public let isNewUser: Bool
    /// The provider whose credential was used.
    public let provider: ProviderID
    /// The profile that a federated provider returned.
    public let additionalUserInfo: AdditionalUserInfo?
}
