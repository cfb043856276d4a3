@testable import AuthCore
import AuthCoreFirebaseApp
import AuthCoreTesting
import Foundation
import Synchronization
import XCTest

@testable import AuthCoreFirebase

/// What an in-process implementation must match of signing in and out.
final class DeviceTests: LimitedTestCase {
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

    /// The device gets a new secret when an account learns it; codes and limits go by that from then on.
    func testADeviceThatBecameKnownByALinkIsTheOneThatAsksForCodes() async throws {
        let world = World(.standard)
        let user = try await world.auth.signInAnonymously().user
        let word = EmailAuthProvider.credential(withEmail: "ann@example.com", password: "correct horse battery")
        _ = try await user.link(with: word)
        world.clock.advance(by: .seconds(1))
        _ = try await user.link(with: world.phone("+15550001234", in: world.auth))
        try world.auth.signOut()
        await world.letStrangersGuess()
        let back = try await world.auth.signIn(withEmail: "ann@example.com", password: "correct horse battery")
        XCTAssertEqual(back.user.uid, user.uid)
    }

    /// The device gets a new secret then, too; under its old one it would wait for strangers' guesses.
    func testADeviceOnWhichAPasswordWasSetByMailSignsInWhileStrangersGuess() async throws {
        let world = World(.standard)
        try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse battery")
        world.clock.advance(by: .seconds(1))
        let phone = world.device("phone")
        try await phone.sendPasswordReset(withEmail: "ann@example.com")
        try await phone.confirmPasswordReset(withCode: world.newestCode, newPassword: "another horse battery")
        await world.letStrangersGuess()
        let user = try await phone.signIn(withEmail: "ann@example.com", password: "another horse battery").user
        XCTAssertEqual(user.email, "ann@example.com", "who signs in on the device of the reset")
    }

    /// Digits are sent to the device as it is after the reset, so the current user must have that device, too.
    func testTheCurrentUserHasTheDeviceThatAResetOfAnotherAccountMadeKnown() async throws {
        let world = World(.standard)
        try await world.device("elsewhere").createUser(
            withEmail: "ben@example.com",
            password: "correct horse battery"
        )
        let guest = try await world.auth.signInAnonymously().user
        try await world.auth.sendPasswordReset(withEmail: "ben@example.com")
        try await world.auth.confirmPasswordReset(withCode: world.newestCode, newPassword: "another horse battery")
        XCTAssertEqual(guest.core.device, world.auth.client.device, "the device of the current user")
        let linked = try await guest.link(with: world.phone("+15550001234", in: world.auth)).user
        XCTAssertEqual(linked.phoneNumber, "+15550001234", "the number whose digits were sent after the reset")
    }

    /// A user that signed out has the device as it was then, without the secrets from after it.
    func testADeviceStaysKnownToAnAccountWhenAnotherOneLearnsIt() async throws {
        for isSetAgain in [true, false] {
            let world = World(.standard)
            let word = "correct horse battery"
            let guest = try await world.auth.signInAnonymously().user
            try world.auth.signOut()
            let ann = try await world.auth.createUser(withEmail: "ann@example.com", password: word).user
            XCTAssertNotEqual(guest.core.device, world.auth.client.device, "the test needs a device of before")
            world.clock.advance(by: .seconds(1))
            if isSetAgain { try await world.auth.updateCurrentUser(guest) }
            try await guest.link(with: EmailAuthProvider.credential(withEmail: "ben@example.com", password: word))
            await world.letStrangersGuess()
            let back = try? await world.auth.signIn(withEmail: "ann@example.com", password: word).user
            let what = "who signs in on the device that both accounts know, the guest being set again: \(isSetAgain)"
            XCTAssertEqual(back?.uid, ann.uid, what)
        }
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

    func testAPersonWhoSignedOutCanSignInAgain() async throws {
        let user = try await auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        try auth.signOut()
        try auth.signOut()
        XCTAssertNil(auth.currentUser)
        try await user.reload()
        try await auth.updateCurrentUser(user)
        XCTAssertTrue(auth.currentUser === user)
        let called = expectation(description: "called")
        auth.updateCurrentUser(nil) { error in
            XCTAssertEqual((error as NSError?)?.code, AuthCoreFirebase.AuthErrorCode.nullUser.rawValue)
            called.fulfill()
        }
        await fulfillment(of: [called], timeout: 10)
        auth.tenantID = "tenant"
        let error = await failure { try await self.auth.updateCurrentUser(user) }
        XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.tenantIDMismatch.rawValue)
    }

