import AuthCoreCrypto
import AuthCore
import XCTest

@testable import AuthCoreProviders

/// Facebook, by a server on this computer that follows its documentation:
/// "Debug Token", "User", "Securing Graph API Requests", "Handle Errors", "Manually Build a Login Flow".
final class FacebookTests: LimitedTestCase {
    private struct Habits: Sendable {
        var token =
            #"{"data":{"app_id":"1234","type":"USER","is_valid":true,"expires_at":1800007200,"user_id":"42","scopes":["email"]}}"#
        var tokenStatus = 200
        var person =
            #"{"id":"42","name":"Ann Archer","email":"ann@example.com","picture":{"data":{"url":"https://example.com/ann.jpg"}}}"#
        var personStatus = 200
    }

    // HMAC-SHA-256 of "EAAgood" with the key "s3cret".
    private static let proof = String(
        decoding: hexadecimal(HMACSHA256(key: Array("s3cret".utf8)).authenticate(Array("EAAgood".utf8))),
        as: UTF8.self
    )

    private func server(_ habits: Habits = Habits()) throws -> LoopbackServer {
        try serve { request in
            switch request.path {
            case "/debug_token":
                guard request.fields["access_token"] == "1234|s3cret" else {
                    return .json(#"{"error":{"code":101,"type":"OAuthException"}}"#, status: 400)
                }
                return .json(habits.token, status: habits.tokenStatus)
            case "/me":
                guard request.fields["access_token"] == "EAAgood", request.fields["appsecret_proof"] == Self.proof
                else {
                    return .json(#"{"error":{"code":100,"type":"GraphMethodException"}}"#, status: 400)
                }
                return .json(habits.person, status: habits.personStatus)
            case "/oauth/access_token":
                guard request.fields["code"] == "good" else {
                    return .json(#"{"error":{"code":100,"type":"OAuthException","message":"hush"}}"#, status: 400)
                }
                return .json(#"{"access_token":"EAAgood","token_type":"bearer","expires_in":5183944}"#)
            default: return .json("{}", status: 404)
            }
        }
    }

    private func verifier(_ server: LoopbackServer, secret: Secret = "s3cret") -> FacebookVerifier {
        FacebookVerifier(appID: "1234", appSecret: secret, graph: server.url, limitedLogin: server.url)
    }

    private func refusal(
        _ habits: Habits,
        _ credential: AuthCredential = .facebook(accessToken: "EAAgood")
    ) async throws -> VerificationFailure? {
        await verifier(try server(habits)).refusal(of: credential)
    }

    func testAnAccessTokenNamesThePerson() async throws {
        let server = try server()
        let assertion = try await verifier(server).verify(.facebook(accessToken: "EAAgood"))
        XCTAssertEqual(assertion.provider, .facebook)
        XCTAssertEqual(assertion.issuer, "facebook.com")
        XCTAssertEqual(assertion.subject, "42")
        XCTAssertEqual(assertion.displayName, "Ann Archer")
        XCTAssertEqual(assertion.email, "ann@example.com")
        XCTAssertNil(assertion.isEmailVerified, "Facebook does not say; the policy knows what its word is worth")
        XCTAssertEqual(assertion.photoURL, "https://example.com/ann.jpg")
        XCTAssertEqual(assertion.claims["name"], "Ann Archer")
        XCTAssertEqual(server.requests.map(\.path), ["/debug_token", "/me"])
        XCTAssertEqual(server.requests.last?.fields["fields"], "id,name,email,picture.type(large)", "what is asked for")
        XCTAssertEqual(server.requests.first?.fields["input_token"], "EAAgood")
    }

    func testACodeIsExchanged() async throws {
        let server = try server()
        let credential = AuthCredential.facebook(code: "good", redirectURI: "https://app.example/done")
        let assertion = try await verifier(server).verify(credential)
        XCTAssertEqual(assertion.subject, "42")
        XCTAssertEqual(server.requests.first?.fields["redirect_uri"], "https://app.example/done")
        XCTAssertEqual(server.requests.first?.fields["client_id"], "1234", "the app in the form")
        XCTAssertEqual(server.requests.first?.fields["client_secret"], "s3cret", "the app's secret in the form")
        let failure = try await refusal(Habits(), .facebook(code: "bad", redirectURI: "https://app.example/done"))
        XCTAssertEqual(failure?.kind, .rejected)
        XCTAssertEqual(failure?.detail?.contains("hush"), false)
        XCTAssertEqual(failure?.detail?.contains("(OAuthException)"), true, "what kind of error Facebook gave")
        var both = AuthCredential.Federated(provider: .facebook)
        both.authorizationCode = "good"
        both.accessToken = ""
        let exchanged = try await verifier(server).verify(.federated(both))
        XCTAssertEqual(exchanged.subject, "42", "an empty access token is none, and the code counts")
    }

    func testWhyFacebookExchangesNoCodeIsToldApart() async {
        let cases: [(Int, VerificationFailure.Kind)] = [
            (1, .misconfigured), (101, .misconfigured), (2, .unreachable), (4, .unreachable), (17, .unreachable),
            (613, .unreachable), (341, .unreachable), (100, .rejected), (-1, .unreachable),
        ]
        for (number, kind) in cases {
            let transport = ScriptedTransport()
            var error: ClaimValue = ["type": "OAuthException", "code": .integer(Int64(number)), "message": "hush"]
            if number == -1 { error = ["code": 1, "message": "An unknown error has occurred.", "is_transient": true] }
            transport.answer("/v23.0/oauth/access_token", ["error": error], status: 400)
            let verifier = FacebookVerifier(appID: "1234", appSecret: "s3cret", transport: transport)
            let failure = await verifier.refusal(of: .facebook(code: "c", redirectURI: "https://app.example/done"))
            XCTAssertEqual(failure?.kind, kind, "the error \(number)")
            XCTAssertEqual(failure?.detail?.contains("hush"), false, "the error \(number)")
        }
    }

    func testACodeThatIsExchangedForNoAccessTokenNamesNoOne() async {
        let transport = ScriptedTransport()
        transport.answer("/v23.0/oauth/access_token", ["id_token": "a"])
        let verifier = FacebookVerifier(appID: "1234", appSecret: "s3cret", transport: transport)
        let failure = await verifier.refusal(of: .facebook(code: "c", redirectURI: "https://app.example/done"))
        XCTAssertEqual(failure?.kind, .missingToken)
    }

    func testTheTokenIsValidThisAppsAndAPersons() async throws {
        let cases: [(String, VerificationFailure.Kind)] = [
            (#"{"data":{"app_id":"1234","is_valid":false,"error":{"code":190},"user_id":"42"}}"#, .rejected),
            (#"{"data":{"app_id":"999","type":"USER","is_valid":true,"user_id":"42"}}"#, .wrongAudience),
            (#"{"data":{"type":"USER","is_valid":true,"user_id":"42"}}"#, .wrongAudience),
            (#"{"data":{"app_id":"1234","type":"PAGE","is_valid":true,"user_id":"42"}}"#, .rejected),
            (
                #"{"data":{"app_id":"1234","type":"USER","is_valid":true,"user_id":"42","expires_at":1799999000}}"#,
                .expired
            ),
            (#"{"data":{"app_id":"1234","type":"USER","is_valid":true}}"#, .wrongSubject),
            (#"{"data":{"app_id":"1234","type":"USER","is_valid":true,"user_id":"43"}}"#, .wrongSubject),
            (#"{"data":{"is_valid":"true"}}"#, .rejected), ("{}", .rejected), ("[]", .unreachable),
            ("<html>", .unreachable),
        ]
        for (token, kind) in cases {
            var habits = Habits()
            habits.token = token
            let failure = try await refusal(habits)
            XCTAssertEqual(failure?.kind, kind, token)
        }
        var habits = Habits()
        habits.token = #"{"data":{"app_id":"1234","is_valid":true,"user_id":""}}"#
        habits.person = #"{"id":""}"#
        let nameless = try await refusal(habits)
        XCTAssertEqual(nameless?.kind, .wrongSubject, "a person whose ID is empty")
        habits = Habits()
        habits.token = #"{"data":{"app_id":1234,"type":"USER","is_valid":true,"user_id":42,"expires_at":0}}"#
        let endless = try await refusal(habits)
        XCTAssertNil(endless, "a token that never expires, with its numbers as numbers")
    }

    /// The texts are equal to Swift, and different IDs to Facebook.
    func testIDsThatOnlyLookTheSameAreOfDifferentAppsAndPeople() async throws {
        var habits = Habits()
        habits.token = #"{"data":{"app_id":"1234","is_valid":true,"user_id":"\u00e9"}}"#
        habits.person = #"{"id":"e\u0301"}"#
        let person = try await refusal(habits)
        XCTAssertEqual(person?.kind, .wrongSubject, "the ID of another person")
        let transport = ScriptedTransport()
        let token: ClaimValue = ["app_id": "e\u{301}", "is_valid": true, "user_id": "42"]
        transport.answer("/v23.0/debug_token", ["data": token])
        transport.answer("/v23.0/me", ["id": "42"])
        let verifier = FacebookVerifier(appID: "\u{e9}", appSecret: "s3cret", transport: transport)
        let app = await verifier.refusal(of: .facebook(accessToken: "EAAgood"))
        XCTAssertEqual(app?.kind, .wrongAudience, "the ID of another app")
    }

    func testATokenMayHaveExpiredForLessThanAMinute() async throws {
        for (expiry, kind) in [(1_799_999_951, nil), (1_799_999_950, .expired), (-1, nil)]
            as [(Int, VerificationFailure.Kind?)]
        {
            var habits = Habits()
            habits.token =
                #"{"data":{"app_id":"1234","is_valid":true,"user_id":"42","expires_at":\#(expiry)}}"#
            let failure = try await refusal(habits)
            XCTAssertEqual(failure?.kind, kind, "a token that expires at \(expiry)")
        }
    }

    func testFacebooksErrorsAreToldApart() async throws {
        let cases: [(String, Int, VerificationFailure.Kind)] = [
            (#"{"error":{"code":190,"type":"OAuthException","message":"hush"}}"#, 400, .rejected),
            (#"{"error":{"code":102}}"#, 400, .rejected),
            (#"{"error":{"code":4}}"#, 400, .unreachable), (#"{"error":{"code":1}}"#, 500, .unreachable),
            (#"{"error":{"code":190}}"#, 200, .rejected), (#"{"id":"42","error":{"code":4}}"#, 200, .unreachable),
            (#"{"error":{"code":100}}"#, 400, .rejected), (#"{"error":{"code":100}}"#, 500, .unreachable),
            (#"{"id":"42"}"#, 500, .unreachable), (#"{"error":{"code":101}}"#, 400, .misconfigured),
            ("", 503, .unreachable), ("[]", 200, .unreachable),
        ]
        for (person, status, kind) in cases {
            var habits = Habits()
            habits.person = person
            habits.personStatus = status
            let failure = try await refusal(habits)
            XCTAssertEqual(failure?.kind, kind, person)
            XCTAssertEqual(failure?.detail?.contains("hush"), false, person)
        }
        let unknown = await verifier(try server(), secret: "wrong").refusal(of: .facebook(accessToken: "EAAgood"))
        XCTAssertEqual(unknown?.kind, .misconfigured)
        let nothing = try await refusal(Habits(), .oauth(.facebook))
        XCTAssertEqual(nothing?.kind, .missingToken)
    }

    /// The app asks about a token with a token of its own, whose signature is the secret.
    func testAWrongSecretIsTheAppsMistakeAndNoBadTokenOfThePerson() async throws {
        func refusal(ofApp message: String) -> String {
            #"{"error":{"message":"\#(message)","type":"OAuthException","code":190,"fbtrace_id":"A"}}"#
        }
        let signature = refusal(ofApp: "Invalid OAuth access token signature.")
        let expired = refusal(ofApp: "Error validating access token: Session has expired.")
        for (answer, kind) in [(signature, .misconfigured), (expired, .rejected)]
            as [(String, VerificationFailure.Kind)]
        {
            var habits = Habits()
            (habits.token, habits.tokenStatus) = (answer, 400)
            let failure = try await self.refusal(habits)
            XCTAssertEqual(failure?.kind, kind, "asked by the app: \(answer)")
        }
        var habits = Habits()
        (habits.person, habits.personStatus) = (signature, 400)
        let failure = try await self.refusal(habits)
        XCTAssertEqual(failure?.kind, .rejected, "asked with the person's token")
    }

    func testAnEmptyIDTokenIsNoneAndTheAccessTokenCounts() async throws {
        var both = AuthCredential.Federated(provider: .facebook)
        both.idToken = ""
        both.accessToken = "EAAgood"
        let assertion = try await verifier(server()).verify(.federated(both))
        XCTAssertEqual(assertion.subject, "42")
    }

    func testAnAddressThatIsNoURLIsTheAppsMistake() async {
        let transport = ScriptedTransport()
        let facebook = FacebookVerifier(appID: "1234", appSecret: "s", graph: "https://[", transport: transport)
        let failure = await facebook.refusal(of: .facebook(accessToken: "EAAgood"))
        XCTAssertEqual(failure?.kind, .misconfigured)
    }

    func testATokenThatIsNoneIsSentNowhere() async throws {
        let server = try server()
        for text in ["EAA good", "EAA\r\n", String(repeating: "a", count: 20_000)] {
            let failure = await verifier(server).refusal(of: .facebook(accessToken: text))
            XCTAssertEqual(failure?.kind, .malformed, "\(text.count) characters")
        }
        XCTAssertEqual(server.requests.count, 0)
    }

    func testNoErrorRepeatsASecret() async throws {
        var habits = Habits()
        habits.tokenStatus = 500
        habits.token = "broken"
        let failure = try await refusal(habits)
        let text = try XCTUnwrap(failure).description
        for secret in ["EAAgood", "s3cret", "input_token"] { XCTAssertFalse(text.contains(secret), text) }
        XCTAssertTrue(text.contains("GET /debug_token"), text)
    }
}
