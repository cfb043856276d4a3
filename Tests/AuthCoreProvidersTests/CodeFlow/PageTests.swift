import AuthCore
import AuthCoreTesting
import XCTest

@testable import AuthCoreProviders

/// The pages of providers without ID tokens, and where a visit to them ends.
final class PageTests: LimitedTestCase {
    private static let redirectURI = "https://app.example/github.com/callback"
    private static let facebookURI = "https://app.example/facebook.com/callback"
    private let transport = ScriptedTransport()
    private let clock = ManualClock(testTime)

    private func service(_ verifiers: any CredentialVerifier...) -> AuthService {
        transport.answer("/login/oauth/access_token", ["access_token": "gho", "token_type": "bearer"])
        transport.answer("/applications/app/token", ["app": ["client_id": "app"], "user": ["id": 7]])
        transport.answer("/user", ["id": 7, "login": "ann"])
        transport.answer("/user/emails", [])
        return AuthService(
            AuthConfiguration(
                providers: AuthProviders(verifiers),
                passwordHasher: CheapPasswordHasher(),
                environment: .manual(clock),
                secretKey: Array(repeating: 7, count: 32)
            )
        )
    }

    /// A person who signed in at Google, of a service that has GitHub, too.
    private func personOfGoogle() async throws -> User {
        try await client(service(gitHub, SimulatedProvider(.google))).signIn(
            with: .simulated(.google, .ann, at: clock.now)
        ).user
    }

    private var gitHub: GitHubVerifier { GitHubVerifier(clientID: "app", clientSecret: "s", transport: transport) }

    private func client(_ service: AuthService) -> AuthClient {
        service.client(for: DeviceID(named: "browser"), origin: .local)
    }

    func testGitHubIsAskedWithAChallengeAndWithoutANonce() async throws {
        let page = try await client(service(gitHub)).begin(.signIn, with: .gitHub, redirectURI: Self.redirectURI)
        let fields = page.fields
        XCTAssertEqual(fields["response_type"], "code", "\(page)")
        XCTAssertEqual(fields["client_id"], "app", "\(page)")
        XCTAssertEqual(fields["redirect_uri"], Self.redirectURI, "\(page)")
        XCTAssertEqual(fields["scope"], "read:user user:email", "\(page)")
        XCTAssertEqual(fields["code_challenge_method"], "S256", "\(page)")
        XCTAssertEqual(fields["code_challenge"]?.count, 43, "the SHA-256 of the code verifier: \(page)")
        XCTAssertNil(fields["nonce"], "GitHub has no ID tokens: \(page)")
        XCTAssertNil(fields["response_mode"], "GitHub answers in the usual way: \(page)")
    }

    func testFacebookIsAskedWithNeitherChallengeNorNonce() async throws {
        let facebook = FacebookVerifier(appID: "1234", appSecret: "s", transport: transport)
        let page = try await client(service(facebook)).begin(
            .signIn,
            with: .facebook,
            redirectURI: Self.facebookURI
        )
        XCTAssertEqual(page.absoluteString.prefix(44), "https://www.facebook.com/v23.0/dialog/oauth?", "\(page)")
        let fields = page.fields
        XCTAssertEqual(fields["client_id"], "1234", "\(page)")
        XCTAssertEqual(fields["scope"], "public_profile email", "\(page)")
        XCTAssertNil(fields["code_challenge"], "Facebook takes PKCE only together with ID tokens: \(page)")
        XCTAssertNil(fields["nonce"], "an access token has no nonce: \(page)")
    }

    /// A provider that sends a person on to another one gets no code of it (RFC 9700, 4.4).
    func testAT21_APlaceThatProvidersMayShareIsRefusedBeforeTheVisit() async throws {
        let client = client(service(gitHub))
        for shared in [
            "https://app.example/callback", "https://app.example/callback?provider=github.com",
            "https://github.com/callback", "https://app.example/github.com.callback",
            "https://app.example/oidc.example/callback", "myapp://callback", "",
            "https://app.example/GitHub.com/callback",
        ] {
            do throws(AuthError) {
                let page = try await client.begin(.signIn, with: .gitHub, redirectURI: shared)
                XCTFail("'\(shared)' was taken: \(page)")
            } catch {
                XCTAssertEqual(error.code, .internalError, shared)
                XCTAssertTrue(error.message.contains("https://app.example/github.com/callback"), "\(shared): \(error)")
            }
        }
        for own in [
            "https://app.example/github.com/callback", "http://localhost:8080/callback/github.com",
            "com.example.app:/github.com", "myapp://callback/github.com?a=b",
        ] {
            let page = try await client.begin(.signIn, with: .gitHub, redirectURI: own)
            XCTAssertEqual(page.fields["redirect_uri"], own, "the provider's own place")
        }
    }

