@testable import AuthCore
import Foundation
import XCTest

final class PhoneNumberTests: LimitedTestCase {
    func testPlusAndSevenToFifteenDigitsAreRead() {
        for text in ["+1234567", "+12025550100", "+442079460000", "+999999999999999", "+100000000000000"] {
            XCTAssertEqual(PhoneNumber(text)?.text, text)
            XCTAssertEqual(PhoneNumber(text)?.description, text)
        }
    }

    func testAnythingElseIsRefused() {
        let cases = [
            "", "+", "1", "12025550100", "+123456", "+1234567890123456", "+0202555010", "++2025550100",
            "+1 202 555 0100",
            "+1-202-555-0100", "+1(202)5550100", " +12025550100", "+12025550100 ", "+12025550100\n", "+1202555010a",
            "+1202555\u{0}0100", "\u{FF0B}12025550100", "+1202555010\u{FF10}", "+١٢٠٢٥٥٥٠١٠٠", "+1202555010\u{301}",
            "+12025550100;ext=1", "tel:+12025550100", "-12025550100", "+-2025550100", "0012025550100",
        ]
        for text in cases {
            XCTAssertNil(PhoneNumber(text), text)
        }
    }

    func testTenMegabytesAreRefused() {
        XCTAssertNil(PhoneNumber("+" + String(repeating: "1", count: 10_000_000)))
    }

    func testReadingTheTextAgainGivesTheSameNumber() {
        var generator = SplitMix(state: 11)
        for _ in 0..<5_000 {
            let text = "+\(UInt64.random(in: 1_000_000...999_999_999_999_999, using: &generator))"
            guard let number = PhoneNumber(text) else { continue }
            XCTAssertEqual(PhoneNumber(number.text), number)
            XCTAssertEqual(PhoneNumber(number.text)?.text, number.text)
            // Only a trunk zero is left out.
            if number.text != text { XCTAssertTrue(text.contains("0") && number.text.count == text.count - 1, text) }
        }
    }

    func testS22_ATrunkZeroAfterTheCountryCodeIsNoPartOfTheNumber() {
        for (written, number) in [
            ("+4407911123456", "+447911123456"), ("+4901711234567", "+491711234567"), ("+330612345678", "+33612345678"),
            ("+353087123456", "+35387123456"), ("+9710501234567", "+971501234567"),
        ] {
            XCTAssertEqual(PhoneNumber(written)?.text, number, written)
            XCTAssertEqual(PhoneNumber(written), PhoneNumber(number), "two spellings of one number are one key")
        }
        XCTAssertEqual(PhoneNumber("+44012345")?.text, "+4412345", "seven digits are left")
        for malformed in ["+44007911123456", "+440", "+4400000000", "+4401234"] {
            XCTAssertNil(PhoneNumber(malformed), malformed)
        }
    }

    func testAZeroThatBelongsToTheNumberStays() {
        for text in [
            "+390612345678", "+3780549123456", "+2250712345678", "+22901234567", "+12025550100", "+70951234567",
        ] {
            XCTAssertEqual(PhoneNumber(text)?.text, text)
        }
    }

    func testANumberTakesEightBytes() {
        XCTAssertEqual(MemoryLayout<PhoneNumber>.size, 8)
    }

    func testMaskLeavesTheLastFourDigitsAndTheLength() {
        XCTAssertEqual(PhoneNumber("+12025550100")?.masked, "+*******0100")
        XCTAssertEqual(PhoneNumber("+1234567")?.masked, "+***4567")
        XCTAssertEqual(PhoneNumber("+999999999999999")?.masked, "+***********9999")
    }

    func testShorterNumbersComeFirst() throws {
        XCTAssertLessThan(try XCTUnwrap(PhoneNumber("+9999999")), try XCTUnwrap(PhoneNumber("+12025550100")))
    }

    func testCodingGoesThroughTheSameChecks() throws {
        let number = try XCTUnwrap(PhoneNumber("+12025550100"))
        let encoded = try JSONEncoder().encode([number])
        XCTAssertEqual(String(decoding: encoded, as: UTF8.self), #"["+12025550100"]"#)
        XCTAssertEqual(try JSONDecoder().decode([PhoneNumber].self, from: encoded), [number])
        for text in [#"["12025550100"]"#, "[12025550100]", #"["+0"]"#] {
            XCTAssertThrowsError(try JSONDecoder().decode([PhoneNumber].self, from: Data(text.utf8)), text)
        }
    }
}
