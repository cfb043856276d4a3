#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a verifier says about the person behind a credential, once it has checked it.
///
/// The account is found by issuer and subject alone; everything else is only claimed.
public struct ProviderAssertion: Sendable, Hashable, Codable {
    /// The provider as the app names it.
    public var provider: ProviderID
    /// The issuer, tenant included; the provider's id where the provider has no other name for itself.
    public var issuer: String
    /// The issuer's permanent name for the person; never a user name or an address.
    public var subject: String
    /// The address that the provider gives.
    public var email: String?
    /// Whether the provider says that it confirmed the address; nil where it says nothing.
    public var isEmailVerified: Bool?
    /// The organisation whose member the person is, as Google's hosted domain.
    public var hostedDomain: String?
    /// The person's name.
    public var displayName: String?
    /// The person's picture.
    public var photoURL: String?
    /// The person's user name at the provider, for display only.
    public var username: String?
    /// Everything the provider said, for the app to read.
    public var claims: [String: ClaimValue]
    /// When the provider saw the person, if it says so.
    public var authenticatedAt: Date?
    /// The provider's name for how the person was authenticated.
    public var authenticationContext: String?
    /// The provider's list of the methods used.
    public var authenticationMethods: [String]
    /// Set when the token or its nonce may be used only once.
    public var singleUse: SingleUse?

    /// Something that may be presented only once.
    public struct SingleUse: Sendable, Hashable, Codable {
        /// Names the token at its issuer.
        public var id: String
        /// Until when its use must be remembered.
        public var expiresAt: Date

        /// A token that may be used only once until this date.
        public init(id: String, expiresAt: Date) {
            self.id = id
            self.expiresAt = expiresAt
        }
    }

    /// An assertion about this subject; the issuer is the provider's id unless another is given.
    public init(provider: ProviderID, issuer: String? = nil, subject: String) {
        self.provider = provider
        self.issuer = issuer ?? provider.rawValue
        self.subject = subject
        claims = [:]
        authenticationMethods = []
    }
}