    func testAScopeThatIsAskedForAnywayIsAskedForOnce() async throws {
        let client = client(service(gitHub))
        let scopes = ["user:email", "gist"]
        let page = try await client.begin(.signIn, with: .gitHub, redirectURI: Self.redirectURI, scopes: scopes)
        XCTAssertEqual(page.fields["scope"], "read:user user:email gist", "the scopes, one of which the app repeats")
    }

    func testFurtherParametersComeLastInTheOrderOfTheirNames() async throws {
        let page = try await client(service(gitHub)).begin(
            .signIn,
            with: .gitHub,
            redirectURI: Self.redirectURI,
            parameters: ["c": "1", "a": "2", "e": "3", "b": "4", "d": "5"]
        )
        XCTAssertTrue(page.absoluteString.hasSuffix("&a=2&b=4&c=1&d=5&e=3"), "\(page)")
    }

    func testTheFlowsOwnParametersCannotBeOverridden() async throws {
        let client = client(service(gitHub))
        for name in [
            "state", "nonce", "redirect_uri", "client_id", "client_secret", "code_challenge", "code_challenge_method",
            "scope", "Response_Type", "response_mode", "request", "request_uri",
        ] {
            do throws(AuthError) {
                let page = try await client.begin(
                    .signIn,
                    with: .gitHub,
                    redirectURI: Self.redirectURI,
                    parameters: [name: "x"]
                )
                XCTFail("the app sets \(name): \(page)")
            } catch {
                XCTAssertEqual(error.code, .internalError, name)
                XCTAssertTrue(error.message.contains(name), "\(name): \(error.message)")
            }
        }
        let escaped = try await client.begin(
            .signIn,
            with: .gitHub,
            redirectURI: Self.redirectURI,
            parameters: ["x": "1&state=evil#"]
        )
        XCTAssertEqual(escaped.fields["x"], "1&state=evil#", "a value that looks like another parameter")
        XCTAssertNotEqual(escaped.fields["state"], "evil", "a parameter that another one's value contains")
    }

    func testNoOneIsSentToAPageWithoutTLSOrWithAFragment() async throws {
        for (dialog, kind) in [
            ("http://www.facebook.example/dialog", VerificationFailure.Kind.misconfigured), ("", .misconfigured),
            ("https://www.facebook.example/dialog#top", .unreachable),
        ] {
            let facebook = FacebookVerifier(appID: "1234", appSecret: "s", dialog: dialog, transport: transport)
            do throws(AuthError) {
                let page = try await client(service(facebook)).begin(
                    .signIn,
                    with: .facebook,
                    redirectURI: Self.facebookURI
                )
                XCTFail("\(page) was opened")
            } catch {
                XCTAssertEqual((error.cause as? VerificationFailure)?.kind, kind, "\(dialog): \(error)")
            }
        }
    }

    func testTheCodeOfAVisitIsExchangedOnceAndWithItsVerifier() async throws {
        let service = service(gitHub)
        let client = client(service)
        let page = try await client.begin(.signIn, with: .gitHub, redirectURI: Self.redirectURI)
        let state = try XCTUnwrap(page.fields["state"])
        let result = try await client.complete(callback: Self.redirectURI + "?code=c&state=" + state)
        XCTAssertEqual(result.tokens.accessToken, "gho", "the provider's token is handed to the app")
        let exchanges = transport.requests.filter { $0.url.path() == "/login/oauth/access_token" }
        XCTAssertEqual(exchanges.count, 1, "the token of the visit is what the person is asked for with")
        let sent = String(decoding: exchanges.first?.body ?? [], as: UTF8.self)
        XCTAssertTrue(sent.contains("code_verifier="), "the verifier of the challenge: \(sent)")
        XCTAssertTrue(sent.contains("code=c&"), sent)
    }

