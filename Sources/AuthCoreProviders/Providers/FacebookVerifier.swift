public import AuthCore
internal import AuthCoreCrypto
internal import AuthCoreFoundation

/// Verifies Facebook's authorization codes, access tokens and the ID tokens of Limited Login.
///
/// An access token is accepted only if Facebook says that it is this app's, and every request shows that the app has
/// its secret. The person is Facebook's ID for this app, whichever kind of token says so.
///
/// ```swift
/// let providers: AuthProviders = [.facebook(appID: "1234567890", appSecret: secret)]
/// let service = AuthService(AuthConfiguration(providers: providers))
/// let client = service.client(for: device, origin: .address(address))
/// try await client.signIn(with: .facebook(accessToken: token))
/// ```
public struct FacebookVerifier: CredentialVerifier {
    /// The provider whose credentials are verified.
    public let provider: ProviderID = .facebook
    let appID: String
    let appSecret: Secret
    let graph: String
    let dialog: String
    let limitedLogin: OIDCCore
    let connection: ProviderConnection

    /// Where Facebook's Graph API is.
    public static let graph = "https://graph.facebook.com/v23.0"
    /// Where Facebook's login dialog is.
    public static let dialog = "https://www.facebook.com/v23.0/dialog/oauth"
    /// The fields of a person that the verifier asks for.
    private static let fields = "id,name,email,picture.type(large)"
    /// The issuer of identities: one name for both kinds of tokens, since both name the same ID of the person.
    private static let issuer = ProviderID.facebook.rawValue
    private static let skew: TimeInterval = 60

    /// Creates a verifier for an app.
    ///
    /// - Parameters:
    ///   - appID: The app's ID.
    ///   - appSecret: The app's secret.
    ///   - graph: The address of the Graph API, with its version.
    ///   - dialog: The address of the login dialog, with its version.
    ///   - limitedLogin: The issuer of the tokens of Limited Login.
    ///   - transport: What sends requests.
    public init(
        appID: String,
        appSecret: Secret,
        graph: String = FacebookVerifier.graph,
        dialog: String = FacebookVerifier.dialog,
        limitedLogin: String = "https://limited.facebook.com",
        transport: any HTTPTransport = URLSessionTransport()
    ) {
        self.appID = appID
        self.appSecret = appSecret
        self.graph = graph
        self.dialog = dialog
        // Tokens named the older issuer until the endpoints moved.
        let rule = IssuerRule.exact(limitedLogin, aliases: ["https://www.facebook.com"], name: Self.issuer)
        self.limitedLogin = OIDCCore(.facebook, rule, clientIDs: [appID], transport: transport)
        connection = ProviderConnection(transport: transport)
    }

    /// The issuer of the identities that the verifier asserts.
    public var issuers: Set<String> { [Self.issuer] }

    /// Verifies an ID token of Limited Login, or asks Facebook about an access token or a code.
    ///
    /// - Parameters:
    ///   - credential: An ID token, an access token or an authorization code.
    ///   - context: The time of the request.
    /// - Returns: What Facebook says about the person.
    /// - Throws: `VerificationFailure`, also for an ID token on Linux without the trait OpenSSL; or
    ///   `CancellationError`.
    public func verify(
        _ credential: AuthCredential.Federated,
        in context: VerificationContext
    ) async throws -> ProviderAssertion {
        if let token = credential.idToken, !token.isEmpty {
            #if OpenSSL || canImport(CryptoKit)
            return try await limitedLogin.verify(credential, at: context.now)
            #else
            throw VerificationFailure(.misconfigured, "Limited Login needs the trait OpenSSL of auth-core on Linux.")
            #endif
        }
        var token = credential.accessToken
        if token?.isEmpty ?? true { token = try await exchange(credential, at: context.now).accessToken }
        guard let token else { throw VerificationFailure(.missingToken, "Facebook needs a token.") }
        let owner = try await owner(of: token, at: context.now)
        let person = try await person(with: token)
        guard let id = person["id"]?.stringValue, ExactText(id) == ExactText(owner) else {
            throw VerificationFailure(.wrongSubject, "Facebook must name the person whose token it is.")
        }
        var assertion = ProviderAssertion(provider: provider, issuer: Self.issuer, subject: id)
        assertion.displayName = person["name"]?.stringValue
        assertion.photoURL = person["picture"]?["data"]?["url"]?.stringValue
        assertion.email = person["email"]?.stringValue
        assertion.claims = person.objectValue ?? [:]
        return assertion
    }

