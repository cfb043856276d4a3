#if SQLite
import AuthCore
import AuthCoreTesting
import XCTest

@testable import AuthCoreSQLite

/// The contracts of both stores, all clauses.
final class ConformanceTests: XCTestCase {
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

    func testADatabaseInMemoryKeepsEveryClause() async throws {
        let report = await StoreConformance { StoreSubject(try await SQLiteStore(path: SQLiteStore.memory)) }.report()
        XCTAssertEqual(report.violations, [], "\(report)")
        XCTAssertEqual(report.skipped.count, 6, "\(report)")
    }

    func testAttemptsKeepTheContract() async throws {
        let found = await AttemptStoreConformance { try await SQLiteStore(path: SQLiteStore.memory) }.violations()
        XCTAssertEqual(found, [])
    }

    func testAttemptsAreSharedAndDurable() async throws {
        let database = try TestDatabase()
        let (one, other) = (try await database.open(), try await database.open())
        let now = Timestamp(seconds: 1_800_000_000)
        let take = Store.Take(.init(purpose: .code, hash: 7), .number(3, each: .seconds(3600)), isSettled: true)
        let answers = [
            try await one.take([take], at: now), try await other.take([take], at: now),
            try await one.take([take], at: now), try await other.take([take], at: now),
        ]
        XCTAssertEqual(answers.prefix(3), [.taken, .taken, .taken], "three attempts, on two handles")
        XCTAssertEqual(answers[3], .refused(until: now + .seconds(3600)), "the fourth")
        try await database.close()
        let again = try await database.open()
        let answer = try await again.take([take], at: now)
        XCTAssertEqual(answer, .refused(until: now + .seconds(3600)), "the counts are lost")
    }
}
#endif
