import XCTest

@testable import AuthCore

final class ShardedDictionaryTests: XCTestCase {
    func testAMissingKeyHasTheDefaultAndAKeyThatIsThereItsValue() throws {
        let ann = try XCTUnwrap(EmailAddress("ann@example.com"))
        var counts = ShardedDictionary<EmailAddress, Int>()
        XCTAssertEqual(counts[ann, default: 7], 7, "a key that is not there")
        XCTAssertTrue(counts.isEmpty, "reading a default writes nothing")
        counts[ann, default: 7] += 1
        XCTAssertEqual(counts[ann, default: 0], 8, "a key that was written through its default")
        counts[ann] = nil
        XCTAssertTrue(counts.isEmpty, "a key that was removed")
    }
}
