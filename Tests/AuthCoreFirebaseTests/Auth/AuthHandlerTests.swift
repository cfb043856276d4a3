@testable import AuthCore
import AuthCoreFirebase
import AuthCoreTesting
import Foundation
import XCTest

/// The forms with a completion handler do what their asynchronous forms do: those of `Auth`.
final class AuthHandlerTests: LimitedTestCase {
    private let world = World()
    private var auth: AuthCoreFirebase.Auth { world.auth }
    private let email = "ann@example.com"
    private let password = "correct horse"

    func testAccountsAreMadeAndSignedInTo() async throws {
        let created: AuthDataResult = try await answer {
            auth.createUser(withEmail: email, password: password, completion: $0)
        }
        XCTAssertEqual(created.user.email, email)
        XCTAssertEqual(created.additionalUserInfo?.isNewUser, true)
        XCTAssertEqual(created.additionalUserInfo?.providerID, "password", "the provider of a sign-up")
        XCTAssertEqual(auth.getUserID(), created.user.uid)
        try auth.signOut()
        let back: AuthDataResult = try await answer {
            auth.signIn(withEmail: email, password: password, completion: $0)
        }
        XCTAssertEqual(back.user.uid, created.user.uid)
        XCTAssertEqual(back.additionalUserInfo?.newUser(), false)
        XCTAssertNil(back.credential, "the tokens of a sign-in with a password")
        try auth.signOut()
        let google: AuthDataResult = try await answer { auth.signIn(with: world.google(.ben), completion: $0) }
        XCTAssertEqual(google.user.providerData.map(\.providerID), ["google.com"])
        try auth.signOut()
        let guest: AuthDataResult = try await answer { auth.signInAnonymously(completion: $0) }
        XCTAssertTrue(guest.user.isAnonymous)
        XCTAssertTrue(guest.user.anonymous())
        XCTAssertEqual(auth.getUserID(), guest.user.uid, "the user ID of a guest")
    }

    func testWhatIsRefusedIsToldAsAnError() async throws {
        let refused = await code { heard in
            auth.signIn(withEmail: email, password: "wrong") { _, error in heard(error) }
        }
        XCTAssertEqual(refused, AuthCoreFirebase.AuthErrorCode.userNotFound.rawValue)
        XCTAssertNil(auth.currentUser)
        XCTAssertNil(auth.getUserID())
    }

    func testAMailedLinkSignsIn() async throws {
        let settings = ActionCodeSettings()
        settings.url = URL(string: "https://example.com/done")
        settings.handleCodeInApp = true
        try await done { auth.sendSignInLink(toEmail: email, actionCodeSettings: settings, completion: $0) }
        let link = world.newestLink
        XCTAssertEqual(world.outbox.messages.last?.settings?.handlesCodeInApp, true, "what the sender is told")
        XCTAssertTrue(auth.isSignIn(withEmailLink: link), link)
        XCTAssertFalse(auth.isSignIn(withEmailLink: "https://example.com/done"))
        let signedIn: AuthDataResult = try await answer { auth.signIn(withEmail: email, link: link, completion: $0) }
        XCTAssertTrue(signedIn.user.isEmailVerified)
        XCTAssertTrue(signedIn.user.emailVerified())
        try await auth.sendSignInLink(toEmail: email, actionCodeSettings: settings)
        let again = try await auth.signIn(withEmail: email, link: world.newestLink)
        XCTAssertEqual(again.user.uid, signedIn.user.uid)
    }

    func testALinkThatTheAppDoesNotOpenSignsNobodyIn() async throws {
        let settings = ActionCodeSettings()
        settings.url = URL(string: "https://example.com/done")
        let refused = await code { auth.sendSignInLink(toEmail: email, actionCodeSettings: settings, completion: $0) }
        XCTAssertEqual(refused, AuthCoreFirebase.AuthErrorCode.operationNotAllowed.rawValue)
        XCTAssertEqual(world.outbox.messages, [], "a mail with a link that only a page opens")
        let other = await code { heard in
            auth.signIn(withEmail: email, link: "https://example.com/done") { _, error in heard(error) }
        }
        XCTAssertEqual(other, AuthCoreFirebase.AuthErrorCode.invalidActionCode.rawValue)
    }

    func testTheBareCodeOfALinkIsNoLink() async throws {
        let settings = ActionCodeSettings()
        settings.url = URL(string: "https://example.com/done")
        settings.handleCodeInApp = true
        try await auth.sendSignInLink(toEmail: email, actionCodeSettings: settings)
        let code = try XCTUnwrap(ActionCodeURL(link: world.newestLink)?.code)
        let refused = await self.code { heard in
            auth.signIn(withEmail: email, link: code) { _, error in heard(error) }
        }
        let wanted = AuthCoreFirebase.AuthErrorCode.invalidActionCode.rawValue
        XCTAssertEqual(refused, wanted, "a code is taken for a link")
        _ = try await auth.signIn(withEmail: email, link: world.newestLink)
    }

