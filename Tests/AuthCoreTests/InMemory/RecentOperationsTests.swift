@testable import AuthCore
import XCTest

final class RecentOperationsTests: XCTestCase {
    func testTheNewestOperationsAreRememberedAndOlderOnesForgotten() {
        var recent = RecentOperations(limit: 5)
        for number in 1...23 {
            recent.remember(OperationID(bits: UInt128(number)), sequence: UInt64(number) * 10)
            for other in 0...24 {
                let isKnown = other > 0 && other <= number && other > number - 5
                let sequence = recent.sequence(of: OperationID(bits: UInt128(other)))
                XCTAssertEqual(sequence, isKnown ? UInt64(other) * 10 : nil, "\(other) after \(number)")
            }
        }
    }
}
