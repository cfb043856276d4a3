@testable import AuthCore
import XCTest

/// What the hash of a code that was sent belongs to.
final class IssuedCodeTests: LimitedTestCase {
    func testDigitsAreRightOnlyForTheRecordThatTheyWereSentFor() {
        let service = World().service
        let (sent, other) = (service.issueDigits(), service.issueDigits())
        let digits = sent.text.revealed
        XCTAssertTrue(
            service.isHash(sent.hash, ofDigits: digits, for: sent.key),
            "for the record that they were sent for"
        )
        XCTAssertFalse(service.isHash(sent.hash, ofDigits: digits, for: other.key), "for another record")
        XCTAssertFalse(service.isHash(sent.hash, ofDigits: digits + "0", for: sent.key), "with a digit more")
        XCTAssertFalse(service.isHash(sent.hash, ofDigits: "", for: sent.key), "no digits")
    }

    func testARecoveryCodeIsTheSameWithSpacesBetweenItsLetters() {
        let service = World().service
        let spaced = "ABCD-2345-EFGH".map(String.init).joined(separator: "  ")
        XCTAssertEqual(
            service.hash(ofRecoveryCode: spaced, of: "ann"),
            service.hash(ofRecoveryCode: "abcd2345efgh", of: "ann"),
            "the hash of \(spaced)"
        )
    }
}
