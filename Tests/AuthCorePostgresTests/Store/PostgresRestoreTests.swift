#if PostgreSQL
import AuthCore
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// The incarnation of a database that was restored, or copied to another server.
final class PostgresRestoreTests: LimitedTestCase {
    func testARestoreRaisesTheIncarnation() async throws {
        let store = try await TestDatabase().open()
        _ = try await store.commit(Samples.creation("ann"))
        let end = try await store.events(after: .start, limit: 10).end
        // A reader of the lost server was far ahead.
        let ahead = IdentityEvent.Position(transaction: end.transaction + 1_000_000, number: 5)
        try await store.raiseIncarnation()
        _ = try await store.commit(Samples.creation("ben"))
        let later = try await store.events(1, after: ahead)
        XCTAssertEqual(later.map(\.account), ["ben"], "a reader that was ahead misses an event")
        let all = try await store.events(2, after: .start)
        XCTAssertEqual(all.map(\.account), ["ann", "ben"])
    }

    func testACopyOnAnotherServerIsNoticed() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        _ = try await store.commit(Samples.creation("ann"))
        // As if the transactions of another server had numbers far above those of this one.
        try await store.execute("UPDATE \(database.options.schema).events SET transaction = '1000000000000'")
        let copy = try await database.open()
        _ = try await copy.commit(Samples.creation("ben"))
        let events = try await copy.events(2, after: .start)
        XCTAssertEqual(events.map(\.account), ["ann", "ben"])
        let own = try await copy.incarnation(of: database)
        XCTAssertGreaterThan(own, 0, "the copy has an incarnation of its own")
        XCTAssertEqual(events.last?.position.incarnation, UInt64(own), "what is written there has it")
        try await store.execute("UPDATE \(database.options.schema).events SET at = at + 7200000 WHERE account = 'ben'")
        let removed = try await copy.removeEvents(before: Samples.now + .seconds(3600))
        XCTAssertEqual(removed, 1, "an event of an earlier incarnation can be removed, however high its transaction is")
    }

    func testACopyIsNoticedByTheNumberThatTheServerGivesOutNext() async throws {
        // On a server of its own, where nothing else takes a number.
        let server = try TestServer()
        defer { try? server.stop("immediate") }
        for (distance, isCopy) in [(0, false), (1, true)] {
            let database = try TestDatabase(server.connection)
            let store = try await database.open()
            _ = try await store.commit(Samples.creation("ann"))
            let number = "(pg_current_xact_id()::text::bigint + \(distance))::text::xid8"
            try await store.execute("UPDATE \(database.options.schema).events SET transaction = \(number)")
            let incarnation = try await database.open().incarnation(of: database)
            XCTAssertEqual(incarnation > 0, isCopy, "\(distance) after the number of the last transaction")
        }
    }

    func testTwoRestoresOfOneBackupHaveTwoIncarnations() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        try await store.raiseIncarnation()
        let first = try await store.incarnation(of: database)
        // The backup was made before the first restore.
        try await store.execute("UPDATE \(database.options.schema).store SET incarnation = 0")
        try await store.raiseIncarnation()
        let second = try await store.incarnation(of: database)
        XCTAssertGreaterThan(second, first, "a reader of the first restore would miss what the second one writes")
    }
}

extension PostgresStore {
    /// The incarnation that positions of new events begin with.
    fileprivate func incarnation(of database: TestDatabase) async throws -> Int64 {
        let rows = try await run("SELECT incarnation FROM \(database.options.schema).store", [])
        return try XCTUnwrap(rows.first?.number(0))
    }
}
#endif
