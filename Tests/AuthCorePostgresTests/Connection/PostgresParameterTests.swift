#if PostgreSQL
import AuthCore
import AuthCoreSQL
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// Values on their way to the server and back.
final class PostgresParameterTests: LimitedTestCase {
    func testNumbersAreReadFromUpToEightBytes() {
        for number in [0, 1, 255, 256, 1 << 32, .max, -1, .min] as [Int64] {
            XCTAssertEqual(Int64(bigEndianBytes: number.bigEndianBytes), number, "eight bytes")
        }
        XCTAssertEqual((0x0102_0304_0506_0708 as Int64).bigEndianBytes, Array(1...8), "the highest byte comes first")
        XCTAssertEqual(Int64(bigEndianBytes: []), 0, "no bytes")
        XCTAssertEqual(Int64(bigEndianBytes: [7]), 7, "one byte")
        XCTAssertEqual(Int64(bigEndianBytes: [1, 2]), 258, "two bytes")
        XCTAssertEqual(Int64(bigEndianBytes: [0, 1, 0, 2]), 65_538, "four bytes")
    }

    func testAnEmptyTextIsNotNull() async throws {
        let store = try await TestDatabase().open()
        for round in 1...2 {
            let rows = try await store.run("SELECT $1::text, $2::text, $3::text", [.text(""), .text(nil), .text("")])
            XCTAssertEqual(rows.first, [[], nil, []], "in round \(round)")
            let only = try await store.run("SELECT $1::text", [.text("")])
            XCTAssertEqual(only.first, [[]], "the only value in round \(round)")
        }
    }

    func testElementsOfListsHaveAnyLength() async throws {
        let store = try await TestDatabase().open()
        for length in [0, 1, 255, 256, 65_535, 65_536, 1 << 17, 1 << 24] {
            let texts = ["a", String(repeating: "b", count: length), nil, "c"]
            let rows = try await store.run("SELECT unnest($1::text[])", [.texts(texts)])
            XCTAssertEqual(rows.map { $0.text(0) }, texts, "with an element of \(length) bytes")
        }
    }

    func testListsHaveAnyNumberOfElements() async throws {
        let store = try await TestDatabase().open()
        for count in [0, 1, 255, 256, 65_535, 65_536, 70_000] {
            let numbers = (0..<Int64(count)).map { $0 % 3 == 0 ? nil : $0 }
            let rows = try await store.run("SELECT unnest($1::bigint[])", [.numbers(numbers)])
            XCTAssertEqual(rows.map { $0.number(0) }, numbers, "with \(count) elements")
        }
    }

    /// libpq may have begun to write the message, which the next statement would follow.
    func testAConnectionOnWhichAStatementCouldNotBeSentIsNotUsedAgain() async throws {
        let store = try await TestDatabase {
            $0.connections = 1
            $0.retries = 0
            $0.isPooledByTransaction = true
        }
        .open()
        let question = "SELECT pg_backend_pid()::bigint"
        let before = try await store.run(question, []).first?.number(0)
        do {
            // One more than the protocol can count.
            _ = try await store.run("SELECT 1", Array(repeating: .number(nil), count: 65_536))
            XCTFail("it was sent")
        } catch {
            XCTAssertEqual(error.code, .storeUnavailable, "\(error)")
        }
        let after = try await store.run(question, []).first?.number(0)
        XCTAssertNotNil(after, "the next statement")
        XCTAssertNotEqual(after, before, "the connection is used again")
    }

    func testAKeyIsItsBytesAndALongOneItsDigest() {
        let key = { (count: Int) in
            // The kind and the length of the issuer have five bytes.
            let subject = String(repeating: "s", count: count - 6)
            return Store.UniqueKey.identity(Identity.Key(issuer: "i", subject: subject))
        }
        for count in [7, 1023, 1024] { XCTAssertEqual(key(count).rowBytes, key(count).bytes, "\(count) bytes") }
        let digest = key(1025).rowBytes
        XCTAssertEqual(digest.count, 33, "a digest of 1025 bytes, and what no other key begins with")
        XCTAssertEqual(digest.first, 0, "what no other key begins with")
        XCTAssertNotEqual(key(1026).rowBytes, digest, "another long key")
    }
}
#endif
