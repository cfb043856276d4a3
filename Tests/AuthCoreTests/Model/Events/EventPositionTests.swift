import AuthCore
import Foundation
import XCTest

final class EventPositionTests: LimitedTestCase {
    func testAPositionIsReadFromTheTextThatItWrites() throws {
        let position = IdentityEvent.Position(incarnation: 2, transaction: 30, number: 4)
        let text = try JSONEncoder().encode([position])
        XCTAssertEqual(try JSONDecoder().decode([IdentityEvent.Position].self, from: text), [position])
    }

    func testTheFirstNumberThatDiffersDecidesTheOrder() {
        func position(_ incarnation: UInt64, _ transaction: UInt64, _ number: UInt64) -> IdentityEvent.Position {
            IdentityEvent.Position(incarnation: incarnation, transaction: transaction, number: number)
        }
        let ordered = [
            position(0, 0, 9), position(0, 1, 8), position(0, 2, 0), position(1, 0, 7), position(1, 0, 8),
            position(2, 0, 0),
        ]
        for (index, left) in ordered.enumerated() {
            for (other, right) in ordered.enumerated() {
                XCTAssertEqual(left < right, index < other, "\(left) and \(right)")
            }
        }
    }

    func testAnyOtherTextIsNoPosition() {
        for text in [
            "", "1", "1.2", "1.2.3.4", "1.2.x", "01.2.3", "1..3", "+1.2.3", "-1.2.3", "1.2.18446744073709551616",
        ] {
            XCTAssertNil(IdentityEvent.Position(text), text)
            XCTAssertThrowsError(
                try JSONDecoder().decode([IdentityEvent.Position].self, from: Data("[\"\(text)\"]".utf8)),
                text
            ) { XCTAssertTrue($0 is DecodingError, "\(text): \($0)") }
        }
    }
}