    func testWhatIsRefusedLeavesTheUserSignedIn() async throws {
        let user = try await auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        world.clock.advance(by: .seconds(86_400))
        let wrong = EmailAuthProvider.credential(withEmail: "ann@example.com", password: "wrong horse")
        let refused: [(String, () async throws -> Void)] = [
            ("a sign-in", { try await self.auth.signIn(with: wrong) }),
            ("a custom token", { try await self.auth.signIn(withCustomToken: "none") }),
            ("a sign-up", { try await self.auth.createUser(withEmail: "ann@example.com", password: "correct horse") }),
            ("no user", { try await self.done { self.auth.updateCurrentUser(nil, completion: $0) } }),
            ("a code", { try await self.auth.applyActionCode("none") }),
            ("a reset", { try await self.auth.confirmPasswordReset(withCode: "none", newPassword: "other horse") }),
            ("a re-authentication", { try await user.reauthenticate(with: wrong) }),
            ("a deletion", { try await user.delete() }),
        ]
        for (what, work) in refused {
            _ = await failure(work)
            XCTAssertTrue(auth.currentUser === user, "who is signed in after the refusal of \(what)")
        }
    }

    func testTheSessionOfWhoSignedOutEndsWithTheLastHandle() async throws {
        try await auth.createUser(withEmail: "ann@example.com", password: "correct horse")
        let id = try XCTUnwrap(auth.currentUser?.uid)
        try auth.signOut()
        let other = try await world.service.client(for: "another device", origin: .unknown).signIn(
            with: .password(email: "ann@example.com", password: "correct horse")
        )
        XCTAssertEqual(other.user.uid, id)
        let ended = expectation(description: "the session of who signed out ends")
        let waiting = Task {
            while try await other.user.sessions().count > 1 { await Task.yield() }
            ended.fulfill()
        }
        await fulfillment(of: [ended], timeout: 30)
        waiting.cancel()
    }

    func testAUserBelongsToTheAuthItWasSetFor() async throws {
        let user = try await auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        let tablet = world.device("tablet")
        try await tablet.updateCurrentUser(user)
        XCTAssertTrue(tablet.currentUser === user, "the user that was set")
        let laptop = world.device("laptop")
        laptop.tenantID = "tenant"
        _ = await failure { try await laptop.updateCurrentUser(user) }
        try await user.delete()
        XCTAssertNil(tablet.currentUser, "the user that was set is still there after its account was deleted")
    }

