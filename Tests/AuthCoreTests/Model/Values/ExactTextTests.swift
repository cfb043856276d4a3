@testable import AuthCore
import Foundation
import XCTest

final class ExactTextTests: LimitedTestCase {
    func testEquivalentSpellingsDiffer() {
        let pairs = [
            ("caf\u{E9}", "cafe\u{301}"), ("\u{212A}", "K"), ("\u{37E}", ";"),
            ("\u{1E9B}\u{323}", "\u{17F}\u{323}\u{307}"),
            ("a\u{323}\u{307}", "a\u{307}\u{323}"), ("\u{AC00}", "\u{1100}\u{1161}"),
        ]
        for (one, other) in pairs {
            XCTAssertEqual(one, other)
            XCTAssertNotEqual(ExactText(one), ExactText(other))
            XCTAssertNotEqual(ExactText(one) < ExactText(other), ExactText(other) < ExactText(one))
            XCTAssertEqual(Set([ExactText(one), ExactText(other)]).count, 2)
        }
    }

    func testEveryByteCountsAtEveryLength() {
        for length in 0..<40 {
            let text = String(repeating: "x", count: length)
            XCTAssertEqual(ExactText(text), ExactText(String(decoding: Array(text.utf8), as: UTF8.self)))
            XCTAssertNotEqual(ExactText(text), ExactText(text + "x"))
            for position in 0..<length {
                var bytes = Array(text.utf8)
                bytes[position] = UInt8(ascii: "y")
                let changed = ExactText(String(decoding: bytes, as: UTF8.self))
                XCTAssertNotEqual(ExactText(text), changed, "\(position) of \(length)")
                XCTAssertLessThan(ExactText(text), changed, "\(position) of \(length)")
            }
        }
    }

    func testEqualBytesHashAlikeHoweverTheStringWasMade() {
        for text in ["", "short", "a rather longer subject identifier", "h\u{E9}\0llo", "👩‍👩‍👧"] {
            let copy = String(decoding: Array(text.utf8), as: UTF8.self)
            XCTAssertEqual(ExactText(text), ExactText(copy))
            XCTAssertEqual(ExactText(text).hashValue, ExactText(copy).hashValue)
            XCTAssertEqual(Array(ExactText(text).text.utf8), Array(text.utf8))
        }
    }

    func testDifferentTextsHaveDifferentHashes() {
        func hash(_ texts: String...) -> Int {
            var hasher = Hasher()
            for text in texts { hasher.combine(ExactText(text)) }
            return hasher.finalize()
        }
        XCTAssertEqual(Set((0..<100).map { hash("subject \($0)") }).count, 100, "hashes of a hundred texts")
        XCTAssertNotEqual(hash("ab", "c"), hash("a", "bc"), "where one text ends has a part in the hash of two")
    }

    func testEmbeddedNullsDoNotEndTheText() {
        XCTAssertNotEqual(ExactText("a\0b"), ExactText("a\0c"))
        XCTAssertNotEqual(ExactText("a"), ExactText("a\0"))
        XCTAssertLessThan(ExactText("a"), ExactText("a\0"))
    }

    func testOrderIsTheOrderOfTheBytes() {
        var generator = SplitMix(state: 3)
        let letters = ["a", "b", "\0", "\u{E9}", "e\u{301}", "\u{FFFD}", "\u{1F600}", "Z"]
        let texts = (0..<300).map { _ in
            (0..<Int.random(in: 0...12, using: &generator)).compactMap { _ in letters.randomElement(using: &generator) }
                .joined()
        }
        let expected = texts.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
        XCTAssertEqual(texts.map(ExactText.init).sorted().map { Array($0.text.utf8) }, expected)
    }

    func testTenMegabytesAreComparedQuickly() {
        let text = String(repeating: "a", count: 10_000_000)
        XCTAssertEqual(ExactText(text), ExactText(String(decoding: Array(text.utf8), as: UTF8.self)))
        XCTAssertNotEqual(ExactText(text), ExactText(text + "b"))
    }

    func testCodingIsAPlainStringAndKeepsTheBytes() throws {
        let texts = ["plain", "caf\u{E9}", "cafe\u{301}", "a\0b"].map(ExactText.init)
        let encoded = try JSONEncoder().encode(texts)
        XCTAssertEqual(try JSONDecoder().decode([ExactText].self, from: encoded), texts)
        XCTAssertEqual(String(decoding: try JSONEncoder().encode([ExactText("x")]), as: UTF8.self), #"["x"]"#)
        XCTAssertEqual("\(ExactText("x"))", "x")
    }
}
