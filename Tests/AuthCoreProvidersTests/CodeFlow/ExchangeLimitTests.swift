import AuthCore
import AuthCoreTesting
import XCTest

@testable import AuthCoreProviders

/// How often a provider is asked about the codes of a visit: each question counts against the app's quota there.
final class ExchangeLimitTests: LimitedTestCase {
    private static let place = "https://app.example/github.com/callback"
    private static let exchange = "/login/oauth/access_token"
    private let transport = ScriptedTransport()
    private lazy var gitHub = GitHubVerifier(clientID: "app", clientSecret: "s", transport: transport)
    private lazy var configuration = AuthConfiguration(
        policy: .standard,
        providers: [gitHub],
        passwordHasher: CheapPasswordHasher(),
        environment: .manual(ManualClock(testTime)),
        secretKey: Array(repeating: 7, count: 32)
    )
    private lazy var service = AuthService(configuration)

    override func setUp() {
        acceptCodes()
        transport.answer("/applications/app/token", ["app": ["client_id": "app"], "user": ["id": 7]])
        transport.answer("/user", ["id": 7, "login": "ann"])
        transport.answer("/user/emails", [])
    }

    private func acceptCodes() { transport.answer(Self.exchange, ["access_token": "gho", "token_type": "bearer"]) }

    private func refuseCodes() { transport.answer(Self.exchange, ["error": "bad_verification_code"]) }

    /// How often the provider was asked for tokens.
    private var questions: Int { transport.count(Self.exchange) }

    private func client(_ name: String = "browser", origin: RequestOrigin = .local) -> AuthClient {
        service.client(for: DeviceID(named: name), origin: origin)
    }

    /// Begins a visit, and returns where GitHub sends the person back to, but for the code.
    private func begin(by client: AuthClient) async throws -> String {
        let page = try await client.begin(.signIn, with: .gitHub, redirectURI: Self.place)
        let state = try XCTUnwrap(page.fields["state"])
        return Self.place + "?state=\(state)&code="
    }

    /// The code of the error; nil if there is none.
    private func outcome(_ act: () async throws(AuthError) -> some Any) async -> AuthErrorCode? {
        do throws(AuthError) {
            _ = try await act()
            return nil
        } catch {
            return error.code
        }
    }

    private func complete(_ client: AuthClient, _ callback: String) async -> AuthErrorCode? {
        await outcome { () async throws(AuthError) in try await client.complete(callback: callback) }
    }

    func testS31_AVisitIsOverAfterFiveCodesThatTheProviderRefused() async throws {
        let client = client()
        let visit = try await begin(by: client)
        refuseCodes()
        for index in 0..<20 {
            let code = await complete(client, visit + "invented\(index)")
            XCTAssertEqual(code, index < 5 ? .invalidCredential : .tooManyRequests, "invented code \(index)")
        }
        XCTAssertEqual(questions, 5, "how often the provider was asked")
        acceptCodes()
        let late = await complete(client, visit + "right")
        XCTAssertEqual(late, .tooManyRequests, "the right code of a visit that is over")
        XCTAssertEqual(questions, 5, "a visit that is over asks the provider")
        let other = await complete(client, try begin(by: client) + "right")
        XCTAssertNil(other, "another visit is over, too")
        let refusals = service.refusals().filter { $0.reason == .attemptsMustWait }
        XCTAssertEqual(refusals.count, 16, "what operators see of it")
    }

