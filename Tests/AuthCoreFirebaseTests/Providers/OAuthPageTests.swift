@testable import AuthCore
import AuthCoreFirebaseApp
import AuthCoreProviders
import AuthCoreTesting
import Foundation
import XCTest

@testable import AuthCoreFirebase

/// A real verifier sends the person to the provider's page, which the app's presenter shows.
final class OAuthPageTests: LimitedTestCase {
    /// Answers as GitHub does, for one person.
    private struct GitHub: HTTPTransport {
        static let person: ClaimValue = [
            "login": "octocat", "id": 583231, "node_id": "MDQ6VXNlcjU4MzIzMQ==",
            "avatar_url": "https://avatars.githubusercontent.com/u/583231?v=4",
            "html_url": "https://github.com/octocat",
            "type": "User", "site_admin": false, "name": "The Octocat", "company": "@github", "public_repos": 8,
            "two_factor_authentication": true,
        ]

        func send(_ request: ProviderRequest) async throws -> ProviderResponse {
            let sent = String(decoding: request.body, as: UTF8.self)
            let answer: ClaimValue? =
                switch request.url.path() {
                case "/login/oauth/access_token":
                    sent.contains("code=c0de") && sent.contains("code_verifier=")
                        ? ["access_token": "gho_1", "token_type": "bearer", "scope": "read:user,user:email,repo"]
                        : ["error": "bad_verification_code"]
                case "/applications/app/token": ["app": ["client_id": "app"], "user": ["id": 583231]]
                case "/user": Self.person
                case "/user/emails": [["email": "ann@example.com", "primary": true, "verified": true]]
                default: nil
                }
            return ProviderResponse(status: answer == nil ? 404 : 200, body: answer?.json() ?? [])
        }
    }

    /// Agrees to everything, or does what it is told.
    private struct Browser: FederatedSignInPresenter {
        var answer: @Sendable (URL, String) throws -> FederatedSignInAnswer = { redirectURI, state in
            FederatedSignInAnswer(
                callbackURL: redirectURI.appending(queryItems: [
                    URLQueryItem(name: "code", value: "c0de"), URLQueryItem(name: "state", value: state),
                ])
            )
        }

        func present(_ request: FederatedSignInRequest) async throws -> FederatedSignInAnswer {
            let url = try XCTUnwrap(request.url)
            XCTAssertEqual(url.host(), "github.com")
            XCTAssertEqual(url.path(), "/login/oauth/authorize")
            XCTAssertEqual(request.parameters["scope"], "read:user user:email repo")
            XCTAssertEqual(
                request.parameters["client_id"],
                "app",
                "the client is the verifier's, not the app's options'"
            )
            XCTAssertEqual(request.parameters["login"], "octocat")
            XCTAssertEqual(request.providerID, "github.com", "the provider")
            XCTAssertEqual(request.scopes, ["repo"], "the scopes beside those in the parameters")
            XCTAssertNotNil(request.parameters["code_challenge"])
            XCTAssertEqual(request.parameters["redirect_uri"], "https://auth.example.com/__/auth/github.com/handler")
            let redirectURI = try XCTUnwrap(request.parameters["redirect_uri"].flatMap { URL(string: $0) })
            return try answer(redirectURI, request.parameters["state"] ?? "")
        }
    }

