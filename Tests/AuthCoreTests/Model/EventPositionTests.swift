import AuthCore
import Foundation
import XCTest

final class EventPositionTests: XCTestCase {
    func testAPositionIsReadFromTheTextThatItWrites() throws {
        let position = IdentityEvent.Position(incarnation: 2, transaction: 30, number: 4)
        let text = try JSONEncoder().encode([position])
        XCTAssertEqual(try JSONDecoder().decode([IdentityEvent.Position].self, from: text), [position])
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
