import AuthCore
import XCTest

@testable import AuthCoreProviders

/// What stands in requests, and what is read from the headers of answers.
final class RequestTests: LimitedTestCase {
    private func request(_ text: String = "https://a.example/b") throws -> ProviderRequest {
        ProviderRequest(.get, try XCTUnwrap(URL(string: text)))
    }

    func testATokenThatWouldAddAHeaderIsNotSent() throws {
        var request = try request()
        let longest = String(repeating: "a", count: 16 * 1024)
        for token in ["", "a b", "a\r\nx: y", "é", "\u{7F}", longest + "a"] {
            XCTAssertThrowsError(try request.authorize(bearer: Secret(token)), "\(token.count) characters") {
                XCTAssertEqual(($0 as? VerificationFailure)?.kind, .malformed)
            }
            XCTAssertNil(request.headers["authorization"], "\(token.count) characters were put into a header")
        }
        for token in ["!", "~", longest] {
            try request.authorize(bearer: Secret(token))
            XCTAssertEqual(request.headers["authorization"], "Bearer " + token)
        }
    }

    func testNameAndSecretOfTheClientAreEncodedWhereTheStandardSaysSo() throws {
        var request = try request()
        request.authorize(clientID: "my app:1", secret: "s&é", encoded: true)
        let encoded = Data("my%20app%3A1:s%26%C3%A9".utf8).base64EncodedString()
        XCTAssertEqual(request.headers["authorization"], "Basic " + encoded, "by RFC 6749")
        request.authorize(clientID: "my app", secret: "s&é", encoded: false)
        let plain = Data("my app:s&é".utf8).base64EncodedString()
        XCTAssertEqual(request.headers["authorization"], "Basic " + plain, "by RFC 7617")
    }

    func testNamesAndValuesOfAFormAreEncoded() {
        XCTAssertEqual(Form.encode([(name: "a b", value: "c"), (name: "d", value: "")]), "a%20b=c&d=")
    }

    func testFieldsAreAddedToAQueryAndNotToAFragment() throws {
        let fields = [(name: "a", value: "1")]
        XCTAssertEqual(try request("https://a.example/b").url.adding(fields)?.absoluteString, "https://a.example/b?a=1")
        XCTAssertEqual(
            try request("https://a.example/b?c=d").url.adding(fields)?.absoluteString,
            "https://a.example/b?c=d&a=1"
        )
        XCTAssertNil(try request("https://a.example/b#c").url.adding(fields), "a URL with a fragment")
    }

    func testHowLongToWaitIsBetweenASecondAndAnHour() {
        for (text, wait) in [
            ("0", Duration.seconds(1)), ("1", .seconds(1)), ("2", .seconds(2)), ("3600", .seconds(3600)),
            ("3601", .seconds(3600)), ("-1", nil), ("", nil), ("soon", nil), ("1.5", nil),
            ("Fri, 15 Jan 2027 08:00:00 GMT", nil),
        ] as [(String, Duration?)] {
            let response = ProviderResponse(status: 503, headers: ["retry-after": text], body: [])
            XCTAssertEqual(response.retryAfter, wait, "Retry-After: \(text)")
        }
        XCTAssertNil(ProviderResponse(status: 503, headers: [:], body: []).retryAfter, "no header")
    }

    func testHowLongAnAnswerStaysFreshIsWhatItsHeadersSay() {
        for (control, age, lifetime) in [
            ("max-age=60", nil, 60), ("public, MAX-AGE = 60 , must-revalidate", nil, 60), ("max-age=60", "20", 40),
            ("s-maxage=600, max-age=7200", nil, 7200),
            ("max-age=60", "100", 0), ("max-age=60", "-5", 60), ("max-age=60", "x", 60), ("max-age=60", "inf", 60),
            ("no-store", nil, 0), ("no-cache, max-age=60", nil, 0), ("max-age=60, no-store", nil, 0),
            ("max-age=x", nil, nil), ("max-age=inf", nil, nil), ("public", nil, nil), ("max-age=0", nil, 0),
        ] as [(String, String?, Double?)] {
            var headers = ["cache-control": control]
            headers["age"] = age
            let response = ProviderResponse(status: 200, headers: headers, body: [])
            XCTAssertEqual(response.lifetime, lifetime, "\(control), age \(age ?? "unknown")")
        }
        XCTAssertNil(ProviderResponse(status: 200, headers: [:], body: []).lifetime, "no header")
    }

