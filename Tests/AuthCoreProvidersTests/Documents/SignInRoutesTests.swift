#if OpenSSL
import AuthCore
import AuthCoreTesting
import XCTest

@testable import AuthCoreProviders

/// The handlers of the article "A server's sign-in routes", driven by browsers.
final class SignInRoutesTests: LimitedTestCase {
    private typealias Routes = ServerSignInRoutesExample.SignInRoutes
    private typealias Request = ServerSignInRoutesExample.WebRequest
    private typealias Response = ServerSignInRoutesExample.WebResponse

    /// Keeps cookies, as a browser does.
    private struct Browser {
        var cookies: [String: String] = [:]

        func request(_ url: String = "") -> Request { Request(url: url, address: "192.0.2.1", cookies: cookies) }

        mutating func take(_ response: Response) -> Response {
            for (name, value) in response.cookies { cookies[name] = value.isEmpty ? nil : value }
            return response
        }
    }

    private let site = "https://app.example"
    private let world = FlowWorld()
    private var routes: Routes { Routes(service: world.service, site: site) }

    /// The callback of a page, at the route that the page was asked to lead to.
    private func callback(_ response: Response, code: String = "c0de") throws -> String {
        let fields = FlowWorld.fields(response.location.flatMap { URL(string: $0) })
        return try XCTUnwrap(fields["redirect_uri"]) + "?code=\(code)&state=\(try XCTUnwrap(fields["state"]))"
    }

    private func signedIn(_ browser: inout Browser) async throws -> Response {
        let begun = browser.take(await routes.beginSignIn(browser.request(), with: .gitHub))
        return browser.take(await routes.finishSignIn(browser.request(try callback(begun))))
    }

    private func user(_ browser: Browser) async throws -> User {
        try await world.client("server").user(forIDToken: try XCTUnwrap(browser.cookies["token"]))
    }

    func testABrowserSignsIn() async throws {
        var browser = Browser()
        let begun = browser.take(await routes.beginSignIn(browser.request(), with: .gitHub))
        XCTAssertEqual(begun.status, 303)
        XCTAssertEqual(begun.location?.hasPrefix("https://github.com/login/oauth/authorize?"), true)
        let url = try callback(begun)
        XCTAssertTrue(url.hasPrefix(site + "/github.com/sign-in/callback?"))
        let finished = browser.take(await routes.finishSignIn(browser.request(url)))
        XCTAssertEqual(finished.location, site + "/")
        let user = try await user(browser)
        XCTAssertEqual(user.providerData.map(\.provider), [.gitHub])
        let tokens = try await world.client("server").refresh(try XCTUnwrap(browser.cookies["refresh"]))
        XCTAssertEqual(tokens.idToken.claims["sub"]?.stringValue, user.uid)
        let again = await routes.finishSignIn(browser.request(url))
        XCTAssertEqual(again.status, 400, "a callback is taken once")
    }

    func testAnotherBrowserCannotFinish() async throws {
        var (browser, other) = (Browser(), Browser())
        let begun = browser.take(await routes.beginSignIn(browser.request(), with: .gitHub))
        _ = other.take(await routes.beginSignIn(other.request(), with: .gitHub))
        for thief in [other, Browser()] {
            let response = await routes.finishSignIn(thief.request(try callback(begun)))
            XCTAssertEqual(response.status, 400)
            XCTAssertNil(response.cookies["token"])
        }
        let finished = await routes.finishSignIn(browser.request(try callback(begun)))
        XCTAssertEqual(finished.status, 303, "the attempts of others end no visit")
    }

    func testASignedInBrowserLinks() async throws {
        var browser = Browser()
        let google = try await world.client("setup").signIn(with: .simulated(.google, .ann, at: world.clock.now))
        browser.cookies["device"] = google.device.rawValue
        browser.cookies["token"] = try await google.user.issueTokens().idToken.token
        let begun = browser.take(await routes.beginLink(browser.request(), with: .gitHub))
        let url = try callback(begun)
        XCTAssertTrue(url.hasPrefix(site + "/github.com/link/callback?"))
        let wrong = await routes.finishSignIn(browser.request(url))
        XCTAssertEqual(wrong.status, 400, "what began as a link signs nobody in")
        let finished = browser.take(await routes.finishLink(browser.request(url)))
        XCTAssertEqual(finished.location, site + "/", finished.message)
        let user = try await user(browser)
        XCTAssertEqual(user.uid, google.user.uid)
        XCTAssertEqual(Set(user.providerData.map(\.provider)), [.google, .gitHub])
    }

    func testASignedOutBrowserLinksNothing() async {
        let begun = await routes.beginLink(Browser().request(), with: .gitHub)
        XCTAssertEqual(begun.status, 401)
        XCTAssertNil(begun.location)
        XCTAssertEqual(begun.cookies, ["token": "", "refresh": ""], "the browser forgets the session")
        let finished = await routes.finishLink(Browser().request(site + "/github.com/link/callback?code=c&state=s"))
        XCTAssertEqual(finished.status, 401)
    }

    func testABrowserWhoseIDTokenHasExpiredKeepsItsRefreshToken() async throws {
        var browser = Browser()
        _ = try await signedIn(&browser)
        world.clock.advance(by: .seconds(3660))
        let expired = browser.take(await routes.beginLink(browser.request(), with: .google))
        XCTAssertEqual(expired.status, 401)
        let tokens = try await world.client("server").refresh(try XCTUnwrap(browser.cookies["refresh"]))
        browser.cookies["token"] = tokens.idToken.token
        try await user(browser).signOut()
        let ended = browser.take(await routes.beginLink(browser.request(), with: .google))
        XCTAssertEqual(ended.status, 401)
        XCTAssertNil(browser.cookies["refresh"], "the session has ended")
    }

