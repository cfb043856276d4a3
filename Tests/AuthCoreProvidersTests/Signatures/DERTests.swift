import XCTest

@testable import AuthCoreProviders

/// The forms that keys and signatures are written in, at the lengths where they change.
final class DERTests: XCTestCase {
    private func bytes(_ count: Int) -> [UInt8] { Array(repeating: 7, count: count) }

    func testALengthOf128HasABytesCountBeforeIt() {
        XCTAssertEqual(DER.sequence(), [0x30, 0])
        XCTAssertEqual(DER.sequence(bytes(127)).prefix(3), [0x30, 0x7F, 7], "the longest short form")
        XCTAssertEqual(DER.sequence(bytes(128)).prefix(4), [0x30, 0x81, 0x80, 7], "the shortest long form")
        XCTAssertEqual(DER.sequence(bytes(255)).prefix(4), [0x30, 0x81, 0xFF, 7])
        XCTAssertEqual(DER.sequence(bytes(256)).prefix(5), [0x30, 0x82, 0x01, 0x00, 7])
        XCTAssertEqual(DER.sequence(bytes(256)).count, 260, "everything is there")
        XCTAssertEqual(DER.sequence([1], [2, 3]), [0x30, 3, 1, 2, 3], "parts one after another")
    }

    func testANumberIsAsShortAsItCanBeAndNotNegative() {
        XCTAssertEqual(DER.integer([0, 0, 1]), [2, 1, 1])
        XCTAssertEqual(DER.integer([0x7F]), [2, 1, 0x7F])
        XCTAssertEqual(DER.integer([0x80]), [2, 2, 0, 0x80], "a first bit that is set would be a sign")
        XCTAssertEqual(DER.integer([0]), [2, 1, 0])
        XCTAssertEqual(DER.integer([]), [2, 1, 0])
        XCTAssertEqual(DER.bitString([9]), [3, 2, 0, 9])
        XCTAssertEqual(DER.null, [5, 0])
    }
}
