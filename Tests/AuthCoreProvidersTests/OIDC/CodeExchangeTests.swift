#if OpenSSL
import AuthCore
import XCTest

@testable import AuthCoreProviders

/// Codes of OpenID providers, and what their user endpoint adds.
final class CodeExchangeTests: LimitedTestCase {
    private let provider = TestProvider()

    private func verifier(_ configuration: [String: ClaimValue] = [:], secret: Secret? = "s:cret") -> OIDCVerifier {
        provider.transport.answer(TestProvider.configurationPath, TestProvider.configuration(configuration))
        return OIDCVerifier(
            "oidc.example",
            issuer: TestProvider.issuer,
            clientIDs: ["my-app", "my-other-app"],
            clientSecret: secret,
            transport: provider.transport
        )
    }

    private var code: AuthCredential.Federated {
        var credential = AuthCredential.Federated(provider: "oidc.example")
        credential.authorizationCode = "c0de"
        credential.codeVerifier = "v"
        credential.redirectURI = "https://app.example/done?a=b"
        credential.nonce = "n"
        return credential
    }

    private var credential: AuthCredential { .federated(code) }

    private func answerToken(_ claims: [String: ClaimValue?] = [:], accessToken: String? = "at") {
        let token = provider.signer.token(provider.claims(["nonce": "n"].merging(claims) { _, new in new }))
        var answer: [String: ClaimValue] = ["id_token": .string(token), "token_type": "Bearer", "expires_in": 3600]
        if let accessToken { answer["access_token"] = .string(accessToken) }
        provider.transport.answer("/token", .object(answer))
    }

    private var sent: ProviderRequest? { provider.transport.requests.last { $0.url.path() == "/token" } }

