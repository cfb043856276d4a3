internal import AuthCore
internal import AuthCoreFoundation

extension FacebookVerifier: CodeFlowProvider {
    var flowClientID: String { appID }
    var usualScopes: [String] { ["public_profile", "email"] }
    var sendsNonce: Bool { false }
    /// Facebook takes PKCE only together with ID tokens.
    var sendsChallenge: Bool { false }

    func authorizationPage(at now: Date) async throws -> URL {
        guard let page = URL(string: dialog) else {
            throw VerificationFailure(.misconfigured, "The address of Facebook's login dialog must be a URL.")
        }
        return page
    }

    func answerIssuer(at now: Date) async throws -> (name: String?, isRequired: Bool) { (nil, false) }

    /// Exchanges a code ("Manually Build a Login Flow", "Exchanging Code for an Access Token").
    func exchange(_ credential: AuthCredential.Federated, at now: Date) async throws -> ProviderTokens {
        let exchange = CodeExchange(
            clientID: appID,
            clientSecret: appSecret,
            putsSecretIntoForm: true,
            connection: connection
        )
        return try await exchange.tokens(for: credential, at: url("/oauth/access_token", []))
    }
}
