/// What a sign-in, a link or a re-authentication gives back.
public struct AuthResult: Sendable {
    /// The signed-in person.
    public let user: User
    /// Whether the account was made by this.
    public let isNewUser: Bool
    /// The provider whose credential was used.
    public let provider: ProviderID
    /// What a federated provider said.
    public let additionalUserInfo: AdditionalUserInfo?

    init(user: User, isNewUser: Bool, provider: ProviderID, additionalUserInfo: AdditionalUserInfo?) {
        self.user = user
        self.isNewUser = isNewUser
        self.provider = provider
        self.additionalUserInfo = additionalUserInfo
    }
}
