#if PostgreSQL
import AuthCore
import Foundation
import Synchronization
import XCTest

@testable import AuthCorePostgres

/// A schema of its own for a test, in the database that the environment names.
struct TestDatabase: Sendable {
    private static let lastSchema = Mutex(0)

    let connection: String
    let options: PostgresStore.Options

    /// The connection string of the server; skips the test if there is none.
    static func server() throws -> String {
        guard let server = ProcessInfo.processInfo.environment["AUTHCORE_POSTGRES"] else {
            throw XCTSkip("needs a PostgreSQL server: AUTHCORE_POSTGRES names one, and .ci/stores starts one")
        }
        return server
    }

    /// Skips the test if there is no server.
    init(_ connection: String? = nil, _ change: (inout PostgresStore.Options) -> Void = { _ in }) throws {
        self.connection = try connection ?? Self.server()
        let number = Self.lastSchema.withLock { last in
            last += 1
            return last
        }
        var options = PostgresStore.Options()
        options.schema = "test_\(ProcessInfo.processInfo.processIdentifier)_\(number)"
        options.connections = 4
        change(&options)
        self.options = options
    }

    /// A handle on the database, as another process would have it.
    func open() async throws -> PostgresStore { try await PostgresStore(connection, options: options) }
}

extension PostgresStore {
    /// Runs a statement as it is.
    func execute(_ text: String) async throws {
        _ = try await run(text, [])
    }

    /// Reads events until there are so many; other transactions of the server may delay them.
    func events(_ count: Int, after position: IdentityEvent.Position) async throws -> [IdentityEvent] {
        for _ in 0..<5000 {
            let events = try await events(after: position, limit: 100).events
            if events.count >= count { return events }
            await Task.yield()
        }
        return []
    }

    /// Waits until a table is locked against everything.
    func waitUntilLocked(_ table: String) async throws {
        let text = """
            SELECT count(*) FROM pg_locks WHERE granted AND mode = 'AccessExclusiveLock'
                AND relation = '\(table)'::regclass AND locktype = 'relation'
            """
        while try await run(text, []).first?.number(0) == 0 { await Task.yield() }
    }

    /// Waits until the server is running this statement.
    func waitUntilRunning(_ statement: String) async throws {
        let text = "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query = '\(statement)'"
        while try await run(text, []).first?.number(0) == 0 { await Task.yield() }
    }

    /// Runs several statements in one transaction.
    func execute(script: String) async throws {
        try await withConnection { (connection) throws(PostgresError) in
            try await connection.run(transaction: [script], then: "SELECT 1") { _ in [] }
        }
    }
}
#endif
