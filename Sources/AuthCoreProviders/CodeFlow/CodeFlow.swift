public import AuthCore

/// Sending a person to a provider, and what comes back (the authorization-code flow of OAuth 2.0 with PKCE).
public enum CodeFlow {
    /// What a visit to a provider led to.
    public struct Result: Sendable {
        /// The signed-in user, and what the provider said.
        public let result: AuthResult
        /// The provider's tokens, for the app; the service does not keep them.
        public let tokens: ProviderTokens

        /// The signed-in user.
        public var user: User { result.user }
        /// The device of the answer, to keep in a cookie or a keychain.
        public var device: DeviceID { result.device }
        /// Whether the account is new.
        public var isNewUser: Bool { result.isNewUser }
        /// What the provider said; its profile is what the provider's user endpoint returned.
        public var additionalUserInfo: AdditionalUserInfo? { result.additionalUserInfo }
    }
}
