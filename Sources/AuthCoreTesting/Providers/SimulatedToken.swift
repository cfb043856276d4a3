public import AuthCore
public import AuthCoreFoundation

/// What one token of a simulated provider says, where it differs from the real provider.
public struct SimulatedToken: Sendable, Hashable {
    /// The person that the token identifies; nil for the person's own ID at the provider.
    public var subject: String?
    /// The address.
    public var email: SimulatedClaim
    /// What the token says about the address; nil for what the provider always says.
    public var address: AddressClaim?
    /// The name; Apple gives it to the app beside the token, as at a first sign-in.
    public var name: SimulatedClaim
    /// The organization that the person belongs to, as in Google's hosted domain.
    public var hostedDomain: String?
    /// The app's nonce: the token contains its hash, and the credential contains the nonce.
    public var nonce: String?
    /// The app that the token is for; nil for the provider's own audience.
    public var audience: String?
    /// How many seconds the token is valid.
    public var lifetime: TimeInterval
    /// When the provider authenticated the person, if the token says so.
    public var authenticatedAt: Date?
    /// How the person was authenticated, if the token says so.
    public var authenticationContext: String?
    /// The authentication methods used, if the token says so.
    public var authenticationMethods: [String]
    /// Further claims.
    ///
    /// One with the name of a claim of the provider replaces that claim, and is signed like it.
    public var claims: [String: ClaimValue]

    /// Creates a token that says these things, and otherwise what the real provider would say.
    public init(
        subject: String? = nil,
        email: SimulatedClaim = .usual,
        address: AddressClaim? = nil,
        name: SimulatedClaim = .usual,
        hostedDomain: String? = nil,
        nonce: String? = nil,
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
        self.nonce = nonce
        self.audience = audience
        self.lifetime = lifetime
        self.authenticatedAt = authenticatedAt
        self.authenticationContext = authenticationContext
        self.authenticationMethods = authenticationMethods
        self.claims = claims
    }
}