    func testS31_OfManyInventedCodesAtOnceFiveReachTheProvider() async throws {
        let client = client()
        let visit = try await begin(by: client)
        refuseCodes()
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<50 {
                group.addTask { _ = try? await client.complete(callback: visit + "invented\(index)") }
            }
        }
        XCTAssertEqual(questions, 5, "how often the provider was asked")
    }

    func testS31_AProviderThatIsDownEndsAVisitOnlyAfterFiveTries() async throws {
        let client = client()
        let visit = try await begin(by: client)
        transport.answer(Self.exchange, [:], status: 503)
        for index in 0..<4 {
            let code = await complete(client, visit + "right")
            XCTAssertEqual(code, .networkError, "try \(index) while the provider is down")
        }
        acceptCodes()
        let code = await complete(client, visit + "right")
        XCTAssertNil(code, "the provider is back")
        let other = try await begin(by: client)
        transport.answer(Self.exchange, [:], status: 503)
        for _ in 0..<20 { _ = await complete(client, other + "right") }
        XCTAssertEqual(questions, 10, "a provider that stays down is not asked without end")
    }

    /// The provider accepts it only once, and would refuse it at the next try.
    func testACodeThatWasExchangedIsGoodThoughItsAttemptCannotBeGivenBack() async throws {
        configuration.attempts = AttemptsThatStay()
        let client = client()
        let code = await complete(client, try begin(by: client) + "right")
        XCTAssertNil(code, "the code was exchanged, and the visit failed")
        XCTAssertEqual(questions, 1)
    }

    func testS31_AnotherDeviceUsesUpNothingOfAVisit() async throws {
        let (own, other) = (client(), client("another browser"))
        let visit = try await begin(by: own)
        for _ in 0..<20 {
            let code = await complete(other, visit + "right")
            XCTAssertEqual(code, .deviceMismatch, "a callback on another device")
        }
        let code = await complete(own, visit + "right")
        XCTAssertNil(code, "the device that began the visit")
    }

    func testS31_APageThatOnlyWantsTheCredentialAsksNoMoreOften() async throws {
        let client = client()
        let visit = try await begin(by: client)
        refuseCodes()
        for _ in 0..<20 { _ = try? await gitHub.credential(callback: visit + "invented", of: client) }
        XCTAssertEqual(questions, 5, "how often the provider was asked")
    }

    /// A stranger can begin visits, and each takes five codes.
    func testS31_AnOriginAsksTheProviderAboutALimitedNumberOfInventedCodes() async throws {
        let here = client(origin: .address("192.0.2.9"))
        refuseCodes()
        var codes: [AuthErrorCode?: Int] = [:]
        for _ in 0..<60 {
            let visit = try await begin(by: here)
            for index in 0..<5 { codes[await complete(here, visit + "invented\(index)"), default: 0] += 1 }
        }
        XCTAssertEqual(codes, [.invalidCredential: 200, .tooManyRequests: 100], "codes of sixty visits")
        XCTAssertEqual(questions, 200, "how often the provider was asked")
        acceptCodes()
        let user = try await here.signInAnonymously().user
        let linked = await link(user, "right")
        XCTAssertNil(linked, "the visit of a person who is signed in at the same origin")
        let elsewhere = client(origin: .address("192.0.2.10"))
        let other = await complete(elsewhere, try begin(by: elsewhere) + "right")
        XCTAssertNil(other, "a visit from another origin")
    }

    private func link(_ user: User, _ code: String) async -> AuthErrorCode? {
        await outcome { () async throws(AuthError) in
            let page = try await user.begin(.link, with: .gitHub, redirectURI: Self.place)
            let state = page.fields["state"] ?? ""
            return try await user.complete(callback: Self.place + "?state=\(state)&code=" + code)
        }
    }

    /// A guest is signed in, too, and costs a stranger nothing.
    func testS31_AGuestUsesUpOnlyTheirOwnInventedCodes() async throws {
        let here = client(origin: .address("192.0.2.9"))
        let guest = try await here.signInAnonymously().user
        refuseCodes()
        var codes: [AuthErrorCode?: Int] = [:]
        for index in 0..<60 { codes[await link(guest, "invented\(index)"), default: 0] += 1 }
        XCTAssertEqual(codes, [.invalidCredential: 10, .tooManyRequests: 50], "codes of sixty visits of a session")
        acceptCodes()
        let other = await link(try await here.signInAnonymously().user, "right")
        XCTAssertNil(other, "the visit of another person at the same origin")
    }

    func testWhereFewVisitsAreAllowedUnknownOriginsTogetherExchangeSeveralCodes() async throws {
        configuration.policy.limits?.visitsFromOrigin = 4
        let client = client(origin: .unknown)
        refuseCodes()
        let invented = await complete(client, try begin(by: client) + "invented")
        XCTAssertEqual(invented, .invalidCredential, "an invented code")
        acceptCodes()
        let right = await complete(client, try begin(by: client) + "right")
        XCTAssertNil(right, "the code of another visit")
    }

    func testAMistakeOfTheAppIsNotCountedAsAVisit() async throws {
        configuration.policy.limits?.visitsOfAccount = 1
        let user = try await client().signUp(email: "ann@example.com", password: "correct horse battery").user
        for _ in 0..<2 {
            let code = await outcome { () async throws(AuthError) in
                try await user.begin(.link, with: .gitHub, redirectURI: Self.place, parameters: ["state": "x"])
            }
            XCTAssertEqual(code, .internalError, "a reserved parameter")
        }
        let right = await outcome { () async throws(AuthError) in
            try await user.begin(.link, with: .gitHub, redirectURI: Self.place)
        }
        XCTAssertNil(right, "the mistakes used up the visits of the account")
        let second = await outcome { () async throws(AuthError) in
            try await user.begin(.link, with: .gitHub, redirectURI: Self.place)
        }
        XCTAssertEqual(second, .tooManyRequests, "the test needs a limit of one visit")
    }

    func testWhereFewVisitsAreAllowedASessionUsesUpNoCodesOfAnother() async throws {
        configuration.policy.limits?.visitsOfAccount = 4
        let client = client(origin: .address("192.0.2.9"))
        try await client.signUp(email: "ann@example.com", password: "correct horse")
        refuseCodes()
        for session in 1...2 {
            let word = AuthCredential.password(email: "ann@example.com", password: "correct horse")
            let code = await link(try await client.signIn(with: word).user, "invented")
            XCTAssertEqual(code, .invalidCredential, "the code of session \(session) of one account")
        }
    }

    func testS31_InventedTokensOfAnOriginDelayNoVisitThere() async throws {
        let client = client(origin: .address("192.0.2.9"))
        transport.answer("/applications/app/token", ["message": "Not Found"], status: 404)
        for index in 0..<100 {
            let code = await outcome { () async throws(AuthError) in
                try await client.signIn(with: .gitHub(accessToken: "invented\(index)"))
            }
            XCTAssertEqual(code, index < 50 ? .invalidCredential : .tooManyRequests, "invented token \(index)")
        }
        XCTAssertEqual(transport.count("/applications/app/token"), 50, "how often GitHub was asked")
        transport.answer("/applications/app/token", ["app": ["client_id": "app"], "user": ["id": 7]])
        let code = await complete(client, try begin(by: client) + "right")
        XCTAssertNil(code, "a visit from the same origin")
    }
}

/// An attempt store that counts, and fails whenever an attempt is given back.
private struct AttemptsThatStay: AttemptStore {
    private let inner = InMemoryAttemptStore()

    func take(_ takes: [Store.Take], at now: Timestamp) async throws -> Store.TakeAnswer {
        try await inner.take(takes, at: now)
    }

    func keep(_ takes: [Store.Take], at now: Timestamp) async throws { try await inner.keep(takes, at: now) }

    func refund(_ takes: [Store.Take], clearing keys: [Store.AttemptKey], at now: Timestamp) async throws {
        throw AuthError(.storeUnavailable)
    }
}
