#if PostgreSQL
import AuthCore
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// The schema runs on PostgreSQL 14, whose functions are listed here with the version that brought each; an older
/// server is refused.
final class PostgresVersionTests: LimitedTestCase {
    private static let functions: [String: Double] = [
        "array_append": 7.4, "cardinality": 9.4, "clock_timestamp": 8.2, "coalesce": 7, "count": 7, "extract": 7,
        "greatest": 8.1, "hashtext": 8, "length": 7, "max": 7, "nextval": 7, "now": 7, "pg_advisory_xact_lock": 9.1,
        "pg_backend_pid": 7.3, "pg_current_snapshot": 13, "pg_current_xact_id": 13, "pg_snapshot_xmax": 13,
        "pg_snapshot_xmin": 13, "substr": 7, "to_regnamespace": 9.5, "to_timestamp": 7.3, "unnest": 9.4,
    ]

    func testAServerThatSaysThatItIsOlderIsRefusedBeforeAnythingIsMade() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        let reported = try await store.run("SHOW server_version", []).first?.text(0)
        let real = try XCTUnwrap(reported?.split(separator: " ").first.map(String.init))
        // In as many bytes as the server's own version, so that the message keeps its length.
        for told in ["13.4", "9.6"].map({ $0.padding(toLength: real.count, withPad: " ", startingAt: 0) }) {
            let proxy = try LoopbackProxy(
                to: database.connection,
                replacing: ("server_version\0" + real, "server_version\0" + told)
            )
            defer { proxy.close() }
            let version = told.prefix { $0 != " " }
            do {
                _ = try await TestDatabase(proxy.connection).open()
                XCTFail("a server that says that it is \(version) was accepted")
            } catch let error as AuthError {
                XCTAssertEqual(error.code, .storeUnavailable)
                XCTAssertEqual((error.cause as? PostgresError)?.kind, .olderServer)
                XCTAssertEqual(
                    error.message,
                    "The server runs PostgreSQL \(version), and this library needs version 14 or later. Nothing was changed."
                )
            }
        }
    }

    func testAServerOfTheOldestVersionIsTaken() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        let reported = try await store.run("SHOW server_version", []).first?.text(0)
        let real = try XCTUnwrap(reported?.split(separator: " ").first.map(String.init))
        for told in ["14.0".padding(toLength: real.count, withPad: " ", startingAt: 0), real] {
            let proxy = try LoopbackProxy(
                to: database.connection,
                replacing: ("server_version\0" + real, "server_version\0" + told)
            )
            defer { proxy.close() }
            _ = try await TestDatabase(proxy.connection).open()
        }
    }

    func testTheConnectionToAnOlderServerIsClosed() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        let reported = try await store.run("SHOW server_version", []).first?.text(0)
        let real = try XCTUnwrap(reported?.split(separator: " ").first.map(String.init))
        let told = "9.6".padding(toLength: real.count, withPad: " ", startingAt: 0)
        let proxy = try LoopbackProxy(
            to: database.connection,
            replacing: ("server_version\0" + real, "server_version\0" + told)
        )
        defer { proxy.close() }
        let mark = database.options.schema
        let older = try? await PostgresStore("\(proxy.connection) application_name=\(mark)")
        XCTAssertNil(older, "an older server was accepted")
        let count = "SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(mark)'"
        let end = ContinuousClock.now + .seconds(15)
        var left: Int64? = 1
        while left != 0, ContinuousClock.now < end { left = try await store.run(count, []).first?.number(0) }
        XCTAssertEqual(left, 0, "connections to the server that was refused")
    }

    func testTheSchemaCallsNothingThatIsNewerThanVersion14() {
        let text = PostgresStore.schema().split(separator: "\n").filter { !$0.hasPrefix("--") }.joined(separator: "\n")
        let own = Set(text.matches(of: /CREATE FUNCTION ([a-z_]+)\(/).map { String($0.1) })
        // An alias of a list with the names of its columns looks like a call.
        let called = Set(text.matches(of: /\b([a-z_]+)\(/).map { String($0.1) }).subtracting(own).subtracting(["n"])
        XCTAssertEqual(called.sorted(), Self.functions.keys.sorted(), "look up which version brought a new one")
        XCTAssertEqual(Self.functions.filter { $0.value > 14 }, [:], "functions that version 14 does not have")
        for newer in ["MERGE ", "NULLS NOT DISTINCT", "JSON_TABLE", "ANY_VALUE", "RETURNING OLD", "uuidv7"] {
            XCTAssertFalse(text.contains(newer), "version 14 does not have \(newer)")
        }
    }
}
#endif
