#if PostgreSQL
import AuthCore
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// Old events are removed: those from before a time, whatever is committed and removed meanwhile.
final class PostgresEventRemovalTests: LimitedTestCase {
    func testOldEventsCanBeRemovedAndReadersLearnOfIt() async throws {
        let store = try await TestDatabase().open()
        for (number, name) in ["ann", "ben", "cem"].enumerated() {
            var change = Samples.creation(name)
            let at = Samples.now + .seconds(Int64(number) * 60)
            change.events = [
                IdentityEvent(.signedIn, at: at, account: change.accounts[0].id, actor: .system, reasons: [])
            ]
            _ = try await store.commit(change)
        }
        _ = try await store.events(3, after: .start)
        let removed = try await store.removeEvents(before: Samples.now + .seconds(60))
        XCTAssertEqual(removed, 1)
        let page = try await store.events(after: .start, limit: 10)
        XCTAssertEqual(page.events.map(\.account), ["ben", "cem"])
        XCTAssertGreaterThan(page.removed, .start)
        XCTAssertLessThan(page.removed, try XCTUnwrap(page.events.first?.position))
        let all = try await store.removeEvents(before: Samples.now + .seconds(3600))
        XCTAssertEqual(all, 2, "all events can be removed")
        let empty = try await store.events(after: .start, limit: 10)
        XCTAssertEqual(empty.removed, page.events.last?.position, "up to where events were removed")
        XCTAssertGreaterThanOrEqual(empty.end, page.end, "the end of the log has moved back")
        try await store.raiseIncarnation()
        let raised = try await store.events(after: .start, limit: 10).end
        XCTAssertGreaterThan(raised.incarnation, empty.end.incarnation, "the end of an empty log after a restore")
    }

    func testManyEventsAreRemovedInSteps() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        let events = "\(database.options.schema).events"
        _ = try await store.commit(Samples.creation("ann"))
        try await store.execute(
            "INSERT INTO \(events) SELECT 0, transaction, g, at, account, kind, record "
                + "FROM \(events), generate_series(2, 20000) g"
        )
        let removed = try await store.removeEvents(before: Samples.now + .seconds(1))
        XCTAssertEqual(removed, 20_000, "one event and its copies")
        let left = try await store.run("SELECT count(*) FROM \(events)", []).first?.number(0)
        XCTAssertEqual(left, 0, "events in the log")
    }

    /// From the sixth call on, the server plans for any limit; the counts are those of one transaction.
    func testRemovingEventsReadsNoMoreThanItRemovesHoweverLongTheLogIs() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        let schema = database.options.schema
        _ = try await store.commit(Samples.creation("ann"))
        try await store.execute(
            "INSERT INTO \(schema).events SELECT 0, transaction, g, at + g, account, kind, record "
                + "FROM \(schema).events, generate_series(2, 100000) g"
        )
        try await store.execute("VACUUM ANALYZE \(schema).events")
        var link = try Link(Settings(connection: database.connection, options: database.options))
        let soon = ContinuousClock.Instant.now + .seconds(60)
        func counts() throws -> (ofScans: Int64, byIndex: Int64) {
            let sql =
                "SELECT seq_tup_read, idx_tup_fetch FROM pg_stat_xact_user_tables "
                + "WHERE schemaname = '\(schema)' AND relname = 'events'"
            let row = try link.run(sql, [], isPrepared: false, until: soon)[0]
            return (row.number(0) ?? 0, row.number(1) ?? 0)
        }
        try link.run(text: "BEGIN", until: soon)
        for call in 1...8 {
            let before = try counts()
            let limit = Samples.now.milliseconds + Int64(call) * 100
            try link.run(text: "SELECT \(schema).remove_events(\(schema).moment(\(limit)))", until: soon)
            let after = try counts()
            XCTAssertEqual(after.ofScans, before.ofScans, "call \(call) reads the whole log")
            XCTAssertLessThan(after.byIndex - before.byIndex, 45_000, "rows of the log that call \(call) looks at")
        }
        try link.run(text: "ROLLBACK", until: soon)
    }

    /// A commit of another process becomes visible while the removal runs.
    func testRemovingEventsTakesNoneThatBecameVisibleMeanwhile() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        let schema = database.options.schema
        _ = try await store.commit(Samples.creation("ann"))
        let limit = Timestamp(milliseconds: Samples.now.milliseconds + 1000)
        let watcher = try await database.open()
        var other = try Link(Settings(connection: database.connection, options: PostgresStore.Options()))
        let soon = ContinuousClock.Instant.now + .seconds(20)
        try other.run(text: "BEGIN; LOCK TABLE \(schema).store IN ACCESS EXCLUSIVE MODE", until: soon)
        let removing = Task { try await store.removeEvents(before: limit) }
        let waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = '\(schema).store'::regclass"
        while try await watcher.run(waiting, []).first?.number(0) == 0 { await Task.yield() }
        try other.run(
            text: "INSERT INTO \(schema).events SELECT 0, pg_current_xact_id(), 1, \(limit.milliseconds + 1), account, "
                + "kind, record FROM \(schema).events LIMIT 1; COMMIT",
            until: soon
        )
        let removed = try await removing.value
        XCTAssertEqual(removed, 1, "only one event is from before the limit")
        let left = try await store.run("SELECT count(*) FROM \(schema).events", []).first?.number(0)
        XCTAssertEqual(left, 1, "the event from after the limit")
    }

    /// Another process begins to remove events while the removal runs, and is done before it.
    func testOfTwoRemovalsAtOnceNeitherTakesAnEventFromAfterItsTime() async throws {
        let database = try TestDatabase()
        let (store, watcher) = (try await database.open(), try await database.open())
        let schema = database.options.schema
        _ = try await store.commit(Samples.creation("ann"))
        let limit = Timestamp(milliseconds: Samples.now.milliseconds + 1000)
        var other = try Link(Settings(connection: database.connection, options: PostgresStore.Options()))
        let soon = ContinuousClock.Instant.now + .seconds(20)
        // More than are removed at once, and one event from after the limit.
        for (numbers, time) in [("2, 10100", limit.milliseconds - 1), ("1, 1", limit.milliseconds + 1)] {
            let rows =
                "SELECT 0, pg_current_xact_id(), n, \(time), account, kind, record "
                + "FROM (SELECT * FROM \(schema).events LIMIT 1) e, generate_series(\(numbers)) n"
            try other.run(text: "INSERT INTO \(schema).events \(rows)", until: soon)
        }
        try other.run(text: "BEGIN; LOCK TABLE \(schema).store IN ACCESS EXCLUSIVE MODE", until: soon)
        let removing = Task { try await store.removeEvents(before: limit) }
        let waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = '\(schema).store'::regclass"
        while try await watcher.run(waiting, []).first?.number(0) == 0 { await Task.yield() }
        // It must not come between the statements of the first removal, and so gives up.
        let second =
            "SET LOCAL lock_timeout = '100ms'; "
            + "SELECT \(schema).remove_events(\(schema).moment(\(limit.milliseconds)))"
        try? other.run(text: second, until: soon)
        try other.run(text: "COMMIT", until: soon)
        _ = try await removing.value
        let left = try await store.run("SELECT count(*), min(at) FROM \(schema).events", []).first
        XCTAssertEqual(left?.number(0), 1, "the event from after the limit")
        XCTAssertEqual(left?.number(1), limit.milliseconds + 1, "the time of the event that is left")
    }
}
#endif
