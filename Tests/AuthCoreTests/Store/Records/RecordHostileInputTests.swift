@testable import AuthCore
import XCTest

final class RecordHostileInputTests: LimitedTestCase {
    private let coder = Store.RecordCoder()

    /// The error of reading the bytes as any kind of record: where they name a kind, that of this kind; nil if they
    /// were read as one.
    private func readingAsAnything(_ bytes: [UInt8], line: UInt = #line) -> Store.RecordError? {
        var errors: [Store.RecordError?] = []
        func read<Record: StoredRecord>(_ type: Record.Type) {
            do throws(Store.RecordError) {
                _ = try coder.decode(type, from: bytes)
                errors.append(nil)
            } catch {
                errors.append(error)
            }
        }
        read(Account.self)
        read(Session.self)
        read(OneTimeRecord.self)
        read(IdentityEvent.self)
        read(OutboxEntry.self)
        read(ChangeSet.self)
        if errors.contains(nil) { return nil }
        let own = errors.filter { if case .wrongKind = $0 { false } else { true } }
        XCTAssertFalse(own.isEmpty, "the bytes are of no kind at all", line: line)
        XCTAssertLessThanOrEqual(Set(own).count, 1, "each kind says something else: \(own)", line: line)
        return own.first ?? nil
    }

    func testATruncatedRecordIsMalformed() throws {
        for kind in Store.RecordKind.allCases {
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
        XCTAssertNil(readingAsAnything(Self.account(.id, #""ann""#)), "the record with a short ID is read")
        XCTAssertEqual(readingAsAnything(Self.account(.id, #""\#(text)""#)), .malformed, "a long ID")
        let tooLong = String(repeating: " ", count: Store.RecordCoder.sizeLimit) + "{}"
        XCTAssertEqual(readingAsAnything(Array(tooLong.utf8)), .malformed)
    }

    func testARecordIsReadUpToTheDocumentedSize() throws {
        let coder = Store.RecordCoder()
        let bytes = try coder.encode(RecordSamples.fullAccount())
        for (more, isRead) in [(0, true), (1, false)] {
            let spaces = [UInt8](repeating: UInt8(ascii: " "), count: Store.RecordCoder.sizeLimit - bytes.count + more)
            let account = try? coder.decode(Account.self, from: bytes + spaces)
            XCTAssertEqual(account != nil, isRead, "whether a record of the largest size and \(more) bytes is read")
        }
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

    func testAWholeEnvelopeWithAnotherMemberIsMalformed() throws {
        let account = Account(id: AccountID(bits: 7), createdAt: Timestamp(milliseconds: 0))
        let bytes = try coder.encode(account)
        XCTAssertEqual(try coder.decode(Account.self, from: bytes), account, "the record as it was written")
        XCTAssertEqual(readingAsAnything(bytes.dropLast() + Array(#","more":1}"#.utf8)), .malformed)
    }

    func testARecordOfAnotherKindSaysWhichItIs() throws {
        for kind in Store.RecordKind.allCases where kind != .account {
            let record = try RecordFixtures.lines("format-1/\(kind.rawValue)")[0]
            XCTAssertThrowsError(try coder.decode(Account.self, from: record)) {
                XCTAssertEqual($0 as? Store.RecordError, .wrongKind(kind.rawValue))
            }
        }
    }

    /// The places of an account's list, by which the cases below spoil one each.
    private enum Place: Int {
        case id, createdAt, version, sessionGeneration, nextGeneration, flags
        case email, methods, evidence, displayName, photoURL, knownDevices, rest, behind
    }

    func testASessionThatVerifiedTwoAddressesOnRequestIsMalformed() throws {
        var session = try XCTUnwrap(try RecordSamples.sessions().first)
        let email = try XCTUnwrap(EmailAddress("request@example.com"))
        session.verifiedOnRequest = Evidence.Verification(.email(email), at: RecordSamples.noon)
        let text = String(decoding: try Store.RecordCoder().encode(session), as: UTF8.self)
        let entry = #""request@example.com",\#(RecordSamples.noon.milliseconds)"#
        let twice = text.replacingOccurrences(of: entry, with: "\(entry),\(entry)")
        XCTAssertNotEqual(text, twice, "the entry is written in another form: \(text)")
        XCTAssertThrowsError(try Store.RecordCoder().decode(Session.self, from: Array(twice.utf8)), "two addresses") {
            XCTAssertEqual($0 as? Store.RecordError, .malformed, "two addresses")
        }
    }

    func testASessionWhoseBasisCountsAsUsedIsReadBack() throws {
        var session = try XCTUnwrap(try RecordSamples.sessions().first)
        session.used = [session.basis]
        let bytes = try Store.RecordCoder().encode(session)
        XCTAssertEqual(try Store.RecordCoder().decode(Session.self, from: bytes).used, session.used)
    }

    func testValuesOutsideTheirTypesAreMalformed() throws {
        let cases: [(Place, String)] = [
            (.sessionGeneration, "4294967296"), (.sessionGeneration, "-1"), (.sessionGeneration, "null"),
            (.version, "18446744073709551616"), (.version, "0.5"), (.version, #""0""#), (.id, #""""#), (.id, "null"),
            (.methods, "{}"), (.methods, "[[]]"), (.methods, Self.method(#""future",0,1,null,null,null"#)),
            (.methods, Self.method(#""anonymous",0,1,null,null,null"#)),
            (.methods, Self.method(#""emailLink",0,1,null,null,null,"+15550001234""#)),
            (.methods, Self.method(#""emailLink",0,1,null,["a@b.example"]"#)),
            (.methods, Self.method(#""emailLink",0,1,null,null,[0]"#)),
            (.methods, Self.method(#""emailLink",0,1,null,null,[0,"r",0,"r"]"#)),
            (.methods, Self.method(#""phone",0,1,null,null,null"#)),
            (.methods, Self.method(#""federated",0,1,null,null,null,"i""#)),
            (.methods, Self.method(#""federated",0,1,null,null,null,"i","s","p",3"#)),
            (.methods, Self.method(#""federated",0,1,null,null,null,"i","s","p",0,null,null,null,null,0"#)),
            (.evidence, Self.evidence(of: "no address")), (.evidence, #"[["a@b.example","future",1,0]]"#),
            (.evidence, #"[["a@b.example","provider",1,0]]"#),
            (.evidence, #"[["a@b.example","mailboxCode",1,0,null,null,"i"]]"#),
            (.createdAt, "9223372036854775807"), (.createdAt, "-9223372036854775808"),
            (.rest, #"{"recoveryCodes":[{"hash":[0]}]}"#), (.rest, #"{"recoveryCodes":[{"hash":"AA"}]}"#),
            (.rest, #"{"recoveryCodes":[{"hash":"A_=="}]}"#), (.rest, #"{"recoveryCodes":[{"hash":null}]}"#),
            (.rest, "[]"), (.rest, "0"), (.knownDevices, #"["short"]"#), (.knownDevices, #""""#),
            (.flags, "64"), (.flags, "-1"), (.flags, "true"), (.flags, "null"), (.email, #""ann""#), (.behind, "0"),
        ]
        for (place, new) in cases {
            XCTAssertEqual(readingAsAnything(Self.account(place, new)), .malformed, "\(place): \(new)")
        }
        let whole: [(Place, String)] = [
            (.methods, Self.method(#""emailLink",0,1"#)), (.methods, Self.method(#""emailLink",0,1,null,[],null"#)),
            (.methods, Self.method(#""federated",0,1,5,["a@b.example",0],[0,"r"],"i","s","p",2"#)),
            (.evidence, Self.evidence(of: "a@b.example")), (.flags, "63"), (.rest, "{}"),
            (.evidence, #"[["a@b.example","provider",1,0,null,null,"i","s",2]]"#),
            (.rest, #"{"recoveryCodes":[{"hash":"AA=="}]}"#),
        ]
        for (place, text) in whole {
            XCTAssertNil(
                readingAsAnything(Self.account(place, text)),
                "what the cases above spoil is read when it is whole: \(text)"
            )
        }
    }

    /// The record of an account, with this at one place.
    private static func account(_ place: Place, _ text: String) -> [UInt8] {
        var places = [#""ann""#, "1767268800123", "0", "0", "0", "0"] + Array(repeating: "null", count: 7)
        if places.indices.contains(place.rawValue) { places[place.rawValue] = text } else { places.append(text) }
        return Array(#"{"format":1,"kind":"account","value":[\#(places.joined(separator: ","))]}"#.utf8)
    }

    private static func method(_ places: String) -> String { "[[\(places)]]" }

    private static func evidence(of subject: String) -> String { #"[["\#(subject)","mailboxCode",1,0]]"# }
}
