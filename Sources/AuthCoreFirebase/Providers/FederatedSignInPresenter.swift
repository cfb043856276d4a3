internal import Foundation

/// Replaces the browser: gets the app's request to a provider, and returns what the provider gave.
///
/// Tests pass one to `FirebaseApp.useAuth(_:presenter:)`; `OAuthProvider` calls it.
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

    /// The parameters that OAuth itself sets; an app cannot override them.
    public static let reservedParameters: Set<String> = [
        "client_id", "redirect_uri", "response_type", "scope", "state",
    ]

    init(
        providerID: String,
        scopes: [String],
        customParameters: [String: String],
        clientID: String,
        domain: String,
        state: [UInt8]
    ) {
        self.providerID = providerID
        self.scopes = scopes
        var parameters = customParameters.filter { !Self.reservedParameters.contains($0.key) }
        parameters["client_id"] = clientID
        parameters["redirect_uri"] = "https://\(domain)/__/auth/handler"
        parameters["response_type"] = "code"
        parameters["state"] = Data(state).base64EncodedString()
        if !scopes.isEmpty { parameters["scope"] = scopes.joined(separator: " ") }
        self.parameters = parameters
    }
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

    var tokens: ProviderTokens { ProviderTokens(idToken: idToken, accessToken: accessToken, secret: secret) }
}
