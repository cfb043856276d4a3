import XCTest

@testable import AuthCore

/// What becomes of an identity whose provider gives no address any more.
final class KeptMailboxTests: XCTestCase, PlainAccount {
    func testOnlyTheAddressAndItsAssuranceAreThoseOfTheEarlierToken() {
        let old = Identity(
            key: gitHub.key,
            provider: .gitHub,
            email: ann,
            assurance: .authoritative,
            displayName: "Ann A.",
            photoURL: "https://example.com/old.png",
            username: "ann"
        )
        let new = Identity(
            key: gitHub.key,
            provider: .gitHub,
            displayName: "Ann Archer",
            photoURL: "https://example.com/new.png",
            username: "archer"
        )
        let kept = new.keepingMailbox(of: old)
        XCTAssertEqual(kept.email, ann)
        XCTAssertEqual(kept.assurance, .authoritative)
        XCTAssertEqual(kept.displayName, "Ann Archer")
        XCTAssertEqual(kept.photoURL, "https://example.com/new.png")
        XCTAssertEqual(kept.username, "archer")
    }
}
