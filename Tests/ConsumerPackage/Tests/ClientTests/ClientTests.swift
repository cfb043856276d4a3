import Client
import FirebaseAuth
import FirebaseCore
import StrictClient
import XCTest

/// The unchanged client code runs on Linux as it does elsewhere.
@MainActor
final class ClientTests: XCTestCase {
    private func waiting(_ work: (@escaping () -> Void) -> Void) async {
        let done = expectation(description: "done")
        work { done.fulfill() }
        await fulfillment(of: [done], timeout: 10)
    }

    private func password(_ email: String) -> AuthCredential {
        EmailAuthProvider.credential(withEmail: email, password: "correct horse")
    }

    func testGoogleFacebookAndPasswordAreLinkedAndUnlinked() async throws {
        let stage = Stage()
        let screen = AccountScreen()
        let google = GoogleAuthProvider.credential(withIDToken: stage.googleToken(), accessToken: "access")
        let facebook = FacebookAuthProvider.credential(withAccessToken: stage.facebookToken())
        await waiting { screen.signIn(with: google, done: $0) }
        await waiting { screen.link(facebook, done: $0) }
        await waiting { screen.link(self.password("ann@example.com"), done: $0) }
        await waiting { screen.link(facebook, done: $0) }
        await waiting { screen.unlink("facebook.com", done: $0) }
        await waiting { screen.unlink("facebook.com", done: $0) }
        screen.signOut()
        XCTAssertEqual(
            screen.log,
            [
                "signed in", #"linked ["google.com", "facebook.com"]"#,
                #"linked ["google.com", "facebook.com", "password"]"#, "not linked: 17015", "unlinked",
                "not unlinked: 17016", "signed out",
            ]
        )
        XCTAssertNil(Auth.auth().currentUser)
    }

    func testACredentialInUseLeadsToTheOtherAccount() async throws {
        let stage = Stage()
        let screen = AccountScreen()
        let facebook = FacebookAuthProvider.credential(withAccessToken: stage.facebookToken(.ben))
        await waiting { screen.signIn(with: facebook, done: $0) }
        let ben = Auth.auth().currentUser?.uid
        screen.signOut()
        try await Auth.auth().createUser(withEmail: "ann@example.com", password: "correct horse")
        await waiting { screen.link(facebook, done: $0) }
        XCTAssertEqual(screen.log.last, "moved to another account")
        XCTAssertEqual(Auth.auth().currentUser?.uid, ben)
    }

    func testTheSecondFactorIsAskedForAndShown() async throws {
        let stage = Stage()
        let screen = AccountScreen()
        screen.prompts["Code?"] = { stage.newestCode }
        screen.prompts["Which factor?"] = { "my phone" }
        let user = try await Auth.auth().createUser(withEmail: "ann@example.com", password: "correct horse").user
        try await user.sendEmailVerification()
        try await Auth.auth().applyActionCode(stage.newestCode)
        try await user.reload()
        await waiting { screen.enrollPhone("+15555550111", displayName: "my phone", done: $0) }
        XCTAssertEqual(user.multiFactor.enrolledFactors.map(\.factorID), [PhoneMultiFactorID])
        screen.signOut()
        await waiting { screen.signIn(with: self.password("ann@example.com"), done: $0) }
        XCTAssertEqual(screen.log, ["enrolled", "signed out", "factors: my phone ", "factor shown"])
        XCTAssertEqual(Auth.auth().currentUser?.uid, user.uid)
    }

    func testTheGitHubFlowRunsToItsEnd() async throws {
        let stage = Stage()
        let user = try await Auth.auth().createUser(withEmail: "ann@example.com", password: "correct horse").user
        try Auth.auth().signOut()
        let screen = GitHubScreen()
        await waiting { screen.signIn(existing: self.password("ann@example.com"), done: $0) }
        XCTAssertEqual(
            screen.log,
            [
                "error 17012", "ann@example.com github.com", "new user: false", "login ann", "username ann", "token",
                "reauthenticated", "login ann", "username ann", "token",
            ]
        )
        XCTAssertEqual(Auth.auth().currentUser?.uid, user.uid)
        let request = try await XCTUnwrapped(stage.browser.requests.first)
        XCTAssertEqual(request.scopes, ["user:email"])
        XCTAssertEqual(request.parameters["allow_signup"], "false")
        XCTAssertEqual(request.parameters["scope"], "user:email")
        XCTAssertEqual(request.parameters["client_id"], FirebaseApp.app()?.options.clientID)
    }

    func testAStrictClientOnTheMainActor() async throws {
        _ = Stage()
        let model = Model()
        let anonymous = try await model.lookAround()
        let again = try await model.lookAround()
        XCTAssertEqual(again, anonymous)
        let uid = try await model.signUp("ann@example.com", "correct horse")
        XCTAssertEqual(uid, anonymous)
        try await model.rename("Ann")
        let (providers, provider) = try await model.providers()
        XCTAssertEqual(providers, ["password"])
        XCTAssertEqual(provider, "password")
        try model.signOut()
        let code = await model.codeOfSignIn("ann@example.com", "wrong horse")
        XCTAssertEqual(code, .wrongPassword)
        model.stop()
    }

    private func XCTUnwrapped<Value: Sendable>(_ value: Value?) throws -> Value { try XCTUnwrap(value) }
}
