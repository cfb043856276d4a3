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

    /// libpq would take any other URL for the name of a database.
    func testOfURLsOnlyThoseOfPostgreSQLAreConnectedTo() async throws {
        for url in ["postgres://server.invalid/x", "postgresql://server.invalid/x"] {
            let error = try await Self.error(url)
            XCTAssertEqual(error.kind, .unreachable, "a server that is not there: \(url)")
        }
        for url in ["pg://server.invalid/x", "https://server.invalid/x"] {
            let error = try await Self.error(url)
            XCTAssertEqual(error.kind, .invalidSettings, "a URL of something else: \(url)")
        }
    }

    func testTenSecondsToConnectAreTheDefaultUnlessTheEnvironmentSaysHowMany() {
        let connection = "host=db.example"
        let cases: [(variable: String, value: String, limit: String?)] = [
            ("PGHOST", "db.example", "10"), ("PGCONNECT_TIMEOUT", "3", nil), ("PGCONNECT_TIMEOUT", "", "10"),
        ]
        for (variable, value, limit) in cases {
            let values = Link.values(for: connection) { $0 == variable ? value : nil }
            let given = values.first { $0.0 == "connect_timeout" }?.1
            XCTAssertEqual(given, limit, "the limit that libpq is told, with \(variable)='\(value)'")
            XCTAssertTrue(values.contains { $0 == ("dbname", connection) }, "the connection string")
        }
    }

    func testAConnectionToAServerThatDoesNotWriteIsMadeAnew() async throws {
        let database = try TestDatabase()
        let role = database.options.schema
        let owner = try await database.open()
        try await owner.execute("CREATE ROLE \(role) LOGIN SUPERUSER")
        addTeardownBlock {
            try await owner.execute("DROP OWNED BY \(role) CASCADE")
            try await owner.execute("DROP ROLE \(role)")
        }
        try await owner.execute("ALTER ROLE \(role) SET default_transaction_read_only = on")
        let store = try await PostgresStore(database.connection + " user=\(role)", options: database.options)
        do {
            _ = try await store.commit(Samples.creation("ann"))
            XCTFail("a server that does not write committed")
        } catch let error as AuthError {
            XCTAssertEqual((error.cause as? PostgresError)?.kind, .readOnly, "\(error)")
        }
        try await owner.execute("ALTER ROLE \(role) RESET default_transaction_read_only")
        let outcome = try await store.commit(Samples.creation("ann"))
        XCTAssertEqual(outcome, .committed, "the connection that did not write was kept")
    }

    func testADatabaseThatCannotStoreEveryTextIsRefused() async throws {
        let database = try TestDatabase()
        let name = database.options.schema
        let owner = try await database.open()
        try await owner.execute("CREATE DATABASE \(name) ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
        addTeardownBlock { try await owner.execute("DROP DATABASE \(name) WITH (FORCE)") }
        let error = try await Self.error(database.connection + " dbname=\(name)")
        XCTAssertEqual(error.kind, .invalidSettings, "\(error)")
        XCTAssertEqual(error.message, "The encoding of the database is LATIN1; create it with the encoding UTF8.")
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

    func testAMessageOfLibpqIsOneLine() async throws {
        _ = try TestDatabase.server()
        let error = try await Self.error("host=/nonexistent")
        XCTAssertTrue(error.message.contains("/nonexistent"), "the message names another place: '\(error.message)'")
        XCTAssertFalse(error.message.contains("\n"), "the message has several lines: '\(error.message)'")
    }

    func testTextsAreUTF8WhateverTheConnectionStringSays() async throws {
        let database = try TestDatabase()
        let latin = database.connection + " client_encoding=LATIN1"
        let store = try await PostgresStore(latin, options: database.options)
        let encoding = try await store.run("SHOW client_encoding", []).first?.text(0)
        XCTAssertEqual(encoding, "UTF8", "the encoding of texts")
    }

    func testATransactionThatIsLeftOpenEndsAfterAMinute() async throws {
        let store = try await TestDatabase().open()
        let limit = try await store.run("SHOW idle_in_transaction_session_timeout", []).first?.text(0)
        XCTAssertEqual(limit, "1min", "how long a transaction may wait for its next statement")
    }

    /// While a server takes the place of another, only one that does not write yet may be there.
    func testACommitThatMeetsAServerThatDoesNotWriteYetIsSentAgain() async throws {
        let server = try TestDatabase.server()
        let (database, owner) = (try TestDatabase(), try await TestDatabase().open())
        let role = database.options.schema
        try await owner.execute("DROP ROLE IF EXISTS \(role)")
        try await owner.execute("CREATE ROLE \(role) LOGIN SUPERUSER")
        addTeardownBlock {
            try await owner.execute("DROP OWNED BY \(role) CASCADE")
            try await owner.execute("DROP ROLE \(role)")
        }
        let proxy = try LoopbackProxy(to: server)
        defer { proxy.close() }
        let store = try await PostgresStore(
            "\(proxy.connection) user=\(role) target_session_attrs=read-write",
            options: database.options
        )
        @Sendable func set(_ value: String) {
            let settings = Settings(connection: server, options: PostgresStore.Options())
            do throws(PostgresError) {
                var link = try Link(settings)
                let text = "ALTER ROLE \(role) SET default_transaction_read_only = \(value)"
                try link.run(text: text, until: .now + .seconds(10))
            } catch {
                XCTFail("the server was not set: \(error)")
            }
        }
        let connections = Connections()
        proxy.cutNextCommit(.after) { set("on") }
        proxy.onConnection {
            let number = connections.count.withLock { count in
                count += 1
                return count
            }
            if number == 2 { set("off") }
        }
        let outcome = try await store.commit(Samples.creation("ann"))
        XCTAssertEqual(outcome, .duplicate, "the commit was written before the connection was lost")
        XCTAssertEqual(connections.count.withLock { $0 }, 2, "the connections that were made for it")
    }

    private final class Connections: Sendable {
        let count = Mutex(0)
    }
}
#endif
