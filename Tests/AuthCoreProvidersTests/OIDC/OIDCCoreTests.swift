import AuthCore
import XCTest

@testable import AuthCoreProviders

/// What the claims of a verified token say about a person, and what is asked at the provider's page.
final class OIDCCoreTests: LimitedTestCase {
    private let provider = TestProvider()

    private func assertion(
        _ more: [String: ClaimValue?],
        _ credential: AuthCredential.Federated = AuthCredential.Federated(provider: "oidc.example")
    ) throws -> ProviderAssertion {
        let claims = IDTokenClaims(fields: .object(provider.claims(more)))
        return try provider.core().assertion(claims, credential, issuer: TestProvider.issuer)
    }

    private func core(_ issuer: String) -> OIDCCore {
        OIDCCore("oidc.example", .exact(issuer), clientIDs: ["my-app"], transport: provider.transport)
    }

    func testAnIDTokenSaysWhoThePersonIs() throws {
        let assertion = try assertion([
            "email": "ann@example.com", "email_verified": "true", "name": "Ann Archer", "preferred_username": "ann",
            "picture": "https://example.com/ann.jpg", "hd": "example.com", "acr": "urn:2", "amr": ["pwd", "otp"],
            "auth_time": 1_799_999_990, "is_private_email": "true", "xms_edov": 1, "groups": ["staff"],
        ])
        XCTAssertEqual(assertion.provider, "oidc.example", "the provider")
        XCTAssertEqual(assertion.issuer, TestProvider.issuer, "the issuer")
        XCTAssertEqual(assertion.subject, "248289761001", "the person")
        XCTAssertEqual(assertion.email, "ann@example.com", "the address")
        XCTAssertEqual(assertion.isEmailVerified, true, "the provider's word for the address")
        XCTAssertEqual(assertion.displayName, "Ann Archer", "the name")
        XCTAssertEqual(assertion.username, "ann", "the name of the user")
        XCTAssertEqual(assertion.photoURL, "https://example.com/ann.jpg", "the picture")
        XCTAssertEqual(assertion.hostedDomain, "example.com", "the domain")
        XCTAssertEqual(assertion.authenticationContext, "urn:2", "how well the person was authenticated")
        XCTAssertEqual(assertion.authenticationMethods, ["pwd", "otp"], "how the person was authenticated")
        let authenticatedAt = Date(timeIntervalSince1970: 1_799_999_990)
        XCTAssertEqual(assertion.authenticatedAt, authenticatedAt, "when the person was authenticated")
        XCTAssertEqual(assertion.claims["is_private_email"], true, "the policy reads Booleans")
        XCTAssertEqual(assertion.claims["xms_edov"], true, "the policy reads Booleans")
        XCTAssertEqual(assertion.claims["groups"], ["staff"], "an app can read every claim")
        XCTAssertNil(assertion.singleUse, "a token without a nonce can be presented again")
    }

    func testAnAddressIsVerifiedOnlyIfTheProviderSaysSo() throws {
        let cases: [(ClaimValue?, Bool?)] = [
            (true, true), ("true", true), (false, false), ("false", false), (nil, nil), (.null, nil), ("yes", nil),
            (["true"], nil),
        ]
        for (claim, expected) in cases {
            let assertion = try assertion(["email": "ann@example.com", "email_verified": claim])
            XCTAssertEqual(assertion.isEmailVerified, expected, "\(String(describing: claim))")
        }
        let without = try assertion(["email_verified": true])
        XCTAssertNil(without.isEmailVerified, "there is no address that could be verified")
        let empty = try assertion(["email": "", "email_verified": true])
        XCTAssertNil(empty.email, "an empty text is no address")
        XCTAssertNil(empty.isEmailVerified, "an empty text is no address")
    }

    func testANameThatIsSignedCountsMoreThanThatOfTheApp() throws {
        var credential = AuthCredential.Federated(provider: "oidc.example")
        credential.fullName = "Ann Archer"
        for (claim, name) in [("Ben Baker", "Ben Baker"), ("", "Ann Archer"), (nil, "Ann Archer")]
            as [(ClaimValue?, String)]
        {
            let assertion = try assertion(["name": claim], credential)
            XCTAssertEqual(assertion.displayName, name, "the name where the token says \(String(describing: claim))")
        }
    }

    func testATokenWithANonceIsOfOneUseAsLongAsItIsAccepted() throws {
        let singleUse = try assertion(["nonce": "n"]).singleUse
        XCTAssertEqual(singleUse?.id, "n", "what is remembered")
        XCTAssertEqual(singleUse?.expiresAt, Date(timeIntervalSince1970: 1_800_003_660), "a minute after its end")
    }

