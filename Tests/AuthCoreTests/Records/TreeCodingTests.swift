import Foundation
import XCTest

@testable import AuthCore

/// The coders behind records, asked for all that a `Codable` may ask of one, whether the library's own types do or not.
final class TreeCodingTests: XCTestCase {
    func testEveryContainerHoldsWhatAnEncoderOfJSONPutsThere() throws {
        let tree = try TreeEncoder.tree(of: Unusual())
        let json = try JSONEncoder().encode(Unusual())
        XCTAssertEqual(tree, ClaimValue(json: Array(json)))
        XCTAssertNoThrow(try JSONDecoder().decode(Unusual.self, from: json))
        XCTAssertNoThrow(try TreeDecoder.read(Unusual.self, from: tree, at: []))
    }

    func testNumbersAndClaimsStandByThemselves() throws {
        XCTAssertEqual(try TreeEncoder.tree(of: 1.5), .number(1.5))
        XCTAssertEqual(try TreeEncoder.tree(of: Float(0.25)), .number(0.25))
        XCTAssertEqual(try TreeEncoder.tree(of: ClaimValue.array([true, "a"])), [true, "a"])
        XCTAssertEqual(try TreeDecoder.read(Double.self, from: .number(1.5), at: []), 1.5)
        XCTAssertEqual(try TreeDecoder.read(Float.self, from: .number(0.25), at: []), 0.25)
        XCTAssertEqual(try TreeDecoder.read(ClaimValue.self, from: [true, "a"], at: []), [true, "a"])
        XCTAssertThrowsError(try TreeDecoder.read(Double.self, from: "1.5", at: []))
        XCTAssertThrowsError(try TreeDecoder.read(Float.self, from: 1, at: []), "a whole number is another kind")
    }

    func testAListThatHasEndedSaysSo() {
        struct Pair: Decodable {
            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                let (first, isNull, second) = (
                    try list.decode(Int.self), try list.decodeNil(), try list.decode(Int.self)
                )
                XCTAssertEqual([first, second], [1, 2])
                XCTAssertFalse(isNull)
            }
        }
        XCTAssertNoThrow(try TreeDecoder.read(Pair.self, from: [1, 2], at: []))
        XCTAssertThrowsError(try TreeDecoder.read(Pair.self, from: [1], at: [])) { error in
            guard case DecodingError.valueNotFound(_, let context)? = error as? DecodingError else {
                return XCTFail("\(error)")
            }
            XCTAssertEqual(context.debugDescription, "The array has ended")
        }
    }

    func testAMemberWithoutASuperclassReadsAsNull() throws {
        struct Heir: Decodable {
            let isThere: Bool

            init(from decoder: any Decoder) throws {
                let base = try decoder.container(keyedBy: TreeKey.self).superDecoder()
                isThere = try !base.singleValueContainer().decodeNil()
            }
        }
        XCTAssertFalse(try TreeDecoder.read(Heir.self, from: [:], at: []).isThere)
        XCTAssertTrue(try TreeDecoder.read(Heir.self, from: ["super": 1], at: []).isThere)
    }

    func testAKeyIsANameOrAPlace() {
        let (name, place) = (TreeKey(stringValue: "7"), TreeKey(intValue: 7))
        XCTAssertEqual(name?.stringValue, place?.stringValue)
        XCTAssertNil(name?.intValue)
        XCTAssertEqual(place?.intValue, 7)
    }
}

/// Writes and reads itself with every container that there is.
private struct Unusual: Codable {
    private enum Key: String, CodingKey {
        case nothing, noNumber, list, base, flag
    }

    init() {}

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encodeNil(forKey: .nothing)
        try members.encode(Int?.none, forKey: .noNumber)
        try "elder".encode(to: members.superEncoder())
        try "other".encode(to: members.superEncoder(forKey: .base))
        var list = members.nestedUnkeyedContainer(forKey: .list)
        try list.encodeNil()
        try list.encode(1.5)
        var inner = list.nestedContainer(keyedBy: Key.self)
        try inner.encode(true, forKey: .flag)
        var innerList = list.nestedUnkeyedContainer()
        try innerList.encode("a")
        try 2.encode(to: list.superEncoder())
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        XCTAssertEqual(Set(members.allKeys), [.nothing, .noNumber, .list, .base])
        XCTAssertTrue(try members.decodeNil(forKey: .nothing))
        XCTAssertNil(try members.decode(Int?.self, forKey: .noNumber))
        XCTAssertEqual(try String(from: members.superDecoder()), "elder")
        XCTAssertEqual(try String(from: members.superDecoder(forKey: .base)), "other")
        var list = try members.nestedUnkeyedContainer(forKey: .list)
        XCTAssertEqual(list.count, 5)
        XCTAssertTrue(try list.decodeNil())
        XCTAssertEqual(try list.decode(Double.self), 1.5)
        let inner = try list.nestedContainer(keyedBy: Key.self)
        XCTAssertTrue(try inner.decode(Bool.self, forKey: .flag))
        var innerList = try list.nestedUnkeyedContainer()
        XCTAssertEqual(try innerList.decode(String.self), "a")
        XCTAssertEqual(try Int(from: list.superDecoder()), 2)
        XCTAssertTrue(list.isAtEnd)
    }
}
