import AuthCore
import AuthCoreSQL
import Foundation
import Synchronization
import XCTest

/// What a person reads of an account beside its record, column by column, and the bytes that a database compares.
final class ColumnTests: LimitedTestCase {
    private let coder = RowCoder()
    private let now = Timestamp(seconds: 1_800_000_000)

    func testTheStatusTellsWhatKindOfAccountItIs() {
        var account = Account(id: "ann", createdAt: now)
        XCTAssertEqual(AccountColumns(account).status, "active", "an account that nothing is the matter with")
        account.isAnonymous = true
        XCTAssertEqual(AccountColumns(account).status, "anonymous", "an account with neither method nor address")
        account.isDisabled = true
        XCTAssertEqual(
            AccountColumns(account).status,
            "disabled",
            "that it is disabled says more than that it is anonymous"
        )
        account.deletedUntil = now
        XCTAssertEqual(
            AccountColumns(account).status,
            "deleted",
            "that it is deleted says more than that it is disabled"
        )
    }

    func testAnAccountWithoutValuesHasEmptyColumns() {
        var account = Account(id: "ann", createdAt: now)
        XCTAssertNil(AccountColumns(account).email, "no address")
        XCTAssertNil(AccountColumns(account).phoneNumber, "no number")
        XCTAssertNil(AccountColumns(account).displayName, "no name")
        account.displayName = "Ann"
        XCTAssertEqual(AccountColumns(account).displayName, "Ann", "the name")
    }

    func testASuspendedNumberHasItsColumnStill() throws {
        var account = Account(id: "ann", createdAt: now)
        _ = account.add(.phone(try XCTUnwrap(PhoneNumber("+15550001234"))), at: now)
        account.methods[0].suspension = SignInMethod.Suspension(since: now, reason: .codeIsUnknown)
        XCTAssertEqual(AccountColumns(account).phoneNumber, "+15550001234", "an operator looks for the number")
    }

    func testAMethodHasThePlaceTheTimeAndTheTextsOfItsKind() throws {
        var account = Account(id: "ann", createdAt: now)
        account.email = EmailAddress("ann@example.com")
        _ = account.add(.emailLink, at: now)
        let identity = Identity(
            key: Identity.Key(issuer: "https://a.example", subject: "7"),
            provider: "oidc.a",
            email: EmailAddress("ann@a.example")
        )
        _ = account.add(.federated(identity), at: Timestamp(seconds: 1_800_000_060))
        _ = account.add(.phone(try XCTUnwrap(PhoneNumber("+15550001234"))), at: now)
        account.methods[2].suspension = SignInMethod.Suspension(since: now, reason: .codeIsUnknown)
        let columns = MethodColumns.all(of: account)
        XCTAssertEqual(columns.map(\.place), [0, 1, 2], "the places, in the order in which they were added")
        XCTAssertEqual(columns.map(\.kind), ["emailLink", "federated", "phone"], "the kinds")
        XCTAssertEqual(columns.map(\.issuer), [nil, "https://a.example", nil], "only an identity has an issuer")
        XCTAssertEqual(columns.map(\.subject), [nil, "7", nil], "only an identity has a subject")
        XCTAssertEqual(
            columns.map(\.email),
            ["ann@example.com", "ann@a.example", nil],
            "mailed links have the account's address, an identity the provider's"
        )
        XCTAssertEqual(columns.map(\.phoneNumber), [nil, nil, "+15550001234"], "only a phone method has a number")
        XCTAssertEqual(
            columns.map(\.addedAt.seconds),
            [1_800_000_000, 1_800_000_060, 1_800_000_000],
            "when each was added"
        )
        XCTAssertEqual(columns.map(\.isSuspended), [false, false, true], "only the one with a suspension is suspended")
    }

    func testAMessageNamesWhoGetsIt() throws {
        let address = Message.Recipient.email(try XCTUnwrap(EmailAddress("ann@example.com")))
        XCTAssertEqual(address.readable, "ann@example.com", "the address of a mail")
        let number = Message.Recipient.phone(try XCTUnwrap(PhoneNumber("+15550001234")))
        XCTAssertEqual(number.readable, "+15550001234", "the number of a text message")
    }

