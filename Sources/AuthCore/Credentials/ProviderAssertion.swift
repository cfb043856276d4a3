public import AuthCoreFoundation

/// What a provider asserts about a person, as verified by a ``CredentialVerifier``.
///
/// An account is found only by issuer and subject; all other fields are claims.
public struct ProviderAssertion: Sendable, Hashable, Codable {
    /// The provider, as the app names it.
    public var provider: ProviderID
    /// The issuer, including its tenant; the provider's ID if the provider has no other issuer name.
    public var issuer: String
    /// The issuer's permanent ID of the person; never a user name or an address.
    public var subject: String
    /// The person's address according to the provider.
    public var email: String?
    /// Whether the provider says that it verified the address; nil if it does not say.
    public var isEmailVerified: Bool?
    /// Whether the provider confirmed the address although it sends no verified flag, as GitHub does.
    ///
    /// A policy that believes the flag does not believe this: under Firebase's, such an address is not verified.
    public var isEmailConfirmed: Bool?
    /// The organization that the person belongs to, such as Google's hosted domain.
    public var hostedDomain: String?
    /// The person's name.
    public var displayName: String?
    /// The person's picture.
    public var photoURL: String?
    /// The person's user name at the provider, for display only.
    public var username: String?
    /// All claims of the provider, for the app to read.
    public var claims: [String: ClaimValue] = [:]
    /// When the provider authenticated the person, if known.
    public var authenticatedAt: Date?
    /// The provider's name for the way the person was authenticated.
    public var authenticationContext: String?
    /// The provider's list of the authentication methods used.
    public var authenticationMethods: [String] = []
    /// The single use of the token, whose ID is the token's nonce if it has one; nil if it can be used repeatedly.
    public var singleUse: SingleUse?

    /// A token or nonce that can be presented only once.
    public struct SingleUse: Sendable, Hashable, Codable {
        /// The ID of the token at its issuer.
        public var id: String
        /// Until when its use must be recorded.
        public var expiresAt: Date

        /// Creates the record of a token that can be presented once until this date.
        public init(id: String, expiresAt: Date) {
            self.id = id
            self.expiresAt = expiresAt
        }
    }

    /// Creates an assertion about this subject; by default, the issuer is the provider's ID.
    public init(provider: ProviderID, issuer: String? = nil, subject: String) {
        self.provider = provider
        self.issuer = issuer ?? provider.rawValue
        self.subject = subject
    }
}