    /// A reload of the callback's page is enough; the person need not be sent to the provider again.
    func testAVisitGoesOnWhereTheProviderCouldNotBeAskedForThePerson() async throws {
        let client = client(service(gitHub))
        let page = try await client.begin(.signIn, with: .gitHub, redirectURI: Self.redirectURI)
        let callback = Self.redirectURI + "?code=c&state=" + (page.fields["state"] ?? "")
        transport.answer("/user", [:], status: 503)
        do throws(AuthError) {
            let result = try await client.complete(callback: callback)
            XCTFail("a person whom GitHub did not name signed in: \(result.user.uid)")
        } catch {
            XCTAssertEqual(error.code, .networkError, "why the person is not signed in: \(error)")
        }
        transport.answer("/user", ["id": 7, "login": "ann"])
        do throws(AuthError) {
            let result = try await client.complete(callback: callback)
            XCTAssertTrue(result.isNewUser, "the person whom GitHub names now")
        } catch {
            XCTFail("the visit ended without a sign-in: \(error)")
        }
    }

    func testAnAppsCurrentUserIsThePersonWhoComesBack() async throws {
        let auth = Auth(service: service(gitHub))
        let page = try await auth.begin(
            .signIn,
            with: .gitHub,
            redirectURI: Self.redirectURI,
            scopes: ["gist"],
            parameters: ["login": "ann"]
        )
        XCTAssertEqual(page.fields["scope"], "read:user user:email gist", "the scopes that the app asks for")
        XCTAssertEqual(page.fields["login"], "ann", "the parameter that the app adds")
        let state = try XCTUnwrap(page.fields["state"])
        let result = try await auth.complete(callback: Self.redirectURI + "?code=c&state=" + state)
        XCTAssertEqual(auth.currentUser?.uid, result.user.uid, "the current user after the visit")
        XCTAssertEqual(result.tokens.accessToken, "gho", "the provider's token is handed to the app")
    }

    func testGitHubIsLinkedToTheAccountThatBegan() async throws {
        let user = try await personOfGoogle()
        let page = try await user.begin(
            .link,
            with: .gitHub,
            redirectURI: Self.redirectURI,
            scopes: ["gist"],
            parameters: ["login": "ann"]
        )
        XCTAssertEqual(page.absoluteString.prefix(41), "https://github.com/login/oauth/authorize?", "GitHub's page")
        XCTAssertEqual(page.fields["scope"], "read:user user:email gist", "the scopes that the app asks for")
        XCTAssertEqual(page.fields["login"], "ann", "the parameter that the app adds")
        let state = try XCTUnwrap(page.fields["state"])
        let result = try await user.complete(callback: Self.redirectURI + "?code=c&state=" + state)
        XCTAssertEqual(result.user.uid, user.uid, "the account after the visit")
        let providers = Set(user.providerData.map(\.provider.rawValue))
        XCTAssertEqual(providers, ["google.com", "github.com"], "the account's providers")
        XCTAssertEqual(result.additionalUserInfo?.profile["login"], "ann", "what GitHub said")
        XCTAssertEqual(result.tokens.accessToken, "gho", "the provider's token is handed to the app")
        XCTAssertFalse(result.isNewUser, "the account is the one that began")
    }

    func testALinkBeginsOnlyAfterARecentLogin() async throws {
        let user = try await personOfGoogle()
        clock.advance(by: .seconds(3600))
        do throws(AuthError) {
            let page = try await user.begin(.link, with: .gitHub, redirectURI: Self.redirectURI)
            XCTFail("an hour after the sign-in, a link begins: \(page)")
        } catch {
            XCTAssertEqual(error.code, .requiresRecentLogin, "why a link does not begin")
        }
        let guest = try await client(service(gitHub)).signInAnonymously().user
        clock.advance(by: .seconds(3600))
        _ = try await guest.begin(.link, with: .gitHub, redirectURI: Self.redirectURI)
    }

    func testOnAServerAVisitNeedsNoNonceToLinkAndToReauthenticate() async throws {
        let client = service(gitHub).client(for: DeviceID(named: "browser"), origin: .address("192.0.2.9"))
        let user = try await client.signInAnonymously().user
        do throws(AuthError) {
            try await user.link(with: .gitHub(accessToken: "gho"))
            XCTFail("a token was linked without a nonce")
        } catch {
            XCTAssertEqual(error.reason, .nonceIsMissing, "why a token alone is refused")
        }
        for intent in [User.Intent.link, .reauthenticate] {
            let page = try await user.begin(intent, with: .gitHub, redirectURI: Self.redirectURI)
            let callback = Self.redirectURI + "?code=c&state=" + (page.fields["state"] ?? "")
            do throws(AuthError) {
                try await user.complete(callback: callback)
            } catch {
                XCTFail("a visit to \(intent) is refused: \(error)")
            }
        }
    }

