#if PostgreSQL
import AuthCore
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// What a bench sends by hand, beside what the store does.
final class PostgresByHandTests: LimitedTestCase {
    func testStatementsByHandWaitForALockNoLongerThanTheStoreDoes() async throws {
        let database = try TestDatabase { $0.lockTimeout = .milliseconds(50) }
        let store = try await database.open()
        let floor = try await PostgresByHand(copyOf: store, database.connection, lanes: 1)
        var holder = try Link(Settings(connection: database.connection, options: database.options))
        try holder.run(text: "BEGIN; LOCK TABLE \(database.options.schema)_by_hand.accounts", until: .now + .seconds(5))
        XCTAssertThrowsError(
            try floor.run([[.commit(Samples.creation("ann"))]]),
            "it waited until its deadline, or went past the lock"
        ) {
            XCTAssertEqual(($0 as? PostgresError)?.sqlState, "55P03", "not the lock's time was over: \($0)")
        }
    }
}
#endif