    func testASessionThatIsOverLeavesNoUserBeforeTheErrorArrives() async throws {
        let user = try await auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        try await world.service.deleteAccount(XCTUnwrap(AccountID(user.uid)))
        let error = await failure { try await user.reload() }
        XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.userNotFound.rawValue)
        XCTAssertNil(auth.currentUser)
    }

    func testAnAccountIsDeletedThroughWhicheverObjectOfItsUser() async throws {
        let password = EmailAuthProvider.credential(withEmail: "ann@example.com", password: "correct horse")
        let first = try await auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        let shown = try await first.reauthenticate(with: password).user
        XCTAssertFalse(shown === first)
        try await shown.delete()
        XCTAssertNil(auth.currentUser, "deleted through the object that a re-authentication answered with")
        let old = try await auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        let new = try await auth.signIn(with: password).user
        XCTAssertTrue(auth.currentUser === new)
        try await old.delete()
        XCTAssertNil(auth.currentUser, "deleted through the object of an earlier sign-in")
    }

    func testASessionThatIsOverLeavesNoUserWhicheverObjectNoticesIt() async throws {
        let user = try await auth.signIn(with: world.google()).user
        let shown = try await user.reauthenticate(with: world.google()).user
        try await world.service.revokeSessions(of: XCTUnwrap(AccountID(user.uid)))
        let error = await failure { try await shown.reload() }
        XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.userTokenExpired.rawValue)
        XCTAssertNil(auth.currentUser, "the session is over, and its other object is still the current user")
    }

    func testTheEndOfAnEarlierSessionLeavesTheUserWhoSignedInAgain() async throws {
        let old = try await auth.signIn(with: world.google()).user
        try await world.service.revokeSessions(of: XCTUnwrap(AccountID(old.uid)))
        let new = try await auth.signIn(with: world.google()).user
        _ = await failure { try await old.reload() }
        XCTAssertTrue(auth.currentUser === new, "the end of an earlier session signed the person out of the new one")
    }

    func testReauthenticationInASessionThatIsOverLeavesNoUser() async throws {
        let user = try await auth.signIn(with: world.google()).user
        try await world.service.revokeSessions(of: XCTUnwrap(AccountID(user.uid)))
        let error = await failure { try await user.reauthenticate(with: self.world.google()) }
        XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.userTokenExpired.rawValue)
        XCTAssertNil(auth.currentUser, "the user of a session that is over")
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

    func testAFactorThatIsShownAfterTheSignOutKeepsTheSession() async throws {
        var user: AuthCoreFirebase.User? = try await world.personWithFactor()
        let password = EmailAuthProvider.credential(withEmail: "ann@example.com", password: "correct horse")
        let error = await failure { try await XCTUnwrap(user).reauthenticate(with: password) }
        let resolver = try XCTUnwrap(error?.userInfo[AuthErrorUserInfoMultiFactorResolverKey] as? MultiFactorResolver)
        let assertion = try await world.assertion(for: resolver)
        try auth.signOut()
        _ = try await resolver.resolveSignIn(with: assertion)
        XCTAssertNotNil(auth.currentUser)
        user = nil
        XCTAssertNil(user)
        for _ in 0..<200 {
            await Task.yield()
            try await auth.currentUser?.reload()
        }
        XCTAssertNotNil(auth.currentUser, "the session ended with the object that signed out before")
        let token = try await XCTUnwrap(auth.currentUser).getIDToken()
        try await auth.signInAnonymously()
        let server = world.service.client(for: "server", origin: .unknown)
        for _ in 0..<200 {
            await Task.yield()
            let user = try? await server.user(forIDToken: token)
            XCTAssertNotNil(user, "the session ended with its last object, although the factor came after the sign-out")
            if user == nil { break }
        }
    }

    func testASessionEndsWithTheLastOfItsObjects() async throws {
        var user: AuthCoreFirebase.User? = try await auth.signIn(with: world.google()).user
        var other = try await user?.reauthenticate(with: world.google()).user
        let token = try await XCTUnwrap(other).getIDToken()
        try auth.signOut()
        user = nil
        try await XCTUnwrap(other).reload()
        let server = world.service.client(for: "server", origin: .unknown)
        _ = try await server.user(forIDToken: token)
        other = nil
        for _ in 0..<1000 {
            guard (try? await server.user(forIDToken: token)) != nil else { return }
            await Task.yield()
        }
        XCTFail("the session goes on after its last object")
    }

    func testASessionThatWasSignedOutEndsThoughItsPersonIsFoundAgain() async throws {
        FirebaseApp.configure(name: "ended", options: FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "1"))
        let app = try XCTUnwrap(FirebaseApp.app(name: "ended"))
        app.useAuth(world.service)
        let auth = AuthCoreFirebase.Auth.auth(app: app)
        var user: AuthCoreFirebase.User? = try await auth.signIn(with: world.google()).user
        let token = try await XCTUnwrap(user).getIDToken()
        try auth.signOut()
        let data = try NSKeyedArchiver.archivedData(withRootObject: XCTUnwrap(user), requiringSecureCoding: true)
        var found = try NSKeyedUnarchiver.unarchivedObject(ofClass: AuthCoreFirebase.User.self, from: data)
        XCTAssertNotNil(found?.uid)
        (user, found) = (nil, nil)
        let server = world.service.client(for: "server", origin: .unknown)
        for _ in 0..<1000 {
            if (try? await server.user(forIDToken: token)) == nil { break }
            await Task.yield()
        }
        let late = try? await server.user(forIDToken: token)
        XCTAssertNil(late, "the session goes on after its last object")
        await app.delete()
    }

    func testNothingIsKeptOfSessionsWhoseObjectsAreReleased() async throws {
        for _ in 0..<20 {
            try await auth.signInAnonymously()
            try auth.signOut()
        }
        try await auth.signInAnonymously()
        XCTAssertLessThan(auth.state.withLock { $0.leases.count }, 5, "what is kept of twenty sessions that ended")
    }

    func testADeviceThatSignedInIsKnownAfterItsSignOut() async throws {
        let world = World(.standard)
        let word = "correct horse battery"
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: word).user
        try await user.sendEmailVerification()
        try await world.auth.applyActionCode(world.newestCode)
        let laptop = world.device("laptop")
        try await laptop.signIn(withEmail: "ann@example.com", password: word)
        try laptop.signOut()
        let stranger = world.device("stranger")
        for number in 0..<20 {
            _ = await failure {
                try await stranger.signIn(withEmail: "ann@example.com", password: "guess number \(number)")
            }
        }
        let error = await failure { try await stranger.signIn(withEmail: "ann@example.com", password: word) }
        let wait = AuthCoreFirebase.AuthErrorCode.tooManyRequests.rawValue
        XCTAssertEqual(error?.code, wait, "the right password on the device of the guesses")
        let back = try await laptop.signIn(withEmail: "ann@example.com", password: word)
        XCTAssertEqual(back.user.uid, user.uid, "who signs in on a known device while strangers guess")
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

    func testAUserHasTheTenantOfItsAuth() async throws {
        auth.tenantID = "tenant"
        let user = try await auth.signIn(with: world.google()).user
        XCTAssertEqual(user.tenantID, "tenant", "the tenant of the user")
        let other = try await user.reauthenticate(with: world.google()).user
        XCTAssertEqual(other.tenantID, "tenant", "the tenant of another object of the user")
        auth.tenantID = nil
        let error = await failure { try await self.auth.updateCurrentUser(user) }
        let wanted = AuthCoreFirebase.AuthErrorCode.tenantIDMismatch.rawValue
        XCTAssertEqual(error?.code, wanted, "a user of a tenant in an Auth without one")
        let plain = try await world.device("tablet").signInAnonymously().user
        try? await auth.updateCurrentUser(plain)
        XCTAssertTrue(auth.currentUser === plain, "a user without a tenant in an Auth whose tenant was taken away")
    }

    /// The sign-in began with the device as it was, and its answer comes last.
    func testASignInThatEndsLateHasTheDeviceThatAResetMadeKnown() async throws {
        let world = World(.standard)
        for name in ["ann", "ben"] {
            try await world.device("elsewhere \(name)").createUser(
                withEmail: "\(name)@example.com",
                password: "correct horse battery"
            )
        }
        let auth = world.auth
        let inFlight = try await auth.client.signIn(
            with: .password(email: "ben@example.com", password: "correct horse battery")
        )
        try await auth.sendPasswordReset(withEmail: "ann@example.com")
        try await auth.confirmPasswordReset(withCode: world.newestCode, newPassword: "another horse battery")
        let user = await auth.signedIn(inFlight.user)
        XCTAssertEqual(user.core.device, auth.client.device, "the device of the current user")
    }

    /// The device gets another secret after the sign-in was answered and before its user is the current one.
    @MainActor
    func testASignInHasTheDeviceThatBecameKnownBeforeItsUserWasSet() async throws {
        let store = FaultyStore()
        let world = World(store: store)
        let auth = world.auth
        let answered = try await auth.client.signUp(email: "ann@example.com", password: "correct horse").user
        let gate = Gate()
        store.script(.commit, .waitsBefore(gate))
        let signingIn = Task { [auth] in _ = await auth.signedIn(answered) }
        await gate.waitForArrivals()
        let known = world.service.makeDevice()
        auth.use(known)
        gate.open()
        await signingIn.value
        XCTAssertEqual(auth.currentUser?.core.device, auth.client.device, "the device of the current user")
        XCTAssertEqual(auth.client.device.secrets.first, known.secrets.first, "the current secret of the device")
    }
}
