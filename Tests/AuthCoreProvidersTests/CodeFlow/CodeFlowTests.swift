#if OpenSSL
import AuthCore
import AuthCoreTesting
import XCTest

@testable import AuthCoreProviders

/// A person is sent to a provider and comes back: to sign in, to link, to reauthenticate.
final class CodeFlowTests: LimitedTestCase {
    private let world = FlowWorld()
    private let redirectURI = FlowWorld.redirectURI

    func testThePageHasEverythingThatTheProviderMustKnow() async throws {
        let page = try await world.client().begin(
            .signIn,
            with: "oidc.example",
            redirectURI: redirectURI,
            scopes: ["groups", "email"],
            parameters: ["prompt": "consent", "login_hint": "ann@example.com"]
        )
        XCTAssertEqual(page.host(), "login.example.com")
        XCTAssertEqual(page.path(), "/authorize")
        let fields = FlowWorld.fields(page)
        XCTAssertEqual(fields["response_type"], "code")
        XCTAssertEqual(fields["client_id"], "my-app")
        XCTAssertEqual(fields["redirect_uri"], redirectURI)
        XCTAssertEqual(fields["scope"], "openid email profile groups")
        XCTAssertEqual(fields["code_challenge_method"], "S256")
        XCTAssertEqual(fields["prompt"], "consent")
        XCTAssertEqual(fields["login_hint"], "ann@example.com")
        XCTAssertNil(fields["response_mode"], "the provider answers in the usual way")
        let secrets = ["state", "nonce", "code_challenge"].compactMap { fields[$0] }
        XCTAssertEqual(Set(secrets).count, 3)
        for secret in secrets { XCTAssertEqual(secret.utf8.count, 43, "256 bits") }
        let other = try await world.client().begin(.signIn, with: "oidc.example", redirectURI: redirectURI)
        XCTAssertNotEqual(FlowWorld.fields(other)["state"], fields["state"])
    }

    func testAPersonComesBackAndIsSignedIn() async throws {
        let client = world.client()
        let page = try await client.begin(.signIn, with: "oidc.example", redirectURI: redirectURI)
        let back = world.approve(page, claims: ["email": "ann@example.com", "name": "Ann Archer"])
        let result = try await client.complete(callback: back)
        XCTAssertTrue(result.isNewUser)
        XCTAssertEqual(result.user.displayName, "Ann Archer")
        XCTAssertEqual(result.tokens.accessToken, "at", "the provider's token is handed to the app")
        XCTAssertEqual(result.additionalUserInfo?.profile["name"], "Ann Archer")
        let sent = try XCTUnwrap(world.transport.requests.last { $0.url.path() == "/token" })
        XCTAssertNotNil(sent.headers["authorization"])
    }

    /// A server has no ID token of its own to present for a side.
    func testAPersonWhoComesBackIsASideOfAMerge() async throws {
        let client = world.client()
        let first = try await client.begin(.signIn, with: "oidc.example", redirectURI: redirectURI)
        let source = try await client.complete(callback: world.approve(first)).user
        let ben = AuthCredential.password(email: "ben@example.com", password: "correct horse")
        let target = try await client.signUp(email: "ben@example.com", password: "correct horse").user
        let page = try await client.begin(.signIn, with: "oidc.example", redirectURI: redirectURI)
        let side = Merge.Side.verified(try await client.verify(callback: world.approve(page)))
        let merged = try await client.merge(side, into: .verified(client.verify(ben)))
        XCTAssertEqual(merged.result.user.uid, target.uid, "the account that remains")
        XCTAssertEqual(merged.plan.source, source.accountID, "the account that is closed")
    }

