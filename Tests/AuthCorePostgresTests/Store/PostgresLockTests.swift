#if PostgreSQL
import AuthCore
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// What a process does with rows that another one holds: it leaves them, and does not wait; where it must have them, it
/// waits in an order that all have in common.
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

    func testASessionThatAnotherProcessHoldsIsNotAmongTheUnusedThatEnd() async throws {
        let database = try database()
        let store = try await database.open()
        _ = try await store.commit(Samples.creation("ann"))
        let sessions = "SELECT id::text FROM \(database.options.schema).sessions WHERE account = 'ann'"
        let held = try await store.run(sessions, []).map { $0.text(0) }
        var holder = try holder("sessions WHERE account = 'ann'", in: database)
        let new = Samples.session(of: "ann")
        var change = Store.ChangeSet(operation: Samples.random(), at: Samples.now)
        change.sessions = [.put(new), .endUnused("ann", keeping: 1, besides: new.id)]
        let outcome = try await store.commit(change)
        XCTAssertEqual(outcome, .committed, "a sign-in beside another process that holds a session of the account")
        try holder.run(text: "ROLLBACK", until: .now + .seconds(10))
        let left = try await store.run(sessions, []).map { $0.text(0) }
        XCTAssertEqual(left.count, 2, "the new session and the one that was held")
        XCTAssertTrue(Set(left).isSuperset(of: held), "the session that was held is gone: \(left)")
    }

    /// Two processes that lock the same rows in different orders would wait for each other.
    func testMessagesAndSessionsAreLockedInTheOrderOfTheirIDs() async throws {
        let ids = (1...2).map { Store.OperationID(bits: UInt128($0)) }
        var end = Store.ChangeSet(operation: Samples.random(), at: Samples.now)
        end.sessions = [.endAll("ann", except: nil)]
        let change = end
        let calls: [(name: String, table: String, make: @Sendable (PostgresStore) async throws -> Void)] = [
            ("a settlement", "messages", { try await $0.settleMessages(ids) }),
            ("a settlement in the other order", "messages", { try await $0.settleMessages(ids.reversed()) }),
            ("the end of all sessions", "sessions", { _ = try await $0.commit(change) }),
        ]
        for (name, table, make) in calls {
            let database = try TestDatabase { $0.connections = 1 }
            let (store, watcher) = (try await database.open(), try await database.open())
            let rows = "\(database.options.schema).\(table)"
            try await writeBackwards(on: store)
            var holder = try holder("\(table) WHERE id::text LIKE '%2'", in: database)
            let calling = Task { try await make(store) }
            let waiting = """
                SELECT count(*) FROM pg_stat_activity
                WHERE wait_event_type = 'Lock' AND query LIKE '%\(store.schema).%'
                """
            while try await watcher.run(waiting, []).first?.number(0) == 0 { await Task.yield() }
            let free = try await watcher.run("SELECT id FROM \(rows) FOR UPDATE SKIP LOCKED", [])
            XCTAssertEqual(free.count, 0, "\(name) waits for the last row before it has locked the first")
            try holder.run(text: "ROLLBACK", until: .now + .seconds(10))
            try await calling.value
            let left = try await store.run("SELECT count(*) FROM \(rows)", []).first?.number(0)
            XCTAssertEqual(left, 0, "\(name) leaves some of the \(table)")
        }
    }

    /// Writes two messages, and two sessions of Ann's, those with the IDs 2 before those with the IDs 1.
    private func writeBackwards(on store: PostgresStore) async throws {
        let schema = store.schema.name
        for (name, number) in [("ann", 2), ("ben", 1)] {
            _ = try await store.commit(Samples.creation(name))
            let id = "id = '00000000-0000-0000-0000-00000000000\(number)'"
            try await store.execute("UPDATE \(schema).messages SET \(id) WHERE account = '\(name)'")
            try await store.execute("UPDATE \(schema).sessions SET \(id), account = 'ann' WHERE account = '\(name)'")
        }
        // An index would find them in order by itself.
        try await store.execute("SET enable_indexscan = off")
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
