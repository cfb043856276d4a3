#if OpenSSL
import AuthCoreCrypto
import AuthCore
import AuthCoreTesting
import XCTest

@testable import AuthCoreProviders

/// A service with an OpenID provider and a GitHub, both without a network, that people can be sent to.
final class FlowWorld: Sendable {
    static let redirectURI = redirectURI(of: "oidc.example")

    static func redirectURI(of provider: ProviderID) -> String { "https://app.example/\(provider)/callback" }

    let clock = ManualClock(testTime)
    let transport = ScriptedTransport()
    let service: AuthService
    private let issuer = TestProvider.issuer

    init(policy: AuthPolicy = .standard) {
        transport.answer(TestProvider.configurationPath, TestProvider.configuration())
        transport.answer(TestProvider.keysPath, ["keys": [Signer().webKey]])
        transport.answer("/applications/app/token", ["app": ["client_id": "app"], "user": ["id": 7]])
        transport.answer("/user", ["id": 7, "login": "ann"])
        transport.answer("/user/emails", [])
        transport.answer("/login/oauth/access_token", ["access_token": "gho", "token_type": "bearer"])
        let oidc = OIDCVerifier(
            "oidc.example",
            issuer: issuer,
            clientIDs: ["my-app", "my-other-app"],
            clientSecret: "s",
            transport: transport
        )
        let gitHub = GitHubVerifier(clientID: "app", clientSecret: "s", transport: transport)
        service = AuthService(
            AuthConfiguration(
                policy: policy,
                providers: [oidc, gitHub, SimulatedProvider(.google)],
                passwordHasher: CheapPasswordHasher(),
                environment: .manual(clock),
                secretKey: Array(repeating: 7, count: 32)
            )
        )
    }

    /// A client of the device with this name.
    func client(_ name: String = "browser") -> AuthClient { service.client(for: DeviceID(named: name), origin: .local) }

    /// The provider approves: it will give tokens for one code, and sends the person back.
    func approve(
        _ page: URL,
        as subject: String = "ann",
        claims more: [String: ClaimValue?] = [:],
        answering: [String: String] = [:]
    ) -> String {
        let fields = Self.fields(page)
        let now = Int64(clock.now.timeIntervalSince1970)
        var claims: [String: ClaimValue] = [
            "iss": .string(issuer), "sub": .string(subject), "aud": "my-app", "iat": .integer(now),
            "exp": .integer(now + 3600), "nonce": .string(fields["nonce"] ?? ""),
        ]
        for (name, value) in more { claims[name] = value }
        let token = ClaimValue.string(Signer().token(claims))
        let challenge = fields["code_challenge"]
        transport.answer("/token") { request in
            let sent = Self.fields(URL(string: "https://a.example/?" + String(decoding: request.body, as: UTF8.self)))
            let verifier = Array((sent["code_verifier"] ?? "").utf8)
            guard Base64URL.encode(SHA256.hash(verifier)) == challenge, sent["redirect_uri"] == fields["redirect_uri"]
            else {
                return ProviderResponse(status: 400, body: Array(#"{"error":"invalid_grant"}"#.utf8))
            }
            let answer: ClaimValue = ["id_token": token, "access_token": "at", "token_type": "Bearer"]
            return ProviderResponse(status: 200, body: answer.json())
        }
        let parts = ["code": "c0de", "state": fields["state"] ?? ""].merging(answering) { _, new in new }
        return (fields["redirect_uri"] ?? "") + "?" + Form.encode(parts.map { (name: $0.key, value: $0.value) })
    }

    static func fields(_ url: URL?) -> [String: String] { url?.fields ?? [:] }
}

/// The error of the work; a failure of the test if there is none.
func error(
    of work: () async throws(AuthError) -> some Any,
    _ what: String = "",
    line: UInt = #line
) async -> AuthError? {
    do throws(AuthError) {
        _ = try await work()
        XCTFail("nothing was refused \(what)", line: line)
        return nil
    } catch {
        return error
    }
}
#endif
