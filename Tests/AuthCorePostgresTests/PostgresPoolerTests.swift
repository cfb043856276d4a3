#if PostgreSQL
import AuthCore
import AuthCoreTesting
import XCTest

@testable import AuthCorePostgres

/// The store behind PgBouncer.
final class PostgresPoolerTests: XCTestCase {
    private static let clauses = [
        "what was committed is read back whole", "an operation is written once",
        "of parallel claims to one key one wins",
        "a session that is updated while it ends stays ended", "a reader of the log misses nothing that others write",
        "a message is leased by one caller at a time",
    ]

    func testInSessionModeNothingNeedsToBeSet() async throws {
        let pooler = try Pooler(mode: "session")
        defer { pooler.stop() }
        try await assertClauses(hold: pooler) { _ in }
    }

    func testInTransactionModeAnOptionIsSet() async throws {
        let pooler = try Pooler(mode: "transaction")
        defer { pooler.stop() }
        try await assertClauses(hold: pooler) { $0.isPooledByTransaction = true }
        let attempts = await AttemptStoreConformance {
            try await TestDatabase(pooler.connection) {
                $0.isPooledByTransaction = true
                $0.attemptCapacity = 256
            }.open()
        }.violations()
        XCTAssertEqual(attempts, [])
    }

    private func assertClauses(
        hold pooler: Pooler,
        _ change: @escaping @Sendable (inout PostgresStore.Options) -> Void
    ) async throws {
        let suite = StoreConformance {
            let database = try TestDatabase(pooler.connection, change)
            return StoreSubject(open: { try await database.open() })
        }
        for clause in Self.clauses {
            let report = await suite.report(onClause: clause)
            XCTAssertEqual(report.violations, [], "\(report)")
            XCTAssertEqual(report.checked, [clause])
        }
    }
}

/// A PgBouncer of a test's own, before the shared server.
private final class Pooler: Sendable {
    private let folder: String
    private let process: Int32
    /// The connection string.
    let connection: String

    init(mode: String) throws {
        let server = try TestDatabase.server()
        let program = "/usr/sbin/pgbouncer"
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw XCTSkip("needs PgBouncer: the package pgbouncer of Debian and Ubuntu")
        }
        let folder = NSTemporaryDirectory() + "pooler-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let name = server.split(separator: " ").first { $0.hasPrefix("dbname=") }?.dropFirst("dbname=".count) ?? ""
        let settings = """
            [databases]
            \(name) = \(server)
            [pgbouncer]
            listen_addr =
            unix_socket_dir = \(folder)
            listen_port = 6432
            auth_type = any
            pool_mode = \(mode)
            default_pool_size = 20
            """
        try settings.write(toFile: folder + "/settings.ini", atomically: true, encoding: .utf8)
        let process = Process()
        // It refuses to run as root, as the server does.
        let isRoot = getuid() == 0
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
        process.executableURL = URL(filePath: isRoot ? "/usr/sbin/runuser" : program)
        process.arguments = (isRoot ? ["-u", "nobody", "--", program] : []) + ["-q", folder + "/settings.ini"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.folder = folder
        self.process = process.processIdentifier
        connection = "host=\(folder) port=6432 user=postgres dbname=\(name)"
        // Its socket is there a moment before it accepts connections.
        let client = Settings(connection: connection, options: PostgresStore.Options())
        let end = ContinuousClock.now + .seconds(30)
        while true {
            do throws(PostgresError) {
                _ = try Link(client)
                return
            } catch {
                if ContinuousClock.now > end { throw error }
                sched_yield()
            }
        }
    }

    func stop() {
        kill(process, SIGTERM)
        try? FileManager.default.removeItem(atPath: folder)
    }
}
#endif
