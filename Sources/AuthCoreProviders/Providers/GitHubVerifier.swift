public import AuthCore
internal import AuthCoreCrypto
internal import AuthCoreFoundation

/// Verifies GitHub's authorization codes and access tokens.
///
/// A code is exchanged; a presented token is accepted only if GitHub says that it is this app's. The person is GitHub's
/// permanent ID, the address is the primary one that GitHub verified.
///
/// ```swift
/// let providers: AuthProviders = [.gitHub(clientID: "Iv1.0123456789abcdef", clientSecret: secret)]
/// let service = AuthService(AuthConfiguration(providers: providers))
/// let client = service.client(for: device, origin: .address(address))
/// try await client.signIn(with: .gitHub(code: code, codeVerifier: verifier))
/// ```
public struct GitHubVerifier: CredentialVerifier {
    /// The provider whose credentials are verified.
    public let provider: ProviderID
    let clientID: String
    let clientSecret: Secret
    let website: String
    let api: String
    let connection: ProviderConnection

    /// Where GitHub's own users are.
    public static let website = "https://github.com"
    /// Where GitHub's own API is.
    public static let api = "https://api.github.com"

    /// Creates a verifier for an OAuth app or a GitHub App.
    ///
    /// - Parameters:
    ///   - provider: The name of the provider in the app.
    ///   - clientID: The app's client ID.
    ///   - clientSecret: A client secret of the app.
    ///   - website: The address of GitHub, or of a GitHub Enterprise Server.
    ///   - api: The address of its API.
    ///   - transport: What sends requests.
    public init(
        _ provider: ProviderID = .gitHub,
        clientID: String,
        clientSecret: Secret,
        website: String = GitHubVerifier.website,
        api: String = GitHubVerifier.api,
        transport: any HTTPTransport = URLSessionTransport()
    ) {
        self.provider = provider
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.website = website
        self.api = api
        connection = ProviderConnection(transport: transport)
    }

    /// The issuer of the identities: the provider's ID at GitHub itself, the website elsewhere.
    var issuer: String { website == Self.website ? ProviderID.gitHub.rawValue : website }

    /// The issuer of the identities that the verifier asserts.
    public var issuers: Set<String> { [issuer] }

    /// Exchanges the code, or checks that the access token is this app's, and asks GitHub about the person.
    ///
    /// - Parameters:
    ///   - credential: An authorization code or an access token.
    ///   - context: The time of the request.
    /// - Returns: What GitHub says about the person.
    /// - Throws: `VerificationFailure`, or `CancellationError`.
    public func verify(
        _ credential: AuthCredential.Federated,
        in context: VerificationContext
    ) async throws -> ProviderAssertion {
        let owner: Int64?
        let token: Secret
        if let presented = credential.accessToken, !presented.isEmpty {
            owner = try await checkedOwner(of: presented)
            token = presented
        } else {
            guard let exchanged = try await exchange(credential, at: context.now).accessToken else {
                throw VerificationFailure(.rejected, "GitHub must give an access token.")
            }
            token = exchanged
            owner = nil
        }
        let user = try await user(with: token)
        guard let id = user["id"]?.integerValue, id > 0, owner == nil || owner == id else {
            throw VerificationFailure(.wrongSubject, "GitHub must name the person's permanent ID.")
        }
        var assertion = ProviderAssertion(provider: provider, issuer: issuer, subject: String(id))
        assertion.username = user["login"]?.stringValue
        assertion.displayName = user["name"]?.stringValue
        assertion.photoURL = user["avatar_url"]?.stringValue
        assertion.claims = user.objectValue ?? [:]
        assertion.email = try await verifiedAddress(with: token)
        assertion.isEmailConfirmed = assertion.email == nil ? nil : true
        return assertion
    }

