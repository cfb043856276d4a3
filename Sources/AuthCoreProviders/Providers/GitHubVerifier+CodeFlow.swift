internal import AuthCore
internal import AuthCoreFoundation

extension GitHubVerifier: CodeFlowProvider {
    var flowClientID: String { clientID }
    var usualScopes: [String] { ["read:user", "user:email"] }
    var sendsNonce: Bool { false }
    var sendsChallenge: Bool { true }

    func authorizationPage(at now: Date) async throws -> URL { try url(website, "/login/oauth/authorize") }

    func answerIssuer(at now: Date) async throws -> (name: String?, isRequired: Bool) { (nil, false) }

    /// Exchanges a code ("Authorizing OAuth apps", step 2).
    func exchange(_ credential: AuthCredential.Federated, at now: Date) async throws -> ProviderTokens {
        let exchange = CodeExchange(
            clientID: clientID,
            clientSecret: clientSecret,
            putsSecretIntoForm: true,
            connection: connection
        )
        return try await exchange.tokens(for: credential, at: url(website, "/login/oauth/access_token"))
    }
}