    func testWhatIsNoNumberGetsNoCode() async {
        let provider = PhoneAuthProvider.provider(auth: auth)
        let error = await failure { try await provider.verifyPhoneNumber("no number") }
        XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.invalidPhoneNumber.rawValue)
        let heard = expectation(description: "the handler hears the same")
        provider.verifyPhoneNumber("no number") { id, error in
            XCTAssertNil(id)
            XCTAssertEqual((error as NSError?)?.code, AuthCoreFirebase.AuthErrorCode.invalidPhoneNumber.rawValue)
            heard.fulfill()
        }
        await fulfillment(of: [heard], timeout: 10)
    }

    func testACustomTokenSignsInInBothForms() async throws {
        let token = try await world.service.makeCustomToken(for: "carl")
        let first: AuthDataResult = try await answer { auth.signIn(withCustomToken: token, completion: $0) }
        XCTAssertEqual(first.user.uid, "carl")
        XCTAssertEqual(first.additionalUserInfo?.providerID, "")
        XCTAssertFalse(first.user.isAnonymous, "a person whom the app's own server vouches for")
        let second = try await auth.signIn(withCustomToken: token)
        XCTAssertEqual(second.user.uid, "carl")
        let refused = await code { heard in auth.signIn(withCustomToken: "none") { _, error in heard(error) } }
        XCTAssertEqual(refused, AuthCoreFirebase.AuthErrorCode.invalidCustomToken.rawValue)
    }

    func testAPasswordIsResetWithAMailedCode() async throws {
        try await auth.createUser(withEmail: email, password: password)
        try await done { auth.sendPasswordReset(withEmail: email, completion: $0) }
        let code = world.newestCode
        let info: ActionCodeInfo = try await answer { auth.checkActionCode(code, completion: $0) }
        XCTAssertEqual(info.operation, .passwordReset)
        XCTAssertEqual(info.email, email)
        XCTAssertNil(info.previousEmail)
        let address: String = try await answer { auth.verifyPasswordResetCode(code, completion: $0) }
        XCTAssertEqual(address, email)
        try await done {
            auth.confirmPasswordReset(withCode: code, newPassword: "battery staple", completion: $0)
        }
        let used = await self.code {
            auth.confirmPasswordReset(withCode: code, newPassword: "battery staple", completion: $0)
        }
        XCTAssertEqual(used, AuthCoreFirebase.AuthErrorCode.invalidActionCode.rawValue)
        let settings = ActionCodeSettings()
        settings.url = URL(string: "https://example.com/done")
        auth.languageCode = "de"
        try await done { auth.sendPasswordReset(withEmail: email, actionCodeSettings: settings, completion: $0) }
        XCTAssertEqual(world.outbox.messages.last?.settings?.continueURL, "https://example.com/done")
        XCTAssertEqual(world.outbox.messages.last?.settings?.language, "de")
        XCTAssertEqual(world.outbox.messages.last?.settings?.handlesCodeInApp, false, "whether the app opens the link")
        try await done { auth.sendPasswordReset(withEmail: email, completion: $0) }
        XCTAssertEqual(world.outbox.messages.last?.settings?.language, "de", "the language without settings")
        let isOpenedByTheApp = world.outbox.messages.last?.settings?.handlesCodeInApp
        XCTAssertEqual(isOpenedByTheApp, false, "whether the app opens a link for which it gave no settings")
        auth.languageCode = nil
        try await done { auth.sendPasswordReset(withEmail: email, completion: $0) }
        XCTAssertNil(world.outbox.messages.last?.settings, "settings, where nothing was set")
        try await auth.signIn(withEmail: email, password: "battery staple")
    }

    func testAMailedCodeIsApplied() async throws {
        let user = try await auth.createUser(withEmail: email, password: password).user
        try await done { user.sendEmailVerification(with: nil, completion: $0) }
        try await done { auth.applyActionCode(world.newestCode, completion: $0) }
        try await user.reload()
        XCTAssertTrue(user.isEmailVerified)
    }

    func testTheCurrentUserIsChangedAndGivesItsToken() async throws {
        let nobody = expectation(description: "nobody has no token")
        auth.getToken(forcingRefresh: true) { token, error in
            XCTAssertNil(token)
            XCTAssertNil(error)
            nobody.fulfill()
        }
        await fulfillment(of: [nobody], timeout: 10)
        let ann = try await auth.createUser(withEmail: email, password: password).user
        let token: String = try await answer { auth.getToken(forcingRefresh: false, completion: $0) }
        let same = try await ann.getIDToken()
        XCTAssertEqual(token, same)
        let ben = try await auth.createUser(withEmail: "ben@example.com", password: password).user
        try await done { auth.updateCurrentUser(ann, completion: $0) }
        XCTAssertTrue(auth.currentUser === ann)
        try await auth.updateCurrentUser(ben)
        XCTAssertTrue(auth.currentUser === ben)
        try await auth.signIn(withEmail: email, password: password)
        try await auth.updateCurrentUser(ann)
        XCTAssertTrue(auth.currentUser === ann, "the user that was set, while the same person was signed in anew")
        let refused = await code { auth.updateCurrentUser(nil, completion: $0) }
        XCTAssertEqual(refused, AuthCoreFirebase.AuthErrorCode.nullUser.rawValue)
    }

    @available(*, deprecated)
    func testTheMethodsOfAnAddressAreListed() async throws {
        try await auth.createUser(withEmail: email, password: password)
        let methods: [String] = try await answer { auth.fetchSignInMethods(forEmail: email, completion: $0) }
        XCTAssertEqual(methods, ["password"])
        let settings = ActionCodeSettings()
        settings.handleCodeInApp = true
        try await auth.sendSignInLink(toEmail: "ben@example.com", actionCodeSettings: settings)
        _ = try await auth.signIn(withEmail: "ben@example.com", link: world.newestLink)
        let links = try await auth.fetchSignInMethods(forEmail: "ben@example.com")
        XCTAssertEqual(links, [EmailLinkAuthSignInMethod], "the methods of who signed in with a mailed link")
    }

    /// What belongs to a device of Apple's is kept and has no effect, or does nothing.
    func testWhatHasNoEffectHereIsKept() async throws {
        auth.languageCode = "fr"
        XCTAssertEqual(auth.languageCode, "fr")
        auth.useAppLanguage()
        XCTAssertEqual(auth.languageCode, Locale.preferredLanguages.first ?? Locale.current.identifier)
        XCTAssertFalse(auth.shareAuthStateAcrossDevices, "whether the user is shared at first")
        auth.shareAuthStateAcrossDevices = true
        XCTAssertTrue(auth.shareAuthStateAcrossDevices)
        auth.tenantID = "tenant"
        XCTAssertEqual(auth.tenantID, "tenant")
        auth.customAuthDomain = "auth.example.com"
        XCTAssertEqual(auth.customAuthDomain, "auth.example.com")
        auth.customAuthDomain = nil
        XCTAssertNil(auth.customAuthDomain, "the domain after nil was set")
        try auth.useUserAccessGroup("group")
        XCTAssertEqual(auth.userAccessGroup, "group")
        try auth.useUserAccessGroup(nil)
        XCTAssertNil(auth.userAccessGroup, "the group after nil was set")
        for group in ["second", "", "third"] {
            try auth.useUserAccessGroup(group)
            XCTAssertEqual(auth.userAccessGroup, group, "the group that was set last")
        }
        XCTAssertNil(try auth.getStoredUser(forAccessGroup: "group"))
        XCTAssertNil(auth.apnsToken)
        auth.setAPNSToken(Data([1]), type: .prod)
        XCTAssertEqual(auth.apnsToken, Data([1]))
        for token in [Data([2]), Data(), Data([3])] {
            auth.setAPNSToken(token, type: .sandbox)
            XCTAssertEqual(auth.apnsToken, token, "the push token that was set last")
        }
        XCTAssertFalse(auth.canHandleNotification([:]))
        XCTAssertFalse(auth.canHandle(try XCTUnwrap(URL(string: "https://example.com"))))
        try await done { auth.initializeRecaptchaConfig(completion: $0) }
        try await auth.initializeRecaptchaConfig()
        try await done { auth.revokeToken(withAuthorizationCode: "code", completion: $0) }
        try await auth.revokeToken(withAuthorizationCode: "code")
        XCTAssertNil(auth.currentUser, "none of it signs anybody in")
    }

    func testSettingsAreCopied() {
        auth.settings?.isAppVerificationDisabledForTesting = true
        XCTAssertEqual(auth.settings?.isAppVerificationDisabledForTesting, true, "the settings that it has at first")
        let settings = AuthSettings()
        settings.isAppVerificationDisabledForTesting = true
        auth.settings = settings
        settings.appVerificationDisabledForTesting = false
        XCTAssertFalse(settings.isAppVerificationDisabledForTesting, "what was set by the other name")
        XCTAssertEqual(auth.settings?.appVerificationDisabledForTesting, true, "the settings as they were set")
        auth.settings = settings
        XCTAssertEqual(auth.settings?.appVerificationDisabledForTesting, false, "the settings that were set last")
        auth.settings = nil
        XCTAssertNil(auth.settings)
        auth.settings = settings
        XCTAssertNotNil(auth.settings, "settings that are set after nil")
    }
}
