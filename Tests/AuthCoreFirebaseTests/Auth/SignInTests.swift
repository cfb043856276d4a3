@testable import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

@testable import AuthCoreFirebase

/// What an in-process implementation must match of signing in.
final class SignInTests: LimitedTestCase {
    private let world = World()
    private var auth: AuthCoreFirebase.Auth { world.auth }

    func testAnAnonymousPersonStaysWhoTheyAre() async throws {
        let first = try await auth.signInAnonymously()
        XCTAssertEqual(first.additionalUserInfo?.providerID, "")
        XCTAssertEqual(first.additionalUserInfo?.isNewUser, true)
        let second = try await auth.signInAnonymously()
        XCTAssertTrue(second.user === first.user)
        XCTAssertNil(second.additionalUserInfo)
        try await world.service.revokeSessions(of: XCTUnwrap(AccountID(first.user.uid)))
        let third = try await auth.signInAnonymously()
        XCTAssertTrue(third.user === first.user, "no request is made that would notice the end of the session")
    }

    func testAPersonWithoutAnAddressIsNotTakenForAnAnonymousOne() async throws {
        let ann = try await auth.signIn(with: world.phone("+15555550111", in: auth)).user
        XCTAssertNil(ann.email, "the test needs a person without an address")
        let guest = try await auth.signInAnonymously().user
        XCTAssertNotEqual(guest.uid, ann.uid, "who is signed in after an anonymous sign-in")
        XCTAssertTrue(guest.isAnonymous, "whether the account of an anonymous sign-in is anonymous")
    }

    func testAMailedLinkSignsIn() async throws {
        let settings = ActionCodeSettings()
        settings.handleCodeInApp = true
        settings.url = URL(string: "https://example.com/after")
        try await auth.sendSignInLink(toEmail: "ann@example.com", actionCodeSettings: settings)
        XCTAssertTrue(auth.isSignIn(withEmailLink: world.newestLink))
        XCTAssertFalse(auth.isSignIn(withEmailLink: "https://example.com"))
        let other = world.newestLink.replacing("mode=signIn", with: "mode=resetPassword")
        XCTAssertFalse(auth.isSignIn(withEmailLink: other), "whether a link that resets a password signs in")
        let result = try await auth.signIn(withEmail: "ann@example.com", link: world.newestLink)
        XCTAssertEqual(result.additionalUserInfo?.isNewUser, true)
        let url = try XCTUnwrap(ActionCodeURL(link: world.newestLink))
        XCTAssertEqual(url.operation, .emailLink)
        XCTAssertEqual(url.continueURL, settings.url)
    }

