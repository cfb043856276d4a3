#if SQLite
import AuthCore
import Foundation
import XCTest

@testable import AuthCoreSQLite
@testable import StoreInvariants

/// Rows and pages that cannot be read: the error names them, and what is whole is read as before.
final class DamageTests: ChangeTestCase {
    func testAnAccountThatCannotBeReadIsDueLikeTheOthers() async throws {
        let store = try await TestDatabase().open()
        let now = Timestamp(seconds: 1_800_000_000)
        var changes = change(1)
        for (index, name) in ["ann", "ben", "cid"].enumerated() {
            var account = Account(id: AccountID(name)!, createdAt: now)
            account.dueAt = now + .seconds(index)
            changes.accounts.append(.create(account))
        }
        _ = try await store.commit(changes)
        try await store.execute("UPDATE accounts SET record = '{' WHERE due_at = \(now.milliseconds)")
        let due = try await store.accounts(dueBy: .distantFuture, after: nil, limit: 10)
        XCTAssertEqual(due.map(\.id), ["ann", "ben", "cid"], "those that are due, the damaged one too")
        XCTAssertEqual(due.map(\.dueAt), [now, now + .seconds(1), now + .seconds(2)], "when they are due")
        let error = await storeError("the damaged account") { _ = try await store.load([.account("ann")]) }
        XCTAssertEqual(error?.code, .storeUnavailable, "the damage is not reported where it is read")
        let all = await storeError("a list of all accounts") { _ = try await store.accounts(after: nil, limit: 10) }
        XCTAssertEqual(all?.code, .storeUnavailable, "a list leaves the damaged account out")
    }

    func testCountsOfAttemptsThatCannotBeReadAllowNothing() async throws {
        let store = try await TestDatabase().open()
        let one = Store.Take(Store.AttemptKey(purpose: .code, hash: 1), .number(1, each: .seconds(60)))
        _ = try await store.take([one], at: Timestamp(seconds: 1_800_000_000))
        try await store.execute("UPDATE attempts SET counts = '{'")
        let error = await storeError("counts that cannot be read") {
            _ = try await store.take([one], at: Timestamp(seconds: 1_800_000_000))
        }
        XCTAssertEqual(error?.code, .storeUnavailable, "the limit starts anew")
    }

    func testALogWhoseBoundsAreMissingIsDamaged() async throws {
        let store = try await TestDatabase().open()
        try await store.execute("DELETE FROM store")
        let error = await storeError("the events of a database without its one row") {
            _ = try await store.events(after: .start, limit: 1)
        }
        XCTAssertEqual(error?.message.contains("The database is damaged"), true, error?.message ?? "")
    }

