#if PostgreSQL
import AuthCore
import AuthCoreTesting
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// Records and pages that cannot be read, and values that cannot be written: each is named, and holds up no other.
final class PostgresDamageTests: LimitedTestCase {
    func testADamagedRecordIsReported() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        _ = try await store.commit(Samples.creation("ann"))
        try await store.execute("UPDATE \(database.options.schema).accounts SET record = 'nothing'")
        let kind = await Self.kind { _ = try await store.load([.account("ann")]) }
        XCTAssertEqual(kind, .damagedRecord)
        try await store.execute("DELETE FROM \(database.options.schema).store")
        let kindOfLog = await Self.kind { _ = try await store.events(after: .start, limit: 1) }
        XCTAssertEqual(kindOfLog, .damagedRecord, "of a log whose bounds are missing")
    }

    func testAValueThatCouldNotBeReadBackIsRefusedAndNothingOfItsChangeIsWritten() async throws {
        let store = try await TestDatabase().open()
        var account = Samples.account("ann")
        account.customClaims = ["balance": .number(.nan)]
        var changes = Samples.creation("ann")
        changes.accounts = [.create(account)]
        do {
            let outcome = try await store.commit(changes)
            XCTFail("a number that is none was written: \(outcome)")
        } catch let error as AuthError {
            XCTAssertEqual(error.code, .storeUnavailable, "\(error)")
            let cause = try XCTUnwrap(error.cause as? PostgresError, "\(error)")
            XCTAssertEqual(cause.kind, .damagedRecord)
            XCTAssertTrue(cause.message.hasPrefix("A value of the change cannot be written"), cause.message)
        }
        let outcome = try await store.commit(Samples.creation("ann"))
        XCTAssertEqual(outcome, .committed, "the account without that claim")
    }

    func testADamagedPageIsNamedAndOtherPagesAreServed() async throws {
        let server = try TestServer()
        defer { try? server.stop("immediate") }
        let database = try TestDatabase(server.connection)
        var store = try await database.open()
        let names = (0..<60).map { "ann\($0)" }
        for name in names { _ = try await store.commit(Samples.creation(name)) }
        let question = "SELECT pg_relation_filepath('\(store.schema.name).accounts')"
        let row = try await store.run(question, []).first
        let file = try XCTUnwrap(row?.text(0))
        try server.stop()
        let pages = try FileHandle(forUpdating: URL(filePath: server.path(file)))
        let first = try XCTUnwrap(try pages.read(upToCount: 8192), "the first page of the accounts")
        try pages.seek(toOffset: 0)
        pages.write(Data(repeating: 0xFF, count: 4096))
        try server.start()
        store = try await database.open()
        var (served, damaged): ([String], [String]) = ([], [])
        for name in names {
            do {
                let found = try await store.load([.account(AccountID(name) ?? "")])
                XCTAssertEqual(found[AccountID(name) ?? ""], Samples.account(name), "an account of another page")
                served.append(name)
            } catch let error as AuthError {
                XCTAssertEqual(error.code, .storeUnavailable, "\(error)")
                XCTAssertEqual((error.cause as? PostgresError)?.kind, .damagedRecord, "\(error)")
                damaged.append(name)
            }
        }
        XCTAssertFalse(served.isEmpty, "all accounts are on the page")
        XCTAssertFalse(damaged.isEmpty, "no account was on the page")
        try server.stop()
        try pages.seek(toOffset: 0)
        pages.write(first)
        try server.start()
        let accounts = try await store.accounts(after: nil, limit: 100)
        XCTAssertEqual(Set(accounts.map(\.id.text)), Set(names), "when the page is whole again")
    }

    func testAMessageThatCannotBeReadHoldsUpNoOther() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        for name in ["ann", "ben"] { _ = try await store.commit(Samples.creation(name)) }
        try await store.execute("UPDATE \(database.options.schema).messages SET record = '{}' WHERE account = 'ann'")
        let now = Samples.now + .seconds(3600)
        let leased = try await store.leaseMessages(at: now, until: now + .seconds(60), limit: 10)
        XCTAssertEqual(leased.map(\.entry.account), ["ben"], "the message that can be read")
        try await store.settleMessages(leased.map(\.entry.id))
        do {
            let none = try await store.leaseMessages(at: now + .seconds(60), until: now + .seconds(90), limit: 10)
            XCTFail("what cannot be read was answered with \(none)")
        } catch {
            XCTAssertEqual((error as? AuthError)?.code, .storeUnavailable, "\(error)")
        }
    }

    func testAnAccountThatCannotBeReadIsDueLikeTheOthers() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        for (index, name) in ["ann", "ben"].enumerated() {
            var account = Samples.account(name)
            account.dueAt = Timestamp(seconds: Int64(100 + index))
            var changes = Samples.creation(name)
            changes.accounts = [.create(account)]
            _ = try await store.commit(changes)
        }
        try await store.execute(
            "UPDATE \(database.options.schema).accounts SET record = '{\"format\":9,\"kind\":\"account\",\"value\":{}}' WHERE id = 'ann'"
        )
        let due = try await store.accounts(dueBy: Timestamp(seconds: 1000), after: nil, limit: 10)
        XCTAssertEqual(due.map(\.id), ["ann", "ben"], "those that are due, the one of a newer library too")
        XCTAssertEqual(due.map(\.dueAt), [Timestamp(seconds: 100), Timestamp(seconds: 101)], "when they are due")
    }

    func testAnEventThatCannotBeReadIsNotLeftOut() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        for name in ["ann", "ben"] { _ = try await store.commit(Samples.creation(name)) }
        _ = try await store.events(2, after: .start)
        try await store.execute(
            "UPDATE \(database.options.schema).events SET record = '{\"format\":9,\"kind\":\"event\",\"value\":{}}' WHERE account = 'ann'"
        )
        do {
            let page = try await store.events(after: .start, limit: 10)
            XCTFail("a page without the event of a newer library: \(page.events.map(\.account))")
        } catch let error as AuthError {
            XCTAssertEqual((error.cause as? PostgresError)?.kind, .damagedRecord, "\(error)")
        }
    }
}
#endif
