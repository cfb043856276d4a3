#if PostgreSQL
import AuthCore
import Foundation
import Synchronization
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// How a connection is made, and what is left of one that could not be made.
final class PostgresConnectingTests: LimitedTestCase {
    /// The failure to connect with this string.
    private static func error(_ connection: String) async throws -> PostgresError {
        var found: PostgresError?
        do { _ = try await PostgresStore(connection) } catch { found = error.cause as? PostgresError }
        return try XCTUnwrap(found, "it connected")
    }

    func testAConnectionIsNamedAuthCoreUnlessItsStringNamesIt() async throws {
        let database = try TestDatabase()
        for (addition, name) in [("", "AuthCore"), (" application_name=accounts", "accounts")] {
            let store = try await PostgresStore(database.connection + addition, options: database.options)
            let shown = try await store.run("SHOW application_name", []).first?.text(0)
            XCTAssertEqual(shown, name, "the name that operators read, with '\(addition)'")
        }
    }

    func testARefusalThatIsUnderstoodIsNotAskedForAgain() async throws {
        let proxy = try LoopbackProxy(to: try TestDatabase.server())
        defer { proxy.close() }
        let connections = Connections()
        proxy.onConnection { connections.count.withLock { $0 += 1 } }
        let error = try await Self.error(proxy.connection + " user=stranger")
        XCTAssertEqual(error.kind, .refused, "\(error)")
        XCTAssertEqual(connections.count.withLock { $0 }, 1, "the connections that were made")
    }

    func testAMessageEndsWhereTheServersWordsEnd() async throws {
        let error = try await Self.error(try TestDatabase.server() + " user=stranger")
        XCTAssertTrue(error.message.hasSuffix("role \"stranger\" does not exist"), "'\(error.message)'")
    }

    func testWhatIsWrongWithAConnectionStringIsSaidUpToWhatItQuotes() async throws {
        _ = try TestDatabase.server()
        let quoting = try await Self.error("host=/nonexistent nonsense=1")
        XCTAssertEqual(quoting.message, "The connection string cannot be used: invalid connection option …")
        let plain = try await Self.error("host='/nonexistent")
        XCTAssertEqual(
            plain.message,
            "The connection string cannot be used: unterminated quoted string in connection info string"
        )
    }

    func testWhatCouldNotConnectLeavesNothingOpen() async throws {
        let server = try TestDatabase.server()
        _ = try await Self.error(server + " user=stranger")
        let before = try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count
        for _ in 0..<30 { _ = try await Self.error(server + " user=stranger") }
        let after = try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count
        XCTAssertLessThan(after, before + 15, "files that stay open after thirty refusals")
    }

    private final class Connections: Sendable {
        let count = Mutex(0)
    }
}
#endif
