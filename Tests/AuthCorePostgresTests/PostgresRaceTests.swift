#if PostgreSQL
import AuthCore
import AuthCoreTesting
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// The races of the rules' own tests, on a database: their calls in orders that a seed decides, and all at once.
final class PostgresRaceTests: XCTestCase {
    private static let isLong = ProcessInfo.processInfo.environment["AUTHCORE_LONG"] != nil

    private func runAll(_ programs: [RaceProgram]) async throws {
        let store = try await TestDatabase { $0.connections = 8 }.open()
        XCTAssertGreaterThan(programs.count, 10, "programs")
        for program in programs {
            for seed in 0..<(Self.isLong ? 40 : 2) as Range<UInt64> {
                try await store.removeEverything()
                try await program.run(Schedule(seed: seed), on: store)
            }
            for _ in 0..<(Self.isLong ? 100 : 3) {
                try await store.removeEverything()
                try await program.run(Schedule(), on: store)
            }
        }
    }

    func testRacesForAccountsEndAsTheyDoInMemory() async throws { try await runAll(RaceProgram.accounts) }

    func testRacesOfSessionsAndCodesEndAsTheyDoInMemory() async throws { try await runAll(RaceProgram.sessions) }
}
#endif