    func testAConflictCarriesTheAddressAndTheCredential() async throws {
        try await auth.createUser(withEmail: "ann@example.com", password: "correct horse")
        try auth.signOut()
        let error = await failure { try await self.auth.signIn(with: self.world.gitHub()) }
        XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.accountExistsWithDifferentCredential.rawValue)
        XCTAssertEqual(error?.userInfo[AuthErrorUserInfoEmailKey] as? String, "ann@example.com")
        let credential = error?.userInfo[AuthErrorUserInfoUpdatedCredentialKey] as? AuthCoreFirebase.AuthCredential
        let user = try await auth.signIn(withEmail: "ann@example.com", password: "correct horse").user
        let linked = try await user.link(with: try XCTUnwrap(credential))
        let profile = try XCTUnwrap(linked.additionalUserInfo?.profile)
        XCTAssertEqual(profile["login"] as? String, "ann")
        XCTAssertEqual(profile["html_url"] as? String, "https://github.com/ann")
        XCTAssertEqual(
            (profile["id"] as? Int).map { "\($0)" },
            user.providerData.first { $0.providerID == GitHubAuthProviderID }?.uid
        )
        XCTAssertNil(profile["aud"], "a profile is what the user endpoint answers, not what is in a token")
    }

    func testAResultHasTheTokensOfItsProvider() async throws {
        let result = try await auth.signIn(with: world.google())
        let token = SimulatedProvider.google.token(for: .ann, at: world.clock.now)
        XCTAssertEqual(result.credential?.provider, "google.com", "the provider")
        XCTAssertEqual(result.credential?.idToken, token, "the ID token")
        XCTAssertEqual(result.credential?.accessToken, "access", "the access token")
        let shown = OAuthProvider.credential(providerID: .google, idToken: token, accessToken: "access")
        let again = try await auth.signIn(with: shown)
        XCTAssertTrue(again.credential === shown, "the credential, with the nonce that it may have")
    }

    func testAResultHasTheSecretOfItsToken() async throws {
        let token = SimulatedProvider.twitter.token(for: .ann, at: world.clock.now)
        let credential = TwitterAuthProvider.credential(withToken: token, secret: "secret")
        let result = try await world.auth.signIn(with: credential)
        XCTAssertEqual(result.credential?.accessToken, token, "the token")
        XCTAssertEqual(result.credential?.secret, "secret", "the secret of the token")
    }

    func testEmptyFieldsAreRefusedByTheClient() async throws {
        let settings = ActionCodeSettings()
        settings.handleCodeInApp = true
        let cases: [(AuthCoreFirebase.AuthErrorCode, () async throws -> Void)] = [
            (.wrongPassword, { try await self.auth.signIn(withEmail: "ann@example.com", password: "") }),
            (.weakPassword, { try await self.auth.createUser(withEmail: "ann@example.com", password: "") }),
            (.weakPassword, { try await self.auth.createUser(withEmail: "", password: "") }),
            (.missingEmail, { try await self.auth.createUser(withEmail: "", password: "correct horse") }),
            (.missingEmail, { try await self.auth.sendPasswordReset(withEmail: "") }),
            (.missingEmail, { try await self.auth.sendSignInLink(toEmail: "", actionCodeSettings: settings) }),
            (.missingPhoneNumber, { _ = try await self.world.phone("", in: self.auth) }),
        ]
        for (code, work) in cases {
            let error = await failure(work)
            XCTAssertEqual(error?.code, code.rawValue)
        }
    }

    func testAnEmptyPasswordDoesNotReauthenticateEither() async throws {
        let user = try await auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        let empty = EmailAuthProvider.credential(withEmail: "ann@example.com", password: "")
        let error = await failure { try await user.reauthenticate(with: empty) }
        XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.wrongPassword.rawValue, "an empty password")
        let other = EmailAuthProvider.credential(
            withEmail: "ann@example.com",
            link: "https://example.com/?mode=resetPassword"
        )
        let refused = await failure { try await user.reauthenticate(with: other) }
        XCTAssertEqual(
            refused?.code,
            AuthCoreFirebase.AuthErrorCode.invalidActionCode.rawValue,
            "a link of another kind"
        )
    }

    func testWhatTrapsInTheOriginalIsAnErrorHere() async throws {
        let settings = ActionCodeSettings()
        let link = await failure {
            try await self.auth.sendSignInLink(toEmail: "ann@example.com", actionCodeSettings: settings)
        }
        XCTAssertEqual(link?.code, AuthCoreFirebase.AuthErrorCode.operationNotAllowed.rawValue)
        let noLink = await failure { _ = try await self.auth.signIn(withEmail: "ann@example.com", link: "no link") }
        XCTAssertEqual(noLink?.code, AuthCoreFirebase.AuthErrorCode.invalidActionCode.rawValue)
        for provider in ["facebook.com", "apple.com"] {
            let provider = OAuthProvider(providerID: provider, auth: auth)
            let error = await failure { try await provider.credential(with: nil) }
            XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.invalidProviderID.rawValue)
        }
        auth.useEmulator(withHost: "", port: -1)
    }

    func testHandlersArriveOnTheMainQueue() async throws {
        let called = expectation(description: "called")
        called.expectedFulfillmentCount = 4
        func finish() {
            XCTAssertTrue(Thread.isMainThread)
            called.fulfill()
        }
        auth.createUser(withEmail: "", password: "") { _, _ in finish() }
        auth.signIn(withEmail: "ann@example.com", password: "") { _, _ in finish() }
        auth.getToken(forcingRefresh: false) { _, _ in finish() }
        PhoneAuthProvider.provider(auth: auth).verifyPhoneNumber("+15555550111") { _, _ in finish() }
        await fulfillment(of: [called], timeout: 10)
    }
}
