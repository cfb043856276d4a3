internal import AuthCore
public import Foundation

/// Replaces the browser: gets the app's request to a provider, and returns what the provider gave.
///
/// Tests and apps pass one to `FirebaseApp.useAuth(_:presenter:)`; `OAuthProvider` calls it.
public protocol FederatedSignInPresenter: Sendable {
    /// Asks the provider; throw `CancellationError` if the person closes the page.
    func present(_ request: FederatedSignInRequest) async throws -> FederatedSignInAnswer
}

/// An app's request to a provider.
public struct FederatedSignInRequest: Sendable, Hashable {
    /// The provider.
    public let providerID: String
    /// The scopes that the app requests.
    public let scopes: [String]
    /// All parameters of the request: the app's own and those of OAuth itself.
    public let parameters: [String: String]
    /// The provider's page, if the service has a verifier of AuthCoreProviders for it; nil for a simulated provider.
    ///
    /// Open it in a browser, and answer with the URL to which the provider sends the browser back.
    public let url: URL?

    /// The parameters that OAuth itself sets; an app cannot override them.
    public static let reservedParameters = AuthorizationPage.reservedParameters
}

/// What a provider returned.
public struct FederatedSignInAnswer: Sendable {
    /// The provider's ID token.
    public var idToken: String?
    /// The provider's access token.
    public var accessToken: String?
    /// The secret of an OAuth 1 token.
    public var secret: String?
    /// The nonce that the ID token must contain.
    public var rawNonce: String?
    /// The URL to which the provider sent the browser back, with its query.
    public var callbackURL: URL?

    /// An answer with these tokens.
    public init(
        idToken: String? = nil,
        accessToken: String? = nil,
        secret: String? = nil,
        rawNonce: String? = nil
    ) {
        self.idToken = idToken
        self.accessToken = accessToken
        self.secret = secret
        self.rawNonce = rawNonce
    }

    /// The answer of a provider's page.
    public init(callbackURL: URL) { self.callbackURL = callbackURL }

    var tokens: ProviderTokens { ProviderTokens(idToken: idToken, accessToken: accessToken, secret: secret) }
}