    /// Returns the ID of the token's owner, if the token is this app's, valid and a person's (Graph API,
    /// `/debug_token`).
    private func owner(of token: Secret, at now: Date) async throws -> String {
        try token.requirePresentable()
        let app = "\(appID)|\(appSecret.revealed)"
        let request = ProviderRequest(
            .get,
            try url("/debug_token", [("input_token", token.revealed), ("access_token", app)])
        )
        let data = try await answer(to: request, isAskedByApp: true)["data"]
        guard let data, data["is_valid"]?.boolValue == true else {
            throw VerificationFailure(.rejected, "Facebook says that the access token is not valid.")
        }
        guard let id = data["app_id"]?.identifier, ExactText(id) == ExactText(appID) else {
            throw VerificationFailure(.wrongAudience, "The access token must be one that Facebook gave this app.")
        }
        guard data["type"].map({ $0 == "USER" }) ?? true else {
            throw VerificationFailure(.rejected, "The access token must be a person's.")
        }
        if let expiry = data["expires_at"]?.numberValue, expiry > 0, now.timeIntervalSince1970 >= expiry + Self.skew {
            throw VerificationFailure(.expired, "The access token must not have expired.")
        }
        guard let owner = data["user_id"]?.identifier, !owner.isEmpty else {
            throw VerificationFailure(.wrongSubject, "Facebook must name the person whose token it is.")
        }
        return owner
    }

    /// Returns the person (Graph API, `/me`), with the proof of the app's secret (Securing Graph API Requests).
    private func person(with token: Secret) async throws -> ClaimValue {
        let proof = HMACSHA256(key: Array(appSecret.revealed.utf8)).authenticate(Array(token.revealed.utf8))
        let url = try url(
            "/me",
            [
                ("fields", Self.fields), ("access_token", token.revealed),
                ("appsecret_proof", String(decoding: hexadecimal(proof), as: UTF8.self)),
            ]
        )
        return try await answer(to: ProviderRequest(.get, url))
    }

    private func answer(to request: ProviderRequest, isAskedByApp: Bool = false) async throws -> ClaimValue {
        let response = try await connection.send(request)
        guard let answer = ClaimValue(json: response.body, sizeLimit: request.sizeLimit), answer.objectValue != nil
        else {
            throw connection.unexpected(response, to: request)
        }
        if response.status == 200, answer["error"] == nil { return answer }
        let message = answer["error"]?["message"]?.stringValue?.lowercased() ?? ""
        // Graph API, "Handle Errors": 190 and 102 are of the token, 101 is of the app, the rest passes.
        switch answer["error"]?["code"]?.integerValue {
        // The app's own token is its ID and secret; that the token asked about is bad comes in an answer of status 200.
        case 190 where isAskedByApp && message.contains("signature"):
            throw VerificationFailure(.misconfigured, "Facebook does not accept the app's secret.")
        case 190, 102: throw VerificationFailure(.rejected, "Facebook does not accept the access token.")
        case 100 where response.status == 400:
            throw VerificationFailure(.rejected, "Facebook does not accept the access token or the app's proof.")
        case 101: throw VerificationFailure(.misconfigured, "Facebook does not know this app ID with this secret.")
        default: throw connection.unexpected(response, to: request)
        }
    }

    func url(_ path: String, _ fields: [(name: String, value: String)]) throws(VerificationFailure) -> URL {
        guard let url = fields.isEmpty ? URL(string: graph + path) : URL(string: graph + path)?.adding(fields) else {
            throw VerificationFailure(.misconfigured, "The address of the Graph API must be a URL.")
        }
        return url
    }
}

extension ClaimValue {
    /// An ID that is written as text or as a number.
    fileprivate var identifier: String? { stringValue ?? integerValue.map { String($0) } }
}
