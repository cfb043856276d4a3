public import AuthCore
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What one token of a simulated provider is to say, where that differs from what the real provider would say.
public struct SimulatedToken: Sendable, Hashable {
    /// Whom the token means; nil for the person's own name at the provider.
    public var subject: String?
    /// The address.
    public var email: SimulatedClaim
    /// What is said of the address; nil for what the provider always says.
    public var address: AddressClaim?
    /// The name; Apple hands it to the app beside the token, as at a first sign-in.
    public var name: SimulatedClaim
    /// The organisation whose member the person is, as Google's hosted domain.
    public var hostedDomain: String?
    /// The app's nonce: the token carries its hash, the credential the nonce itself.
    public var rawNonce: String?
    /// The app that the token is for; nil for the provider's own audience.
    public var audience: String?
    /// For how many seconds the token is good.
    public var lifetime: TimeInterval
    /// When the provider saw the person, if it is to say so.
    public var authenticatedAt: Date?
    /// How the person was authenticated, if it is to say so.
    public var authenticationContext: String?
    /// The methods used, if it is to say so.
    public var authenticationMethods: [String]
    /// Further claims; one that is named like a claim of the provider takes its place, signed all the same.
    public var claims: [String: ClaimValue]

    /// A token that says these things, and for the rest what the real provider would.
    public init(
        subject: String? = nil,
        email: SimulatedClaim = .usual,
        address: AddressClaim? = nil,
        name: SimulatedClaim = .usual,
        hostedDomain: String? = nil,
        rawNonce: String? = nil,
        audience: String? = nil,
        lifetime: TimeInterval = 3600,
        authenticatedAt: Date? = nil,
        authenticationContext: String? = nil,
        authenticationMethods: [String] = [],
        claims: [String: ClaimValue] = [:]
    ) {
        self.subject = subject
        self.email = email
        self.address = address
        self.name = name
        self.hostedDomain = hostedDomain
        self.rawNonce = rawNonce
        self.audience = audience
        self.lifetime = lifetime
        self.authenticatedAt = authenticatedAt
        self.authenticationContext = authenticationContext
        self.authenticationMethods = authenticationMethods
        self.claims = claims
    }
}
