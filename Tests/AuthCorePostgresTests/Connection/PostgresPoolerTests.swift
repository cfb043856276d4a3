#if PostgreSQL
import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// The store behind PgBouncer.
final class PostgresPoolerTests: LimitedTestCase {
    private static let isLong = ProcessInfo.processInfo.environment["AUTHCORE_LONG"] != nil
    /// What a pooler could break; the long form checks everything.
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
            let database = try TestDatabase(pooler.connection) {
                $0.isPooledByTransaction = true
                $0.attemptCapacity = 256
            }
            return AttemptStoreSubject(open: { try await database.open() }, reopen: { try await database.open() })
        }.report()
        XCTAssertEqual(attempts.violations, [], "\(attempts)")
    }

    func testWithoutTheOptionTransactionModeFailsAndTheErrorNamesIt() async throws {
        // Two clients share one connection of the server.
        let pooler = try Pooler(mode: "transaction", connections: 1)
        defer { pooler.stop() }
        let database = try TestDatabase(pooler.connection) { $0.connections = 1 }
        do {
            for _ in 0..<2 { _ = try await database.open().load([.account("ann")]) }
            XCTFail("it works without the option")
        } catch let error as AuthError {
            XCTAssertEqual(error.code, .storeUnavailable)
            XCTAssertEqual((error.cause as? PostgresError)?.kind, .invalidSettings, "\(error)")
            XCTAssertTrue(error.message.contains("set the option isPooledByTransaction"), error.message)
        }
    }

    func testCancelingReachesTheServerThroughThePooler() async throws {
        for mode in ["session", "transaction"] {
            let pooler = try Pooler(mode: mode)
            defer { pooler.stop() }
            let (store, watch) = (try await pooler.database(mode).open(), try await TestDatabase().open())
            let started = ContinuousClock.now
            let text = mode == "session" ? "SELECT pg_sleep(9.1)" : "SELECT pg_sleep(9.2)"
            let task = Task { try await store.run(text, []) }
            try await watch.waitUntilRunning(text)
            task.cancel()
            do {
                _ = try await task.value
                XCTFail("the statement ended by itself in \(mode) mode")
            } catch {
                XCTAssertEqual((error as? AuthError)?.code, .canceled, "\(error)")
            }
            let outcome = try await store.commit(Samples.creation("ann"))
            XCTAssertEqual(outcome, .committed, "the next statement in \(mode) mode")
            XCTAssertLessThan(ContinuousClock.now - started, .seconds(8), "the server went on in \(mode) mode")
        }
    }

    func testConnectionsThatTheServerOrThePoolerLosesAreMadeAgain() async throws {
        for mode in ["session", "transaction"] {
            let pooler = try Pooler(mode: mode)
            defer { pooler.stop() }
            let store = try await pooler.database(mode).open()
            let others = try await TestDatabase().open()
            _ = try await store.commit(Samples.creation("ann"))
            // Those that the pooler has, and no other test.
            try await others.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%\(store.schema).%' AND pid <> pg_backend_pid()"
            )
            let second = try await store.commit(Samples.creation("ben"))
            XCTAssertEqual(second, .committed, "after the server ended the connections, \(mode) mode")
            try pooler.restart()
            let third = try await store.commit(Samples.creation("cem"))
            XCTAssertEqual(third, .committed, "after the pooler was killed, \(mode) mode")
            let events = try await store.events(3, after: .start)
            XCTAssertEqual(events.map(\.account), ["ann", "ben", "cem"], "\(mode) mode")
        }
    }

    private func assertClauses(
        hold pooler: Pooler,
        _ change: @escaping @Sendable (inout PostgresStore.Options) -> Void
    ) async throws {
        let suite = StoreConformance {
            let database = try TestDatabase(pooler.connection, change)
            return StoreSubject(open: { try await database.open() }, reopen: { try await database.open() })
        }
        if Self.isLong {
            let report = await suite.report()
            XCTAssertEqual(report.violations, [], "\(report)")
            // Connections are lost in a test of their own.
            let unchecked = [
                "the log keeps what the store says, and says what it removed",
                "a commit that is interrupted is written whole or not at all",
                "a large commit that is interrupted is written whole or not at all",
            ]
            XCTAssertEqual(report.skipped, unchecked, "a clause could not be checked")
            return
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
    private static let program = "/usr/sbin/pgbouncer"
    private let folder: String
    private let process: Mutex<Int32>
    /// The connection string.
    let connection: String

    init(mode: String, connections: Int = 20) throws {
        let server = try TestDatabase.server()
        guard FileManager.default.isExecutableFile(atPath: Self.program) else {
            throw XCTSkip("needs PgBouncer: the package pgbouncer of Debian and Ubuntu")
        }
        folder = NSTemporaryDirectory() + "pooler-\(UUID().uuidString.prefix(8))"
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
            default_pool_size = \(connections)
            """
        try settings.write(toFile: folder + "/settings.ini", atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
        connection = "host=\(folder) port=6432 user=postgres dbname=\(name)"
        process = Mutex(try Self.start(in: folder))
        do { try waitUntilItAccepts() } catch {
            stop()
            throw error
        }
    }

    /// A database behind it, with the option that its mode needs.
    func database(_ mode: String) throws -> TestDatabase {
        try TestDatabase(connection) {
            $0.connections = 1
            $0.isPooledByTransaction = mode == "transaction"
        }
    }

    func stop() {
        // A signal that a thread of the tests may block would not come to it.
        kill(process.withLock(\.self), SIGKILL)
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Kills it and starts another one in its place.
    func restart() throws {
        let killed = process.withLock(\.self)
        kill(killed, SIGKILL)
        while kill(killed, 0) == 0 { sched_yield() }
        try? FileManager.default.removeItem(atPath: folder + "/.s.PGSQL.6432")
        let started = try Self.start(in: folder)
        process.withLock { $0 = started }
        try waitUntilItAccepts()
    }

    private static func start(in folder: String) throws -> Int32 {
        let process = Process()
        // It refuses to run as root, as the server does.
        let isRoot = getuid() == 0
        process.executableURL = URL(filePath: isRoot ? "/usr/bin/setpriv" : program)
        let user = ["--reuid", "nobody", "--clear-groups", program]
        process.arguments = (isRoot ? user : []) + ["-q", folder + "/settings.ini"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process.processIdentifier
    }

    /// Its socket is there a moment before it accepts connections.
    private func waitUntilItAccepts() throws {
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
}
#endif
