import AuthCoreCrypto
import XCTest

@testable import AuthCore
@testable import AuthCoreProviders

/// The presets know the issuers and the habits of their providers.
final class PresetTests: LimitedTestCase {
    func testAPresetWithoutIDTokensAsksByItsTransport() async {
        let transport = ScriptedTransport()
        transport.answer("/login/oauth/access_token", ["error": "bad_verification_code"])
        let gitHub: GitHubVerifier = .gitHub(clientID: "a", clientSecret: "s", transport: transport)
        let code = await gitHub.refusal(of: .gitHub(code: "c", codeVerifier: nil))
        XCTAssertEqual(code?.kind, .rejected, "what the transport answered for GitHub")
        transport.answer("/v23.0/debug_token", ["error": ["code": 190]], status: 400)
        let facebook: FacebookVerifier = .facebook(appID: "a", appSecret: "s", transport: transport)
        let token = await facebook.refusal(of: .facebook(accessToken: "t"))
        XCTAssertEqual(token?.kind, .rejected, "what the transport answered for Facebook")
    }

    func testAPresetWithoutIDTokensKeepsItsClientAndItsSecret() {
        let gitHub: GitHubVerifier = .gitHub(clientID: "a", clientSecret: "s")
        XCTAssertEqual(gitHub.clientID, "a", "GitHub's client")
        XCTAssertEqual(gitHub.clientSecret, "s", "GitHub's secret")
        let facebook: FacebookVerifier = .facebook(appID: "b", appSecret: "t")
        XCTAssertEqual(facebook.appID, "b", "Facebook's app")
        XCTAssertEqual(facebook.appSecret, "t", "Facebook's secret")
    }

    func testACredentialHasWhatItIsMadeOf() throws {
        func content(_ credential: AuthCredential) throws -> AuthCredential.Federated {
            guard case .federated(let content) = credential.content else { throw VerificationFailure.missingToken }
            return content
        }
        let place = "https://app.example.com"
        for (made, provider) in [
            (AuthCredential.gitHub(code: "code", codeVerifier: "v", redirectURI: place), ProviderID.gitHub),
            (.facebook(code: "code", codeVerifier: "v", redirectURI: place), .facebook),
        ] {
            let credential = try content(made)
            XCTAssertEqual(credential.provider, provider, "the provider")
            XCTAssertEqual(credential.authorizationCode, "code", "the code for \(provider)")
            XCTAssertEqual(credential.codeVerifier, "v", "the verifier of the code for \(provider)")
            XCTAssertEqual(credential.redirectURI, place, "the redirect URI of the code for \(provider)")
        }
        let limited = try content(.facebook(idToken: "token", nonce: "n"))
        XCTAssertEqual(limited.provider, .facebook, "the provider of a Limited Login")
        XCTAssertEqual(limited.idToken, "token", "the token of a Limited Login")
        XCTAssertEqual(limited.nonce, "n", "the nonce of a Limited Login")
    }

    #if OpenSSL
    private func transport(_ issuer: String, path: String = "/.well-known/openid-configuration") -> ScriptedTransport {
        let transport = ScriptedTransport()
        transport.answer(path, ["issuer": .string(issuer), "jwks_uri": "https://keys.example/keys"])
        transport.answer("/keys", ["keys": [Signer().webKey]])
        return transport
    }

    func testGoogleHasTwoSpellingsAndOneIdentity() async throws {
        let transport = transport("https://accounts.google.com")
        let verifier: OIDCVerifier = .google(clientIDs: ["my-app"], transport: transport)
        for issuer in ["https://accounts.google.com", "accounts.google.com"] {
            let token = Signer().token(TestProvider().claims(["iss": .string(issuer), "hd": "example.com"]))
            let assertion = try await verifier.verify(.google(idToken: token))
            XCTAssertEqual(assertion.issuer, "https://accounts.google.com", "both spellings are one issuer")
            XCTAssertEqual(assertion.provider, .google)
            XCTAssertEqual(assertion.hostedDomain, "example.com")
        }
        XCTAssertEqual(transport.requests.first?.url.host(), "accounts.google.com")
        let other = Signer().token(TestProvider().claims(["iss": "http://accounts.google.com"]))
        let failure = await verifier.refusal(of: .google(idToken: other))
        XCTAssertEqual(failure?.kind, .wrongIssuer)
    }

    func testAppleHasTwoNamesAndOneIdentity() async throws {
        let names = ["https://appleid.apple.com", "https://account.apple.com"]
        for published in names {
            let verifier: OIDCVerifier = .apple(clientIDs: ["my-app"], transport: transport(published))
            for issuer in names {
                let token = Signer().token(TestProvider().claims(["iss": .string(issuer)]))
                let assertion = try await verifier.verify(.apple(idToken: token, nonce: nil))
                XCTAssertEqual(assertion.issuer, names[0], "a token of \(issuer), where \(published) is published")
            }
        }
        let verifier: OIDCVerifier = .apple(clientIDs: ["my-app"], transport: transport("https://apple.example"))
        let token = Signer().token(TestProvider().claims(["iss": .string(names[0])]))
        let failure = await verifier.refusal(of: .apple(idToken: token, nonce: nil))
        XCTAssertEqual(failure?.kind, .unreachable, "a configuration that names another issuer")
    }

