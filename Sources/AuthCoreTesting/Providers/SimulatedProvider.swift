public import AuthCore

/// A provider without a network: it mints signed tokens for made-up people and checks them as strictly as a real one.
///
/// It says what the real provider says. Google and Apple call an address verified; Facebook and GitHub say nothing about
/// it unless a test asks for it, so the conflict that the documentation of GitHub's sign-in describes happens by default.
/// Everybody can mint its tokens: it belongs in tests, previews and demonstrations.
public struct SimulatedProvider: CredentialVerifier {
    /// How a provider wraps what it says.
    public enum TokenForm: Sendable, Hashable {
        /// A signed statement that the app can read too.
        case idToken
        /// Text that means nothing to the app.
        case accessToken
    }

    /// The provider that is imitated.
    public let provider: ProviderID
    /// The name that the provider gives itself in tokens and assertions.
    public let issuer: String
    /// The app that tokens are for, and the only one whose tokens pass.
    public var audience: String
    /// How the tokens are wrapped.
    public var form: TokenForm
    /// What is said of an address unless a token is to say something else.
    public var address: AddressClaim

    let habits: ProviderHabits
    let key: HMACSHA256
    /// Two simulations with different seeds have different keys.
    let keyID: String

    /// The app for which tokens are minted unless it is named.
    public static let audience = "simulated-app"

    /// An imitation of this provider; one that is not known to AuthCore is taken for an OpenID Connect provider.
    ///
    /// Simulations of one provider with different seeds refuse each other's tokens.
    public init(
        _ provider: ProviderID,
        issuer: String? = nil,
        audience: String = SimulatedProvider.audience,
        seed: UInt64 = 1
    ) {
        let habits = ProviderHabits(of: provider)
        self.provider = provider
        self.issuer = issuer ?? habits.issuer
        self.audience = audience
        self.habits = habits
        form = habits.form
        address = habits.address
        keyID = "\(provider)#\(seed)"
        key = HMACSHA256(key: SHA256.hash(Array("simulated provider \(provider)#\(seed)".utf8)))
    }

    /// Google: ID tokens, the address verified.
    public static let google = SimulatedProvider(.google)
    /// Apple: ID tokens, the address verified, the name beside the token.
    public static let apple = SimulatedProvider(.apple)
    /// Facebook: access tokens, nothing said of the address.
    public static let facebook = SimulatedProvider(.facebook)
    /// GitHub: access tokens, nothing said of the address.
    public static let gitHub = SimulatedProvider(.gitHub)
    /// Twitter: access tokens, nothing said of the address.
    public static let twitter = SimulatedProvider(.twitter)
    /// Microsoft's personal accounts: ID tokens, nothing said of the address.
    public static let microsoft = SimulatedProvider(.microsoft)

    /// Any OpenID Connect provider: ID tokens, nothing said of the address.
    public static func generic(_ provider: ProviderID) -> SimulatedProvider { SimulatedProvider(provider) }
}
