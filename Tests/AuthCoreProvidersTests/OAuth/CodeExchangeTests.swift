import AuthCore
import XCTest

@testable import AuthCoreProviders

/// Codes of OpenID providers, and the tokens that they are exchanged for.
final class CodeExchangeTests: LimitedTestCase {
    private let provider = TestProvider()

    private func core(_ configuration: [String: ClaimValue] = [:], secret: Secret? = "s:cret") -> OIDCCore {
        provider.transport.answer(TestProvider.configurationPath, TestProvider.configuration(configuration))
        return provider.core(secret: secret)
    }

    private var code: AuthCredential.Federated {
        var credential = AuthCredential.Federated(provider: "oidc.example")
        credential.authorizationCode = "c0de"
        credential.codeVerifier = "v"
        credential.redirectURI = "https://app.example/done?a=b"
        credential.nonce = "n"
        return credential
    }

    private var sent: ProviderRequest? { provider.transport.requests.last { $0.url.path() == "/token" } }

    func testTheSecretGoesWhereTheProviderWantsIt() async throws {
        provider.transport.answer("/token", ["access_token": "at"])
        let form =
            "grant_type=authorization_code&code=c0de&redirect_uri=https%3A%2F%2Fapp.example%2Fdone%3Fa%3Db&code_verifier=v"
        let basic = "Basic " + Data("my-app:s%3Acret".utf8).base64EncodedString()
        let cases: [([String: ClaimValue], Secret?, String?, String)] = [
            ([:], "s:cret", basic, form),
            (
                ["token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"]], "s:cret",
                basic, form
            ),
            (
                ["token_endpoint_auth_methods_supported": ["client_secret_post"]], "s:cret", nil,
                form + "&client_id=my-app&client_secret=s%3Acret"
            ),
            (["token_endpoint_auth_methods_supported": ["private_key_jwt"]], "s:cret", basic, form),
            (["token_endpoint_auth_methods_supported": ["client_secret_jwt"]], "s:cret", basic, form),
            ([:], nil, nil, form + "&client_id=my-app"),
        ]
        for (configuration, secret, header, body) in cases {
            let tokens = try await core(configuration, secret: secret).exchange(code, at: testTime)
            XCTAssertEqual(tokens.accessToken, "at", "\(configuration)")
            XCTAssertEqual(sent?.headers["authorization"], header, "\(configuration)")
            XCTAssertEqual(sent.map { String(decoding: $0.body, as: UTF8.self) }, body, "\(configuration)")
        }
    }

    /// Each question counts against the app's quota at the provider.
    func testNothingIsAskedAboutAPersonForWhomTheProviderDidNotSign() async {
        let core = core(["userinfo_endpoint": .string(TestProvider.issuer + "/me")])
        provider.transport.answer("/me", [:], status: 401)
        var invented = code
        (invented.idToken, invented.accessToken) = ("a.b.c", "invented")
        let failure = await core.refusal(of: invented)
        XCTAssertEqual(failure?.kind, .malformed, "the ID token is looked at first")
        XCTAssertEqual(provider.transport.count("/me"), 0, "questions with an invented access token")
    }

    /// A code that is used again is denied, and the tokens that it was exchanged for may be revoked (RFC 6749, 4.1.2).
    func testACodeThatWasExchangedForNoIDTokenIsNotExchangedAgain() async {
        let core = core()
        var exchanged = code
        exchanged.isExchanged = true
        let failure = await core.refusal(of: exchanged)
        XCTAssertEqual(failure?.kind, .missingToken, "the provider gave no ID token for the code")
        XCTAssertEqual(provider.transport.count("/token"), 0, "exchanges of a code that was used")
    }

    func testWhatTheTokenEndpointRefuses() async {
        let core = core()
        let cases: [(ClaimValue, Int, VerificationFailure.Kind)] = [
            (["error": "invalid_grant", "error_description": "hush"], 400, .rejected),
            (["error": "invalid_client"], 401, .misconfigured), (["error": "unauthorized_client"], 400, .misconfigured),
            (["error": "unsupported_grant_type"], 400, .misconfigured),
            (["error": "server_error"], 500, .unreachable), ([:], 200, .unreachable), ([], 400, .rejected),
            (["access_token": "at"], 400, .rejected), (["access_token": "at"], 201, .unreachable),
            ([], 408, .unreachable), ([], 429, .unreachable), (["error": "invalid_grant"], 408, .unreachable),
            (["error": "temporarily_unavailable"], 400, .unreachable), (["error": "server_error"], 400, .unreachable),
            (["access_token": "only"], 200, .missingToken), (["id_token": 7], 200, .unreachable),
            (["id_token": "a.b"], 200, .malformed),
        ]
        for (answer, status, kind) in cases {
            provider.transport.answer("/token", answer, status: status)
            let failure = await core.refusal(of: code)
            XCTAssertEqual(failure?.kind, kind, "\(answer)")
            XCTAssertEqual(failure?.detail?.contains("hush"), false, "\(answer)")
        }
        let without = self.core(["token_endpoint": .null])
        let failure = await without.refusal(of: code)
        XCTAssertEqual(failure?.kind, .unreachable, "a configuration without a token endpoint")
    }

    /// A client that shows its secret in the header is refused with the header's scheme (RFC 6749 section 5.2).
    func testASecretThatIsRefusedWithItsSchemeIsTheAppsMistake() async throws {
        let server = try serve { request in
            let issuer = "http://" + (request.headers["host"] ?? "")
            let configuration =
                #"{"issuer":"\#(issuer)","jwks_uri":"\#(issuer)/keys","token_endpoint":"\#(issuer)/token"}"#
            return request.path == "/token"
                ? .json(#"{"error":"invalid_client"}"#, status: 401, headers: [#"WWW-Authenticate: Basic realm="a""#])
                : .json(configuration)
        }
        let core = OIDCCore(
            "oidc.example",
            .exact(server.url),
            clientIDs: ["my-app"],
            clientSecret: ClientSecret("s:cret"),
            transport: URLSessionTransport()
        )
        let failure = await core.refusal(of: code)
        XCTAssertEqual(failure?.kind, .misconfigured, failure?.detail ?? "no failure")
        XCTAssertEqual(server.requests.map(\.path), [TestProvider.configurationPath, "/token"], "what was asked")
    }

    #if OpenSSL
    private func answerToken(_ claims: [String: ClaimValue?] = [:], accessToken: String? = "at") {
        let token = provider.signer.token(provider.claims(["nonce": "n"].merging(claims) { _, new in new }))
        var answer: [String: ClaimValue] = ["id_token": .string(token), "token_type": "Bearer", "expires_in": 3600]
        if let accessToken { answer["access_token"] = .string(accessToken) }
        provider.transport.answer("/token", .object(answer))
    }

    func testTheUserEndpointCompletesTheToken() async throws {
        answerToken()
        let core = core(["userinfo_endpoint": .string(TestProvider.issuer + "/me")])
        provider.transport.answer(
            "/me",
            [
                "sub": "248289761001", "email": "ann@example.com", "email_verified": true, "name": "Ann Archer",
                "acr": "strong", "amr": ["otp"], "hd": "example.com", "xms_edov": true, "iss": "https://evil.example",
                "department": "7",
            ]
        )
        let assertion = try await core.verify(code, at: testTime)
        XCTAssertEqual(assertion.email, "ann@example.com")
        XCTAssertEqual(assertion.isEmailVerified, true)
        XCTAssertEqual(assertion.displayName, "Ann Archer")
        XCTAssertEqual(assertion.claims["department"], "7")
        XCTAssertNil(assertion.authenticationContext, "only a signed token says how the person was authenticated")
        XCTAssertEqual(assertion.authenticationMethods, [])
        XCTAssertNil(assertion.hostedDomain)
        XCTAssertNil(assertion.claims["xms_edov"])
        XCTAssertEqual(assertion.claims["iss"], .string(TestProvider.issuer))
        let request = try XCTUnwrap(provider.transport.requests.last { $0.url.path() == "/me" })
        XCTAssertEqual(request.headers["authorization"], "Bearer at")
        XCTAssertEqual(request.headers["accept"], "application/json", "what the endpoint is asked for")
    }

    func testNothingIsAskedWithoutAnAccessToken() async throws {
        answerToken(accessToken: nil)
        let core = core(["userinfo_endpoint": .string(TestProvider.issuer + "/me")])
        _ = try await core.verify(code, at: testTime)
        XCTAssertEqual(provider.transport.count("/me"), 0)
    }

    func testAnEmptyIDTokenIsNoneAndTheCodeCounts() async throws {
        answerToken()
        var both = code
        both.idToken = ""
        let assertion = try await core().verify(both, at: testTime)
        XCTAssertEqual(assertion.subject, "248289761001")
        XCTAssertEqual(provider.transport.count("/token"), 1, "exchanges of the code")
    }

    func testThePersonIsAskedForWithTheAccessTokenThatCameWithACode() async throws {
        let core = core(["userinfo_endpoint": .string(TestProvider.issuer + "/me")])
        provider.transport.answer("/me", ["sub": "248289761001", "name": "Ann Archer"])
        var presented = code
        presented.idToken = Secret(provider.signer.token(provider.claims(["nonce": "n"])))
        presented.accessToken = "at"
        let assertion = try await core.verify(presented, at: testTime)
        XCTAssertEqual(assertion.displayName, "Ann Archer", "the user endpoint was not asked")
        let request = try XCTUnwrap(provider.transport.requests.last { $0.url.path() == "/me" })
        XCTAssertEqual(request.headers["authorization"], "Bearer at", "the token that the endpoint takes")
    }

    /// An app presents tokens again and again, and the provider need not be asked about each of them.
    func testThePersonIsNotAskedForWhereOnlyTokensArePresented() async throws {
        let core = core(["userinfo_endpoint": .string(TestProvider.issuer + "/me")])
        let token = provider.signer.token(provider.claims())
        var presented = AuthCredential.Federated(provider: "oidc.example")
        (presented.idToken, presented.accessToken) = (Secret(token), "at")
        _ = try await core.verify(presented, at: testTime)
        XCTAssertEqual(provider.transport.count("/me"), 0, "questions about the person")
    }

    func testTheTokenOfACodeIsCheckedLikeAnyOther() async {
        let core = core()
        for (claims, kind) in [
            (["nonce": "other"], VerificationFailure.Kind.wrongNonce), (["aud": "other"], .wrongAudience),
            (["exp": 1], .expired), (["at_hash": "AAAA"], .wrongAccessToken),
        ] as [([String: ClaimValue?], VerificationFailure.Kind)] {
            answerToken(claims)
            let failure = await core.refusal(of: code)
            XCTAssertEqual(failure?.kind, kind, "\(claims)")
        }
    }
    #endif
}
