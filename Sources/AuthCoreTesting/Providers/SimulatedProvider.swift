import AuthCoreCrypto
public import AuthCore

/// A provider without a network.
///
/// It makes signed tokens for made-up people, and checks their signature, issuer, audience, times and nonce. A verifier
/// of a real provider checks more: several audiences, the authorized party, and when the person signed in.
///
/// It says what the real provider says. Google and Apple say that an address is verified. GitHub and Facebook confirm
/// every address that they state, and send no verified flag. So the conflict that the documentation of GitHub's sign-in
/// describes happens by default, under every preset of the policy. The others say nothing about an address.
///
/// Anyone can make its tokens, so use it only in tests, previews and demonstrations.
public struct SimulatedProvider: CredentialVerifier {
    /// The form of a provider's tokens.
    public enum TokenForm: Sendable, Hashable {
        /// A signed token that the app can read too.
        case idToken
        /// Text that the app cannot read.
        case accessToken
    }

    /// The provider that this one imitates.
    public let provider: ProviderID
    /// The name of the issuer in tokens and assertions.
    public let issuer: String
    /// The issuer.
    public var issuers: Set<String> { [issuer] }
    /// The app that tokens are made for; only its tokens are accepted.
    public var audience: String
    /// The form of the tokens.
    public var form: TokenForm
    /// What tokens say about an address unless a test sets something else.
    public var address: AddressClaim

    let habits: ProviderHabits
    let key: HMACSHA256
    /// Two simulations with different seeds have different keys.
    let keyID: String

    /// The app that tokens are made for unless a test names one.
    public static let audience = "simulated-app"

    /// Creates an imitation of this provider.
    ///
    /// A provider that AuthCore does not know is treated as an OpenID Connect provider.
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

    /// Google: ID tokens, and the address is verified.
    public static let google = SimulatedProvider(.google)
    /// Apple: ID tokens, the address is verified, and the name is beside the token.
    public static let apple = SimulatedProvider(.apple)
    /// Facebook: access tokens, and no flag, because Facebook confirms every address.
    public static let facebook = SimulatedProvider(.facebook)
    /// GitHub: access tokens, and the address is confirmed.
    public static let gitHub = SimulatedProvider(.gitHub)
    /// Twitter: access tokens, and nothing about the address.
    public static let twitter = SimulatedProvider(.twitter)
    /// Microsoft's personal accounts: ID tokens, and nothing about the address.
    public static let microsoft = SimulatedProvider(.microsoft)

    /// Any OpenID Connect provider: ID tokens, and nothing about the address.
    public static func generic(_ provider: ProviderID) -> SimulatedProvider { SimulatedProvider(provider) }
}
