#if SQLite
import AuthCore
import AuthCoreTesting
import XCTest

@testable import AuthCoreSQLite
@testable import StoreInvariants

/// The contracts of both stores, all clauses.
final class ConformanceTests: LimitedTestCase {
    func testTheStoreKeepsEveryClause() async throws {
        // Without waiting for the disk, which no clause can see.
        let report = await StoreConformance { try TestDatabase().subject { $0.synchronous = .normal } }.report()
        XCTAssertEqual(report.violations, [], "\(report)")
        let overrun = "the log keeps what the store says, and says what it removed"
        XCTAssertEqual(report.skipped, [overrun], "a clause could not be checked")
    }

    func testAShortLogKeepsItsClause() async throws {
        let clause = "the log keeps what the store says, and says what it removed"
        let report = await StoreConformance { try TestDatabase().subject { $0.events = .newest(500) } }
            .report(onClause: clause)
        XCTAssertEqual(report.violations, [], "\(report)")
        XCTAssertEqual(report.checked, [clause], "the clause could not be checked")
    }

    func testALogForATimeKeepsEveryClause() async throws {
        let report = await StoreConformance {
            try TestDatabase().subject { ($0.synchronous, $0.events) = (.normal, .lasting(.seconds(86_400 * 400))) }
        }.report()
        XCTAssertEqual(report.violations, [], "\(report)")
        XCTAssertEqual(report.skipped, [], "a clause could not be checked")
    }

    func testADatabaseInMemoryKeepsEveryClause() async throws {
        let report = await StoreConformance { StoreSubject(try await SQLiteStore(path: SQLiteStore.memory)) }.report()
        XCTAssertEqual(report.violations, [], "\(report)")
        XCTAssertEqual(report.skipped.count, 9, "\(report)")
    }

    func testAttemptsKeepEveryClause() async throws {
        let report = await AttemptStoreConformance {
            let database = try TestDatabase()
            return AttemptStoreSubject(
                open: { try await database.open { $0.synchronous = .normal } },
                reopen: {
                    try await database.close()
                    return try await database.open()
                }
            )
        }.report()
        XCTAssertEqual(report.violations, [], "\(report)")
        XCTAssertEqual(report.skipped, [], "a clause could not be checked")
    }

    func testAttemptsInMemoryKeepEveryClause() async throws {
        let report = await AttemptStoreConformance {
            AttemptStoreSubject(try await SQLiteStore(path: SQLiteStore.memory))
        }.report()
        XCTAssertEqual(report.violations, [], "\(report)")
    }
}
#endif
