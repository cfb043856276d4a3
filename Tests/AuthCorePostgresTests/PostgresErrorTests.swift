#if PostgreSQL
import AuthCore
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// What the codes of the server and the words of libpq are taken for, and what an operator reads.
final class PostgresErrorTests: LimitedTestCase {
    func testEachCodeOfTheServerIsOfTheKindThatSaysWhatToDo() {
        let kinds: [PostgresError.Kind: [String]] = [
            .timedOut: ["57014", "55P03"],
            .conflict: ["40001", "40P01"],
            .connectionLost: ["57P01", "57P02", "57P03", "57P05", "08P01", "08000", "08006"],
            .readOnly: ["25006"],
            .notPermitted: ["42501"],
            .invalidSettings: ["26000", "42P05"],
            .olderSchema: ["3F000", "42P01", "42883", "42703"],
            .refused: ["28000", "28P01", "3D000"],
            .tooManyConnections: ["53300"],
            .outOfResources: ["53000", "53100", "53200", "53400", "58000", "58030", "58P01"],
            .damagedRecord: ["XX000", "XX001", "XX002"],
            .unexpected: ["22001", "23505", "42601", "55006", "57P04", "25001", "40002"],
        ]
        for (kind, states) in kinds {
            for state in states {
                let error = PostgresError(sqlState: state, message: "what it said")
                XCTAssertEqual(error.kind, kind, state)
                XCTAssertEqual(error.sqlState, state)
                XCTAssertEqual(error.description, "\(kind.rawValue) (\(state)): what it said")
            }
        }
    }

    func testTheWordsOfAFailedConnectionAreOfTheKindThatSaysWhatToDo() {
        let kinds: [(PostgresError.Kind, [String])] = [
            (
                .tooManyConnections,
                [
                    "FATAL:  sorry, too many clients already",
                    "FATAL:  remaining connection slots are reserved for roles with the SUPERUSER attribute",
                    "FATAL:  no more connections allowed (max_client_conn)",
                    "FATAL:  too many connections for role \"password\"",
                ]
            ),
            (.readOnly, ["session is read-only", "server is in hot standby mode"]),
            (
                .refused,
                [
                    "FATAL:  peer authentication failed for user \"postgres\"",
                    "FATAL:  no pg_hba.conf entry for host \"::1\"",
                    "FATAL:  database \"accounts\" does not exist",
                    "fe_sendauth: no password supplied",
                ]
            ),
            (
                .unreachable,
                [
                    "could not translate host name", "Connection refused", "timeout expired", "",
                    "connection to server at \"authentication-db\" (10.0.0.5), port 5432 failed: Connection refused",
                    "connection to server at \"db-read-only\" (10.0.0.5), port 5432 failed: timeout expired",
                    "connection to server on socket \"/run/passwords/.s.PGSQL.5432\" failed: No such file or directory",
                ]
            ),
        ]
        for (kind, messages) in kinds {
            for message in messages {
                let error = PostgresError(connecting: message)
                XCTAssertEqual(error.kind, kind, message)
                XCTAssertNil(error.sqlState, message)
                XCTAssertEqual(error.description, "\(kind.rawValue): \(message)")
            }
        }
    }

    func testOnlyAConflictOrAConnectionThatIsOfNoUseIsTriedAgain() {
        let temporary = PostgresError.Kind.allCases.filter { PostgresError($0, "").isTemporary }
        XCTAssertEqual(Set(temporary), [.conflict, .connectionLost, .readOnly])
    }

    func testAnOperatorReadsWhatIsWrongAndWhatTheServerSaid() {
        let beginnings: [PostgresError.Kind: String] = [
            .unreachable: "The database cannot be reached: ",
            .refused: "The server refused the connection; look at its reason, such as the role or password: ",
            .tooManyConnections:
                "No connection was free; raise the limit of the server, or of the options to at most 100: ",
            .connectionLost: "The connection to the database was lost: ",
            .timedOut: "The database did not answer in time: ",
            .conflict: "Other transactions kept stopping this one: ",
            .readOnly: "The server does not write; connect to the primary one.",
            .outOfResources: "The server has no space or memory left: ",
            .notPermitted: "The role may not do this: ",
            .olderSchema: "The schema is missing or older than this library; migrate it: ",
        ]
        for kind in PostgresError.Kind.allCases {
            let error = PostgresError(kind, "what it said")
            XCTAssertTrue(error.explanation.hasPrefix(beginnings[kind] ?? "what it said"), error.explanation)
            XCTAssertEqual(error.explanation.contains("what it said"), kind != .readOnly, error.explanation)
        }
        let pooled = PostgresError(sqlState: "26000", message: "what it said").explanation
        XCTAssertTrue(pooled.contains("set the option isPooledByTransaction: what it said."), pooled)
    }

    func testACanceledTaskIsCanceledAndEverythingElseAnUnavailableStore() {
        for kind in PostgresError.Kind.allCases {
            let error = AuthError(PostgresError(kind, "what it said"))
            if kind == .canceled {
                XCTAssertEqual(error.code, .canceled)
                XCTAssertTrue(error.cause is CancellationError)
                continue
            }
            XCTAssertEqual(error.code, .storeUnavailable, kind.rawValue)
            XCTAssertEqual((error.cause as? PostgresError)?.kind, kind)
            // What was sent over a connection that was lost may have been written.
            XCTAssertEqual(error.message.hasSuffix(" Nothing was changed."), kind != .connectionLost, error.message)
        }
    }

    func testALimitIsWholeMillisecondsAndNeverNone() {
        let limits: [(Duration, Int64)] = [
            (.zero, 1), (.seconds(-1), 1), (.microseconds(999), 1), (.milliseconds(1), 1), (.microseconds(2500), 2),
            (.seconds(10), 10_000), (.seconds(1) + .milliseconds(5), 1005), (.seconds(1_000_000), 1_000_000_000),
            (.seconds(1_000_001), 1_000_000_000),
        ]
        for (limit, milliseconds) in limits { XCTAssertEqual(limit.wholeMilliseconds, milliseconds, "\(limit)") }
    }

    func testOnlyANameThatNeedsNoQuotesIsASchema() {
        let long = String(repeating: "a", count: 63)
        for name in ["a", "z", "_", "authcore", "a0", "a9", "a_b", "pga", long] {
            XCTAssertEqual(Schema(name: name)?.name, name)
        }
        for name in ["", "0a", "9", "A", "a-b", "a b", "a\"", "a;", "ä", "a`", "a{", "a/", "a:", "pg_a", long + "a"] {
            XCTAssertNil(Schema(name: name), name)
        }
    }
}
#endif
