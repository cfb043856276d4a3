import AuthCore
import AuthCoreSQL
import XCTest

/// What both SQL stores write: records, the bytes of keys, positions, and the steps of a schema.
final class RowCodingTests: LimitedTestCase {
    private let coder = RowCoder()

    func testARowHoldsTheDocumentedRecord() throws {
        var account = Account(id: "ann", createdAt: Timestamp(seconds: 1_800_000_000))
        account.email = EmailAddress("ann@example.com")
        _ = account.add(
            .federated(
                Identity(key: Identity.Key(issuer: "https://a.example/\u{E9}", subject: "e\u{301}"), provider: "oidc.a")
            ),
            at: account.createdAt
        )
        let bytes = try coder.encode(account)
        XCTAssertEqual(try Store.RecordCoder().decode(Account.self, from: bytes), account, "the documented format")
        XCTAssertEqual(try coder.decode(Account.self, from: bytes), account, "the row")
        let documented = try Store.RecordCoder().encode(account)
        XCTAssertEqual(try coder.decode(Account.self, from: documented), account, "a row that the other coder wrote")
    }

    func testWhatIsWrongWithARowIsNamed() throws {
        let account = Account(id: "ann", createdAt: Timestamp(seconds: 1_800_000_000))
        let bytes = try coder.encode(account)
        XCTAssertThrowsError(try coder.decode(Session.self, from: bytes)) {
            XCTAssertEqual($0 as? Store.RecordError, .wrongKind("account"), "another kind of record")
        }
        let newer = Array(String(decoding: bytes, as: UTF8.self).replacing("\"format\":1", with: "\"format\":2").utf8)
        XCTAssertThrowsError(try coder.decode(Account.self, from: newer)) {
            XCTAssertEqual($0 as? Store.RecordError, .newerFormat(2), "the record of a newer library")
        }
        XCTAssertThrowsError(try coder.decode(Account.self, from: Array(bytes.dropLast(9)))) {
            XCTAssertEqual($0 as? Store.RecordError, .malformed, "a record that was cut off")
        }
    }

    func testBytesOfKeysDifferWhereKeysDo() throws {
        let mail = try XCTUnwrap(EmailAddress("ann@example.com"))
        let number = try XCTUnwrap(PhoneNumber("+15550001234"))
        let keys: [Store.UniqueKey] = [
            .identity(Identity.Key(issuer: "ab", subject: "c")), .identity(Identity.Key(issuer: "a", subject: "bc")),
            .identity(Identity.Key(issuer: "a", subject: "BC")), .identity(Identity.Key(issuer: "", subject: "abc")),
            .identity(Identity.Key(issuer: "a", subject: "\u{E9}")),
            .identity(Identity.Key(issuer: "a", subject: "e\u{301}")),
            .phone(number), .primaryEmail(mail), .identity(Identity.Key(issuer: "", subject: number.text)),
        ]
        XCTAssertEqual(Set(keys.map(\.bytes)).count, keys.count, "two keys have the same bytes")
    }

    func testBytesOfIdentifiersAndPositionsAreOrderedAsTheyAre() throws {
        let ids: [UInt128] = [0, 1, 0xFF, 0x100, 1 << 63, 1 << 64, .max]
        let sessions = ids.map { SessionID(bits: $0) }
        XCTAssertEqual(sessions.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) }, sessions.map(\.bytes))
        XCTAssertEqual(sessions.compactMap { SessionID(bytes: $0.bytes) }, sessions, "identifiers are read back")
        let numbers: [UInt64] = [0, 1, 255, 256, .max]
        let positions = numbers.flatMap { first in
            numbers.flatMap { second in
                numbers.map { IdentityEvent.Position(incarnation: first, transaction: second, number: $0) }
            }
        }
        let bytes = positions.map(\.bytes)
        XCTAssertEqual(bytes.sorted { $0.lexicographicallyPrecedes($1) }, bytes, "the order of positions")
        XCTAssertEqual(bytes.compactMap { IdentityEvent.Position(bytes: $0) }, positions, "positions are read back")
        XCTAssertNil(SessionID(bytes: [1]), "too few bytes")
        XCTAssertNil(IdentityEvent.Position(bytes: [1]), "too few bytes")
        XCTAssertEqual(AccountID(bytes: AccountID("ann").bytes), "ann")
        let long = try XCTUnwrap(AccountID(String(repeating: "a", count: 128)))
        XCTAssertEqual(AccountID(bytes: long.bytes), long, "the longest ID that an import brings")
        XCTAssertNil(AccountID(bytes: []), "an empty ID")
    }

    func testColumnsTellWhatAPersonAsks() throws {
        let now = Timestamp(seconds: 1_800_000_000)
        var account = Account(id: "ann", createdAt: now)
        account.email = EmailAddress("ann@example.com")
        _ = account.add(.password(PasswordHash(tagged: "secret")), at: now)
        _ = account.add(
            .federated(Identity(key: Identity.Key(issuer: "github.com", subject: "7"), provider: .gitHub)),
            at: now
        )
        _ = account.add(.phone(try XCTUnwrap(PhoneNumber("+15550001234"))), at: now)
        let columns = AccountColumns(account)
        XCTAssertEqual(
            [columns.email, columns.phoneNumber, columns.status],
            ["ann@example.com", "+15550001234", "active"]
        )
        let methods = MethodColumns.all(of: account)
        XCTAssertEqual(methods.map(\.kind), ["password", "federated", "phone"])
        XCTAssertEqual(methods.map(\.provider), ["password", "github.com", "phone"])
        XCTAssertEqual(methods.map(\.email), ["ann@example.com", nil, nil])
        XCTAssertEqual(methods.map(\.subject), [nil, "7", nil])
        XCTAssertFalse("\(columns) \(methods)".contains("secret"), "a hash is in a readable column")
        account.isDisabled = true
        XCTAssertEqual(AccountColumns(account).status, "disabled")
    }

    func testAMigrationLeadsFromEveryVersionToTheNewest() throws {
        let migrations = Migrations([
            Migration(version: 1, purpose: "tables", statements: ["CREATE TABLE a (b)", "CREATE TABLE c (d)"]),
            Migration(version: 2, purpose: "an index", statements: ["CREATE INDEX e ON a (b)"]),
        ])
        XCTAssertEqual(try migrations.steps(after: 0).map(\.version), [1, 2])
        XCTAssertEqual(try migrations.steps(after: 2).map(\.version), [])
        XCTAssertThrowsError(try migrations.steps(after: 3)) {
            XCTAssertEqual(($0 as? NewerSchema)?.version, 3, "a schema from the future")
        }
        let sql = try migrations.sql(after: 1) { "PRAGMA user_version = \($0)" }
        XCTAssertEqual(sql, "-- Version 2: an index\nCREATE INDEX e ON a (b);\nPRAGMA user_version = 2;\n")
    }
}