    func testARequestThatFailsBecauseItsTaskWasCanceledIsCanceled() async throws {
        let transport = ScriptedTransport()
        transport.answer("/b") { _ in throw ScriptedTransport.Down() }
        let connection = ProviderConnection(transport: transport)
        let request = try request()
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await connection.send(request)
        }
        do {
            _ = try await task.value
            XCTFail("a canceled request was answered")
        } catch {
            XCTAssertTrue(error is CancellationError, "\(error)")
        }
    }

    func testEachTokenOfAnAnswerIsReadUnderItsName() async throws {
        let transport = ScriptedTransport()
        transport.answer(
            "/token",
            [
                "access_token": "at", "id_token": "it", "refresh_token": "rt", "scope": "openid", "expires_in": 3600,
                "token_type": "bearer",
            ]
        )
        let exchange = CodeExchange(
            clientID: "app",
            clientSecret: nil,
            putsSecretIntoForm: false,
            connection: ProviderConnection(transport: transport)
        )
        var credential = AuthCredential.Federated(provider: "oidc.example")
        credential.authorizationCode = "c0de"
        let url = try XCTUnwrap(URL(string: "https://a.example/token"))
        let tokens = try await exchange.tokens(for: credential, at: url)
        XCTAssertEqual(tokens.accessToken, "at")
        XCTAssertEqual(tokens.idToken, "it")
        XCTAssertEqual(tokens.refreshToken, "rt")
        XCTAssertEqual(tokens.scope, "openid")
        XCTAssertEqual(tokens.lifetime, .seconds(3600))
        for (answer, lifetime) in [(0, .zero), (1e9, .seconds(1_000_000_000)), (1e9 + 1, nil), (-1, nil)]
            as [(Double, Duration?)]
        {
            transport.answer("/token", ["access_token": "at", "expires_in": .number(answer)])
            let tokens = try await exchange.tokens(for: credential, at: url)
            XCTAssertEqual(tokens.lifetime, lifetime, "a lifetime of \(answer) seconds")
        }
        let longest = String(repeating: "a", count: 64 * 1024)
        for (token, isRead) in [(longest, true), (longest + "a", false)] {
            transport.answer("/token", ["access_token": "at", "refresh_token": .string(token)])
            let tokens = try await exchange.tokens(for: credential, at: url)
            XCTAssertEqual(tokens.refreshToken != nil, isRead, "a token of \(token.utf8.count) bytes")
        }
    }

    func testABooleanOfAClaimIsReadAlsoAsATextOrANumber() {
        let values: [(ClaimValue, Bool?)] = [
            (true, true), ("true", true), ("1", true), (1, true), (false, false), ("false", false), ("0", false),
            (0, false), ("yes", nil), (2, nil), (.null, nil), ("True", nil),
        ]
        for (value, flag) in values { XCTAssertEqual(value.flag, flag, "\(value)") }
    }

    func testRedirectsAreFollowedThreeTimesWithTheirHeadersAndLimits() async throws {
        let transport = ScriptedTransport()
        for number in 0..<4 {
            transport.answer("/\(number)") { _ in
                ProviderResponse(
                    status: [301, 302, 307, 308][number],
                    headers: ["location": "/\(number + 1)"],
                    body: []
                )
            }
        }
        transport.answer("/4", ["a": 1])
        let connection = ProviderConnection(transport: transport)
        func send(_ path: String) async throws -> ProviderResponse {
            let url = try XCTUnwrap(URL(string: "https://a.example" + path))
            let headers = ["x-a": "b"]
            return try await connection.send(
                ProviderRequest(.get, url, headers: headers, sizeLimit: 100, timeLimit: .seconds(7))
            )
        }
        let answer = try await send("/1")
        XCTAssertEqual(answer.status, 200, "after three redirects")
        for request in transport.requests {
            XCTAssertEqual(request.headers["x-a"], "b", "the headers of the first request, at \(request.url)")
            XCTAssertEqual(request.sizeLimit, 100, "the size that the first request allows, at \(request.url)")
            XCTAssertEqual(request.timeLimit, .seconds(7), "the time that the first request allows, at \(request.url)")
        }
        do {
            _ = try await send("/0")
            XCTFail("four redirects were followed")
        } catch {
            XCTAssertEqual((error as? VerificationFailure)?.detail?.contains("redirects too often"), true, "\(error)")
        }
    }

    func testEveryStatusOfARedirectIsFollowed() async throws {
        let transport = ScriptedTransport()
        transport.answer("/end", ["a": 1])
        let connection = ProviderConnection(transport: transport)
        for (status, last) in [(300, 300), (301, 200), (302, 200), (303, 200), (304, 304), (307, 200), (308, 200)] {
            transport.answer("/b") { _ in ProviderResponse(status: status, headers: ["location": "/end"]) }
            let response = try await connection.send(request())
            XCTAssertEqual(response.status, last, "the last answer after the status \(status)")
        }
    }

    func testAnAnswerIsGivenUpAfterTenSecondsOr256Kibibytes() throws {
        let request = try request()
        XCTAssertEqual(request.timeLimit, .seconds(10))
        XCTAssertEqual(request.sizeLimit, 256 * 1024)
    }

    func testAnAnswerIsNotLongerThanItsRequestAllowsWhateverTheTransport() async throws {
        let transport = ScriptedTransport()
        let connection = ProviderConnection(transport: transport)
        var request = try request()
        request.sizeLimit = 10
        transport.answer("/b") { _ in ProviderResponse(status: 200, body: Array(repeating: 7, count: 10)) }
        let response = try await connection.send(request)
        XCTAssertEqual(response.body.count, 10, "as long as the request allows")
        transport.answer("/b") { _ in ProviderResponse(status: 200, body: Array(repeating: 7, count: 11)) }
        do {
            _ = try await connection.send(request)
            XCTFail("an answer that is a byte too long was read")
        } catch {
            let detail = (error as? VerificationFailure)?.detail
            XCTAssertEqual(detail?.contains("at most 10 bytes"), true, "\(error)")
        }
    }

    func testOriginsDifferBySchemeHostAndPort() throws {
        let own = try request("https://A.example:8443/x").url
        XCTAssertTrue(own.hasOrigin(of: try request("https://a.EXAMPLE:8443/y?z").url), "another path")
        for other in ["http://a.example:8443", "https://b.example:8443", "https://a.example:8444", "https://a.example"]
        {
            XCTAssertFalse(own.hasOrigin(of: try request(other).url), other)
        }
    }
}