    func testTheSecretGoesWhereTheProviderWantsIt() async throws {
        answerToken()
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
            _ = try await verifier(configuration, secret: secret).verify(credential)
            XCTAssertEqual(sent?.headers["authorization"], header)
            XCTAssertEqual(sent.map { String(decoding: $0.body, as: UTF8.self) }, body)
        }
    }

    func testTheUserEndpointCompletesTheToken() async throws {
        answerToken()
        let verifier = verifier(["userinfo_endpoint": .string(TestProvider.issuer + "/me")])
        provider.transport.answer(
            "/me",
            [
                "sub": "248289761001", "email": "ann@example.com", "email_verified": true, "name": "Ann Archer",
                "acr": "strong", "amr": ["otp"], "hd": "example.com", "xms_edov": true, "iss": "https://evil.example",
                "department": "7",
            ]
        )
        let assertion = try await verifier.verify(credential)
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

    func testTheUserEndpointSaysNothingThatOnlyASignedTokenMaySay() throws {
        let own: [String: ClaimValue] = ["sub": "ann", "locale": "en"]
        var profile: [String: ClaimValue] = ["sub": "ann", "locale": "de", "department": "7"]
        for name in [
            "iss", "aud", "azp", "exp", "iat", "nbf", "nonce", "at_hash", "acr", "amr", "auth_time", "tid", "hd",
            "xms_edov",
        ] {
            profile[name] = 1
        }
        let claims = try IDTokenClaims(fields: .object(own)).completed(with: profile)
        XCTAssertEqual(claims.fields, ["sub": "ann", "locale": "en", "department": "7"])
    }

    func testTheUserEndpointCannotVerifyTheAddressOfTheToken() async throws {
        let verifier = verifier(["userinfo_endpoint": .string(TestProvider.issuer + "/me")])
        provider.transport.answer("/me", ["sub": "248289761001", "email": "eve@example.com", "email_verified": true])
        answerToken(["email": "ann@example.com"])
        var assertion = try await verifier.verify(credential)
        XCTAssertEqual(assertion.email, "ann@example.com")
        XCTAssertNil(assertion.isEmailVerified)
        for claim in ["email_verified", "xms_edov"] {
            answerToken([claim: true])
            assertion = try await verifier.verify(credential)
            XCTAssertNil(assertion.email, "the token's \(claim) is about no address of the endpoint")
        }
    }

    func testAClaimThatIsNullIsLeftToTheUserEndpoint() async throws {
        answerToken(["name": .null, "email": .null])
        let verifier = verifier(["userinfo_endpoint": .string(TestProvider.issuer + "/me")])
        provider.transport.answer(
            "/me",
            ["sub": "248289761001", "name": "Ann Archer", "email": "ann@example.com", "email_verified": true]
        )
        let assertion = try await verifier.verify(credential)
        XCTAssertEqual(assertion.displayName, "Ann Archer", "the name")
        XCTAssertEqual(assertion.email, "ann@example.com", "the address")
        XCTAssertEqual(assertion.isEmailVerified, true, "the endpoint's word about its address")
    }

    func testTheUserEndpointSpeaksOfTheSamePerson() async {
        answerToken()
        let verifier = verifier(["userinfo_endpoint": .string(TestProvider.issuer + "/me")])
        for (answer, status, kind) in [
            (["sub": "other"], 200, VerificationFailure.Kind.wrongSubject), (["name": "Ann"], 200, .wrongSubject),
            ([], 200, .unreachable), (["sub": "248289761001"], 500, .unreachable), ("eyJ.e30.AA", 200, .unreachable),
            ([:], 401, .rejected), ([:], 403, .rejected), ([:], 408, .unreachable), ([:], 429, .unreachable),
        ] as [(ClaimValue, Int, VerificationFailure.Kind)] {
            provider.transport.answer("/me", answer, status: status)
            let failure = await verifier.refusal(of: credential)
            XCTAssertEqual(failure?.kind, kind, "\(answer)")
        }
    }

    /// Each question counts against the app's quota at the provider.
    func testNothingIsAskedAboutAPersonForWhomTheProviderDidNotSign() async {
        let verifier = verifier(["userinfo_endpoint": .string(TestProvider.issuer + "/me")])
        provider.transport.answer("/me", [:], status: 401)
        var invented = code
        (invented.idToken, invented.accessToken) = ("a.b.c", "invented")
        let failure = await verifier.refusal(of: .federated(invented))
        XCTAssertEqual(failure?.kind, .malformed, "the ID token is looked at first")
        XCTAssertEqual(provider.transport.count("/me"), 0, "questions with an invented access token")
    }

    /// A code that is used again is denied, and the tokens that it was exchanged for may be revoked (RFC 6749, 4.1.2).
    func testACodeThatWasExchangedForNoIDTokenIsNotExchangedAgain() async {
        let verifier = verifier()
        var exchanged = code
        exchanged.isExchanged = true
        let failure = await verifier.refusal(of: .federated(exchanged))
        XCTAssertEqual(failure?.kind, .missingToken, "the provider gave no ID token for the code")
        XCTAssertEqual(provider.transport.count("/token"), 0, "exchanges of a code that was used")
    }

    func testNothingIsAskedWithoutAnAccessToken() async throws {
        answerToken(accessToken: nil)
        let verifier = verifier(["userinfo_endpoint": .string(TestProvider.issuer + "/me")])
        _ = try await verifier.verify(credential)
        XCTAssertEqual(provider.transport.count("/me"), 0)
    }

    func testAnEmptyIDTokenIsNoneAndTheCodeCounts() async throws {
        answerToken()
        var both = code
        both.idToken = ""
        let assertion = try await verifier().verify(.federated(both))
        XCTAssertEqual(assertion.subject, "248289761001")
        XCTAssertEqual(provider.transport.count("/token"), 1, "exchanges of the code")
    }

    func testThePersonIsAskedForWithTheAccessTokenThatCameWithACode() async throws {
        let verifier = verifier(["userinfo_endpoint": .string(TestProvider.issuer + "/me")])
        provider.transport.answer("/me", ["sub": "248289761001", "name": "Ann Archer"])
        var presented = code
        presented.idToken = Secret(provider.signer.token(provider.claims(["nonce": "n"])))
        presented.accessToken = "at"
        let assertion = try await verifier.verify(.federated(presented))
        XCTAssertEqual(assertion.displayName, "Ann Archer", "the user endpoint was not asked")
        let request = try XCTUnwrap(provider.transport.requests.last { $0.url.path() == "/me" })
        XCTAssertEqual(request.headers["authorization"], "Bearer at", "the token that the endpoint takes")
    }

    /// An app presents tokens again and again, and the provider need not be asked about each of them.
    func testThePersonIsNotAskedForWhereOnlyTokensArePresented() async throws {
        let verifier = verifier(["userinfo_endpoint": .string(TestProvider.issuer + "/me")])
        let token = provider.signer.token(provider.claims())
        _ = try await verifier.verify(.oauth("oidc.example", idToken: token, accessToken: "at"))
        XCTAssertEqual(provider.transport.count("/me"), 0, "questions about the person")
    }

    func testWhatTheTokenEndpointRefuses() async {
        let verifier = verifier()
        let cases: [(ClaimValue, Int, VerificationFailure.Kind)] = [
            (["error": "invalid_grant", "error_description": "hush"], 400, .rejected),
            (["error": "invalid_client"], 401, .misconfigured), (["error": "unauthorized_client"], 400, .misconfigured),
            (["error": "unsupported_grant_type"], 400, .misconfigured),
            (["error": "server_error"], 500, .unreachable), ([:], 200, .unreachable), ([], 400, .rejected),
            (["access_token": "at"], 400, .rejected), (["access_token": "at"], 201, .unreachable),
            ([], 408, .unreachable), ([], 429, .unreachable),
            (["access_token": "only"], 200, .missingToken), (["id_token": 7], 200, .unreachable),
            (["id_token": "a.b"], 200, .malformed),
        ]
        for (answer, status, kind) in cases {
            provider.transport.answer("/token", answer, status: status)
            let failure = await verifier.refusal(of: credential)
            XCTAssertEqual(failure?.kind, kind, "\(answer)")
            XCTAssertEqual(failure?.detail?.contains("hush"), false, "\(answer)")
        }
        let without = self.verifier(["token_endpoint": .null])
        let failure = await without.refusal(of: credential)
        XCTAssertEqual(failure?.kind, .unreachable)
    }

    func testTheTokenOfACodeIsCheckedLikeAnyOther() async {
        let verifier = verifier()
        for (claims, kind) in [
            (["nonce": "other"], VerificationFailure.Kind.wrongNonce), (["aud": "other"], .wrongAudience),
            (["exp": 1], .expired), (["at_hash": "AAAA"], .wrongAccessToken),
        ] as [([String: ClaimValue?], VerificationFailure.Kind)] {
            answerToken(claims)
            let failure = await verifier.refusal(of: credential)
            XCTAssertEqual(failure?.kind, kind, "\(claims)")
        }
    }
}
#endif
