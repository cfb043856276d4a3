#if PostgreSQL
import AuthCore
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// What a store does unless its options say otherwise.
final class PostgresOptionsTests: LimitedTestCase {
    func testTheOptionsAreTheUsualOnesUnlessSomethingElseIsSaid() {
        let options = PostgresStore.Options()
        XCTAssertEqual(options.schema, "authcore")
        XCTAssertEqual(options.connections, 8)
        XCTAssertEqual(options.statementTimeout, .seconds(10))
        XCTAssertEqual(options.lockTimeout, .seconds(5))
        XCTAssertEqual(options.poolTimeout, .seconds(10))
        XCTAssertEqual(options.retries, 5)
        XCTAssertEqual(options.attemptCapacity, 262_144)
        XCTAssertFalse(options.isPooledByTransaction)
        XCTAssertTrue(options.migrates)
    }

    func testAllEventsAndTheOperationsOfADayAreKept() async throws {
        let store = try await TestDatabase().open()
        XCTAssertEqual(store.retention, Store.Retention(events: .all, operations: .seconds(86_400)))
        XCTAssertTrue(store.isDurable)
    }
}
#endif
