#if PostgreSQL
import AuthCore
import AuthCorePostgres
import AuthCoreTesting
import XCTest

@testable import StoreInvariants

/// The contracts of both stores, all clauses.
final class PostgresConformanceTests: LimitedTestCase {
    override class var timeLimit: Int { 600 }

    func testTheStoreKeepsEveryClause() async throws {
        let server = try TestDatabase.server()
        let report = await StoreConformance { try Self.subject(server) }.report()
        XCTAssertEqual(report.violations, [], "\(report)")
        let overrun = "the log keeps what the store says, and says what it removed"
        XCTAssertEqual(report.skipped, [overrun], "a clause could not be checked")
    }

    func testAttemptsKeepEveryClause() async throws {
        _ = try TestDatabase.server()
        let report = await AttemptStoreConformance { try Self.attempts() }.report()
        XCTAssertEqual(report.violations, [], "\(report)")
        XCTAssertEqual(report.skipped, [], "a clause could not be checked")
    }

    private static func attempts() throws -> AttemptStoreSubject {
        let database = try TestDatabase { $0.attemptCapacity = 4096 }
        return AttemptStoreSubject(open: { try await database.open() }, reopen: { try await database.open() })
    }

    /// A commit has one statement: a connection can end before it, or after it and before its answer.
    private static func subject(_ server: String) throws -> StoreSubject {
        let proxy = try LoopbackProxy(to: server)
        // Nothing is sent again, so that the suite sees the interruption.
        let database = try TestDatabase(proxy.connection) { $0.retries = 0 }
        let end = ProxyEnd(proxy)
        return StoreSubject(
            open: { try await database.open() },
            reopen: {
                proxy.cutAll()
                return try await database.open()
            },
            interrupt: { end.proxy.cutNextCommit($0 == 0 ? .before : $0 == 1 ? .after : nil) }
        )
    }
}
#endif
