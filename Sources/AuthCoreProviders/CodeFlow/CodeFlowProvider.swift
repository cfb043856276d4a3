internal import AuthCore
internal import AuthCoreCrypto
internal import AuthCoreFoundation

/// A verifier whose provider people can be sent to.
protocol CodeFlowProvider: RedirectingVerifier {
    /// The page that a person is sent to, without a query.
    func authorizationPage(at now: Date) async throws -> URL

    /// The client that the person is asked to trust.
    var flowClientID: String { get }

    /// What is asked for unless the app asks for more.
    var usualScopes: [String] { get }

    /// Whether the provider puts the nonce into an ID token.
    var sendsNonce: Bool { get }

    /// Whether the provider accepts PKCE.
    var sendsChallenge: Bool { get }

    /// How the provider sends the answer, where it is not in the usual way, in the query.
    var responseMode: String? { get }

    /// The person's name, from a provider that gives it beside the code.
    func fullName(in fields: [String: String]) -> String?

    /// The name of the provider in its answers, and whether it must be there (RFC 9207).
    func answerIssuer(at now: Date) async throws -> (name: String?, isRequired: Bool)

    /// Exchanges the credential's code for tokens.
    func exchange(_ credential: AuthCredential.Federated, at now: Date) async throws -> ProviderTokens
}

extension CodeFlowProvider {
    var responseMode: String? { nil }

    func fullName(in fields: [String: String]) -> String? { nil }

    /// Returns the page to open, once it is clear that the app's parameters leave the flow alone.
    func page(for parameters: [String: String], at now: Date) async throws -> URL {
        let reserved = AuthorizationPage.reservedParameters
        if let name = parameters.keys.first(where: { reserved.contains($0.lowercased()) }) {
            throw VerificationFailure(.misconfigured, "The parameter \(name) is reserved for the flow itself.")
        }
        let page = try await authorizationPage(at: now)
        try ProviderConnection.requireSafe(page)
        return page
    }

    /// Returns the page with everything that the provider must know.
    func url(
        of page: URL,
        _ secrets: AuthorizationSecrets,
        redirectURI: String,
        scopes: [String],
        parameters: [String: String]
    ) throws(VerificationFailure) -> URL {
        let all = usualScopes + scopes.filter { !usualScopes.contains($0) }
        var fields = [
            (name: "response_type", value: "code"), (name: "client_id", value: flowClientID),
            (name: "redirect_uri", value: redirectURI), (name: "scope", value: all.joined(separator: " ")),
            (name: "state", value: secrets.state),
        ]
        if let responseMode { fields.append(("response_mode", responseMode)) }
        if sendsNonce { fields.append(("nonce", secrets.nonce)) }
        if sendsChallenge {
            let challenge = Base64URL.encode(SHA256.hash(Array(secrets.codeVerifier.utf8)))
            fields += [("code_challenge", challenge), ("code_challenge_method", "S256")]
        }
        fields += parameters.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        guard let url = page.adding(fields) else {
            throw VerificationFailure(.unreachable, "The provider's authorization page must be a URL without fragment.")
        }
        return url
    }
}
