#if PostgreSQL
import AuthCore
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// What the server knows of the statements of a connection.
final class PostgresPreparingTests: LimitedTestCase {
    /// The functions of the schema whose calls are prepared on the one connection, sorted.
    private func preparedCalls(_ store: PostgresStore) async throws -> [String] {
        let beginning = "SELECT * FROM \(store.schema)."
        return try await store.run("SELECT statement FROM pg_prepared_statements", []).compactMap { row in
            guard let text = row.text(0), text.hasPrefix(beginning) else { return nil }
            return String(text.dropFirst(beginning.count).prefix { $0 != "(" })
        }
        .sorted()
    }

    private func work(on store: PostgresStore) async throws {
        for name in ["ann", "ben", "cem"] {
            _ = try await store.load([.account("ann")])
            let outcome = try await store.commit(Samples.creation(name))
            XCTAssertEqual(outcome, .committed, name)
        }
    }

    func testAConnectionPreparesEachStatementOnce() async throws {
        let store = try await TestDatabase { $0.connections = 1 }.open()
        try await work(on: store)
        let calls = try await preparedCalls(store)
        XCTAssertEqual(calls, ["commit", "load"], "what is prepared")
    }

    func testNothingIsPreparedWhereAPoolerGivesEachTransactionAnyConnection() async throws {
        let store = try await TestDatabase {
            $0.connections = 1
            $0.isPooledByTransaction = true
        }
        .open()
        try await work(on: store)
        let statements = try await store.run("SELECT statement FROM pg_prepared_statements", [])
        XCTAssertEqual(statements.map { $0.text(0) }, [], "what is prepared on a connection that others get")
    }
}
#endif
