import AuthCore
import Synchronization
import XCTest

@testable import AuthCoreProviders

/// GitHub, by a server on this computer that follows its documentation: "Authorizing OAuth apps", "Check a token", "Get
/// the authenticated user", "List email addresses for the authenticated user".
final class GitHubTests: LimitedTestCase {
    /// What the server does differently from a good day.
    private struct Habits: Sendable {
        var emails = #"[{"email":"ann@example.com","primary":true,"verified":true,"visibility":"private"}]"#
        var emailsStatus = 200
        var emailsHeaders: [String] = []
        var user =
            #"{"login":"ann","id":583231,"name":"Ann Archer","avatar_url":"https://example.com/ann.png","email":null}"#
        var userStatus = 200
        var exchange = #"{"access_token":"gho_good","scope":"user:email","token_type":"bearer"}"#
        var check = #"{"id":1,"app":{"client_id":"Iv1.app"},"token":"gho_good","user":{"login":"ann","id":583231}}"#
        var checkStatus = 200
    }

    private func server(_ habits: Habits = Habits()) throws -> LoopbackServer {
        try serve { request in
            switch (request.method, request.path) {
            case ("POST", "/login/oauth/access_token"):
                guard request.headers["accept"] == "application/json" else { return .json("access_token=gho_good") }
                return .json(habits.exchange)
            case ("POST", "/applications/Iv1.app/token"):
                return .json(habits.check, status: habits.checkStatus)
            case ("GET", "/user"):
                guard request.headers["authorization"] == "Bearer gho_good", request.headers["user-agent"] != nil else {
                    return .json(#"{"message":"Bad credentials"}"#, status: 401)
                }
                return .json(habits.user, status: habits.userStatus)
            case ("GET", "/user/emails"):
                return .json(habits.emails, status: habits.emailsStatus, headers: habits.emailsHeaders)
            default:
                return .json(#"{"message":"Not Found"}"#, status: 404)
            }
        }
    }

    private func verifier(_ server: LoopbackServer) -> GitHubVerifier {
        GitHubVerifier(clientID: "Iv1.app", clientSecret: "s&cret", website: server.url, api: server.url)
    }

    private func refusal(_ habits: Habits, _ credential: AuthCredential) async throws -> VerificationFailure? {
        await verifier(try server(habits)).refusal(of: credential)
    }

    func testACodeIsExchangedAndNamesThePerson() async throws {
        let server = try server()
        let credential = AuthCredential.gitHub(code: "c0de", codeVerifier: "v", redirectURI: "https://app.example/done")
        let assertion = try await verifier(server).verify(credential)
        XCTAssertEqual(assertion.provider, .gitHub)
        XCTAssertEqual(assertion.subject, "583231")
        XCTAssertEqual(assertion.username, "ann")
        XCTAssertEqual(assertion.displayName, "Ann Archer")
        XCTAssertEqual(assertion.photoURL, "https://example.com/ann.png")
        XCTAssertEqual(assertion.email, "ann@example.com")
        XCTAssertEqual(assertion.isEmailConfirmed, true, "GitHub verified the address")
        XCTAssertNil(assertion.isEmailVerified, "GitHub sends no verified flag")
        XCTAssertEqual(assertion.claims["login"], "ann", "an app can read what GitHub said")
        XCTAssertEqual(assertion.issuer, server.url, "another server is another issuer")
        XCTAssertEqual(
            server.requests.first?.fields,
            [
                "grant_type": "authorization_code", "code": "c0de", "redirect_uri": "https://app.example/done",
                "code_verifier": "v", "client_id": "Iv1.app", "client_secret": "s&cret",
            ]
        )
        XCTAssertEqual(server.requests.map(\.path), ["/login/oauth/access_token", "/user", "/user/emails"])
        XCTAssertEqual(GitHubVerifier(clientID: "a", clientSecret: "b").issuer, "github.com")
        for asked in server.requests.dropFirst() {
            XCTAssertEqual(asked.headers["accept"], "application/vnd.github+json", asked.path)
            XCTAssertEqual(asked.headers["x-github-api-version"], "2022-11-28", asked.path)
        }
    }

    func testAnEmptyTokenIsNoneAndTheCodeCounts() async throws {
        let server = try server()
        var both = AuthCredential.Federated(provider: .gitHub)
        both.authorizationCode = "c0de"
        both.accessToken = ""
        let assertion = try await verifier(server).verify(.federated(both))
        XCTAssertEqual(assertion.subject, "583231")
        XCTAssertEqual(server.requests.first?.path, "/login/oauth/access_token")
    }

    func testAPresentedTokenMustBeThisApps() async throws {
        let server = try server()
        let assertion = try await verifier(server).verify(.gitHub(accessToken: "gho_good"))
        XCTAssertEqual(assertion.subject, "583231")
        let check = try XCTUnwrap(server.requests.first)
        XCTAssertEqual(check.path, "/applications/Iv1.app/token")
        XCTAssertEqual(check.body, #"{"access_token":"gho_good"}"#)
        XCTAssertEqual(check.headers["authorization"], "Basic " + Data("Iv1.app:s&cret".utf8).base64EncodedString())
        XCTAssertEqual(check.headers["content-type"], "application/json", "what the body is")
        for asked in server.requests {
            XCTAssertEqual(asked.headers["accept"], "application/vnd.github+json", asked.path)
            XCTAssertEqual(asked.headers["x-github-api-version"], "2022-11-28", asked.path)
            XCTAssertEqual(asked.headers["user-agent"], "AuthCore", asked.path)
        }

        var habits = Habits()
        let foreign = #"{"id":1,"app":{"client_id":"Iv1.other"},"user":{"id":583231}}"#
        for (status, body, kind) in [
            (404, "{}", VerificationFailure.Kind.wrongAudience), (422, "{}", .wrongAudience),
            (200, foreign, .wrongAudience),
            (200, "{}", .wrongAudience), (401, "{}", .misconfigured), (500, "{}", .unreachable),
            (200, "<html>", .unreachable),
        ] {
            habits.checkStatus = status
            habits.check = body
            let failure = try await refusal(habits, .gitHub(accessToken: "gho_good"))
            XCTAssertEqual(failure?.kind, kind, "\(status) \(body)")
        }
        habits = Habits()
        habits.check = #"{"app":{"client_id":"Iv1.app"},"user":{"id":7}}"#
        let failure = try await refusal(habits, .gitHub(accessToken: "gho_good"))
        XCTAssertEqual(failure?.kind, .wrongSubject, "the token is not that person's")
    }

    /// The texts are equal to Swift, and different clients to GitHub.
    func testAClientIDThatOnlyLooksTheSameIsThatOfAnotherApp() async {
        let transport = ScriptedTransport()
        transport.answer("/applications/%C3%A9/token", ["app": ["client_id": "e\u{301}"], "user": ["id": 7]])
        transport.answer("/user", ["id": 7])
        transport.answer("/user/emails", [])
        let verifier = GitHubVerifier(clientID: "\u{e9}", clientSecret: "s", transport: transport)
        let failure = await verifier.refusal(of: .gitHub(accessToken: "gho"))
        XCTAssertEqual(failure?.kind, .wrongAudience, "the token of another app")
    }

    func testOnlyThePrimaryVerifiedAddressCounts() async throws {
        let cases: [(String, Int, String?)] = [
            (
                #"[{"email":"b@example.com","primary":false,"verified":true},{"email":"a@example.com","primary":true,"verified":true}]"#,
                200, "a@example.com"
            ),
            (#"[{"email":"a@example.com","primary":true,"verified":false}]"#, 200, nil),
            (#"[{"email":"b@example.com","primary":false,"verified":true}]"#, 200, nil),
            (#"[{"email":"1+ann@users.noreply.github.com","primary":true,"verified":true}]"#, 200, nil),
            (#"[{"email":"1+ann@Users.NoReply.GitHub.com","primary":true,"verified":true}]"#, 200, nil),
            ("[]", 200, nil), (#"{"message":"Not Found"}"#, 404, nil),
            (#"{"message":"Resource not accessible"}"#, 403, nil),
            (#"{"message":"Resource not accessible by integration"}"#, 403, nil),
        ]
        for (emails, status, expected) in cases {
            var habits = Habits()
            habits.emails = emails
            habits.emailsStatus = status
            let assertion = try await verifier(try server(habits)).verify(.gitHub(code: "c", codeVerifier: nil))
            XCTAssertEqual(assertion.email, expected, emails)
            XCTAssertEqual(assertion.isEmailConfirmed, expected == nil ? nil : true, emails)
        }
    }

    func testAScopeThatIsMissingIsNoLimit() async throws {
        var habits = Habits()
        (habits.emailsStatus, habits.emailsHeaders) = (403, ["X-RateLimit-Remaining: 10"])
        let assertion = try await verifier(try server(habits)).verify(.gitHub(code: "c", codeVerifier: nil))
        XCTAssertNil(assertion.email)
    }

    func testAnAddressThatCouldNotBeAskedForIsNoMissingAddress() async throws {
        for (status, headers, body) in [
            (500, [], "{}"), (500, [], "[]"), (403, ["X-RateLimit-Remaining: 0"], "{}"),
            (403, ["Retry-After: 60"], "{}"),
            (429, [], "{}"),
            (200, [], "{}"), (200, [], "["),
        ] as [(Int, [String], String)] {
            var habits = Habits()
            habits.emails = body
            habits.emailsStatus = status
            habits.emailsHeaders = headers
            let failure = try await refusal(habits, .gitHub(code: "c", codeVerifier: nil))
            XCTAssertEqual(failure?.kind, .unreachable, "\(status) \(headers) \(body)")
        }
    }

    /// GitHub names some of its limits in the text alone ("Rate limits for the REST API").
    func testALimitThatOnlyTheTextNamesIsNoMissingAddress() async throws {
        for body in [
            #"{"message":"You have exceeded a secondary rate limit. Please wait a few minutes before you try again."}"#,
            #"{"message":"You have triggered an abuse detection mechanism."}"#,
            #"{"message":"Wait","documentation_url":"https://docs.github.com/rest/overview/rate-limits-for-the-rest-api"}"#,
            #"{"documentation_url":"https://developer.github.com/v3/#abuse-limits"}"#,
            #"{"message":"API Rate Limit exceeded"}"#,
        ] {
            var habits = Habits()
            (habits.emails, habits.emailsStatus) = (body, 403)
            habits.emailsHeaders = ["X-RateLimit-Remaining: 4000"]
            let failure = try await refusal(habits, .gitHub(code: "c", codeVerifier: nil))
            XCTAssertEqual(failure?.kind, .unreachable, body)
        }
    }

    func testThePersonIsThePermanentNumber() async throws {
        for user in [
            #"{"login":"ann"}"#, #"{"login":"ann","id":"583231"}"#, #"{"id":0}"#, #"{"id":-1}"#, #"{"id":1.5}"#,
        ] {
            var habits = Habits()
            habits.user = user
            let failure = try await refusal(habits, .gitHub(code: "c", codeVerifier: nil))
            XCTAssertEqual(failure?.kind, .wrongSubject, user)
        }
    }

    func testOnlyATokenThatGitHubDoesNotKnowIsRejected() async throws {
        for (status, user, kind) in [
            (401, "{}", .rejected), (403, "{}", .unreachable), (500, "{}", .unreachable), (200, "[]", .unreachable),
            (200, "<html>", .unreachable), (403, #"{"message":"Sorry. Your account was suspended."}"#, .rejected),
            (403, #"{"message":"API rate limit exceeded for user ID 1."}"#, .unreachable),
        ] as [(Int, String, VerificationFailure.Kind)] {
            var habits = Habits()
            habits.user = user
            habits.userStatus = status
            let failure = try await refusal(habits, .gitHub(code: "c", codeVerifier: nil))
            XCTAssertEqual(failure?.kind, kind, "\(status) \(user)")
        }
    }

    func testAServerOfAnEnterpriseIsAnotherIssuerWithItsOwnPlaces() async throws {
        let transport = ScriptedTransport()
        transport.answer("/login/oauth/access_token", ["access_token": "gho"])
        transport.answer("/applications/app/token", ["app": ["client_id": "app"], "user": ["id": 7]])
        transport.answer("/user", ["id": 7])
        transport.answer("/user/emails", [])
        let (website, api) = ("https://git.example", "https://api.git.example")
        let usual = GitHubVerifier(clientID: "app", clientSecret: "s", transport: transport)
        let own = GitHubVerifier(
            "git.example",
            clientID: "app",
            clientSecret: "s",
            website: website,
            api: api,
            transport: transport
        )
        for (verifier, issuer, website, api) in [
            (usual, "github.com", "https://github.com", "https://api.github.com"), (own, website, website, api),
        ] {
            let before = transport.requests.count
            var credential = AuthCredential.Federated(provider: verifier.provider)
            credential.authorizationCode = "c0de"
            let assertion = try await verifier.verify(.federated(credential))
            credential.accessToken = "gho"
            _ = try await verifier.verify(.federated(credential))
            XCTAssertEqual(assertion.provider, verifier.provider)
            XCTAssertEqual(assertion.issuer, issuer)
            XCTAssertEqual(verifier.issuers, [issuer])
            let emails = api + "/user/emails?per_page=100"
            XCTAssertEqual(
                transport.requests[before...].map(\.url.absoluteString),
                [
                    website + "/login/oauth/access_token", api + "/user", emails, api + "/applications/app/token",
                    api + "/user", emails,
                ]
            )
            let page = try await verifier.authorizationPage(at: testTime)
            XCTAssertEqual(page.absoluteString, website + "/login/oauth/authorize")
        }
    }

    func testAnAddressThatIsNoURLIsTheAppsMistake() async {
        let transport = ScriptedTransport()
        let verifier = GitHubVerifier(clientID: "app", clientSecret: "s", api: "https://[", transport: transport)
        let failure = await verifier.refusal(of: .gitHub(accessToken: "gho"))
        XCTAssertEqual(failure?.kind, .misconfigured)
    }

    func testTheClientIDIsOnePartOfThePath() async throws {
        let transport = ScriptedTransport()
        transport.answer("/applications/a%2Fb/token", [:], status: 404)
        let verifier = GitHubVerifier(clientID: "a/b", clientSecret: "s", transport: transport)
        let failure = await verifier.refusal(of: .gitHub(accessToken: "gho"))
        XCTAssertEqual(failure?.kind, .wrongAudience, "\(transport.requests)")
    }

    func testWhatGitHubSaysAboutACode() async throws {
        let longest = String(repeating: "a", count: 64)
        let cases: [(String, VerificationFailure.Kind, String)] = [
            (#"{"error":"bad_verification_code","error_description":"hush"}"#, .rejected, "bad_verification_code"),
            (#"{"error":"incorrect_client_credentials"}"#, .misconfigured, "incorrect_client_credentials"),
            (#"{"error":"redirect_uri_mismatch"}"#, .misconfigured, "redirect_uri_mismatch"),
            (#"{"error":"Az_09"}"#, .rejected, "(Az_09)"),
            (#"{"error":"\#(longest)"}"#, .rejected, "(\(longest))"),
            (#"{"error":"\#(longest)a"}"#, .rejected, "(an error)"),
            (#"{"error":"<script>hush"}"#, .rejected, "an error"), (#"{"error":7}"#, .rejected, "an error"),
            (#"{"id_token":"a"}"#, .rejected, "GitHub must give an access token"),
            ("{}", .unreachable, "a token"), (#"{"access_token":""}"#, .unreachable, "a token"),
            ("[]", .unreachable, "200"),
            (#"{"access_token":"a","token_type":"mac"}"#, .rejected, "bearer"), ("<html>", .unreachable, "200"),
        ]
        for (body, kind, mention) in cases {
            var habits = Habits()
            habits.exchange = body
            let failure = try await refusal(habits, .gitHub(code: "c", codeVerifier: nil))
            XCTAssertEqual(failure?.kind, kind, body)
            XCTAssertEqual(failure?.detail?.contains(mention), true, "\(body): \(failure?.detail ?? "")")
            XCTAssertEqual(failure?.detail?.contains("hush"), false, body)
        }
        for nothing in [AuthCredential.oauth(.gitHub), .gitHub(code: "", codeVerifier: nil)] {
            let failure = try await refusal(Habits(), nothing)
            XCTAssertEqual(failure?.kind, .missingToken, "neither a token nor a code")
        }
        let expired = try await refusal(Habits(), .gitHub(accessToken: "gho_expired"))
        XCTAssertEqual(expired?.kind, .rejected)
    }

    func testATokenThatIsNoneIsSentNowhere() async throws {
        let server = try server()
        let verifier = verifier(server)
        for text in [
            "gho\r\nX-Evil: 1", "gho good", "gho\u{0}", "gh\u{F6}", "\n", String(repeating: "a", count: 20_000),
        ] {
            for credential in [AuthCredential.gitHub(accessToken: text), .gitHub(code: text, codeVerifier: nil)] {
                let failure = await verifier.refusal(of: credential)
                XCTAssertEqual(failure?.kind, .malformed, "\(text.count) characters")
            }
        }
        XCTAssertEqual(server.requests.count, 0)
    }

    func testAPersonSignsInWithGitHub() async throws {
        let server = try server()
        let auth = Auth(providers: [verifier(server)])
        let result = try await auth.signIn(with: .gitHub(code: "c0de", codeVerifier: "v"))
        XCTAssertEqual(result.user.email, "ann@example.com")
        XCTAssertFalse(result.user.isEmailVerified, "GitHub does not run the mailbox")
        XCTAssertEqual(result.additionalUserInfo?.username, "ann")
        XCTAssertEqual(result.additionalUserInfo?.profile["id"], 583_231)
    }

    func testALimitOnExchangesIsNoRefusalOfTheCode() async throws {
        let transport = ScriptedTransport()
        transport.answer(
            "/login/oauth/access_token",
            ["error": "slow_down"],
            status: 429,
            headers: ["retry-after": "60"]
        )
        let verifier = GitHubVerifier(clientID: "app", clientSecret: "s", transport: transport)
        let failure = await verifier.refusal(of: .gitHub(code: "c", codeVerifier: nil))
        XCTAssertEqual(failure?.kind, .unreachable, "what the limit is")
        XCTAssertEqual(failure?.retryAfter, .seconds(60), "when to try again")
    }
}
