@testable import AuthCore
import XCTest

final class RecordHostileInputTests: XCTestCase {
    private let coder = RecordCoder()

    /// The error of reading the bytes as any kind of record; nil if one of them was read.
    private func readingAsAnything(_ bytes: [UInt8]) -> RecordError? {
        var error: RecordError?
        func read<Record: StoredRecord>(_ type: Record.Type) -> Bool {
            do {
                _ = try coder.decode(type, from: bytes)
                return true
            } catch {
                return false
            }
        }
        if read(Account.self) || read(Session.self) || read(OneTimeRecord.self) { return nil }
        if read(IdentityEvent.self) || read(OutboxEntry.self) || read(ChangeSet.self) { return nil }
        do { _ = try coder.decode(Account.self, from: bytes) } catch let failure { error = failure }
        return error
    }

    func testATruncatedRecordIsMalformed() throws {
        for kind in RecordKind.allCases {
            let whole = try XCTUnwrap(try RecordFixtures.lines("format-1/\(kind.rawValue)").last)
            for length in whole.indices {
                XCTAssertEqual(readingAsAnything(Array(whole[..<length])), .malformed, "\(kind) \(length)")
            }
        }
    }

    func testARecordWithAFlippedBitIsReadAsAnotherOrRefused() throws {
        try flipBits(of: Account.self, "format-1/account")
        try flipBits(of: Session.self, "format-1/session")
        try flipBits(of: OutboxEntry.self, "format-1/message")
    }

    private func flipBits<Record: Store.StoredRecord & Equatable>(of type: Record.Type, _ name: String) throws {
        var generator = SplitMix(state: 11)
        let whole = try RecordFixtures.lines(name)[0]
        var (read, refused) = (0, 0)
        for index in whole.indices {
            var flipped = whole
            flipped[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            if let record = try? coder.decode(type, from: flipped) {
                XCTAssertEqual(try coder.decode(type, from: coder.encode(record)), record, "\(name), byte \(index)")
                read += 1
            } else {
                refused += 1
            }
        }
        XCTAssertGreaterThan(read, 10, "\(name) with another text or number")
        XCTAssertGreaterThan(refused, 10, "\(name) that is no record any more")
    }

    func testNestingDeeperThanARecordEverIsIsMalformed() {
        for depth in [65, 10_000, 400_000] {
            let arrays = [UInt8](repeating: UInt8(ascii: "["), count: depth)
            XCTAssertEqual(readingAsAnything(arrays), .malformed)
            let inside = Array(#"{"format":1,"kind":"session","value":"#.utf8)
            XCTAssertEqual(readingAsAnything(inside + arrays), .malformed)
        }
        let objects = String(repeating: #"{"a":"#, count: 100_000)
        XCTAssertEqual(readingAsAnything(Array(objects.utf8)), .malformed)
    }

    func testAMegabyteOfAnythingIsRefused() {
        let size = 1 << 20
        for byte in [UInt8(ascii: " "), UInt8(ascii: "9"), UInt8(ascii: "\""), UInt8(ascii: "{"), 0, 0xFF] {
            XCTAssertEqual(readingAsAnything([UInt8](repeating: byte, count: size)), .malformed)
        }
        let text = String(repeating: "x", count: size)
        let long = #"{"format":1,"kind":"account","value":{"id":"\#(text)"}}"#
        XCTAssertEqual(readingAsAnything(Array(long.utf8)), .malformed)
        let tooLong = String(repeating: " ", count: RecordCoder.sizeLimit) + "{}"
        XCTAssertEqual(readingAsAnything(Array(tooLong.utf8)), .malformed)
    }

    func testAnEnvelopeMustBeComplete() {
        let cases = [
            "", "null", "[]", "1", "{}", #"{"format":1}"#, #"{"format":1,"kind":"account"}"#,
            #"{"kind":"account","value":{}}"#, #"{"format":1.0,"kind":"account","value":{}}"#,
            #"{"format":0,"kind":"account","value":{}}"#, #"{"format":-1,"kind":"account","value":{}}"#,
            #"{"format":"1","kind":"account","value":{}}"#,
            #"{"format":1,"kind":1,"value":{}}"#, #"{"format":1,"kind":"account","value":{},"more":1}"#,
            #"{"format":1,"format":1,"kind":"account","value":{}}"#,
        ]
        for text in cases {
            XCTAssertEqual(readingAsAnything(Array(text.utf8)), .malformed, text)
        }
    }

    func testARecordOfAnotherKindSaysWhichItIs() throws {
        for kind in RecordKind.allCases where kind != .account {
            let record = try RecordFixtures.lines("format-1/\(kind.rawValue)")[0]
            XCTAssertThrowsError(try coder.decode(Account.self, from: record)) {
                XCTAssertEqual($0 as? RecordError, .wrongKind(kind.rawValue))
            }
        }
    }

    func testValuesOutsideTheirTypesAreMalformed() throws {
        let bare = String(decoding: try coder.encode(Account(id: "ann", createdAt: RecordSamples.noon)), as: UTF8.self)
        for (old, new) in [
            (#""sessionGeneration":0"#, #""sessionGeneration":4294967296"#),
            (#""sessionGeneration":0"#, #""sessionGeneration":-1"#),
            (#""version":0"#, #""version":18446744073709551616"#), (#""id":"ann""#, #""id":"""#),
            (#""methods":[]"#, #""methods":{}"#), (#""methods":[]"#, Self.method(of: #"{"future":{}}"#)),
            (#""methods":[]"#, Self.method(of: #"{"emailLink":true,"phone":"+15550001234"}"#)),
            (#""methods":[]"#, Self.method(of: #"{"federated":{"key":["i"],"provider":"p","assurance":0}}"#)),
            (#""methods":[]"#, Self.method(of: #"{"federated":{"key":["i","s","t"],"provider":"p","assurance":0}}"#)),
            (#""evidence":[]"#, Self.evidence(of: "no address")),
            (#""createdAt":1767268800123"#, #""createdAt":9223372036854775807"#),
            (#""createdAt":1767268800123"#, #""createdAt":-9223372036854775808"#),
            (#""recoveryCodes":[]"#, #""recoveryCodes":[{"hash":[0]}]"#),
            (#""recoveryCodes":[]"#, #""recoveryCodes":[{"hash":"AA"}]"#),
            (#""recoveryCodes":[]"#, #""recoveryCodes":[{"hash":"A_=="}]"#),
            (#""recoveryCodes":[]"#, #""recoveryCodes":[{"hash":null}]"#),
            (#""isDisabled":false"#, #""isDisabled":0"#), (#""isDisabled":false"#, #""isDisabled":null"#),
        ] {
            let record = bare.replacing(old, with: new)
            XCTAssertNotEqual(record, bare, new)
            XCTAssertEqual(readingAsAnything(Array(record.utf8)), .malformed, new)
        }
        for whole in [Self.method(of: #"{"emailLink":true}"#), Self.evidence(of: "a@b.example")] {
            let record = bare.replacing(whole.prefix { $0 != "[" } + "[]", with: whole)
            XCTAssertNil(readingAsAnything(Array(record.utf8)), "what the cases above spoil is read when it is whole")
        }
    }

    private static func method(of kind: String) -> String {
        #""methods":[{"addedAt":0,"coverage":[],"generation":1,"kind":\#(kind),"seniorSince":0}]"#
    }

    private static func evidence(of subject: String) -> String {
        #""evidence":[{"count":1,"firstAt":0,"lastAt":0,"source":{"mailboxCode":{}},"subject":"\#(subject)"}]"#
    }
}
