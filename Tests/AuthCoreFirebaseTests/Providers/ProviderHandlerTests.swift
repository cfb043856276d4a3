@testable import AuthCore
import AuthCoreFirebase
import AuthCoreFirebaseApp
import AuthCoreTesting
import Foundation
import XCTest

/// Providers, with a completion handler and by names of the default app.
final class ProviderHandlerTests: LimitedTestCase {
    private struct Browser: FederatedSignInPresenter {
        let error: (any Error)?
        var answer = FederatedSignInAnswer(accessToken: SimulatedProvider.gitHub.token(for: .ann))

        func present(_ request: FederatedSignInRequest) async throws -> FederatedSignInAnswer {
            if let error { throw error }
            return answer
        }
    }

    private func auth(
        _ name: String,
        failing error: (any Error)? = nil,
        answering answer: FederatedSignInAnswer? = nil
    ) throws -> AuthCoreFirebase.Auth {
        var browser = Browser(error: error)
        if let answer { browser.answer = answer }
        FirebaseApp.configure(name: name, options: FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "1"))
        let app = try XCTUnwrap(FirebaseApp.app(name: name))
        app.useAuth(
            AuthConfiguration(policy: .firebase, providers: .simulated, passwordHasher: CheapPasswordHasher()),
            presenter: browser
        )
        return AuthCoreFirebase.Auth.auth(app: app)
    }

    func testAPresentersNonceIsShownWithItsToken() async throws {
        let token = SimulatedProvider.google.token(for: .ann, saying: SimulatedToken(nonce: "n0nce"))
        let auth = try auth("nonce", answering: FederatedSignInAnswer(idToken: token, rawNonce: "n0nce"))
        let user = try await auth.signIn(with: OAuthProvider(providerID: .google, auth: auth), uiDelegate: nil).user
        XCTAssertEqual(user.providerData.map(\.providerID), ["google.com"], "a token with a nonce needs it")
    }

    func testAProviderSignsInLinksAndReauthenticates() async throws {
        let auth = try auth("handlers")
        let provider = OAuthProvider.provider(providerID: .gitHub, auth: auth)
        provider.scopes = ["repo"]
        provider.customParameters = ["login": "ann"]
        XCTAssertEqual(provider.scopes, ["repo"])
        XCTAssertEqual(provider.customParameters, ["login": "ann"])
        XCTAssertEqual(provider.providerID, "github.com")
        let credential: AuthCoreFirebase.AuthCredential = try await answer {
            provider.getCredentialWith(nil, completion: $0)
        }
        XCTAssertEqual(credential.provider, "github.com")
        let result: AuthDataResult = try await answer { auth.signIn(with: provider, uiDelegate: nil, completion: $0) }
        let user = result.user
        XCTAssertEqual(user.providerData.map(\.providerID), ["github.com"])
        let again: AuthDataResult = try await answer {
            user.reauthenticate(with: provider, uiDelegate: nil, completion: $0)
        }
        XCTAssertEqual(again.user.uid, user.uid)
        let awaited = try await user.reauthenticate(with: provider, uiDelegate: nil)
        XCTAssertEqual(awaited.user.uid, user.uid)
        try auth.signOut()
        let guest = try await auth.signInAnonymously().user
        let taken = await code { heard in
            guest.link(with: provider, uiDelegate: nil) { _, error in heard(error) }
        }
        XCTAssertEqual(taken, AuthCoreFirebase.AuthErrorCode.credentialAlreadyInUse.rawValue)
        let twice = await failure { try await guest.link(with: provider, uiDelegate: nil) }
        XCTAssertEqual(twice?.code, AuthCoreFirebase.AuthErrorCode.credentialAlreadyInUse.rawValue)
    }

    func testAPageThatFailsIsAnErrorOfFirebases() async throws {
        struct Broken: Error {}
        let own = NSError(domain: "FIRAuthErrorDomain", code: 17999)
        let cases: [(String, any Error, AuthCoreFirebase.AuthErrorCode)] = [
            ("canceled", CancellationError(), .webContextCancelled), ("broken", Broken(), .webInternalError),
            ("own", own, .internalError),
        ]
        for (name, failing, expected) in cases {
            let provider = OAuthProvider(providerID: AuthProviderID.gitHub, auth: try auth(name, failing: failing))
            let error = await failure { try await provider.credential(with: nil) }
            XCTAssertEqual(error?.code, expected.rawValue, name)
            let cause = error?.userInfo[NSUnderlyingErrorKey]
            XCTAssertEqual(cause != nil, name == "broken", "whether the cause is told of a page that is \(name)")
        }
    }

    func testAProviderWithItsOwnKitHasNoPage() async throws {
        let auth = try auth("kit")
        let provider = OAuthProvider(providerID: .apple, auth: auth)
        let error = await failure { try await provider.credential(with: nil) }
        XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.invalidProviderID.rawValue)
        auth.useEmulator(withHost: "", port: 9099)
        XCTAssertEqual(auth.settings?.isAppVerificationDisabledForTesting, false, "no emulator without a host")
        let stillRefused = await failure { try await provider.credential(with: nil) }
        XCTAssertEqual(stillRefused?.code, AuthCoreFirebase.AuthErrorCode.invalidProviderID.rawValue)
        for host in ["localhost", "192.0.2.1"] {
            let auth = try self.auth("kit at \(host)")
            auth.useEmulator(withHost: host, port: 9099)
            XCTAssertEqual(auth.settings?.isAppVerificationDisabledForTesting, true, "the emulator at \(host)")
            let credential = try? await OAuthProvider(providerID: .apple, auth: auth).credential(with: nil)
            XCTAssertEqual(credential?.provider, "apple.com", "the credential where an emulator at \(host) is wanted")
        }
    }

    func testProvidersHaveTheirNames() {
        let ids: [AuthProviderID] = [
            .apple, .email, .facebook, .gameCenter, .gitHub, .google, .phone, .custom("oidc.X"),
        ]
        XCTAssertEqual(
            ids.map(\.rawValue),
            [
                "apple.com", "password", "facebook.com", "gc.apple.com", "github.com", "google.com", "phone", "oidc.X",
            ],
            "the IDs of the providers"
        )
        XCTAssertEqual(TwitterAuthProvider.credential(withToken: "token", secret: "secret").provider, "twitter.com")
    }

    func testCredentialsCarryWhatTheyWereMadeOf() {
        let plain = OAuthProvider.credential(providerID: .google, idToken: "id", accessToken: "access")
        XCTAssertEqual([plain.provider, plain.idToken, plain.accessToken], ["google.com", "id", "access"])
        let nonce = OAuthProvider.credential(providerID: .google, idToken: "id", rawNonce: "nonce")
        XCTAssertEqual(nonce.idToken, "id")
        XCTAssertNil(nonce.accessToken)
        var name = PersonNameComponents()
        name.givenName = "Ann"
        name.familyName = "Archer"
        let apple = OAuthProvider.appleCredential(withIDToken: "id", rawNonce: "nonce", fullName: name)
        XCTAssertEqual([apple.provider, apple.idToken], ["apple.com", "id"])
        XCTAssertNil(apple.secret)
    }

    func testAppleTellsTheNameBesideTheToken() async throws {
        let auth = try auth("apple")
        var name = PersonNameComponents()
        name.givenName = "Ann"
        name.middleName = "B."
        name.familyName = "Archer"
        let token = SimulatedProvider.apple.token(for: .ann)
        let credential = OAuthProvider.appleCredential(withIDToken: token, rawNonce: nil, fullName: name)
        let user = try await auth.signIn(with: credential).user
        XCTAssertEqual(user.displayName, "Ann B. Archer")
    }

    func testGameCenterIsNotLinkedHere() async throws {
        let refused = await code { heard in GameCenterAuthProvider.getCredential { _, error in heard(error) } }
        XCTAssertEqual(refused, AuthCoreFirebase.AuthErrorCode.gameKitNotLinked.rawValue)
        let error = await failure { try await GameCenterAuthProvider.getCredential() }
        XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.gameKitNotLinked.rawValue)
    }

    func testTheDefaultAppIsWhatIsMeantWithoutAName() async throws {
        let options = FirebaseOptions(googleAppID: "1:2:ios:3", gcmSenderID: "2")
        FirebaseApp.configure(
            options: options,
            auth: AuthConfiguration(policy: .firebase, providers: .simulated, passwordHasher: CheapPasswordHasher()),
            presenter: Browser(error: nil)
        )
        let app = try XCTUnwrap(FirebaseApp.app())
        XCTAssertTrue(app.isDefaultApp)
        XCTAssertTrue(FirebaseApp.isDefaultAppConfigured)
        XCTAssertTrue(AuthCoreFirebase.Auth.auth() === AuthCoreFirebase.Auth.auth(app: app))
        let result = try await AuthCoreFirebase.Auth.auth()
            .signIn(with: OAuthProvider.provider(providerID: .gitHub), uiDelegate: nil)
        XCTAssertTrue(AuthCoreFirebase.Auth.auth().currentUser === result.user)
        let id = try await PhoneAuthProvider.provider().verifyPhoneNumber("+15555550111")
        XCTAssertFalse(id.isEmpty)
        let failing = CancellationError()
        let other = OAuthProvider(
            providerID: .gitHub,
            auth: try auth("beside the default app", failing: failing)
        )
        let error = await failure { try await other.credential(with: nil) }
        let code = AuthCoreFirebase.AuthErrorCode.webContextCancelled.rawValue
        XCTAssertEqual(error?.code, code, "the page of another app was shown by that of the default app")
        await app.delete()
        XCTAssertFalse(FirebaseApp.isDefaultAppConfigured)
        FirebaseApp.configure(auth: AuthConfiguration())
        let again = try XCTUnwrap(FirebaseApp.app())
        XCTAssertNotNil(again.options.projectID, "options that need no file")
        let gone = expectation(description: "deleted")
        again.delete { wasThere in
            XCTAssertTrue(wasThere)
            gone.fulfill()
        }
        await fulfillment(of: [gone], timeout: 10)
        XCTAssertNil(FirebaseApp.app())
    }
}
