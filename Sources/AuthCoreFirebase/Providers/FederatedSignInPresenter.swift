internal import Foundation

/// Stands for the browser: it is shown what the app asks a provider, and answers with what the provider gave.
///
/// Tests hand one to `FirebaseApp.useAuth(_:presenter:)`; it is what `OAuthProvider` asks.
public protocol FederatedSignInPresenter: Sendable {
    /// Asks the provider; throw `CancellationError` when the person closes the page.
    func present(_ request: FederatedSignInRequest) async throws -> FederatedSignInAnswer
}

/// What an app asks a provider.
public struct FederatedSignInRequest: Sendable, Hashable {
    /// The provider.
    public let providerID: String
    /// What the app asks permission for.
    public let scopes: [String]
    /// Everything that stands in the request: the app's own parameters, and those of OAuth itself.
    public let parameters: [String: String]

    /// The parameters that OAuth itself sets, whatever an app writes under their names.
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

/// What a provider gave.
public struct FederatedSignInAnswer: Sendable {
    /// The provider's signed statement.
    public var idToken: String?
    /// The token for the provider's own interfaces.
    public var accessToken: String?
    /// The second half of an OAuth 1 token.
    public var secret: String?
    /// The nonce that the statement must carry.
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
