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

    func testAGuestWhoIsNewKeepsTheBasketAndTheAccount() async throws {
        let stage = Stage()
        let shop = stage.shop()
        try await shop.add("a canoe")
        let guest = try XCTUnwrap(shop.auth.currentUser)
        try await shop.checkOut(with: .simulated(.apple, .ben))
        XCTAssertEqual(shop.auth.currentUser?.uid, guest.uid)
        XCTAssertFalse(guest.isAnonymous)
    }
}
// TestingYourApp.md ends
