import AuthCore
import AuthCoreTesting
import XCTest

@testable import Boats

// TestingYourApp.md begins
final class BasketTests: XCTestCase {
    func testAGuestWhoHasAnAccountKeepsTheBasket() async throws {
        let stage = Stage()
        let ann = try await stage.shop(on: "laptop").auth.signIn(with: .simulated(.google, .ann)).user
        let shop = stage.shop(on: "phone")
        try await shop.add("a dinghy")
        try await shop.checkOut(with: .simulated(.google, .ann))
        XCTAssertEqual(shop.auth.currentUser?.uid, ann.uid)
        let basket = await stage.baskets[ann.accountID]
        XCTAssertEqual(basket, ["a dinghy"])
    }
    // TestingYourApp.md ends

    func testAGuestWhoIsNewKeepsTheBasketAndTheAccount() async throws {
        let stage = Stage()
        let shop = stage.shop()
        try await shop.add("a canoe")
        let guest = try XCTUnwrap(shop.auth.currentUser)
        try await shop.checkOut(with: .simulated(.apple, .ben))
        XCTAssertEqual(shop.auth.currentUser?.uid, guest.uid)
        XCTAssertFalse(guest.isAnonymous)
    }

    // TestingYourApp.md begins
    func testALinkFromYesterdaySignsNobodyIn() async throws {
        let stage = Stage()
        let auth = stage.shop().auth
        try await auth.sendSignInLink(to: "ann@example.com")
        let link = try stage.outbox.signInLink(to: "ann@example.com")
        stage.clock.advance(by: 86_400)
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
    // TestingYourApp.md ends

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
