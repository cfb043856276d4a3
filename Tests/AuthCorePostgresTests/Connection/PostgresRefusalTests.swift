#if PostgreSQL
import AuthCore
import AuthCoreTesting
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// Servers, roles and connection strings that a store is not opened with, and what its errors say and do not say.
final class PostgresRefusalTests: LimitedTestCase {
    func testAServerThatIsNotThereIsUnreachable() async throws {
        _ = try TestDatabase.server()
        let kind = await Self.kind {
            _ = try await PostgresStore("host=/nonexistent dbname=accounts connect_timeout=2")
        }
        XCTAssertEqual(kind, .unreachable)
    }

    func testAWrongRoleOrDatabaseIsRefused() async throws {
        let server = try TestDatabase.server()
        let role = await Self.kind { _ = try await PostgresStore(server + " user=stranger") }
        XCTAssertEqual(role, .refused, "a role that does not exist")
        let database = await Self.kind { _ = try await PostgresStore(server + " dbname=nothing_here") }
        XCTAssertEqual(database, .refused, "a database that does not exist")
    }

    func testAWrongPasswordIsRefusedAndTheRightOneServes() async throws {
        _ = try TestDatabase.server()
        let rules = NSTemporaryDirectory() + "hba-\(UUID().uuidString)"
        try "local all postgres trust\nlocal all all scram-sha-256\n".write(
            toFile: rules,
            atomically: true,
            encoding: .utf8
        )
        defer { try? FileManager.default.removeItem(atPath: rules) }
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: rules)
        let server = try TestServer("hba_file=\(rules)")
        defer { try? server.stop("immediate") }
        let database = try TestDatabase(server.connection)
        let owner = try await database.open()
        try await owner.execute("CREATE ROLE ann LOGIN PASSWORD 'right'")
        try await owner.execute("GRANT ALL ON DATABASE postgres TO ann")
        for password in ["password=wrong", ""] {
            let options = try TestDatabase().options
            let kind = await Self.kind {
                _ = try await PostgresStore(
                    "\(server.connection) user=ann passfile=/nonexistent \(password)",
                    options: options
                )
            }
            XCTAssertEqual(kind, .refused, "with \(password)")
        }
        let options = try TestDatabase().options
        let store = try await PostgresStore("\(server.connection) user=ann password=right", options: options)
        let outcome = try await store.commit(Samples.creation("ann"))
        XCTAssertEqual(outcome, .committed)
    }

    func testARefusalInAnotherLanguageIsARefusal() async throws {
        for (setting, real, told) in [
            ("user=stranger", "role \"stranger\" does not exist", "Rolle »stranger« gibt es nicht"),
            (
                "dbname=nothing_here", "database \"nothing_here\" does not exist",
                "Datenbank »nothing_here« gibt es nicht"
            ),
        ] {
            let length = real.utf8.count
            let same = String(
                decoding: (Array(told.utf8) + Array(repeating: 46, count: length)).prefix(length),
                as: UTF8.self
            )
            let proxy = try LoopbackProxy(to: try TestDatabase.server(), replacing: (real, same))
            defer { proxy.close() }
            do {
                _ = try await PostgresStore("\(proxy.connection) \(setting)")
                XCTFail("it connected")
            } catch {
                let cause = error.cause as? PostgresError
                XCTAssertEqual(cause?.kind, .refused, "\(error)")
                XCTAssertEqual(cause?.message.contains("gibt es"), true, "the server's words: \(error)")
            }
        }
    }

    func testAServerThatDoesNotWriteIsNotTakenWhereOneThatWritesIsAskedFor() async throws {
        let database = try TestDatabase()
        _ = try await database.open()
        let standby = database.connection + " options='-c default_transaction_read_only=on'"
        let kind = await Self.kind {
            _ = try await PostgresStore(standby + " target_session_attrs=read-write", options: database.options)
        }
        XCTAssertEqual(kind, .readOnly)
    }

    /// On its own connections a store sets the level itself.
    func testARoleWhoseTransactionsSeeNoOthersIsRefusedBehindAPooler() async throws {
        for level in ["repeatable\\\\ read", "serializable"] {
            let option = " options='-c default_transaction_isolation=\(level)'"
            for isPooled in [false, true] {
                let database = try TestDatabase { $0.isPooledByTransaction = isPooled }
                let kind = await Self.kind {
                    _ = try await PostgresStore(database.connection + option, options: database.options)
                }
                XCTAssertEqual(kind, isPooled ? .invalidSettings : nil, "\(level), behind a pooler: \(isPooled)")
            }
        }
    }

    func testAConnectionStringThatCannotBeReadIsNamed() async throws {
        _ = try TestDatabase.server()
        for connection in ["host=/nonexistent nonsense=1", "pg://ann@/nonexistent"] {
            let kind = await Self.kind { _ = try await PostgresStore(connection) }
            XCTAssertEqual(kind, .invalidSettings, connection)
        }
        let kind = await Self.kind { _ = try await PostgresStore("host=/nonexistent password=a://b") }
        XCTAssertEqual(kind, .unreachable, "keywords, of which one looks like a URL")
    }

    func testNoErrorContainsTheConnectionString() async throws {
        _ = try TestDatabase.server()
        for connection in [
            "postgres://ann:secret-word@/x?nonsense=secret-word", "host=/nonexistent password=secret-word",
            "postgres://ann:secret-word-50%off@/x", "pg://ann:secret-word@/x", "postgres://ann:secret-word@[x",
            "host=/nonexistent password=my secret-word", "postgres://ann@/x?password=secret-word?",
            "postgres://ann@/x?password=secret-word=", "postgres://ann:a/secret-word@/x",
            // Words by which errors of a server are known.
            "postgres://ann:secret-word-password-50%off@/x", "postgres://ann:secret-word-read-only-50%off@/x",
            "password=authentication secret-word", "postgres://ann@/x?password=secret-word?x=too many",
        ] {
            do {
                _ = try await PostgresStore(connection)
                XCTFail("it connected")
            } catch {
                XCTAssertFalse("\(error) \(String(describing: error.cause))".contains("secret-word"), "\(error)")
            }
        }
    }
}
#endif
