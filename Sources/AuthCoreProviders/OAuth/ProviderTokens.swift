public import AuthCore

/// The tokens that a provider gave for a code; they are handed to the app and not kept.
///
/// An app that keeps them does it with ``sealed(by:for:of:)``.
public struct ProviderTokens: Sendable, Hashable {
    /// The token for the provider's APIs.
    public internal(set) var accessToken: Secret?
    /// The ID token, from a provider of OpenID Connect.
    public internal(set) var idToken: Secret?
    /// The token that renews the others, if the provider gave one.
    public internal(set) var refreshToken: Secret?
    /// What the tokens allow, if the provider says so.
    public internal(set) var scope: String?
    /// How long the access token lasts, if the provider says so.
    public internal(set) var lifetime: Duration?
}