    func testASignedInBrowserReauthenticates() async throws {
        var browser = Browser()
        _ = try await signedIn(&browser)
        world.clock.advance(by: .seconds(600))
        let begun = browser.take(await routes.beginLink(browser.request(), with: .gitHub, for: .reauthenticate))
        let finished = browser.take(await routes.finishLink(browser.request(try callback(begun))))
        XCTAssertEqual(finished.location, site + "/", finished.message)
        let user = try await user(browser)
        XCTAssertEqual(user.session.authenticatedAt.date, world.clock.now, "the login is of now")
    }

    func testAConflictGoesOnFromTheCookie() async throws {
        world.transport.answer(
            "/user/emails",
            [["email": "ann@example.com", "primary": true, "verified": true]]
        )
        let owner = try await world.client("her laptop").signIn(with: .simulated(.google, .ann, at: world.clock.now))
            .user
        var browser = Browser()
        let stopped = try await signedIn(&browser)
        XCTAssertEqual(stopped.location, site + "/conflict")
        XCTAssertNil(browser.cookies["token"])
        let data = try XCTUnwrap(Data(base64Encoded: try XCTUnwrap(browser.cookies["conflict"])))
        let conflict = try JSONDecoder().decode(Conflict.self, from: data)
        let client = world.service.client(for: browser.cookies["device"].flatMap(DeviceID.init), origin: .local)
        let user = try await client.resolve(
            conflict,
            signingInWith: .simulated(.google, .ann, at: world.clock.now)
        ).user
        XCTAssertEqual(user.uid, owner.uid)
        XCTAssertEqual(Set(user.providerData.map(\.provider)), [.google, .gitHub])
    }

    /// Signs in by a visit to the OpenID provider as this person, and may go on with a conflict.
    private func visited(
        _ browser: inout Browser,
        as subject: String = "ann",
        resolvesConflict: Bool = false
    ) async throws -> Response {
        let address = "\(subject)@example.com"
        let response = await routes.beginSignIn(
            browser.request(),
            with: "oidc.example",
            resolvesConflict: resolvesConflict
        )
        let page = try XCTUnwrap(browser.take(response).location.flatMap { URL(string: $0) })
        let url = world.approve(
            page,
            as: subject,
            claims: ["email": .string(address), "email_verified": true]
        )
        return browser.take(await routes.finishSignIn(browser.request(url)))
    }

    /// A browser that keeps a conflict of a GitHub identity with the account of a person of the OpenID provider.
    private func stoppedByConflict() async throws -> Browser {
        var (laptop, browser) = (Browser(), Browser())
        let owner = try await visited(&laptop)
        XCTAssertEqual(owner.location, site + "/", owner.message)
        world.transport.answer(
            "/user/emails",
            [["email": "ann@example.com", "primary": true, "verified": true]]
        )
        let stopped = try await signedIn(&browser)
        XCTAssertEqual(stopped.location, site + "/conflict", stopped.message)
        return browser
    }

    func testAVisitThatBeginsOnThePageOfAConflictLinksWhatTheConflictKeeps() async throws {
        var browser = try await stoppedByConflict()
        let finished = try await visited(&browser, resolvesConflict: true)
        XCTAssertEqual(finished.location, site + "/", finished.message)
        let user = try await user(browser)
        XCTAssertEqual(Set(user.providerData.map(\.provider)), ["oidc.example", .gitHub], "the identity is linked")
        XCTAssertNil(browser.cookies["conflict"], "the conflict is over")
    }

    func testAVisitToAnotherAccountSignsInAndLinksNothing() async throws {
        var browser = try await stoppedByConflict()
        let finished = try await visited(&browser, as: "ben", resolvesConflict: true)
        XCTAssertEqual(finished.location, site + "/", finished.message)
        let user = try await user(browser)
        XCTAssertEqual(user.email, "ben@example.com")
        XCTAssertEqual(user.providerData.map(\.provider), ["oidc.example"], "the conflict is about another account")
    }

    /// The person at the browser may be another one than in the other tab.
    func testAVisitThatBeganBeforeAConflictInAnotherTabLinksNothing() async throws {
        var (laptop, browser) = (Browser(), Browser())
        _ = try await visited(&laptop)
        world.transport.answer("/user/emails", [["email": "ann@example.com", "primary": true, "verified": true]])
        let begun = browser.take(await routes.beginSignIn(browser.request(), with: "oidc.example"))
        let page = try XCTUnwrap(begun.location.flatMap { URL(string: $0) })
        let stopped = try await signedIn(&browser)
        XCTAssertEqual(stopped.location, site + "/conflict", stopped.message)
        let url = world.approve(page, as: "ann", claims: ["email": "ann@example.com", "email_verified": true])
        let finished = browser.take(await routes.finishSignIn(browser.request(url)))
        XCTAssertEqual(finished.location, site + "/", finished.message)
        let user = try await user(browser)
        XCTAssertEqual(user.providerData.map(\.provider), ["oidc.example"])
        XCTAssertNil(browser.cookies["conflict"], "the conflict is dropped")
    }

    func testAnOrdinarySignInDropsAConflict() async throws {
        var browser = try await stoppedByConflict()
        let finished = try await visited(&browser)
        XCTAssertEqual(finished.location, site + "/", finished.message)
        let providers = try await user(browser).providerData.map(\.provider)
        XCTAssertEqual(providers, ["oidc.example"], "the conflict may be another person's at the same browser")
    }
}
#endif
