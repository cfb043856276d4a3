/// What a provider gave the app, as far as the app may read it again.
struct ProviderTokens: Sendable {
    var idToken: String?
    var accessToken: String?
    var secret: String?
}

/// A credential with a provider's tokens.
protocol TokenCarrier: AuthCredential {
    var tokens: ProviderTokens { get }
}
