import AuthCore
import AuthCoreTesting
import XCTest

@testable import Boats

// TestingYourApp.md begins
final class SignInTests: XCTestCase {
    func testALinkFromYesterdaySignsNobodyIn() async throws {
        let stage = Stage()
        let auth = stage.shop().auth
        try await auth.sendSignInLink(to: "ann@example.com")
        let link = try stage.outbox.signInLink(to: "ann@example.com")
        stage.clock.advance(by: .seconds(86_400))
        do {
            try await auth.signIn(with: .emailLink(link))
            XCTFail("the link is a day old")
        } catch {
            XCTAssertEqual(error.code, .expiredActionCode)
        }
    }

    func testASecondFactorIsAskedFor() async throws {
        let stage = Stage()
        let auth = stage.shop().auth
        try await auth.sendSignInLink(to: "ann@example.com")
        let ann = try await auth.signIn(with: .emailLink(stage.outbox.signInLink(to: "ann@example.com"))).user
        let enrollment = try await ann.multiFactor.startTOTP(issuer: "Boats")
        let app = try AuthenticatorApp(enrollment, clock: stage.clock)
        try await ann.multiFactor.enroll(enrollment, code: app.nextCode())
        try await auth.signOut()

        try await auth.sendSignInLink(to: "ann@example.com")
        let link = try stage.outbox.signInLink(to: "ann@example.com")
        do {
            try await auth.signIn(with: .emailLink(link))
            XCTFail("signed in without the factor")
        } catch {
            let challenge = try XCTUnwrap(error.secondFactor)
            try await auth.resolve(challenge, with: .totp(app.nextCode()))
        }
        XCTAssertEqual(auth.currentUser?.uid, ann.uid)
    }

    func testAStoreThatDoesNotAnswerLosesNothing() async throws {
        let store = FaultyStore()
        let auth = Auth(AuthConfiguration(store: store, providers: .simulated))
        store.script(.load, .failsBefore())
        do {
            try await auth.signIn(with: .simulated(.google, .ann))
            XCTFail("signed in without a store")
        } catch {
            XCTAssertEqual(error.code, .storeUnavailable)
        }
        XCTAssertNil(auth.currentUser)
        try await auth.signIn(with: .simulated(.google, .ann))
    }
}
// TestingYourApp.md ends