    func testADamagedPageIsNamedWhereItIsReadAndFound() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        for number in 0..<200 { _ = try await store.commit(change(number)) }
        try await store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        try await database.close()
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: database.path))
        let size = try file.seekToEnd()
        for page in UInt64(45)..<min(70, size / 4096) {
            try file.seek(toOffset: page * 4096)
            file.write(Data(repeating: 0xEE, count: 4096))
        }
        try file.close()
        let again = try await database.open()
        let damage = try await again.findDamage()
        let lines = damage.joined(separator: "\n").split(separator: "\n")
        XCTAssertGreaterThan(lines.count, 3, "of twenty-five damaged pages, only the first is found: \(lines)")
        let error = await storeError("reading a damaged page") {
            for number in 0..<200 { _ = try await again.load([.record(OneTimeRecordID(bits: UInt128(number) << 64))]) }
        }
        XCTAssertEqual(error?.message.contains("The database is damaged"), true, error?.message ?? "")
        XCTAssertEqual((error?.cause as? SQLiteError)?.primaryCode, 11, "SQLITE_CORRUPT")
    }

    func testARecordThatCannotBeReadIsNamed() async throws {
        let store = try await TestDatabase().open { $0.readers = 1 }
        _ = try await store.commit(change(1))
        try await store.execute(
            "UPDATE one_time_records SET record = '{\"format\":9,\"kind\":\"record\",\"value\":{}}'"
        )
        let error = await storeError("the record of a newer library") {
            _ = try await store.load([.record(OneTimeRecordID(bits: 1 << 64))])
        }
        XCTAssertEqual(error?.cause as? Store.RecordError, .newerFormat(9))
        XCTAssertEqual(error?.message, "A record of the database cannot be read. Nothing was changed.")
        _ = try await store.commit(change(2))
        let other = try await store.load([.record(OneTimeRecordID(bits: 2 << 64))])
        XCTAssertNotNil(other.record(OneTimeRecordID(bits: 2 << 64)), "the same connection reads on, and what is new")
    }

    func testARowThatCannotBeReadIsNamedByWhateverLookupFindsIt() async throws {
        let store = try await TestDatabase().open { $0.readers = 1 }
        var changes = change(1)
        var account = Account(id: "ann", createdAt: changes.at)
        account.dueAt = changes.at
        let (ann, number) = (account, try XCTUnwrap(PhoneNumber("+15550001234")))
        let mail = try XCTUnwrap(EmailAddress("ann@example.com"))
        let session = Session(
            id: SessionID(bits: 1),
            account: ann.id,
            sessionGeneration: 0,
            basis: .init(kind: .anonymous, provider: .anonymous, generation: nil),
            at: changes.at,
            device: nil,
            origin: nil,
            deviceName: nil
        )
        let record = Store.OneTimeRecord(
            key: OneTimeRecordID(bits: 7),
            account: ann.id,
            createdAt: changes.at,
            expiresAt: nil,
            content: .usedAssertion
        )
        changes.accounts = [.create(ann)]
        changes.sessions = [.put(session)]
        changes.records = [.put(record)]
        changes.keys = [Store.KeyChange(.phone(number), from: nil, to: ann.id)]
        let reference = Store.EmailReference(account: ann.id, createdAt: ann.createdAt, strength: .own)
        changes.references = [Store.EmailReferenceChange(email: mail, reference: reference, isReferenced: true)]
        changes.events = [IdentityEvent(.signedIn, at: changes.at, account: ann.id, actor: .system, reasons: [])]
        _ = try await store.commit(changes)
        let lookups: [(table: String, lookup: Store.Lookup)] = [
            ("accounts", .account(ann.id)), ("accounts", .owner(.phone(number))), ("accounts", .referencing(mail)),
            ("accounts", .record(record.key)), ("one_time_records", .record(record.key)),
            ("one_time_records", .records(of: .account(ann.id), .usedAssertion)), ("sessions", .session(session.id)),
            ("sessions", .sessions(of: .owner(.phone(number)))),
        ]
        for (table, lookup) in lookups {
            let saved = try await store.column("SELECT record FROM \(table)")[0]
            try await store.execute("UPDATE \(table) SET record = '{\"format\":9}'")
            let error = await storeError("\(lookup), of \(table)") { _ = try await store.load([lookup]) }
            XCTAssertEqual(error?.cause as? Store.RecordError, .newerFormat(9), "\(lookup), of \(table)")
            try await store.execute("UPDATE \(table) SET record = '\(saved)'")
        }
        let whole = try await store.load([.account(ann.id), .session(session.id), .record(record.key)])
        XCTAssertEqual(whole[ann.id], ann, "what can be read again")
        XCTAssertEqual(whole.session(session.id), session, "what can be read again")
        for table in ["accounts", "events"] { try await store.execute("UPDATE \(table) SET record = '{\"format\":9}'") }
        let calls: [(String, () async throws -> Void)] = [
            ("a page of accounts", { _ = try await store.accounts(after: nil, limit: 1) }),
            ("a page of events", { _ = try await store.events(after: .start, limit: 1) }),
        ]
        for (what, call) in calls {
            let error = await storeError(what, from: call)
            XCTAssertEqual(error?.cause as? Store.RecordError, .newerFormat(9), what)
        }
    }
}
#endif