    func testMethodsOfAnAuthenticationAreTexts() throws {
        XCTAssertEqual(try assertion(["amr": .null]).authenticationMethods, [], "methods that are null")
        XCTAssertThrowsError(try assertion(["amr": [1]])) {
            XCTAssertEqual(($0 as? VerificationFailure)?.kind, .malformed, "methods that are no texts")
        }
    }

    func testACredentialWithoutAnIDTokenIsRefused() async {
        var (empty, other) = (
            AuthCredential.Federated(provider: "oidc.example"), AuthCredential.Federated(provider: "oidc.example")
        )
        (empty.idToken, other.accessToken) = ("", "a")
        for credential in [AuthCredential.Federated(provider: "oidc.example"), empty, other] {
            let failure = await provider.core().refusal(of: credential)
            XCTAssertEqual(failure?.kind, .missingToken, "\(credential)")
        }
        XCTAssertEqual(provider.transport.requests, [], "nothing is fetched for it")
    }

    func testWithoutAClientIDNothingIsAccepted() async {
        let core = OIDCCore("oidc.example", .exact(TestProvider.issuer), clientIDs: [], transport: provider.transport)
        let token = await core.refusal(of: provider.forged())
        XCTAssertEqual(token?.kind, .misconfigured, "a token")
        var code = AuthCredential.Federated(provider: "oidc.example")
        code.authorizationCode = "c0de"
        let exchange = await core.refusal(of: code)
        XCTAssertEqual(exchange?.kind, .misconfigured, "a code")
        let page = await verificationFailure { try await core.authorizationPage(at: testTime) }
        XCTAssertEqual(page?.kind, .misconfigured, "a page that a person would be sent to")
        XCTAssertEqual(provider.transport.requests, [], "nothing is asked")
    }

    // MARK: Pages

    func testThePageIsThatOfTheConfiguration() async throws {
        let page = try await provider.core().authorizationPage(at: testTime)
        XCTAssertEqual(page.absoluteString, TestProvider.issuer + "/authorize", "where a person is sent")
        let configuration = TestProvider.configuration(["authorization_endpoint": .null])
        provider.transport.answer(TestProvider.configurationPath, configuration)
        let failure = await verificationFailure { try await provider.core().authorizationPage(at: testTime) }
        XCTAssertEqual(failure?.kind, .unreachable, "a configuration without a page")
    }

    func testAProviderNamesItselfInItsAnswersIfItSaysSo() async throws {
        for (more, isRequired) in [([:], false), (["authorization_response_iss_parameter_supported": true], true)]
            as [([String: ClaimValue], Bool)]
        {
            provider.transport.answer(TestProvider.configurationPath, TestProvider.configuration(more))
            let answer = try await provider.core().answerIssuer(at: testTime)
            XCTAssertEqual(answer.name, TestProvider.issuer, "the name in answers, \(more)")
            XCTAssertEqual(answer.isRequired, isRequired, "whether it must be there, \(more)")
        }
    }

    func testAppleIsAskedForOtherScopesAndAnswersByAForm() {
        let (apple, other) = (core("https://appleid.apple.com"), core(TestProvider.issuer))
        XCTAssertEqual(apple.usualScopes, ["openid", "email", "name"], "Apple's scopes")
        XCTAssertEqual(apple.responseMode, "form_post", "how Apple answers")
        XCTAssertEqual(other.usualScopes, ["openid", "email", "profile"], "the scopes of another provider")
        XCTAssertNil(other.responseMode, "another provider answers in the usual way")
    }

    func testOnlyAppleNamesAPersonBesideTheCode() {
        let apple = core("https://appleid.apple.com")
        for (user, name) in [
            (#"{"name":{"firstName":"Ann","lastName":"Archer"}}"#, "Ann Archer"),
            (#"{"name":{"firstName":"","lastName":"Archer"}}"#, "Archer"), (#"{"name":{"firstName":"Ann"}}"#, "Ann"),
            (#"{"name":{"firstName":"","lastName":""}}"#, nil), (#"{"name":{}}"#, nil), (#"{"name":"Ann"}"#, nil),
            (#"{"email":"ann@icloud.com"}"#, nil), ("Ann", nil), ("", nil),
        ] {
            XCTAssertEqual(apple.fullName(in: ["user": user]), name, user)
        }
        XCTAssertNil(apple.fullName(in: [:]), "every time but the first")
        let user = #"{"name":{"firstName":"Ann"}}"#
        XCTAssertNil(core(TestProvider.issuer).fullName(in: ["user": user]), "another provider")
    }
}
