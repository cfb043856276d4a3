#if PostgreSQL
import AuthCore
import AuthCoreTesting
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// The races of the rules' own tests, on a database: their calls in orders that a seed decides, and all at once.
///
/// Those who race have handles of their own, as processes do.
final class PostgresRaceTests: LimitedTestCase {
    private static let isLong = ProcessInfo.processInfo.environment["AUTHCORE_LONG"] != nil

    private func runAll(_ programs: [RaceProgram]) async throws {
        let database = try TestDatabase()
        let store = SeveralHandles(handles: [try await database.open(), try await database.open()])
        XCTAssertGreaterThan(programs.count, 10, "programs")
        for program in programs {
            for seed in 0..<(Self.isLong ? 40 : 2) as Range<UInt64> {
                try await store.handles[0].removeEverything()
                try await program.run(Schedule(seed: seed), on: store)
            }
            for _ in 0..<(Self.isLong ? 100 : 3) {
                try await store.handles[0].removeEverything()
                try await program.run(Schedule(), on: store)
            }
        }
    }

    func testRacesForAccountsEndAsTheyDoInMemory() async throws { try await runAll(RaceProgram.accounts) }

    func testRacesOfSessionsAndCodesEndAsTheyDoInMemory() async throws { try await runAll(RaceProgram.sessions) }
}

/// A database through several handles: each of those who race calls another one.
private struct SeveralHandles: ForwardingStore {
    let handles: [PostgresStore]
    var whole: any IdentityStore { handles[(Schedule.runner ?? 0) % handles.count] }
}
#endif
