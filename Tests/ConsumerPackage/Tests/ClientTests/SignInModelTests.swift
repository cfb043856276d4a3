import Client
import FirebaseAuth
import FirebaseCore
import XCTest

@MainActor
final class SignInModelTests: XCTestCase {
    func testGitHubMeetsTheAccountThatGoogleMade() async throws {
        let stage = Stage()
        let google = GoogleAuthProvider.credential(withIDToken: stage.googleToken(), accessToken: "")
        let user = try await Auth.auth().signIn(with: google).user
        try await user.link(with: EmailAuthProvider.credential(withEmail: "ann@example.com", password: "correct horse"))
        try Auth.auth().signOut()

        let model = SignInModel()
        let provider = OAuthProvider(providerID: "github.com")
        await model.signIn(with: try await provider.credential(with: nil))
        XCTAssertEqual(model.step, .accountExists(email: "ann@example.com"))
        XCTAssertNil(Auth.auth().currentUser)

        await model.signIn(email: "ann@example.com", password: "correct horse")
        XCTAssertEqual(model.step, .signedIn(user.uid))
        let providers = Auth.auth().currentUser?.providerData.map(\.providerID)
        XCTAssertEqual(providers?.sorted(), ["github.com", "google.com", "password"])
    }

    func testASecondFactorIsAskedFor() async throws {
        let stage = Stage()
        let user = try await Auth.auth().createUser(withEmail: "ann@example.com", password: "correct horse").user
        try await user.sendEmailVerification()
        try await Auth.auth().applyActionCode(stage.newestCode)
        let session = try await user.multiFactor.session()
        let id = try await PhoneAuthProvider.provider().verifyPhoneNumber("+15555550111", multiFactorSession: session)
        let number = PhoneAuthProvider.provider().credential(withVerificationID: id, verificationCode: stage.newestCode)
        let assertion = PhoneMultiFactorGenerator.assertion(with: number)
        try await user.multiFactor.enroll(with: assertion, displayName: "my phone")
        try Auth.auth().signOut()

        let model = SignInModel()
        await model.signIn(email: "ann@example.com", password: "correct horse")
        XCTAssertEqual(model.step, .code(sentTo: "+*******0111"), "the number is not shown whole before the sign-in")
        await model.enter(code: stage.newestCode)
        XCTAssertEqual(model.step, .signedIn(user.uid))
    }

    func testAGuestKeepsTheAccountOrMovesToTheirOwn() async throws {
        let stage = Stage()
        let model = SignInModel()
        let guest = try await Auth.auth().signInAnonymously().user
        let facebook = FacebookAuthProvider.credential(withAccessToken: stage.facebookToken())
        await model.signIn(with: facebook)
        XCTAssertEqual(model.step, .signedIn(guest.uid), "the guest's account has a method now")

        try Auth.auth().signOut()
        let other = try await Auth.auth().signInAnonymously().user
        await model.signIn(with: FacebookAuthProvider.credential(withAccessToken: stage.facebookToken()))
        XCTAssertEqual(model.step, .signedIn(guest.uid), "the credential opens the account that has it")
        XCTAssertNotEqual(other.uid, guest.uid)
    }

    func testAMailedLinkSignsIn() async throws {
        let stage = Stage()
        let settings = ActionCodeSettings()
        settings.handleCodeInApp = true
        settings.url = URL(string: "https://app.example/after")
        try await Auth.auth().sendSignInLink(toEmail: "ann@example.com", actionCodeSettings: settings)
        XCTAssertTrue(Auth.auth().isSignIn(withEmailLink: stage.newestLink))
        let result = try await Auth.auth().signIn(withEmail: "ann@example.com", link: stage.newestLink)
        XCTAssertTrue(result.user.isEmailVerified)
    }

    func testNetworkAndLimitsAreShown() async throws {
        let stage = Stage(limits: true)
        try await Auth.auth().createUser(withEmail: "ann@example.com", password: "correct horse")
        let changes = stage.changes
        try Auth.auth().signOut()
        // The request that is lost below is not that of the sign-out.
        let isSignedOut = await stage.isToldOfMoreChanges(than: changes)
        XCTAssertTrue(isSignedOut, "the server was not told of the sign-out")
        let model = SignInModel()
        stage.loseNextRequest()
        await model.signIn(email: "ann@example.com", password: "correct horse")
        XCTAssertEqual(model.step, .failed("Please try again when you are online."))
        for _ in 0..<20 { await model.signIn(email: "ann@example.com", password: "wrong horse") }
        XCTAssertEqual(model.step, .failed("Please wait a moment."))
        stage.clock.advance(by: .seconds(24 * 3600))
        await model.signIn(email: "ann@example.com", password: "correct horse")
        XCTAssertEqual(model.step, .signedIn(Auth.auth().currentUser?.uid ?? ""))
    }

    func testTimePasses() async throws {
        let stage = Stage()
        let user = try await Auth.auth().createUser(withEmail: "ann@example.com", password: "correct horse").user
        stage.clock.advance(by: .seconds(3600))
        do {
            try await user.updatePassword(to: "another horse")
            XCTFail("the sign-in is an hour old")
        } catch {
            XCTAssertEqual((error as NSError).code, AuthErrorCode.requiresRecentLogin.rawValue)
        }
    }

    func testTwoAppsDoNotMeet() async throws {
        FirebaseApp.configure(name: "one", options: FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "1"))
        FirebaseApp.configure(name: "two", options: FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "1"))
        for name in ["one", "two"] {
            let app = try XCTUnwrap(FirebaseApp.app(name: name))
            let user = try await Auth.auth(app: app).createUser(withEmail: "ann@example.com", password: "correct horse")
            XCTAssertEqual(user.additionalUserInfo?.isNewUser, true, name)
        }
    }
}