    func testAppleGivesTheNameToTheApp() async throws {
        let transport = transport("https://appleid.apple.com")
        let verifier: OIDCVerifier = .apple(clientIDs: ["my-app"], transport: transport)
        let nonce = String(decoding: hexadecimal(SHA256.hash(Array("raw".utf8))), as: UTF8.self)
        let token = Signer().token(
            TestProvider().claims([
                "iss": "https://appleid.apple.com", "nonce": .string(nonce), "email": "a1@privaterelay.appleid.com",
                "email_verified": "true", "is_private_email": "true",
            ])
        )
        let assertion = try await verifier.verify(.apple(idToken: token, nonce: "raw", fullName: "Ann Archer"))
        XCTAssertEqual(assertion.provider, .apple)
        XCTAssertEqual(assertion.displayName, "Ann Archer")
        XCTAssertEqual(assertion.isEmailVerified, true)
        XCTAssertEqual(assertion.claims["is_private_email"], true)
    }

    func testLimitedLoginAndAccessTokensNameOneIdentity() async throws {
        let transport = transport("https://limited.facebook.com")
        let verifier: FacebookVerifier = .facebook(appID: "my-app", appSecret: "secret", transport: transport)
        for issuer in ["https://limited.facebook.com", "https://www.facebook.com"] {
            let token = Signer().token(TestProvider().claims(["iss": .string(issuer), "nonce": "n"]))
            let assertion = try await verifier.verify(.facebook(idToken: token, nonce: "n"))
            XCTAssertEqual(assertion.issuer, "facebook.com")
            XCTAssertEqual(assertion.provider, .facebook)
        }
        let elsewhere = FacebookVerifier(
            appID: "my-app",
            appSecret: "secret",
            limitedLogin: TestProvider.issuer,
            transport: self.transport(TestProvider.issuer)
        )
        let token = Signer().token(TestProvider().claims())
        let assertion = try await elsewhere.verify(.facebook(idToken: token, nonce: nil))
        XCTAssertEqual(assertion.issuer, "facebook.com", "the issuer of Limited Login that the app names")
        let foreign = Signer().token(TestProvider().claims(["iss": "https://limited.facebook.com", "aud": "other"]))
        let failure = await verifier.refusal(of: .facebook(idToken: foreign, nonce: nil))
        XCTAssertEqual(failure?.kind, .wrongAudience)
    }

    func testEachVerifierIsThatOfItsProvider() {
        let verifiers: [(any CredentialVerifier, ProviderID)] = [
            (OIDCVerifier.google(clientIDs: ["a"]), .google), (OIDCVerifier.apple(clientIDs: ["b"]), .apple),
            (OIDCVerifier.microsoft(tenant: "common", clientIDs: ["c"]), .microsoft),
            (FacebookVerifier.facebook(appID: "d", appSecret: "e"), .facebook),
            (GitHubVerifier.gitHub(clientID: "f", clientSecret: "g"), .gitHub),
            (OIDCVerifier.oidc(id: "oidc.a", issuer: "https://login.example.com", clientIDs: ["h"]), "oidc.a"),
        ]
        for (verifier, provider) in verifiers { XCTAssertEqual(verifier.provider, provider) }
        let issuers: [Set<String>] = [
            ["https://accounts.google.com"], ["https://appleid.apple.com"],
            ["https://login.microsoftonline.com/{tenantid}/v2.0"], ["facebook.com"], ["github.com"],
            ["https://login.example.com"],
        ]
        XCTAssertEqual(verifiers.map(\.0.issuers), issuers, "the issuers of their identities")
    }

    func testAPresetKeepsTheSecretWithWhichCodesAreExchanged() throws {
        let verifiers: [OIDCVerifier] = [
            .google(clientIDs: ["a"], clientSecret: "s"),
            .microsoft(tenant: "common", clientIDs: ["a"], clientSecret: "s"),
            .oidc(id: "oidc.a", issuer: "https://login.example.com", clientIDs: ["a"], clientSecret: "s"),
        ]
        for verifier in verifiers {
            let secret = try verifier.core.clientSecret?.value(of: "a", at: testTime)
            XCTAssertEqual(secret, "s", "the secret for \(verifier.provider)")
        }
    }

    func testAPresetForOpenIDAsksByItsTransport() async throws {
        let transport = transport(TestProvider.issuer)
        let oidc: OIDCVerifier = .oidc(
            id: "oidc.a",
            issuer: TestProvider.issuer,
            clientIDs: ["my-app"],
            transport: transport
        )
        _ = try await oidc.verify(.oauth("oidc.a", idToken: Signer().token(TestProvider().claims())))
        XCTAssertEqual(transport.count("/keys"), 1, "questions about the keys")
    }

    func testTheDomainsOfAPresetAreThoseOfItsIssuer() {
        let issuer = "https://login.example.com"
        let verifier: OIDCVerifier = .oidc(id: "oidc.a", issuer: issuer, clientIDs: ["a"], domains: ["example.com"])
        XCTAssertEqual(verifier.pinnedDomains, [issuer: ["example.com"]])
    }

    func testDocumentsOfAProviderAreOnlyRead() async throws {
        let transport = transport("https://accounts.google.com")
        let verifier: OIDCVerifier = .google(clientIDs: ["my-app"], transport: transport)
        let token = Signer().token(TestProvider().claims(["iss": "https://accounts.google.com"]))
        _ = try await verifier.verify(.google(idToken: token))
        XCTAssertEqual(transport.requests.map(\.method), [.get, .get], "the configuration and the keys")
    }

    func testTheVerifiersStandTogetherInAnArray() {
        let providers: AuthProviders = [
            .google(clientIDs: ["a"]), .apple(clientIDs: ["b"]), .microsoft(tenant: "common", clientIDs: ["c"]),
            .facebook(appID: "d", appSecret: "e"), .gitHub(clientID: "f", clientSecret: "g"),
            .oidc(id: "oidc.example", issuer: "https://login.example.com", clientIDs: ["h"]),
        ]
        XCTAssertEqual(
            providers.verified,
            [.google, .apple, .microsoft, .facebook, .gitHub, "oidc.example"],
            "the providers that are verified"
        )
    }
    #endif
}