    func testACredentialIsTakenFromAVisitOnce() async throws {
        let service = service(gitHub)
        let client = client(service)
        let page = try await gitHub.beginVisit(
            of: client,
            redirectURI: Self.redirectURI,
            scopes: ["gist"],
            parameters: ["login": "ann"]
        )
        let asked = try XCTUnwrap(URL(string: page)).fields
        XCTAssertEqual(asked["scope"], "read:user user:email gist", page)
        XCTAssertEqual(asked["login"], "ann", page)
        let callback = Self.redirectURI + "?code=c&state=" + (asked["state"] ?? "")
        let credential = try await gitHub.credential(callback: callback, of: client)
        XCTAssertEqual(credential.provider, .gitHub)
        XCTAssertEqual(credential.accessToken, "gho", "the token that the code was exchanged for")
        XCTAssertEqual(credential.redirectURI, Self.redirectURI)
        XCTAssertNotNil(credential.codeVerifier, "GitHub was sent a challenge")
        XCTAssertNil(credential.nonce, "GitHub was sent no nonce")
        do throws(AuthError) {
            _ = try await gitHub.credential(callback: callback, of: client)
            XCTFail("a visit ended twice")
        } catch {
            XCTAssertEqual(error.reason, .codeIsUnknown, "the visit is over")
        }
    }

    func testFacebookIsSentTheCodeWithoutAVerifier() async throws {
        let facebook = FacebookVerifier(appID: "1234", appSecret: "s", transport: transport)
        let client = client(service(facebook))
        transport.answer("/v23.0/oauth/access_token", ["access_token": "EAA", "token_type": "bearer"])
        let page = try await client.begin(.signIn, with: .facebook, redirectURI: Self.facebookURI)
        let callback = Self.facebookURI + "?code=c&state=" + (page.fields["state"] ?? "")
        let credential = try await facebook.credential(callback: callback, of: client)
        XCTAssertEqual(credential.accessToken, "EAA", "the token that the code was exchanged for")
        let request = try XCTUnwrap(transport.requests.last)
        XCTAssertEqual(request.url.absoluteString, "https://graph.facebook.com/v23.0/oauth/access_token")
        let sent = String(decoding: request.body, as: UTF8.self)
        XCTAssertTrue(sent.contains("code=c&"), sent)
        XCTAssertFalse(sent.contains("code_verifier"), "Facebook was sent no challenge: \(sent)")
    }

    /// With both, the service can check that the access token belongs to the ID token, and ask about the person.
    func testACredentialHasBothTokensThatACodeWasExchangedFor() async throws {
        let facebook = FacebookVerifier(appID: "1234", appSecret: "s", transport: transport)
        let client = client(service(facebook))
        transport.answer("/v23.0/oauth/access_token", ["access_token": "EAA", "id_token": "a.b.c"])
        let page = try await client.begin(.signIn, with: .facebook, redirectURI: Self.facebookURI, scopes: ["openid"])
        let callback = Self.facebookURI + "?code=c&state=" + (page.fields["state"] ?? "")
        let credential = try await facebook.credential(callback: callback, of: client)
        XCTAssertEqual(credential.idToken, "a.b.c", "the ID token")
        XCTAssertEqual(credential.accessToken, "EAA", "the access token beside the ID token")
    }

    /// Some providers name a member of the answer and say that it is nothing.
    func testAnErrorThatIsNothingIsNoError() async throws {
        let client = client(service(gitHub))
        transport.answer("/login/oauth/access_token", ["access_token": "gho", "token_type": "bearer", "error": .null])
        let page = try await client.begin(.signIn, with: .gitHub, redirectURI: Self.redirectURI)
        let state = try XCTUnwrap(page.fields["state"])
        let result = try await client.complete(callback: Self.redirectURI + "?code=c&state=" + state)
        XCTAssertTrue(result.isNewUser, "the code was exchanged")
    }
}
