#if OpenSSL
import AuthCore
import AuthCoreTesting
import XCTest

@testable import AuthCoreProviders

/// Callbacks that come to the wrong place, too late, twice, or from somewhere else.
final class CallbackAttackTests: LimitedTestCase {
    private let world = FlowWorld()
    private let redirectURI = FlowWorld.redirectURI

    private func refusal(_ client: AuthClient, _ callback: String) async -> AuthError? {
        await error(of: { () async throws(AuthError) in try await client.complete(callback: callback) }, callback)
    }

    private func refusal(_ user: User, _ callback: String) async -> AuthError? {
        await error(of: { () async throws(AuthError) in try await user.complete(callback: callback) }, callback)
    }

    private func begun(on client: AuthClient) async throws -> String {
        world.approve(try await client.begin(.signIn, with: "oidc.example", redirectURI: redirectURI))
    }

    func testACallbackOfAnotherDeviceEndsNothing() async throws {
        let (own, other) = (world.client(), world.client("another browser"))
        let back = try await begun(on: own)
        let refused = await refusal(other, back)
        XCTAssertEqual(refused?.code, .deviceMismatch, "an attacker's callback in a victim's browser")
        XCTAssertEqual(refused?.reason, .codeIsOfAnotherDevice)
        XCTAssertEqual(world.transport.count("/token"), 0, "the code was not used up")
        try await own.complete(callback: back)
    }

    func testACallbackWorksOnce() async throws {
        let client = world.client()
        let back = try await begun(on: client)
        try await client.complete(callback: back)
        let refused = await refusal(client, back)
        XCTAssertEqual(refused?.code, .invalidCredential)
        XCTAssertEqual(refused?.reason, .codeIsUnknown)
        XCTAssertEqual(world.transport.count("/token"), 1)
    }

