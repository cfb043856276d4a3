import XCTest

@testable import AuthCore

/// What becomes of an identity whose provider gives no address any more.
final class KeptMailboxTests: LimitedTestCase, PlainAccount {
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
        XCTAssertEqual(kept.email, ann, "the address of the earlier token")
        XCTAssertEqual(kept.assurance, .authoritative, "its assurance")
        XCTAssertEqual(kept.displayName, "Ann Archer", "the new name")
        XCTAssertEqual(kept.photoURL, "https://example.com/new.png", "the new picture")
        XCTAssertEqual(kept.username, "archer", "the new user name")
    }
}
