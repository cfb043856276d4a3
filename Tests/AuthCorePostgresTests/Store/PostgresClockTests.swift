#if PostgreSQL
import AuthCore
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// What depends on the server's clock and on the numbers of its transactions.
final class PostgresClockTests: LimitedTestCase {
    /// The incarnation that positions of new events begin with.
    private func incarnation(_ store: PostgresStore) async throws -> Int64 {
        let rows = try await store.run("SELECT incarnation FROM \(store.schema.name).store", [])
        return try XCTUnwrap(rows.first?.number(0), "the store has an incarnation")
    }

    func testASweepForgetsAnOperationAfterTwentyFiveHours() async throws {
        let store = try await TestDatabase().open()
        let operations = "\(store.schema.name).operations"
        let change = Samples.creation("ann")
        _ = try await store.commit(change)
        try await store.execute("UPDATE \(operations) SET committed_at = now() - interval '24 hours 30 minutes'")
        _ = try await store.sweep(at: Samples.now, limit: 10)
        let again = try await store.commit(change)
        XCTAssertEqual(again, .duplicate, "an operation of a day ago is not known any more")
        try await store.execute("UPDATE \(operations) SET committed_at = now() - interval '25 hours 1 minute'")
        _ = try await store.sweep(at: Samples.now, limit: 10)
        let left = try await store.run("SELECT count(*) FROM \(operations)", []).first?.number(0)
        XCTAssertEqual(left, 0, "operations of more than twenty-five hours ago are kept")
    }

    func testASweepForgetsManyOperationsAtOnce() async throws {
        let store = try await TestDatabase().open()
        let operations = "\(store.schema.name).operations"
        // More than one step removes.
        try await store.execute(
            "INSERT INTO \(operations) SELECT gen_random_uuid(), now() - interval '26 hours' FROM generate_series(1, 25000)"
        )
        _ = try await store.sweep(at: Samples.now, limit: 10)
        let left = try await store.run("SELECT count(*) FROM \(operations)", []).first?.number(0)
        XCTAssertEqual(left, 0, "of 25,000 operations that are over, some are left after a sweep")
    }

    func testACopyIsJudgedByItsNewestEvent() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        for name in ["ann", "ben"] { _ = try await store.commit(Samples.creation(name)) }
        // Only the newest is of a transaction that this server has not begun yet.
        try await store.execute(
            "UPDATE \(store.schema.name).events SET transaction = '1000000000000' WHERE account = 'ben'"
        )
        let incarnation = try await incarnation(try await database.open())
        XCTAssertGreaterThan(incarnation, 0, "the copy has no incarnation of its own")
    }

    func testAnIncarnationAheadOfTheClockIsRaisedByOne() async throws {
        let store = try await TestDatabase().open()
        try await store.execute("UPDATE \(store.schema.name).store SET incarnation = 9000000000000000")
        try await store.raiseIncarnation()
        let incarnation = try await incarnation(store)
        XCTAssertEqual(incarnation, 9_000_000_000_000_001, "the incarnation was not raised by one")
    }

    func testNoEventIsFromBeforeTheEarliestTime() async throws {
        let store = try await TestDatabase().open()
        _ = try await store.commit(Samples.creation("ann"))
        let removed = try await store.removeEvents(before: .distantPast)
        XCTAssertEqual(removed, 0, "events were removed that are not that old")
    }
}
#endif
