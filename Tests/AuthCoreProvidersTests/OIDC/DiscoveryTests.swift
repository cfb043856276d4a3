import AuthCore
import XCTest

@testable import AuthCoreProviders

/// What a provider may say about itself.
final class DiscoveryTests: LimitedTestCase {
    private func refusal(_ configuration: ClaimValue) async -> VerificationFailure? {
        let provider = TestProvider()
        provider.transport.answer(TestProvider.configurationPath, configuration)
        return await verificationFailure {
            try await provider.core().documents.metadata(at: testTime, outage: .zero)
        }
    }

    func testTheConfigurationIsThatOfTheIssuer() async {
        let usual = await refusal(TestProvider.configuration())
        XCTAssertNil(usual)
        let without = await refusal(TestProvider.configuration(["userinfo_endpoint": .null]))
        XCTAssertNil(without, "an endpoint that is null is none")
        let cases: [(String, ClaimValue)] = [
            ("another issuer", ["issuer": "https://evil.example"]), ("no issuer", ["issuer": .null]),
            ("a slash more", ["issuer": "https://login.example.com/"]), ("a number", ["issuer": 7]),
            ("no keys", ["jwks_uri": .null]), ("keys without TLS", ["jwks_uri": "http://login.example.com/keys"]),
            ("keys at this computer", ["jwks_uri": "http://localhost/keys"]),
            ("keys in a file", ["jwks_uri": "file:///keys"]),
            ("keys with a password", ["jwks_uri": "https://a:b@login.example.com/keys"]),
            ("no URL", ["jwks_uri": "::"]), ("keys without a host", ["jwks_uri": "https:///keys"]),
            ("a token endpoint without TLS", ["token_endpoint": "http://login.example.com/token"]),
            ("an endpoint that is no text", ["userinfo_endpoint": 7]),
        ]
        for (what, change) in cases {
            let failure = await refusal(TestProvider.configuration(change.objectValue ?? [:]))
            XCTAssertEqual(failure?.kind, .unreachable, what)
            XCTAssertEqual(failure?.detail?.contains("configuration"), true, what)
        }
        for (what, value) in [("a list", ClaimValue.array([])), ("a text", "hello")] {
            let failure = await refusal(value)
            XCTAssertEqual(failure?.kind, .unreachable, what)
        }
    }

    func testOnlyAProviderAtThisComputerMayNameURLsWithoutTLSThere() throws {
        let here = try XCTUnwrap(URL(string: "http://localhost:8080/.well-known/openid-configuration"))
        let away = try XCTUnwrap(URL(string: "https://login.example.com/.well-known/openid-configuration"))
        func metadata(_ keys: String, _ source: URL) -> ProviderMetadata? {
            try? ProviderMetadata(["issuer": "any", "jwks_uri": .string(keys)], at: source)
        }
        XCTAssertEqual(metadata("http://localhost:8080/keys", here)?.keySet.path(), "/keys", "this computer")
        XCTAssertEqual(metadata("https://login.example.com/keys", here)?.keySet.path(), "/keys", "with TLS")
        XCTAssertEqual(metadata("https://login.example.com/keys", away)?.keySet.path(), "/keys", "as usual")
        XCTAssertEqual(metadata("HTTPS://login.example.com/keys", away)?.keySet.path(), "/keys", "in capitals")
        XCTAssertNil(metadata("http://localhost:8080/keys", away), "this computer, named by another")
        XCTAssertNil(metadata("http://login.example.com/keys", here), "another computer without TLS")
        XCTAssertNil(metadata("ftp://localhost:8080/keys", here), "another scheme at this computer")
    }

    func testEachMemberOfAConfigurationIsReadUnderItsName() throws {
        let source = try XCTUnwrap(ProviderMetadata.url(of: TestProvider.issuer))
        func metadata(_ more: [String: ClaimValue]) throws -> ProviderMetadata {
            try ProviderMetadata(TestProvider.configuration(more), at: source)
        }
        let full = try metadata([
            "userinfo_endpoint": "https://login.example.com/me",
            "authorization_response_iss_parameter_supported": true,
            "token_endpoint_auth_methods_supported": ["client_secret_post", 7],
        ])
        XCTAssertEqual(full.issuer, TestProvider.issuer, "the issuer")
        XCTAssertEqual(full.keySet.path(), TestProvider.keysPath, "where the keys are")
        XCTAssertEqual(full.authorization?.path(), "/authorize", "the page")
        XCTAssertEqual(full.token?.path(), "/token", "where codes are exchanged")
        XCTAssertEqual(full.userInfo?.path(), "/me", "where people are asked for")
        XCTAssertTrue(full.namesItselfInAnswers, "a provider that names itself in its answers")
        XCTAssertEqual(full.clientAuthentication, ["client_secret_post"], "the ways of a client to show its secret")
        let usual = try metadata([:])
        XCTAssertNil(usual.userInfo, "a provider that cannot be asked for people")
        XCTAssertFalse(usual.namesItselfInAnswers, "a provider that does not say that it names itself")
        XCTAssertNil(usual.clientAuthentication, "the usual way")
    }

    func testAnIssuerWithAPathHasItsConfigurationBelowIt() {
        for (issuer, url) in [
            ("https://example.com", "https://example.com/.well-known/openid-configuration"),
            ("https://example.com/", "https://example.com/.well-known/openid-configuration"),
            ("https://example.com/a/b", "https://example.com/a/b/.well-known/openid-configuration"),
        ] {
            XCTAssertEqual(ProviderMetadata.url(of: issuer)?.absoluteString, url)
        }
        XCTAssertNil(ProviderMetadata.url(of: "https://example.com?a=b"))
        XCTAssertNil(ProviderMetadata.url(of: "https://example.com#a"))
    }

    func testAnIssuerWithoutTLSOrWithAQueryIsNotAsked() async {
        for issuer in [
            "http://login.example.com", "ftp://login.example.com", "login.example.com", "",
            "http://127.0.0.1.evil.example", "https://login.example.com?a=b", "https://login.example.com#a",
        ] {
            let transport = ScriptedTransport()
            let core = OIDCCore("oidc.example", .exact(issuer), clientIDs: ["my-app"], transport: transport)
            let failure = await core.refusal(of: TestProvider().forged())
            XCTAssertEqual(failure?.kind, .misconfigured, issuer)
            XCTAssertEqual(transport.requests, [], issuer)
        }
    }

    func testAnEndpointHasNoFragment() async {
        let failure = await refusal(TestProvider.configuration(["jwks_uri": "https://login.example.com/keys#first"]))
        XCTAssertEqual(failure?.kind, .unreachable, "keys at a URL with a fragment")
    }

    func testTheConfigurationIsKeptAsLongAsItsHeadersSay() async throws {
        let (provider, path) = (TestProvider(), TestProvider.configurationPath)
        provider.transport.answer(path, TestProvider.configuration(), headers: ["cache-control": "max-age=7200"])
        let documents = provider.core().documents
        for (seconds, count) in [(0.0, 1), (7199, 1), (7200, 2)] {
            _ = try await documents.metadata(at: testTime.addingTimeInterval(seconds), outage: .zero)
            XCTAssertEqual(provider.transport.count(path), count, "after \(seconds) seconds")
        }
    }
}
