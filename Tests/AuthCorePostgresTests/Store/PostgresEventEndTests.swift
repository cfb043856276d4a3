#if PostgreSQL
import AuthCore
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// What it takes to tell where the log of events ends.
final class PostgresEventEndTests: LimitedTestCase {
    /// From the sixth call on, the server plans for any position; the counts are those of one transaction.
    func testTheEndOfTheLogIsFoundInOneStepHoweverLongTheLogIs() async throws {
        let database = try TestDatabase { $0.connections = 1 }
        let store = try await database.open()
        let name = database.options.schema
        _ = try await store.commit(Samples.creation("ann"))
        try await store.execute(
            "INSERT INTO \(name).events SELECT n % 2, transaction, n, at, account, kind, record "
                + "FROM \(name).events, generate_series(2, 20000) n"
        )
        try await store.execute("UPDATE \(name).store SET incarnation = 1")
        try await store.execute("ANALYZE \(name).events")
        let events = try await store.events(after: .start, limit: 30_000).events
        XCTAssertEqual(events.count, 20_000, "the events of two incarnations")
        let counts =
            "SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_xact_user_tables "
            + "WHERE schemaname = '\(name)' AND relname = 'events'"
        try await store.execute("BEGIN")
        for call in 1...8 {
            let before = try await store.run(counts, []).first?.number(0) ?? 0
            let end = try await store.events(after: .start, limit: 0).end
            XCTAssertEqual(end, events.last?.position, "the end that call \(call) tells")
            let after = try await store.run(counts, []).first?.number(0) ?? .max
            XCTAssertLessThan(after - before, 10, "rows of the log that call \(call) looks at")
        }
        try await store.execute("ROLLBACK")
    }
}
#endif
