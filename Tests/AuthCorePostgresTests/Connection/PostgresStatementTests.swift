#if PostgreSQL
import AuthCore
import AuthCoreTesting
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// Statements that take too long, that are long, and that come after a pause.
final class PostgresStatementTests: LimitedTestCase {
    func testAStatementThatWaitsTooLongForALockIsStopped() async throws {
        let database = try TestDatabase { $0.lockTimeout = .milliseconds(100) }
        let (store, other) = (try await database.open(), try await database.open())
        let waiting = "DO $$ BEGIN LOCK TABLE \(database.options.schema).operations; PERFORM pg_sleep(5); END $$"
        async let held: Void = other.execute(waiting)
        try await TestDatabase().open().waitUntilLocked("\(database.options.schema).operations")
        let kind = await Self.kind { _ = try await store.commit(Samples.creation("ann")) }
        XCTAssertEqual(kind, .timedOut)
        try await held
        let outcome = try await store.commit(Samples.creation("ann"))
        XCTAssertEqual(outcome, .committed, "after the lock was released")
    }

    func testALimitOfNoTimeAtAllIsNotTakenForNoLimit() async throws {
        for limit in [Duration.zero, .microseconds(10), .seconds(-1), .seconds(Int64.min)] {
            let store = try await TestDatabase { $0.lockTimeout = limit }.open()
            let rows = try await store.run("SHOW lock_timeout", [])
            XCTAssertEqual(rows.first?.text(0), "1ms", "\(limit)")
        }
    }

    func testAStatementThatTakesTooLongIsStopped() async throws {
        let database = try TestDatabase { $0.statementTimeout = .milliseconds(100) }
        let store = try await database.open()
        let kind = await Self.kind { try await store.execute("SELECT pg_sleep(5)") }
        XCTAssertEqual(kind, .timedOut)
        let outcome = try await store.commit(Samples.creation("ann"))
        XCTAssertEqual(outcome, .committed, "the next statement")
    }

    func testAServerThatFallsSilentIsGivenUpAndServesAgain() async throws {
        let proxy = try LoopbackProxy(to: try TestDatabase.server())
        defer { proxy.close() }
        let database = try TestDatabase(proxy.connection) {
            $0.retries = 0
            $0.connections = 1
            $0.statementTimeout = .milliseconds(200)
        }
        let (prepared, unprepared) = (try await database.open(), try await database.open())
        _ = try await prepared.load([.account("ann")])
        proxy.fallSilent()
        let started = ContinuousClock.now
        // What was prepared is sent at once; what was not, by a thread that may block.
        async let first = Self.kind { _ = try await prepared.load([.account("ann")]) }
        async let second = Self.kind { _ = try await unprepared.load([.account("ann")]) }
        let kinds = await [first, second]
        XCTAssertEqual(kinds, [.connectionLost, .connectionLost], "a statement without an answer, prepared and not")
        // A second after the limit the server is asked to stop, and two later the connection is given up.
        XCTAssertLessThan(ContinuousClock.now - started, .seconds(20), "it waited for the request to stop")
        proxy.fallSilent(false)
        for store in [prepared, unprepared] {
            let found = try await store.load([.account("ann")])
            XCTAssertNil(found["ann"], "when the server answers again")
        }
    }

    func testAStatementThatIsLargerThanWhatASocketTakesIsSentWhole() async throws {
        let store = try await TestDatabase { $0.connections = 1 }.open()
        let text = String(repeating: "0123456789abcdef", count: 1 << 20)
        for round in 1...3 {
            let rows = try await store.run("SELECT octet_length($1::text)::bigint", [.text(text)])
            XCTAssertEqual(rows.first?.number(0), 16 << 20, "the bytes that arrived in round \(round)")
        }
        let outcome = try await store.commit(Samples.creation("ann"))
        XCTAssertEqual(outcome, .committed, "the next statement")
    }

    func testAStatementAfterAPauseIsAnswered() async throws {
        let database = try TestDatabase { $0.connections = 1 }
        let (store, other) = (try await database.open(), try await database.open())
        for round in 0..<3 {
            let outcome = try await store.commit(Samples.creation("ann\(round)"))
            XCTAssertEqual(outcome, .committed, "round \(round)")
            // Meanwhile the thread that waits for the answers of the first store ends.
            try await other.execute("SELECT pg_sleep(0.15)")
        }
    }
}
#endif