    func testTheBytesOfAKeyStayAsTheyAreInDatabases() throws {
        let identity = Store.UniqueKey.identity(Identity.Key(issuer: "ab", subject: "c"))
        XCTAssertEqual(
            identity.bytes,
            [1, 0, 0, 0, 2, 97, 98, 99],
            "an identity: 1, the issuer's length, issuer, subject"
        )
        let number = Store.UniqueKey.phone(try XCTUnwrap(PhoneNumber("+15550001234")))
        XCTAssertEqual(number.bytes, [2] + Array("+15550001234".utf8), "a number: 2 and the number")
        let address = Store.UniqueKey.primaryEmail(try XCTUnwrap(EmailAddress("a@b.example")))
        XCTAssertEqual(address.bytes, [3] + Array("a@b.example".utf8), "an address: 3 and the address")
        XCTAssertEqual(try XCTUnwrap(EmailAddress("a@b.example")).bytes, Array("a@b.example".utf8), "an address alone")
        let session = SessionID(bits: 0x0102_0304_0506_0708_090A_0B0C_0D0E_0F10)
        XCTAssertEqual(session.bytes, Array(1...16), "an ID: sixteen bytes, the highest first")
        XCTAssertNil(SessionID(bytes: Array(1...17)), "seventeen bytes are no ID")
        let position = IdentityEvent.Position(incarnation: 1, transaction: 2, number: 0x0304)
        XCTAssertEqual(
            position.bytes,
            [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 3, 4],
            "a position: its three numbers, the highest byte first"
        )
        XCTAssertNil(IdentityEvent.Position(bytes: position.bytes + [0]), "25 bytes are no position")
    }

    func testASchemaTellsItsNewestVersionAndWhatIsWrongWithANewerOne() throws {
        let migrations = Migrations([
            Migration(version: 1, purpose: "tables", statements: ["CREATE TABLE a (b)", "CREATE TABLE c (d)"]),
            Migration(version: 2, purpose: "an index", statements: ["CREATE INDEX e ON a (b)"]),
        ])
        XCTAssertEqual(migrations.newest, 2, "the newest version")
        XCTAssertEqual(
            try migrations.steps(after: -1).map(\.version),
            [1, 2],
            "a version before the first has every step left"
        )
        XCTAssertEqual(try migrations.steps(after: 1).map(\.version), [2], "the steps after the first")
        XCTAssertThrowsError(try migrations.sql(after: 3) { "\($0)" }, "the SQL for a schema from the future") {
            XCTAssertEqual(($0 as? NewerSchema)?.version, 3, "the version of the database")
            XCTAssertEqual(($0 as? NewerSchema)?.newest, 2, "the newest version that the library knows")
            XCTAssertEqual(
                "\($0)",
                "The database has schema version 3, and this version of the library knows 2; update the library."
            )
        }
        XCTAssertEqual(
            try migrations.sql(after: 0) { "PRAGMA user_version = \($0)" },
            """
            -- Version 1: tables
            CREATE TABLE a (b);
            CREATE TABLE c (d);
            PRAGMA user_version = 1;

            -- Version 2: an index
            CREATE INDEX e ON a (b);
            PRAGMA user_version = 2;

            """,
            "the SQL of all steps"
        )
    }

    func testARowIsWrittenAsTheFormatSays() throws {
        var account = Account(id: "ann", createdAt: now)
        account.photoURL = "https://example.com/ann.jpg"
        let row = String(decoding: try coder.encode(account), as: UTF8.self)
        XCTAssertTrue(row.contains("https://example.com/ann.jpg"), "slashes are not escaped: \(row)")
        let times = try coder.encode(plain: [Timestamp(milliseconds: 1_800_000_000_123)])
        let dates = try coder.encode(plain: [Timestamp(milliseconds: 1_800_000_000_123).date])
        XCTAssertEqual(dates, times, "a date is written as every time is")
        XCTAssertEqual(
            try coder.decode(plain: [Date].self, from: times).map(Timestamp.init),
            [
                Timestamp(milliseconds: 1_800_000_000_123)
            ],
            "and read as every time is"
        )
    }

    func testAnObserverIsToldOfEveryRecordAndOfNothingElse() throws {
        let seen = Seen()
        let coder = RowCoder { kind, use in seen.list.withLock { $0.append("\(kind) \(use)") } }
        let account = Account(id: "ann", createdAt: now)
        let bytes = try coder.encode(account)
        XCTAssertEqual(seen.list.withLock { $0 }, ["account encoding"], "what was encoded")
        XCTAssertEqual(try coder.decode(Account.self, from: bytes), account)
        XCTAssertEqual(seen.list.withLock { $0 }, ["account encoding", "account decoding"], "what was decoded")
        XCTAssertEqual(try coder.decode(plain: [String: Int].self, from: coder.encode(plain: ["a": 1])), ["a": 1])
        XCTAssertEqual(seen.list.withLock { $0.count }, 2, "a value that is no record is not reported")
        XCTAssertThrowsError(try coder.decode(plain: [String: Int].self, from: [1])) {
            XCTAssertEqual($0 as? Store.RecordError, .malformed, "bytes that are no JSON")
        }
        XCTAssertThrowsError(try coder.encode(plain: Double.infinity)) {
            XCTAssertEqual($0 as? Store.RecordError, .unrepresentable, "a value that JSON does not have")
        }
    }
}

/// What an observer was told.
private final class Seen: Sendable {
    let list = Mutex<[String]>([])
}
