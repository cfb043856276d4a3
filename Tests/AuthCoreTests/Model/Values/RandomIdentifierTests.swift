@testable import AuthCore
import XCTest

/// The text of an ID: 22 characters, the first of which has two bits.
final class RandomIdentifierTests: LimitedTestCase {
    func testEveryIDIsReadBackFromItsText() {
        for bits in [0, 1, 63, 64, 1 << 63, 1 << 64, 1 << 126, 3 << 126, .max] as [UInt128] {
            let id = SessionID(bits: bits)
            XCTAssertEqual(id.text.utf8.count, 22, "the characters of \(bits)")
            XCTAssertEqual(SessionID(id.text), id, "what is read of \(id.text)")
        }
    }

    /// Else two texts would be one ID.
    func testATextOfMoreBitsThanAnIDHasIsNone() {
        let rest = String(repeating: "0", count: 21)
        XCTAssertEqual(SessionID("3" + rest), SessionID(bits: 3 << 126), "the greatest first character")
        for first in ["4", "A", "_"] { XCTAssertNil(SessionID(first + rest), "\(first) has more than two bits") }
    }

    func testATextOfAnotherLengthOrWithAnotherCharacterIsNone() {
        for text in ["", "0", String(repeating: "0", count: 21), String(repeating: "0", count: 23)] {
            XCTAssertNil(SessionID(text), "\(text.count) characters")
        }
        for character in ["+", "/", "=", " ", "é"] {
            let text = String(repeating: "0", count: 22 - character.utf8.count) + character
            XCTAssertNil(SessionID(text), "the character \(character)")
        }
    }
}
