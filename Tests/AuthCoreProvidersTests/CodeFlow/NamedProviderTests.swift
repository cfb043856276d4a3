import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

@testable import AuthCoreProviders

/// A provider that names itself in its answers, and gives tokens with a nonce.
final class NamedProviderTests: LimitedTestCase {
    private static let redirectURI = "https://app.example/oidc.named/callback"

    /// A provider without a network.
    private final class Named: CodeFlowProvider {
        static let issuer = "https://caf\u{e9}.example"

        let provider: ProviderID = "oidc.named"
        let issuers: Set<String> = [issuer]
        let flowClientID = "app"
        let usualScopes = ["openid"]
        let sendsNonce = true
        let sendsChallenge = true
        let responseMode: String? = "form_post"
        private let isRequired: Bool
        private let codes = Mutex<[AuthCredential.Federated]>([])

        init(isRequired: Bool = true) { self.isRequired = isRequired }

        /// What was exchanged.
        var exchanged: [AuthCredential.Federated] { codes.withLock(\.self) }

        func fullName(in fields: [String: String]) -> String? { fields["user"] }

        func authorizationPage(at now: Date) async throws -> URL {
            try XCTUnwrap(URL(string: "https://login.example.com/page"))
        }

        func answerIssuer(at now: Date) async throws -> (name: String?, isRequired: Bool) {
            (Self.issuer, isRequired)
        }

        func exchange(_ credential: AuthCredential.Federated, at now: Date) async throws -> ProviderTokens {
            codes.withLock { $0.append(credential) }
            return ProviderTokens(accessToken: "at", idToken: "it")
        }

        func verify(
            _ credential: AuthCredential.Federated,
            in context: VerificationContext
        ) async throws -> ProviderAssertion {
            ProviderAssertion(provider: provider, issuer: Self.issuer, subject: "ann")
        }
    }

    private func client(_ verifier: Named) -> AuthClient {
        let configuration = AuthConfiguration(
            providers: [verifier],
            passwordHasher: CheapPasswordHasher(),
            environment: .manual(ManualClock(testTime)),
            secretKey: Array(repeating: 7, count: 32)
        )
        return AuthService(configuration).client(for: DeviceID(named: "browser"), origin: .local)
    }

    /// Begins a visit, and returns what the provider is asked.
    private func begin(by client: AuthClient) async throws -> [String: String] {
        try await client.begin(.signIn, with: "oidc.named", redirectURI: Self.redirectURI).fields
    }

    private func callback(_ asked: [String: String], answering more: [String: String]) -> String {
        let parts = ["code": "c", "state": asked["state"] ?? ""].merging(more) { _, new in new }
        return Self.redirectURI + "?" + Form.encode(parts.map { (name: $0.key, value: $0.value) })
    }

    private func refusal(_ client: AuthClient, _ callback: String) async -> VerificationFailure.Kind? {
        do throws(AuthError) {
            try await client.complete(callback: callback)
            return nil
        } catch {
            return (error.cause as? VerificationFailure)?.kind
        }
    }

    /// The last wrong name is equal to Swift, and that of another provider.
    func testACallbackOfAnotherProviderIsRefused() async throws {
        let wrong = ["https://evil.example", Named.issuer + "/", "https://cafe\u{301}.example"]
        for isRequired in [true, false] {
            let verifier = Named(isRequired: isRequired)
            let client = client(verifier)
            let asked = try await begin(by: client)
            for name in wrong {
                for more in [["iss": name], ["iss": name, "error": "access_denied"]] {
                    let kind = await refusal(client, callback(asked, answering: more))
                    XCTAssertEqual(kind, .wrongIssuer, "\(more), where a name is required: \(isRequired)")
                }
            }
            XCTAssertEqual(verifier.exchanged.count, 0, "codes that were sent to the wrong provider")
            let kind = await refusal(client, callback(asked, answering: ["iss": Named.issuer]))
            XCTAssertNil(kind, "the provider's own name, where one is required: \(isRequired)")
        }
    }

    func testACallbackWithoutANameIsRefusedOnlyWhereTheProviderAlwaysGivesOne() async throws {
        for (isRequired, wanted) in [(true, .wrongIssuer), (false, nil)] as [(Bool, VerificationFailure.Kind?)] {
            let verifier = Named(isRequired: isRequired)
            let client = client(verifier)
            let kind = await refusal(client, callback(try await begin(by: client), answering: [:]))
            XCTAssertEqual(kind, wanted, "a callback without a name, where one is required: \(isRequired)")
            XCTAssertEqual(verifier.exchanged.count, isRequired ? 0 : 1, "codes that were exchanged")
        }
    }

    func testThePageIsAskedForTheProvidersOwnWay() async throws {
        let asked = try await begin(by: client(Named()))
        XCTAssertEqual(asked["scope"], "openid", "the usual scopes")
        XCTAssertEqual(asked["response_mode"], "form_post", "how the provider answers")
        let secrets = ["state", "nonce", "code_challenge"].compactMap { asked[$0] }
        XCTAssertEqual(Set(secrets).count, 3, "secrets that differ: \(asked)")
        for secret in secrets { XCTAssertEqual(secret.utf8.count, 43, "256 bits: \(asked)") }
    }

    func testACredentialHasTheNonceAndTheNameOfItsVisit() async throws {
        let verifier = Named()
        let client = client(verifier)
        let asked = try await begin(by: client)
        let callback = callback(asked, answering: ["iss": Named.issuer, "user": "Ann Archer"])
        let credential = try await verifier.credential(callback: callback, of: client)
        XCTAssertEqual(credential.nonce?.revealed, asked["nonce"], "the nonce that the token must have")
        XCTAssertEqual(credential.fullName, "Ann Archer", "the name beside the code")
        XCTAssertEqual(credential.idToken, "it", "the token that the code was exchanged for")
        let sent = try XCTUnwrap(verifier.exchanged.first)
        XCTAssertEqual(sent.nonce?.revealed, asked["nonce"], "the nonce at the exchange")
        XCTAssertEqual(sent.authorizationCode, "c", "the code")
        XCTAssertEqual(sent.redirectURI, Self.redirectURI, "where the code was sent")
    }
}
