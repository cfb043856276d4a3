@testable import AuthCore
import AuthCoreFirebase
import AuthCoreFirebaseApp
import AuthCoreTesting
import Foundation
import Synchronization
import XCTest

/// A provider asks through the presenter, which stands for the browser.
final class OAuthProviderTests: LimitedTestCase {
    /// Answers as it is told.
    private struct Browser: FederatedSignInPresenter {
        let answer: @Sendable (FederatedSignInRequest) throws -> FederatedSignInAnswer

        func present(_ request: FederatedSignInRequest) async throws -> FederatedSignInAnswer { try answer(request) }
    }

    private func device(
        _ name: String,
        clientID: String? = "client",
        _ answer: @escaping @Sendable (FederatedSignInRequest) throws -> FederatedSignInAnswer
    ) throws -> AuthCoreFirebase.Auth {
        let options = FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "1")
        options.clientID = clientID
        FirebaseApp.configure(name: name, options: options)
        let app = try XCTUnwrap(FirebaseApp.app(name: name))
        app.useAuth(
            AuthConfiguration(policy: .firebase, providers: .simulated, passwordHasher: CheapPasswordHasher()),
            presenter: Browser(answer: answer)
        )
        return AuthCoreFirebase.Auth.auth(app: app)
    }

    func testReservedParametersAreNeverOverridden() async throws {
        let auth = try device("parameters") { request in
            XCTAssertEqual(request.parameters["client_id"], "client")
            XCTAssertEqual(request.parameters["response_type"], "code")
            XCTAssertEqual(request.parameters["scope"], "repo user:email")
            XCTAssertNotEqual(request.parameters["state"], "mine")
            XCTAssertEqual(request.parameters["state"]?.count, 24, "sixteen random bytes as text")
            XCTAssertEqual(request.parameters["redirect_uri"], "https://auth.example.com/__/auth/github.com/handler")
            XCTAssertEqual(request.parameters["login"], "ann")
            return FederatedSignInAnswer(accessToken: SimulatedProvider.gitHub.token(for: .ann))
        }
        auth.customAuthDomain = "auth.example.com"
        let provider = OAuthProvider(providerID: "github.com", auth: auth)
        provider.scopes = ["repo", "user:email"]
        provider.customParameters = [
            "login": "ann", "client_id": "mine", "redirect_uri": "mine", "response_type": "token", "scope": "admin",
            "state": "mine",
        ]
        let result = try await auth.signIn(with: provider, uiDelegate: nil)
        XCTAssertEqual(result.additionalUserInfo?.username, "ann")
        try await result.user.reauthenticate(with: provider, uiDelegate: nil)
        let error = await failure { try await result.user.link(with: provider, uiDelegate: nil) }
        XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.providerAlreadyLinked.rawValue)
    }

    func testEachVisitHasAStateOfItsOwn() async throws {
        let states = Mutex<Set<String?>>([])
        let auth = try device("states") { request in
            _ = states.withLock { $0.insert(request.parameters["state"]) }
            return FederatedSignInAnswer()
        }
        for _ in 0..<2 {
            _ = try await OAuthProvider(providerID: AuthProviderID.gitHub, auth: auth).credential(with: nil)
        }
        XCTAssertEqual(states.withLock(\.count), 2, "the states of two visits")
    }

    func testNoParameterOfOAuthItselfIsTakenFromTheApp() async throws {
        let names: Set = [
            "client_id", "client_secret", "redirect_uri", "response_type", "response_mode", "scope", "state", "nonce",
            "code_challenge", "code_challenge_method", "request", "request_uri",
        ]
        XCTAssertEqual(FederatedSignInRequest.reservedParameters, names, "the parameters that OAuth itself sets")
        let auth = try device("reserved") { request in
            for name in names { XCTAssertNotEqual(request.parameters[name], "mine", "the app sets \(name)") }
            XCTAssertEqual(request.parameters["login"], "ann", "a parameter of the app's own")
            throw CancellationError()
        }
        let provider = OAuthProvider(providerID: AuthProviderID.gitHub, auth: auth)
        var parameters = ["login": "ann"]
        for name in names { parameters[name] = "mine" }
        provider.customParameters = parameters
        let error = await failure { try await provider.credential(with: nil) }
        XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.webContextCancelled.rawValue, "the page was asked")
    }

    func testWithoutScopesNoneIsAskedForWhateverTheParametersSay() async throws {
        let auth = try device("scopes") { request in
            XCTAssertNil(request.parameters["scope"])
            XCTAssertEqual(request.scopes, [], "the scopes that the presenter is told")
            XCTAssertNil(request.parameters["login"], "a parameter that other parameters replaced")
            throw CancellationError()
        }
        let provider = OAuthProvider(providerID: AuthProviderID.gitHub, auth: auth)
        provider.customParameters = ["login": "ann"]
        provider.customParameters = ["scope": "admin"]
        for scopes: [String]? in [nil, [], nil] {
            provider.scopes = scopes
            let error = await failure { try await provider.credential(with: nil) }
            XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.webContextCancelled.rawValue)
            provider.scopes = ["repo"]
        }
    }

    func testTheScopeThatAnAppAppendsIsTheOnlyOne() async throws {
        for scopes in [[], ["repo"]] {
            let auth = try device("appends \(scopes)") { request in
                XCTAssertEqual(request.scopes, scopes, "the scopes that the presenter is told")
                XCTAssertEqual(request.parameters["scope"], scopes.first, "the scopes in the parameters")
                return FederatedSignInAnswer(accessToken: "access")
            }
            let provider = OAuthProvider(providerID: AuthProviderID.gitHub, auth: auth)
            provider.scopes?.append(contentsOf: scopes)
            _ = try await provider.credential(with: nil)
        }
    }

    func testADomainAndAClientThatAreNotSetAreStoodInFor() async throws {
        let auth = try device("not set", clientID: nil) { request in
            XCTAssertEqual(request.parameters["client_id"], "in-process")
            XCTAssertEqual(request.parameters["redirect_uri"], "https://auth.invalid/__/auth/github.com/handler")
            return FederatedSignInAnswer()
        }
        auth.customAuthDomain = "auth.example.com"
        auth.customAuthDomain = nil
        _ = try await OAuthProvider(providerID: AuthProviderID.gitHub, auth: auth).credential(with: nil)
    }

    func testWithoutAPresenterThereIsNoCredential() async throws {
        let world = World()
        let provider = OAuthProvider.provider(providerID: .gitHub, auth: world.auth)
        let called = expectation(description: "called")
        provider.getCredentialWith(nil) { credential, error in
            XCTAssertNil(credential)
            XCTAssertEqual((error as NSError?)?.code, AuthCoreFirebase.AuthErrorCode.webContextCancelled.rawValue)
            called.fulfill()
        }
        await fulfillment(of: [called], timeout: 10)
    }

    func testWithoutVerifiersFederatedCredentialsAreNotAllowed() async throws {
        FirebaseApp.configure(name: "plain", options: FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "1"))
        let auth = AuthCoreFirebase.Auth.auth(app: try XCTUnwrap(FirebaseApp.app(name: "plain")))
        XCTAssertTrue(auth === AuthCoreFirebase.Auth.auth(app: try XCTUnwrap(FirebaseApp.app(name: "plain"))))
        let credential = GoogleAuthProvider.credential(withIDToken: "token", accessToken: "token")
        let error = await failure { try await auth.signIn(with: credential) }
        XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.operationNotAllowed.rawValue)
        let user = try await auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        XCTAssertEqual(user.email, "ann@example.com")
    }

    #if !(canImport(UIKit) && canImport(ObjectiveC))
    func testADelegateIsCalledThroughItsProtocol() {
        final class Page: NSObject {}
        final class Shows: NSObject, AuthUIDelegate {
            var shown: [NSObject] = []

            func present(_ viewControllerToPresent: NSObject, animated flag: Bool, completion: (() -> Void)?) {
                shown.append(viewControllerToPresent)
                completion?()
            }

            func dismiss(animated flag: Bool, completion: (() -> Void)?) { completion?() }
        }
        final class TakesPages: NSObject, AuthUIDelegate {
            func present(_ viewControllerToPresent: Page, animated flag: Bool, completion: (() -> Void)?) {}

            func dismiss(animated flag: Bool, completion: (() -> Void)?) { completion?() }
        }
        let shows = Shows()
        var calls = 0
        for delegate in [shows, TakesPages()] as [any AuthUIDelegate] {
            delegate.present(Page(), animated: true, completion: { calls += 1 })
            delegate.present(Page(), animated: false, completion: nil)
            delegate.dismiss(animated: true, completion: { calls += 1 })
        }
        XCTAssertEqual(shows.shown.count, 2)
        XCTAssertEqual(calls, 4)
    }
    #endif

    func testThePresenterIsToldTheScopes() async throws {
        let auth = try device("told scopes") { request in
            XCTAssertEqual(request.providerID, "github.com", "the provider")
            XCTAssertEqual(request.scopes, ["repo", "user:email"], "the scopes that were set last")
            return FederatedSignInAnswer(accessToken: SimulatedProvider.gitHub.token(for: .ann))
        }
        let provider = OAuthProvider(providerID: "github.com", auth: auth)
        provider.scopes = ["gist"]
        provider.scopes = ["repo", "user:email"]
        _ = try await provider.credential(with: nil)
    }

    func testACredentialHasWhatThePresenterAnswers() async throws {
        let auth = try device("answers") { _ in
            FederatedSignInAnswer(idToken: "id", accessToken: "access", secret: "secret")
        }
        let provider = OAuthProvider(providerID: AuthProviderID.google, auth: auth)
        let credential = try await provider.credential(with: nil) as? OAuthCredential
        XCTAssertEqual(credential?.idToken, "id", "the ID token")
        XCTAssertEqual(credential?.accessToken, "access", "the access token")
        XCTAssertEqual(credential?.secret, "secret", "the secret of the access token")
    }

    func testAProviderIsAskedWithTheDelegateOfTheCall() async throws {
        let world = World()
        let (provider, delegate) = (DelegateKeeper(world), StillDelegate())
        let user = try await world.auth.signIn(with: provider, uiDelegate: delegate).user
        try await user.reauthenticate(with: provider, uiDelegate: delegate)
        _ = try? await user.link(with: provider, uiDelegate: delegate)
        for ask: (@escaping (AuthDataResult?, (any Error)?) -> Void) -> Void in [
            { world.auth.signIn(with: provider, uiDelegate: delegate, completion: $0) },
            { user.reauthenticate(with: provider, uiDelegate: delegate, completion: $0) },
            { user.link(with: provider, uiDelegate: delegate, completion: $0) },
        ] {
            let _: AuthDataResult? = try? await answer("asks by a handler", ask)
        }
        XCTAssertEqual(provider.asked.count, 6, "how often the provider was asked")
        XCTAssertTrue(provider.asked.allSatisfy { $0 === delegate }, "\(provider.asked)")
    }
}

/// A provider that keeps the delegates by which it was asked.
private final class DelegateKeeper: NSObject, FederatedAuthProvider {
    private let world: World
    private(set) var asked: [(any AuthUIDelegate)?] = []

    init(_ world: World) { self.world = world }

    func credential(with uiDelegate: (any AuthUIDelegate)?) async throws -> AuthCoreFirebase.AuthCredential {
        asked.append(uiDelegate)
        return world.google()
    }
}

/// A delegate that presents nothing.
private final class StillDelegate: NSObject, AuthUIDelegate {
    func present(_ viewControllerToPresent: NSObject, animated flag: Bool, completion: (() -> Void)?) {}
    func dismiss(animated flag: Bool, completion: (() -> Void)?) {}
}