    /// What a visit to sign in verified is no proof for the session of another intent.
    func testAVisitToSignInNeitherLinksNorReauthenticates() async throws {
        let client = world.client()
        let user = try await client.signUp(email: "ann@example.com", password: "correct horse battery").user
        let page = try await client.begin(.signIn, with: "oidc.example", redirectURI: redirectURI)
        let verified = try await client.verify(callback: world.approve(page))
        let link = await error { () async throws(AuthError) in try await user.link(with: verified) }
        XCTAssertEqual(link?.reason, .nonceIsOver, "a link by a visit that began to sign in")
        let again = await error { () async throws(AuthError) in try await user.reauthenticate(with: verified) }
        XCTAssertEqual(again?.reason, .nonceIsOver, "a reauthentication by a visit that began to sign in")
        let signedIn = try await client.signIn(with: verified)
        XCTAssertTrue(signedIn.isNewUser, "what the visit began for")
    }

    func testAPersonShowsAgainWhoTheyAre() async throws {
        let client = world.client()
        let first = try await client.begin(.signIn, with: "oidc.example", redirectURI: redirectURI)
        let user = try await client.complete(callback: world.approve(first)).user
        world.clock.advance(by: .seconds(3600))
        let page = try await user.begin(.reauthenticate, with: "oidc.example", redirectURI: redirectURI)
        let result = try await user.complete(callback: world.approve(page))
        XCTAssertEqual(result.user.uid, user.uid)
        XCTAssertEqual(user.session.authenticatedAt.date, world.clock.now)
        let second = try await user.begin(.reauthenticate, with: "oidc.example", redirectURI: redirectURI)
        let other = await error { () async throws(AuthError) in
            try await user.complete(callback: self.world.approve(second, as: "eve"))
        }
        XCTAssertEqual(other?.code, .userMismatch)
    }

    func testAConflictIsTheOneOfAnyOtherSignIn() async throws {
        let owner = try await world.client("her laptop").signIn(with: .simulated(.google, .ann, at: world.clock.now))
            .user
        let client = world.client()
        let page = try await client.begin(.signIn, with: "oidc.example", redirectURI: redirectURI)
        let back = world.approve(page, claims: ["email": .string(owner.email ?? ""), "email_verified": true])
        let refusal = await error { () async throws(AuthError) in try await client.complete(callback: back) }
        XCTAssertEqual(refusal?.code, .accountExistsWithDifferentCredential)
        let conflict = try XCTUnwrap(refusal?.conflict)
        let user = try await client.resolve(
            conflict,
            signingInWith: .simulated(.google, .ann, at: world.clock.now)
        ).user
        XCTAssertEqual(user.uid, owner.uid)
    }

    func testTheRealProviderSignsInLinksAndReauthenticates() async throws {
        let provider = try MockProvider()
        addTeardownBlock { provider.stop() }
        try await provider.setUser(
            "ann",
            claims: #"{"email":"ann@example.com","email_verified":true,"name":"Ann Archer"}"#
        )
        let auth = Auth(providers: [
            .oidc(id: "oidc.mock", issuer: provider.issuer, clientIDs: ["my-app"], clientSecret: "s")
        ])
        func visit(_ page: URL, as subject: String) async throws -> String {
            try await provider.approve(page, as: subject).absoluteString
        }
        var page = try await auth.begin(.signIn, with: "oidc.mock", redirectURI: FlowWorld.redirectURI(of: "oidc.mock"))
        let callback = try await visit(page, as: "ann")
        let ann = try await auth.complete(callback: callback)
        XCTAssertEqual(ann.user.email, "ann@example.com")
        XCTAssertEqual(ann.additionalUserInfo?.profile["name"], "Ann Archer")
        let again = await error { () async throws(AuthError) in try await auth.complete(callback: callback) }
        XCTAssertEqual(again?.code, .invalidCredential)
        page = try await ann.user.begin(
            .reauthenticate,
            with: "oidc.mock",
            redirectURI: FlowWorld.redirectURI(of: "oidc.mock")
        )
        try await ann.user.complete(callback: visit(page, as: "ann"))
        let ben = try await auth.signUp(email: "ben@example.com", password: "correct horse battery").user
        page = try await ben.begin(.link, with: "oidc.mock", redirectURI: FlowWorld.redirectURI(of: "oidc.mock"))
        try await ben.complete(callback: visit(page, as: "ben"))
        XCTAssertTrue(ben.providerData.contains { $0.provider == "oidc.mock" && $0.uid == "ben" })
    }
}
#endif
