/// The result of a sign-in, a link or a reauthentication.
///
/// ```swift
/// let result = try await client.signIn(with: credential)
/// print(result.user.uid, result.isNewUser)
/// return result.device.rawValue
/// ```
public struct AuthResult: Sendable {
    /// The signed-in user.
    public let user: User
    /// Whether this operation created the account.
    public let isNewUser: Bool
    /// The provider whose credential was used.
    public let provider: ProviderID
    /// The profile that a federated provider returned.
    public let additionalUserInfo: AdditionalUserInfo?

    /// The device of the user, to keep in a cookie or a keychain in place of the one before.
    public var device: DeviceID { user.device }
}