    func testOneOfManyEqualCallbacksWins() async throws {
        let client = world.client()
        let back = try await begun(on: client)
        let successes = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 { group.addTask { (try? await client.complete(callback: back)) != nil } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        XCTAssertEqual(successes, 1)
    }

    func testALateCallbackIsRefused() async throws {
        let client = world.client()
        let page = try await client.begin(.signIn, with: "oidc.example", redirectURI: redirectURI)
        world.clock.advance(by: .seconds(599))
        let back = world.approve(page)
        world.clock.advance(by: .seconds(1))
        let refused = await refusal(client, back)
        XCTAssertEqual(refused?.code, .sessionExpired, "a callback after the time of its visit")
        XCTAssertEqual(world.transport.count("/token"), 0)
    }

    func testASignInAndALinkAreDifferentVisits() async throws {
        let signedIn = try await world.client().signIn(with: .simulated(.google, .ann, at: world.clock.now))
        let user = signedIn.user
        // The browser as the answer left it: the sign-in gave its device another secret.
        let client = world.service.client(for: signedIn.device, origin: .local)
        let signIn = try await begun(on: client)
        var refused = await refusal(user, signIn)
        XCTAssertEqual(refused?.reason, .codeIsForSomethingElse, "a login that an attacker began does not link")
        let link = world.approve(try await user.begin(.link, with: "oidc.example", redirectURI: redirectURI))
        refused = await refusal(client, link)
        XCTAssertEqual(refused?.reason, .codeIsForSomethingElse)
        let elsewhere = try await client.signIn(with: .simulated(.google, .ann, at: world.clock.now)).user
        refused = await refusal(elsewhere, link)
        XCTAssertEqual(refused?.reason, .codeIsForSomethingElse, "the same account in another session")
        let eve = try await client.signIn(with: .simulated(.google, .eve, at: world.clock.now)).user
        refused = await refusal(eve, link)
        XCTAssertEqual(refused?.reason, .codeIsForSomethingElse)
        try await user.complete(callback: link)
    }

    func testASessionThatIsOverEndsNothing() async throws {
        let client = world.client()
        let user = try await client.signIn(with: .simulated(.google, .ann, at: world.clock.now)).user
        let link = world.approve(try await user.begin(.link, with: "oidc.example", redirectURI: redirectURI))
        try await user.signOut()
        let refused = await refusal(user, link)
        XCTAssertEqual(refused?.code, .userTokenExpired)
        XCTAssertEqual(world.transport.count("/token"), 0)
    }

    func testAVisitInASessionThatEndedElsewhereSignsTheUserOut() async throws {
        for isBegun in [false, true] {
            let auth = Auth(service: world.service)
            let user = try await auth.signIn(with: .simulated(.google, .ann, at: world.clock.now)).user
            let begin = { () async throws(AuthError) in
                try await user.begin(.link, with: "oidc.example", redirectURI: self.redirectURI)
            }
            let link = isBegun ? world.approve(try await begin()) : ""
            try await world.service.revokeSessions(of: user.account.id)
            let refused = isBegun ? await refusal(user, link) : await error(of: begin)
            XCTAssertEqual(refused?.code, .userTokenExpired, "begun: \(isBegun)")
            XCTAssertNil(auth.currentUser, "a user whose session ended is still signed in here, begun: \(isBegun)")
        }
    }

    func testACallbackThatNamesAnotherIssuerThanTheVerifiersIsRefused() async throws {
        let named: [String: ClaimValue] = ["authorization_response_iss_parameter_supported": true]
        world.transport.answer(TestProvider.configurationPath, TestProvider.configuration(named))
        let client = world.client()
        let page = try await client.begin(.signIn, with: "oidc.example", redirectURI: redirectURI)
        for answering in [["iss": "https://evil.example"], [:]] {
            let refused = await refusal(client, world.approve(page, answering: answering))
            XCTAssertEqual((refused?.cause as? VerificationFailure)?.kind, .wrongIssuer, "\(answering)")
        }
        XCTAssertEqual(world.transport.count("/token"), 0)
    }

    func testTheIDTokenHasTheNonceOfThisVisit() async throws {
        let client = world.client()
        let page = try await client.begin(.signIn, with: "oidc.example", redirectURI: redirectURI)
        let refused = await refusal(client, world.approve(page, claims: ["nonce": "of another visit"]))
        XCTAssertEqual(refused?.code, .missingOrInvalidNonce)
        let missing = await refusal(client, world.approve(page, claims: ["nonce": nil]))
        XCTAssertEqual(missing?.code, .missingOrInvalidNonce)
    }

    func testACallbackElsewhereIsRefused() async throws {
        let client = world.client()
        let back = try await begun(on: client)
        let query = String(back.drop { $0 != "?" })
        for place in [
            redirectURI + "/", "https://app.example/oidc.example/Callback", "http://app.example/oidc.example/callback",
            "https://evil.example/oidc.example/callback", redirectURI + "%20", "", "myapp://callback",
            "https://app.example/github.com/callback",
        ] {
            let refused = await refusal(client, place + query)
            XCTAssertEqual((refused?.cause as? VerificationFailure)?.kind, .rejected, place)
        }
        try await client.complete(callback: back + "#fragment")
    }

    /// A provider that sends a person on to another one gets no code of it (RFC 9700, 4.4).
    func testTheCodeOfAnotherProviderIsNotExchangedAtThisOne() async throws {
        let client = world.client()
        let page = try await client.begin(.signIn, with: "oidc.example", redirectURI: redirectURI)
        let state = FlowWorld.fields(page)["state"] ?? ""
        let refused = await refusal(client, FlowWorld.redirectURI(of: .gitHub) + "?code=of-gitHub&state=" + state)
        XCTAssertEqual((refused?.cause as? VerificationFailure)?.kind, .rejected, "where GitHub sends people back to")
        XCTAssertEqual(world.transport.count("/token"), 0, "the provider was sent GitHub's code")
    }

    func testAMalformedCallbackUsesNothingUp() async throws {
        let client = world.client()
        let back = try await begun(on: client)
        let state = FlowWorld.fields(URL(string: back))["state"] ?? ""
        for query in [
            "", "?", "?code=c", "?state=", "?state=\(state)", "?state=\(state)&code=",
            "?state=\(state)&state=\(state)&code=c",
            "?state=\(state)&code=a&code=b", "?state=\(state)&code=%", "?state=\(state)&code=%zz",
            "?state=\(state)&code=%ff",
            "?state=%00&code=c", "?state=unknown&code=c",
            "?" + String(repeating: "a=b&", count: 60) + "state=\(state)&code=c",
            "?state=\(state)&code=" + String(repeating: "a", count: 40_000), "?state=\(state)&st%61te=x&code=c",
        ] {
            let refused = await refusal(client, redirectURI + query)
            XCTAssertEqual(refused?.code, .invalidCredential, String(query.prefix(80)))
        }
        XCTAssertEqual(world.transport.count("/token"), 0)
        // More often than a visit may try codes.
        for _ in 0..<6 { _ = await refusal(client, redirectURI + "?state=\(state)&code=") }
        try await client.complete(callback: back)
    }

    func testAProviderThatIsDownUsesNothingUp() async throws {
        let client = world.client()
        let page = try await client.begin(.signIn, with: "oidc.example", redirectURI: redirectURI)
        let back = world.approve(page)
        world.transport.answer("/token", [:], status: 503)
        let refused = await refusal(client, back)
        XCTAssertEqual(refused?.code, .networkError)
        try await client.complete(callback: world.approve(page))
    }

    func testWhatTheProviderAnswersInsteadOfACode() async throws {
        let client = world.client()
        let back = try await begun(on: client)
        let state = FlowWorld.fields(URL(string: back))["state"] ?? ""
        for word in ["access_denied", "user_cancelled_authorize", "user_cancelled_login"] {
            let denied = await refusal(client, redirectURI + "?error=\(word)&state=" + state)
            XCTAssertEqual(denied?.code, .webContextCancelled, "a person who did not agree: \(word)")
        }
        let other = await refusal(client, redirectURI + "?error=hush%3Cscript%3E&error_description=hush&state=" + state)
        XCTAssertEqual(other?.code, .invalidCredential)
        XCTAssertEqual(other?.message.contains("hush"), false)
        let stranger = await refusal(client, redirectURI + "?error=access_denied&state=unknown")
        XCTAssertEqual(stranger?.code, .invalidCredential, "a stranger cannot end a visit")
    }

    func testOnlyAKnownWordOfTheProvidersErrorIsRepeated() async throws {
        for word in [
            "invalid_request", "unauthorized_client", "unsupported_response_type", "invalid_scope", "server_error",
            "temporarily_unavailable", "interaction_required", "login_required", "consent_required",
            "account_selection_required", "hush",
        ] {
            let client = world.client()
            let state = FlowWorld.fields(URL(string: try await begun(on: client)))["state"] ?? ""
            let error = await refusal(client, redirectURI + "?error=\(word)&state=" + state)
            let isOutage = ["server_error", "temporarily_unavailable"].contains(word)
            XCTAssertEqual(error?.code, isOutage ? .networkError : .invalidCredential, word)
            let said = "the error \(word == "hush" ? "another" : word) instead of a code"
            XCTAssertEqual(error?.message.contains(said), true, "\(word): \(error?.message ?? "")")
        }
    }

    func testAProviderWithoutPagesOrDisabledHasNoVisits() async throws {
        let client = world.client()
        for provider in [ProviderID.google, "oidc.unknown"] {
            let refused = await error { () async throws(AuthError) in
                try await client.begin(.signIn, with: provider, redirectURI: FlowWorld.redirectURI(of: provider))
            }
            XCTAssertEqual(refused?.code, .operationNotAllowed, "\(provider)")
        }
        var policy = AuthPolicy.standard
        policy.disabledProviders = [.gitHub]
        let refused = await error { () async throws(AuthError) in
            try await FlowWorld(policy: policy).client().begin(
                .signIn,
                with: .gitHub,
                redirectURI: FlowWorld.redirectURI(of: .gitHub)
            )
        }
        XCTAssertEqual(refused?.code, .operationNotAllowed)
    }
}
#endif
