#if OpenSSL
import AuthCoreCrypto
import AuthCore
import AuthCoreTesting
import XCTest

@testable import AuthCoreProviders

/// PKCE and the rotation of keys, with a provider that insists on the first and does the second.
final class StrictProviderTests: LimitedTestCase {
    private let clock = ManualClock(Date())

    private func provider() throws -> StrictProvider {
        let provider = try StrictProvider()
        addTeardownBlock { provider.stop() }
        return provider
    }

    private func verifier(_ provider: StrictProvider) -> OIDCVerifier {
        OIDCVerifier(
            "oidc.strict",
            issuer: provider.issuer,
            clientIDs: ["my-app"],
            clientSecret: Secret(StrictProvider.clientSecret)
        )
    }

    private func client(_ verifier: OIDCVerifier) -> AuthClient {
        let service = AuthService(AuthConfiguration(providers: [verifier], environment: .manual(clock)))
        return service.client(for: "browser", origin: .local)
    }

    /// The seconds since the time at which tests without a real provider are.
    private var elapsed: Double { clock.now.timeIntervalSince(testTime) }

    private func signIn(_ client: AuthClient, at provider: StrictProvider) async throws -> CodeFlow.Result {
        let page = try await client.begin(
            .signIn,
            with: "oidc.strict",
            redirectURI: FlowWorld.redirectURI(of: "oidc.strict")
        )
        return try await client.complete(callback: try await StrictProvider.approve(page))
    }

    func testTheCodeFlowMeetsAProviderThatInsistsOnPKCE() async throws {
        let provider = try provider()
        let client = client(verifier(provider))
        let result = try await signIn(client, at: provider)
        XCTAssertEqual(result.user.email, "ann@example.com")
        XCTAssertEqual(result.user.displayName, "Ann Archer")
        XCTAssertNotNil(result.tokens.accessToken)
        let again = try await signIn(client, at: provider)
        XCTAssertEqual(again.user.uid, result.user.uid)
        clock.advance(by: .seconds(30))
        let page = try await again.user.begin(
            .reauthenticate,
            with: "oidc.strict",
            redirectURI: FlowWorld.redirectURI(of: "oidc.strict")
        )
        try await again.user.complete(callback: try await StrictProvider.approve(page))
    }

    func testAnotherVerifierOfPKCEIsRefusedByTheProvider() async throws {
        let provider = try provider()
        let verifier = verifier(provider)
        for (sent, isRight) in [("right", true), ("wrong", false), (nil, false)] as [(String?, Bool)] {
            let text = String(repeating: "right", count: 9)
            let fields = [
                (name: "response_type", value: "code"), (name: "client_id", value: "my-app"),
                (name: "redirect_uri", value: FlowWorld.redirectURI(of: "oidc.strict")),
                (name: "scope", value: "openid"),
                (name: "state", value: "s"), (name: "nonce", value: "n"),
                (name: "code_challenge_method", value: "S256"),
                (name: "code_challenge", value: Base64URL.encode(SHA256.hash(Array(text.utf8)))),
            ]
            let page = try XCTUnwrap(URL(string: provider.issuer + "/authorization")?.adding(fields))
            let code = FlowWorld.fields(URL(string: try await StrictProvider.approve(page)))["code"]
            var credential = AuthCredential.Federated(provider: "oidc.strict")
            credential.authorizationCode = Secret(try XCTUnwrap(code))
            credential.redirectURI = FlowWorld.redirectURI(of: "oidc.strict")
            credential.codeVerifier = sent.map { Secret(String(repeating: $0, count: 9)) }
            credential.nonce = "n"
            let failure = await verifier.refusal(of: .federated(credential), after: elapsed)
            XCTAssertEqual(failure == nil, isRight, failure?.detail ?? "")
            if !isRight { XCTAssertEqual(failure?.kind, .rejected, sent ?? "none") }
        }
    }

    func testATokenOfANewKeyIsVerifiedAndOneOfAnOldKeyIsNot() async throws {
        let provider = try provider()
        let verifier = verifier(provider)
        let client = client(verifier)
        let before = try await signIn(client, at: provider)
        let old = try XCTUnwrap(before.tokens.idToken)
        for _ in 0..<2 {
            try await provider.rotateKeys()
            // An unknown key makes the verifier ask again, at most once a minute.
            clock.advance(by: .seconds(61))
            let after = try await signIn(client, at: provider)
            XCTAssertEqual(after.user.uid, before.user.uid)
        }
        clock.advance(by: .seconds(61))
        let failure = await verifier.refusal(
            of: .oauth("oidc.strict", idToken: old.revealed, nonce: "n"),
            after: elapsed
        )
        XCTAssertEqual(failure?.kind, .wrongKey, "a key that the provider dropped is dropped")
    }
}
#endif
