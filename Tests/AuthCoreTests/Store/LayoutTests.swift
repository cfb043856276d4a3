import XCTest

@testable import AuthCore

/// Every account pays for these, and a field in the wrong place or a type too general costs words that nobody sees.
///
/// The figures are those of 64 bits.
final class LayoutTests: XCTestCase {
    func testWhatEveryAccountHoldsIsNoLargerThanItsFields() {
        XCTAssertEqual(MemoryLayout<OpenName>.size, 8)
        XCTAssertEqual(MemoryLayout<IdentityKey>.size, 24)
        XCTAssertEqual(MemoryLayout<Identity>.size, 8)
        XCTAssertEqual(MemoryLayout<Method.Kind>.size, 8)
        XCTAssertEqual(MemoryLayout<Method>.stride, 56)
        XCTAssertEqual(MemoryLayout<MethodSummary>.stride, 24)
        XCTAssertEqual(MemoryLayout<Evidence>.stride, 72)
        XCTAssertEqual(MemoryLayout<Session.Fields>.stride, 112)
    }

    func testARowIsNoLargerForBeingAbsentSometimes() {
        XCTAssertEqual(MemoryLayout<AccountRow?>.stride, 48)
        XCTAssertEqual(MemoryLayout<IdentityRow?>.stride, 16)
        XCTAssertEqual(MemoryLayout<AddressRow?>.stride, 32)
        XCTAssertEqual(MemoryLayout<SessionRow?>.stride, 16)
        XCTAssertEqual(MemoryLayout<CapabilityRow?>.stride, 56)
    }
}
