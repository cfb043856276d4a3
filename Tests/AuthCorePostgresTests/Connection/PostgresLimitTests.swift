#if PostgreSQL
import AuthCore
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// How often a statement is sent again, and how long one may take.
final class PostgresLimitTests: LimitedTestCase {
    func testAStatementIsSentAgainAsOftenAsTheOptionSays() async throws {
        for (retries, failures, isCommitted) in [(0, 0, true), (0, 1, false), (2, 2, true), (2, 3, false)] {
            let store = try await TestDatabase { $0.retries = retries }.open()
            let name = store.schema.name
            // A sequence keeps its count when the transaction is undone.
            try await store.execute(
                script: """
                    CREATE SEQUENCE \(name).stopped;
                    CREATE FUNCTION \(name).stop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                        IF nextval('\(name).stopped') <= \(failures) THEN
                            RAISE EXCEPTION 'stopped' USING ERRCODE = '40001';
                        END IF;
                        RETURN NEW;
                    END $$;
                    CREATE TRIGGER stop BEFORE INSERT ON \(name).accounts
                        FOR EACH ROW EXECUTE FUNCTION \(name).stop()
                    """
            )
            let what = "\(failures) failures where \(retries) retries are allowed"
            do {
                let outcome = try await store.commit(Samples.creation("ann"))
                XCTAssertEqual(outcome, .committed, what)
                XCTAssertTrue(isCommitted, what)
            } catch let error as AuthError {
                XCTAssertEqual((error.cause as? PostgresError)?.kind, .conflict, what)
                XCTAssertFalse(isCommitted, what)
            }
            let tries = try await store.run("SELECT last_value FROM \(name).stopped", []).first?.number(0)
            XCTAssertEqual(tries, Int64(min(failures, retries) + 1), "how often it was sent with \(what)")
        }
    }

    func testAStatementThatIsKnownAndTakesItsTimeIsAnswered() async throws {
        let store = try await TestDatabase { $0.connections = 1 }.open()
        // Longer than the thread that waits for the answer pauses.
        for seconds in [0, 1] as [Int64] {
            let rows = try await store.run("SELECT pg_sleep($1::bigint)", [.number(seconds)])
            XCTAssertEqual(rows.count, 1, "an answer after \(seconds) s, where it may take ten")
        }
    }

    /// The server of such a connection is told no limit; so the process stops the statement, a second after its own
    /// limit.
    func testBehindAPoolerAStatementThatTakesTooLongIsStopped() async throws {
        let store = try await TestDatabase {
            $0.isPooledByTransaction = true
            $0.statementTimeout = .milliseconds(100)
        }
        .open()
        var kinds: Set<PostgresError.Kind?> = []
        // A process that the system held up may ask when the statement has just ended.
        for _ in 0..<3 where !kinds.contains(.timedOut) {
            do {
                try await store.execute("SELECT pg_sleep(2.05)")
                kinds.insert(nil)
            } catch let error as AuthError {
                kinds.insert((error.cause as? PostgresError)?.kind)
            }
        }
        XCTAssertTrue(kinds.contains(.timedOut), "the statement was not stopped within two seconds: \(kinds)")
    }

    func testAConnectionThatWasLostWhileItWaitedServesAgain() async throws {
        let proxy = try LoopbackProxy(to: try TestDatabase.server())
        defer { proxy.close() }
        let store = try await TestDatabase(proxy.connection) { $0.connections = 1 }.open()
        for round in 0..<2 {
            // The second commit of a connection is sent at once, and the thread that takes answers sees the end.
            for name in ["ann", "ben"] {
                let outcome = try await store.commit(Samples.creation("\(name)\(round)"))
                XCTAssertEqual(outcome, .committed, "\(name) in round \(round)")
            }
            proxy.cutNextCommit(.after)
            let cut = try await store.commit(Samples.creation("cem\(round)"))
            XCTAssertEqual(cut, .duplicate, "the commit whose answer was lost, in round \(round)")
        }
    }

    func testAnAnswerAfterALostConnectionDoesNotWaitForTheRequestToStop() async throws {
        let proxy = try LoopbackProxy(to: try TestDatabase.server())
        defer { proxy.close() }
        let store = try await TestDatabase(proxy.connection) {
            $0.connections = 1
            $0.retries = 0
            $0.statementTimeout = .milliseconds(100)
        }
        .open()
        proxy.fallSilent()
        let lost = await Self.kind(of: store)
        XCTAssertEqual(lost, .connectionLost, "the server did not answer")
        // The request to stop that statement is still under way, and new connections cannot be made.
        proxy.refuseConnections()
        let began = ContinuousClock.now
        for _ in 0..<5 {
            let kind = await Self.kind(of: store)
            XCTAssertEqual(kind, .unreachable, "no connection can be made")
        }
        XCTAssertLessThan(ContinuousClock.now - began, .seconds(8), "each of five answers waited for two seconds")
    }

    private static func kind(of store: PostgresStore) async -> PostgresError.Kind? {
        do {
            _ = try await store.load([.account("ann")])
            return nil
        } catch {
            return ((error as? AuthError)?.cause as? PostgresError)?.kind
        }
    }
}
#endif
