#if PostgreSQL
import AuthCore
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// What depends on the clocks of the server and of processes, and on the numbers of the server's transactions.
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

    func testProcessesWhoseClocksDifferShareLimitsLeasesAndOperations() async throws {
        let database = try TestDatabase()
        let (fast, slow) = (try await database.open(), try await database.open())
        // As far as clocks may differ.
        let (early, late) = (Samples.now, Samples.now + .seconds(60))
        let take = Store.Take(.init(purpose: .code, hash: 7), .number(3, each: .seconds(3600)), isSettled: true)
        for (store, time) in [(fast, late), (slow, early), (fast, late)] {
            let answer = try await store.take([take], at: time)
            XCTAssertEqual(answer, .taken)
        }
        for (store, time) in [(slow, early), (fast, late)] {
            let answer = try await store.take([take], at: time)
            XCTAssertNotEqual(answer, .taken, "an attempt more than the limit, at \(time.seconds)")
        }

        let change = Samples.creation("ann")
        let first = try await fast.commit(change)
        XCTAssertEqual(first, .committed)
        _ = try await fast.sweep(at: late + .seconds(100_000), limit: 100)
        let again = try await slow.commit(change)
        XCTAssertEqual(again, .duplicate, "a process with a fast clock forgot an operation of the last minute")

        let leased = try await fast.leaseMessages(at: late, until: late + .seconds(60), limit: 10)
        XCTAssertEqual(leased.count, 1)
        let taken = try await slow.leaseMessages(at: early, until: early + .seconds(60), limit: 10)
        XCTAssertEqual(taken, [], "a message that the other process holds")

        var session = Samples.creation("ben")
        let expiring = early + .seconds(30)
        session.records = [
            .put(
                Store.OneTimeRecord(
                    key: Samples.random(),
                    account: nil,
                    createdAt: early,
                    expiresAt: expiring,
                    content: .usedAssertion
                )
            )
        ]
        _ = try await slow.commit(session)
        let none = try await slow.sweep(at: early, limit: 100)
        XCTAssertEqual(none.records, 0, "what has not expired by the clock of the process that sweeps")
        let events = try await slow.events(2, after: .start)
        XCTAssertEqual(
            events.map(\.account),
            ["ann", "ben"],
            "the log is in the order of commits, whatever the clocks say"
        )
    }
}
#endif
