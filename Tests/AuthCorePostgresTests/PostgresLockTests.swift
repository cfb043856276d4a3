#if PostgreSQL
import AuthCore
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// What a process does with rows that another one holds: it leaves them, and does not wait.
final class PostgresLockTests: LimitedTestCase {
    /// A database on which no statement waits long for a lock.
    private func database() throws -> TestDatabase { try TestDatabase { $0.lockTimeout = .milliseconds(100) } }

    /// Another process, which holds rows until it ends.
    private func holder(_ rows: String, in database: TestDatabase) throws -> Link {
        var link = try Link(Settings(connection: database.connection, options: PostgresStore.Options()))
        let text = "BEGIN; SELECT 1 FROM \(database.options.schema).\(rows) FOR UPDATE"
        try link.run(text: text, until: .now + .seconds(10))
        return link
    }

    func testAMessageThatAnotherProcessHoldsHoldsUpNoOther() async throws {
        let database = try database()
        let store = try await database.open()
        for name in ["ann", "ben"] { _ = try await store.commit(Samples.creation(name)) }
        var holder = try holder("messages WHERE account = 'ann'", in: database)
        let now = Samples.now
        let leased = try await store.leaseMessages(at: now, until: now + .seconds(60), limit: 10)
        XCTAssertEqual(leased.map(\.entry.account), ["ben"], "the message that no other process holds")
        try holder.run(text: "ROLLBACK", until: .now + .seconds(10))
        let rest = try await store.leaseMessages(at: now, until: now + .seconds(60), limit: 10)
        XCTAssertEqual(rest.map(\.entry.account), ["ann"], "the message that was held")
    }

    func testARecordOrASessionThatAnotherProcessHoldsHoldsUpNoOther() async throws {
        for (table, records, sessions) in [("records", 1, 2), ("sessions", 2, 1)] {
            let database = try database()
            let store = try await database.open()
            _ = try await store.commit(expired(of: ["ann", "ben"]))
            var holder = try holder("\(table) WHERE account = 'ann'", in: database)
            let report = try await store.sweep(at: Samples.now, limit: 10)
            XCTAssertEqual(report.records, records, "records that went while one of the \(table) was held")
            XCTAssertEqual(report.sessions, sessions, "sessions that went while one of the \(table) was held")
            XCTAssertFalse(report.isComplete, "one of the \(table) is left")
            try holder.run(text: "ROLLBACK", until: .now + .seconds(10))
        }
    }

    /// A record and a session of each account, which have expired.
    private func expired(of accounts: [AccountID]) -> Store.ChangeSet {
        var change = Store.ChangeSet(operation: Samples.random(), at: Samples.now)
        for account in accounts {
            let record = Store.OneTimeRecord(
                key: Samples.random(),
                account: account,
                createdAt: Samples.now,
                expiresAt: Samples.now,
                content: .usedAssertion
            )
            var session = Samples.session(of: account)
            session.expiresAt = Samples.now
            change.records.append(.put(record))
            change.sessions.append(.put(session))
        }
        return change
    }

    func testAnOperationThatAnotherProcessHoldsHoldsUpNoOther() async throws {
        let database = try database()
        let store = try await database.open()
        let operations = "\(database.options.schema).operations"
        for name in ["ann", "ben"] { _ = try await store.commit(Samples.creation(name)) }
        try await store.execute("UPDATE \(operations) SET committed_at = now() - interval '26 hours'")
        var holder = try holder("operations WHERE id = (SELECT min(id::text)::uuid FROM \(operations))", in: database)
        _ = try await store.sweep(at: Samples.now, limit: 10)
        let left = try await store.run("SELECT count(*) FROM \(operations)", []).first?.number(0)
        XCTAssertEqual(left, 1, "operations that are left while another process holds one")
        try holder.run(text: "ROLLBACK", until: .now + .seconds(10))
    }
}
#endif
