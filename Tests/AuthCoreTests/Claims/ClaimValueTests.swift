@testable import AuthCoreClaims
import Foundation
import XCTest

final class ClaimValueTests: LimitedTestCase {
    private let sample: ClaimValue = [
        "sub": "1234", "email_verified": true, "iat": 1_700_000_000, "score": 0.5, "nothing": .null,
        "groups": ["a", 2],
    ]

    func testDifferentValuesHaveDifferentHashes() {
        let values: [ClaimValue] = [
            .null, true, false, 1, 2, 0.5, "a", "b", ["a"], ["b"], ["a", "b"], ["a": 1], ["a": 2], ["b": 1],
            ["a": 1, "b": 2], ["a": 2, "b": 1],
        ]
        XCTAssertEqual(Set(values.map(\.hashValue)).count, values.count, "hashes of values that differ")
    }

    func testAccessorsAnswerOnlyForTheirOwnKind() {
        XCTAssertEqual(sample["sub"]?.stringValue, "1234")
        XCTAssertEqual(sample["email_verified"]?.boolValue, true)
        XCTAssertEqual(sample["iat"]?.integerValue, 1_700_000_000)
        XCTAssertEqual(sample["iat"]?.numberValue, 1_700_000_000)
        XCTAssertEqual(sample["score"]?.numberValue, 0.5)
        XCTAssertEqual(sample["nothing"]?.isNull, true)
        XCTAssertEqual(sample["groups"]?.arrayValue, ["a", 2])
        XCTAssertEqual(sample.objectValue?.count, 6)

        XCTAssertNil(sample["missing"])
        XCTAssertNil(sample["score"]?.integerValue)
        XCTAssertNil(sample["iat"]?.boolValue)
        XCTAssertNil(sample["iat"]?.stringValue)
        XCTAssertNil(sample["email_verified"]?.integerValue)
        XCTAssertNil(sample["email_verified"]?.numberValue)
        XCTAssertNil(sample["sub"]?["sub"])
        XCTAssertNil(sample["sub"]?.arrayValue)
        XCTAssertNil(sample["groups"]?.objectValue)
        XCTAssertEqual(sample["groups"]?.isNull, false)
    }

    func testKindsAreNeverEqualToEachOther() {
        let values: [ClaimValue] = [.null, true, false, 1, 0, 1.0, 0.0, "1", "true", "", [], [1], [:], ["1": 1]]
        for (index, value) in values.enumerated() {
            for (otherIndex, other) in values.enumerated() {
                XCTAssertEqual(value == other, index == otherIndex, "\(value) and \(other)")
            }
        }
        XCTAssertEqual(Set(values).count, values.count)
    }

    func testStringsAndKeysAreEqualByBytes() {
        let composed = "caf\u{E9}"
        let decomposed = "cafe\u{301}"
        XCTAssertNotEqual(ClaimValue.string(composed), .string(decomposed))
        XCTAssertNotEqual(ClaimValue.object([composed: 1]), .object([decomposed: 1]))
        XCTAssertEqual(Set([ClaimValue.object([composed: 1]), .object([decomposed: 1])]).count, 2)
        XCTAssertNil(ClaimValue.object(["\u{212A}id": "x"])["Kid"])
        XCTAssertEqual(ClaimValue.object(["\u{212A}id": "x"])["\u{212A}id"], "x")
    }

    func testEqualObjectsHashAlikeInAnyOrder() {
        let keys = (0..<50).map(String.init)
        let one = ClaimValue.object(Dictionary(keys.map { ($0, .string($0)) }) { first, _ in first })
        let other = ClaimValue.object(Dictionary(keys.reversed().map { ($0, .string($0)) }) { first, _ in first })
        XCTAssertEqual(one, other)
        XCTAssertEqual(one.hashValue, other.hashValue)
        XCTAssertEqual(one.json(), other.json())
    }

    func testOfAKeyWrittenTwiceInALiteralTheLastStays() {
        XCTAssertEqual((["a": 1, "a": 2] as ClaimValue)["a"], 2)
    }

    func testCodingKeepsEveryKind() throws {
        let encoded = try JSONEncoder().encode(sample)
        XCTAssertEqual(try JSONDecoder().decode(ClaimValue.self, from: encoded), sample)
        let text = #"[null,true,1,-5,0.25,"s",[],{},{"a":[{"b":null}]},9223372036854775807]"#
        let decoded = try JSONDecoder().decode(ClaimValue.self, from: Data(text.utf8))
        XCTAssertEqual(decoded, ClaimValue(json: Array(text.utf8)))
        XCTAssertEqual(decoded.json(), Array(text.utf8))
    }

    func testDecodingRefusesDeepNesting() {
        func nested(_ depth: Int) -> Data {
            Data((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        for (depth, isDecoded) in [(40, true), (65, true), (66, false), (400, false)] {
            let value = try? JSONDecoder().decode(ClaimValue.self, from: nested(depth))
            XCTAssertEqual(value != nil, isDecoded, "\(depth) levels")
        }
    }
}