    private func device(
        _ name: String,
        _ browser: Browser = Browser(),
        policy: AuthPolicy = .firebase
    ) throws -> AuthCoreFirebase.Auth {
        FirebaseApp.configure(name: name, options: FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "1"))
        let app = try XCTUnwrap(FirebaseApp.app(name: name))
        let gitHub = GitHubVerifier(clientID: "app", clientSecret: "secret", transport: GitHub())
        app.useAuth(
            AuthConfiguration(
                policy: policy,
                providers: [gitHub, SimulatedProvider(.google)],
                passwordHasher: CheapPasswordHasher()
            ),
            presenter: browser
        )
        let auth = AuthCoreFirebase.Auth.auth(app: app)
        auth.customAuthDomain = "auth.example.com"
        return auth
    }

    private func provider(_ auth: AuthCoreFirebase.Auth) -> OAuthProvider {
        let provider = OAuthProvider(providerID: GitHubAuthProviderID, auth: auth)
        provider.scopes = ["repo"]
        provider.customParameters = ["login": "octocat", "Client_ID": "mine", "code_challenge": "mine"]
        return provider
    }

    func testAPageSignsInLinksAndReauthenticates() async throws {
        let auth = try device("page signs in")
        let provider = provider(auth)
        let credential = try await provider.credential(with: nil)
        guard case .federated(let given)? = credential.presented.last?.content else {
            return XCTFail("a page gives another credential: \(credential.presented)")
        }
        XCTAssertTrue(given.isExchanged, "the library made the token of a code itself, so the proof never waits")
        let result = try await auth.signIn(with: credential)
        XCTAssertEqual(result.credential?.accessToken, "gho_1", "the app gets the provider's token")
        XCTAssertEqual(result.user.email, "ann@example.com")
        XCTAssertEqual(result.additionalUserInfo?.username, "octocat")
        let profile = try XCTUnwrap(result.additionalUserInfo?.profile)
        XCTAssertEqual(Set(profile.keys), Set(try XCTUnwrap(GitHub.person.objectValue).keys), "as /user answered")
        XCTAssertEqual(profile["id"] as? Int, 583231)
        XCTAssertEqual(profile["site_admin"] as? Bool, false)
        XCTAssertEqual(profile["html_url"] as? String, "https://github.com/octocat")
        let again = try await result.user.reauthenticate(with: provider, uiDelegate: nil)
        XCTAssertEqual(again.credential?.accessToken, "gho_1")
        XCTAssertEqual(again.additionalUserInfo?.username, "octocat", "who re-authenticated")
        try await result.user.delete()
        let user = try await auth.createUser(withEmail: "ben@example.com", password: "correct horse").user
        let linked = try await user.link(with: provider, uiDelegate: nil)
        XCTAssertEqual(linked.credential?.accessToken, "gho_1")
        XCTAssertEqual(Set(user.providerData.map(\.providerID)), ["password", "github.com"])
    }

    func testAPageOfACanceledTaskSignsIn() async throws {
        let auth = try device("page of a canceled task")
        let provider = provider(auth)
        let work = Handover { try await auth.signIn(with: provider, uiDelegate: nil) }
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return Handover(try await work.value())
        }
        let result = try await task.value.value
        XCTAssertEqual(result.user.email, "ann@example.com", "who signed in by the page")
        XCTAssertTrue(auth.currentUser === result.user, "the current user after the page")
    }

    func testAConflictIsResolvedWithoutASecondPage() async throws {
        let auth = try device("page conflicts", policy: .standard)
        func google() -> AuthCoreFirebase.AuthCredential {
            GoogleAuthProvider.credential(withIDToken: SimulatedProvider.google.token(for: .ann), accessToken: "")
        }
        let owner = try await auth.signIn(with: google()).user
        try auth.signOut()
        let error = await failure { try await auth.signIn(with: self.provider(auth), uiDelegate: nil) }
        XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.accountExistsWithDifferentCredential.rawValue)
        let updated = try XCTUnwrap(error?.userInfo[AuthErrorUserInfoUpdatedCredentialKey] as? OAuthCredential)
        XCTAssertEqual(updated.accessToken, "gho_1")
        let user = try await auth.signIn(with: google()).user
        try await user.link(with: updated)
        XCTAssertEqual(user.uid, owner.uid)
        XCTAssertEqual(Set(user.providerData.map(\.providerID)), ["google.com", "github.com"])
    }

    func testACallbackThatDoesNotBelongHereGivesNoCredential() async throws {
        typealias Answer = @Sendable (URL, String) throws -> FederatedSignInAnswer
        @Sendable func callback(_ url: URL, _ fields: [String: String]) -> FederatedSignInAnswer {
            FederatedSignInAnswer(
                callbackURL: url.appending(queryItems: fields.map { URLQueryItem(name: $0.key, value: $0.value) })
            )
        }
        let cases: [(String, AuthCoreFirebase.AuthErrorCode, Answer)] = [
            ("another state", .invalidCredential, { url, _ in callback(url, ["code": "c0de", "state": "mine"]) }),
            ("another code", .invalidCredential, { url, state in callback(url, ["code": "other", "state": state]) }),
            (
                "a refusal of the person", .webContextCancelled,
                { url, state in callback(url, ["error": "access_denied", "state": state]) }
            ),
            ("a closed page", .webContextCancelled, { _, _ in throw CancellationError() }),
            ("a broken browser", .webInternalError, { _, _ in throw URLError(.unknown) }),
            (
                "another place", .invalidCredential,
                { _, state in
                    FederatedSignInAnswer(
                        callbackURL: try XCTUnwrap(URL(string: "https://evil.example/?code=c0de&state=\(state)"))
                    )
                }
            ),
        ]
        for (what, code, answer) in cases {
            let auth = try device("callback", Browser(answer: answer))
            let error = await failure { try await self.provider(auth).credential(with: nil) }
            XCTAssertEqual(error?.domain, AuthErrorDomain, what)
            XCTAssertEqual(error?.code, code.rawValue, what)
            XCTAssertNil(auth.currentUser, what)
        }
    }

    func testASimulatedProviderHasNoPage() async throws {
        struct Answers: FederatedSignInPresenter {
            func present(_ request: FederatedSignInRequest) async throws -> FederatedSignInAnswer {
                XCTAssertNil(request.url)
                return FederatedSignInAnswer(callbackURL: try XCTUnwrap(URL(string: "https://a.example/?code=c")))
            }
        }
        FirebaseApp.configure(name: "no page", options: FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "1"))
        let app = try XCTUnwrap(FirebaseApp.app(name: "no page"))
        app.useAuth(AuthConfiguration(policy: .firebase, providers: .simulated), presenter: Answers())
        let provider = OAuthProvider(providerID: .gitHub, auth: AuthCoreFirebase.Auth.auth(app: app))
        let error = await failure { try await provider.credential(with: nil) }
        XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.webInternalError.rawValue)
    }
}
