#if PostgreSQL
import AuthCore
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// How long readers of the log wait for transactions that go on.
final class PostgresEventLagTests: LimitedTestCase {
    /// A transaction that has written, in whatever database of the server.
    private static func heldTransaction(_ connection: String) throws -> Link {
        var link = try Link(Settings(connection: connection, options: PostgresStore.Options()))
        try link.run(text: "BEGIN; SELECT pg_current_xact_id()", until: .now + .seconds(10))
        return link
    }

    func testReadersWaitForTheOldestTransactionOfAnyDatabaseAndOperatorsSeeIt() async throws {
        let server = try TestServer("max_prepared_transactions=2", "autovacuum=off")
        defer { try? server.stop("immediate") }
        let store = try await TestDatabase(server.connection).open()
        try await store.execute("CREATE DATABASE elsewhere")
        let quiet = try await store.eventLag()
        XCTAssertEqual(quiet, PostgresStore.EventLag(transactions: 0, age: .zero), "without another transaction")
        // The second is prepared, and belongs to no connection any more.
        let ends = ["COMMIT", "PREPARE TRANSACTION 'held'"]
        for (end, place) in zip(ends, ["elsewhere", "postgres"]) {
            let began = ContinuousClock.now
            var held = try Self.heldTransaction(server.connection + " dbname=\(place)")
            let isHeld = ContinuousClock.now
            let start = try await store.events(after: .start, limit: 10).end
            if end != "COMMIT" { try held.run(text: end, until: .now + .seconds(10)) }
            _ = try await store.commit(Samples.creation("late-\(place)"))
            let seen = try await store.events(after: start, limit: 10).events
            XCTAssertEqual(seen.map(\.account), [], "an event that an older one could still precede, \(place)")
            // What a transaction does later makes it no younger; where it is prepared, nothing more is done.
            if end == "COMMIT" { try held.run(text: "SELECT 1", until: .now + .seconds(10)) }
            let least = end == "COMMIT" ? ContinuousClock.now - isHeld - .milliseconds(2) : .zero
            let lag = try await store.eventLag()
            XCTAssertGreaterThanOrEqual(lag.age, least, "how long the oldest one has been running, \(place)")
            // The one that is held, and the one that has ended since, which may have used two numbers.
            XCTAssertGreaterThanOrEqual(lag.transactions, 2, "the transactions that readers wait for, \(place)")
            XCTAssertGreaterThan(lag.age, .zero, "how long the oldest one has been running, \(place)")
            XCTAssertLessThanOrEqual(lag.age, ContinuousClock.now - began, "how long the oldest one has been running")
            try held.run(text: end == "COMMIT" ? end : "ROLLBACK PREPARED 'held'", until: .now + .seconds(10))
            let after = try await store.events(after: start, limit: 10).events
            XCTAssertEqual(after.map(\.account), [AccountID("late-\(place)")], "when it has ended, \(place)")
            let ended = try await store.eventLag()
            XCTAssertEqual(ended, quiet, "when it has ended, \(place)")
        }
    }

    func testAnEventIsReadableAtOnceOrWhenTheOldestTransactionEnds() async throws {
        let server = try TestServer("autovacuum=off")
        defer { try? server.stop("immediate") }
        let store = try await TestDatabase(server.connection).open()
        try await store.execute("CREATE DATABASE elsewhere")
        let clock = ContinuousClock()
        var end = IdentityEvent.Position.start
        var delays: [Duration] = []
        // Returns how long after the answer to its commit an event is there.
        func delay(_ name: String, whileWaiting wait: () throws -> Void) async throws -> Duration {
            _ = try await store.commit(Samples.creation(name))
            let answered = clock.now
            try wait()
            while true {
                let page = try await store.events(after: end, limit: 10)
                if let last = page.events.last {
                    XCTAssertEqual(last.account.text, name, "the event")
                    end = page.end
                    return clock.now - answered
                }
            }
        }
        for round in 0..<40 { delays.append(try await delay("ann\(round)") {}) }
        let usual = delays.sorted()[20]
        XCTAssertLessThan(usual, .seconds(5), "without another transaction")

        var held = try Self.heldTransaction(server.connection + " dbname=elsewhere")
        let rest = Duration.milliseconds(ProcessInfo.processInfo.environment["AUTHCORE_LONG"] == nil ? 300 : 5000)
        let delayed = try await delay("ben") {
            try held.run(text: "SELECT pg_sleep(\(rest / .seconds(1))); COMMIT", until: .now + .seconds(20))
        }
        XCTAssertGreaterThanOrEqual(delayed, rest, "an event that an older one could still precede")
        XCTAssertLessThan(delayed, rest + .seconds(10), "when the older transaction has ended")
        print(
            "An event is readable after \(usual), and after \(delayed) if another database's transaction goes on for \(rest)."
        )
    }
}
#endif