    /// Returns the ID of the token's owner, if the token is this app's (REST API, "Check a token").
    private func checkedOwner(of token: Secret) async throws -> Int64? {
        try token.requirePresentable()
        var request = ProviderRequest(
            .post,
            try url(api, "/applications/\(percentEncoded(clientID))/token"),
            headers: Self.headers,
            body: ClaimValue.object(["access_token": .string(token.revealed)]).json()
        )
        request.headers["content-type"] = "application/json"
        request.authorize(clientID: clientID, secret: clientSecret, encoded: false)
        let response = try await connection.send(request)
        switch response.status {
        case 200: break
        case 404, 422: throw Self.foreignToken
        case 401: throw VerificationFailure(.misconfigured, "GitHub does not know this client ID with this secret.")
        default: throw connection.unexpected(response, to: request)
        }
        guard let answer = ClaimValue(json: response.body, sizeLimit: request.sizeLimit) else {
            throw connection.failure(request, "must answer with one well-formed JSON text")
        }
        guard let app = answer["app"]?["client_id"]?.stringValue, ExactText(app) == ExactText(clientID) else {
            throw Self.foreignToken
        }
        return answer["user"]?["id"]?.integerValue
    }

    /// Returns the person (REST API, "Get the authenticated user").
    private func user(with token: Secret) async throws -> ClaimValue {
        let request = try request("/user", token)
        let response = try await connection.send(request)
        if response.status == 401 || isRefused(response, to: request) {
            throw VerificationFailure(.rejected, "GitHub does not accept the access token.")
        }
        guard response.status == 200 else { throw connection.unexpected(response, to: request) }
        guard let user = ClaimValue(json: response.body, sizeLimit: request.sizeLimit), user.objectValue != nil else {
            throw connection.failure(request, "must answer with the person")
        }
        return user
    }

    /// Returns the primary address if GitHub verified it; none without the scope `user:email`
    /// (REST API, "List email addresses for the authenticated user").
    private func verifiedAddress(with token: Secret) async throws -> String? {
        let request = try request("/user/emails?per_page=100", token)
        let response = try await connection.send(request)
        if [403, 404].contains(response.status), !isLimited(response, to: request) { return nil }
        guard response.status == 200 else { throw connection.unexpected(response, to: request) }
        guard let rows = ClaimValue(json: response.body, sizeLimit: request.sizeLimit)?.arrayValue else {
            throw connection.failure(request, "must answer with a list of addresses")
        }
        let primary = rows.first { $0["primary"]?.boolValue == true && $0["verified"]?.boolValue == true }
        guard let email = primary?["email"]?.stringValue, !email.lowercased().hasSuffix("@users.noreply.github.com")
        else { return nil }
        return email
    }

    /// Whether GitHub says why it refuses, and not only for now: it suspended the account, or the app's permission.
    private func isRefused(_ response: ProviderResponse, to request: ProviderRequest) -> Bool {
        guard response.status == 403, !isLimited(response, to: request) else { return false }
        return ClaimValue(json: response.body, sizeLimit: request.sizeLimit)?["message"]?.stringValue != nil
    }

    /// Whether GitHub refuses only for now; the text alone names some limits ("Rate limits for the REST API").
    private func isLimited(_ response: ProviderResponse, to request: ProviderRequest) -> Bool {
        if response.headers["x-ratelimit-remaining"] == "0" || response.retryAfter != nil { return true }
        let answer = ClaimValue(json: response.body, sizeLimit: request.sizeLimit)
        let texts = ["message", "documentation_url"].compactMap { answer?[$0]?.stringValue?.lowercased() }
        return texts.contains { text in ["rate limit", "rate-limit", "abuse"].contains { text.contains($0) } }
    }

    private func request(_ path: String, _ token: Secret) throws(VerificationFailure) -> ProviderRequest {
        var request = ProviderRequest(.get, try url(api, path), headers: Self.headers)
        try request.authorize(bearer: token)
        return request
    }

    func url(_ base: String, _ path: String) throws(VerificationFailure) -> URL {
        guard let url = URL(string: base + path) else {
            throw VerificationFailure(.misconfigured, "GitHub's address must be a URL.")
        }
        return url
    }

    private static let foreignToken = VerificationFailure(
        .wrongAudience,
        "The access token must be one that GitHub gave this app."
    )
    private static let headers = [
        "accept": "application/vnd.github+json", "x-github-api-version": "2022-11-28", "user-agent": "AuthCore",
    ]
}
