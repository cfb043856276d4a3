#if PostgreSQL
import AuthCore
import AuthCoreTesting
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// What became of a commit whose connection or server failed: it is written once, or its outcome is unknown.
final class PostgresOutcomeTests: LimitedTestCase {
    func testACommitOverALostConnectionIsSentAgainAndWrittenOnce() async throws {
        for cut in [LoopbackProxy.Cut.before, .after] {
            let proxy = try LoopbackProxy(to: try TestDatabase.server())
            defer { proxy.close() }
            let store = try await TestDatabase(proxy.connection).open()
            proxy.cutNextCommit(cut)
            let change = Samples.creation("ann")
            let outcome = try await store.commit(change)
            XCTAssertEqual(outcome, cut == .before ? .committed : .duplicate, "cut \(cut) the commit")
            let events = try await store.events(after: .start, limit: 10).events
            XCTAssertEqual(events.count, 1, "cut \(cut) the commit")
        }
    }

    func testACommitThatTheServerStoppedForAnotherIsSentAgainAndWrittenOnce() async throws {
        for state in ["40001", "40P01"] {
            let database = try TestDatabase()
            let store = try await database.open()
            let schema = database.options.schema
            // A sequence keeps its count when the transaction is undone.
            try await store.execute("CREATE SEQUENCE \(schema).stopped")
            try await store.execute(
                """
                CREATE FUNCTION \(schema).stop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    IF nextval('\(schema).stopped') <= 2 THEN RAISE EXCEPTION 'stopped' USING ERRCODE = '\(state)'; END IF;
                    RETURN NEW;
                END $$
                """
            )
            try await store.execute(
                "CREATE TRIGGER stop BEFORE INSERT ON \(schema).accounts FOR EACH ROW EXECUTE FUNCTION \(schema).stop()"
            )
            let outcome = try await store.commit(Samples.creation("ann"))
            XCTAssertEqual(outcome, .committed, "a commit that was stopped twice with \(state)")
            let tries = try await store.run("SELECT last_value FROM \(schema).stopped", [])
            XCTAssertEqual(tries.first?.number(0), 3, "how often it was tried with \(state)")
            let events = try await store.events(after: .start, limit: 10).events
            XCTAssertEqual(events.count, 1, "the events of the commit with \(state)")
        }
    }

    func testIdleConnectionsThatWereCutAreMadeAgain() async throws {
        let proxy = try LoopbackProxy(to: try TestDatabase.server())
        defer { proxy.close() }
        let store = try await TestDatabase(proxy.connection) { $0.retries = 1 }.open()
        for round in 0..<3 {
            proxy.cutAll()
            let outcome = try await store.commit(Samples.creation("ann\(round)"))
            XCTAssertEqual(outcome, .committed, "round \(round)")
        }
    }

    func testWhereNothingIsSentAgainTheOutcomeIsUnknown() async throws {
        let proxy = try LoopbackProxy(to: try TestDatabase.server())
        defer { proxy.close() }
        let store = try await TestDatabase(proxy.connection) { $0.retries = 0 }.open()
        proxy.cutNextCommit(.after)
        do {
            _ = try await store.commit(Samples.creation("ann"))
            XCTFail("the commit answered")
        } catch let error as AuthError {
            XCTAssertEqual(error.code, .outcomeUnknown)
            XCTAssertEqual((error.cause as? PostgresError)?.kind, .connectionLost)
        }
    }

    /// Such a server may have written the commit, whatever made it stop.
    func testAServerThatStopsInTheMiddleOfACommitLeavesTheOutcomeUnknown() async throws {
        // What an error says of its severity, where no language changes it.
        let proxy = try LoopbackProxy(to: try TestDatabase.server(), replacing: ("VERROR", "VPANIC"))
        defer { proxy.close() }
        let database = try TestDatabase(proxy.connection) { $0.retries = 0 }
        let store = try await database.open()
        try await store.execute("DROP TABLE \(database.options.schema).sessions CASCADE")
        do {
            _ = try await store.commit(Samples.creation("ann"))
            XCTFail("the commit answered")
        } catch let error as AuthError {
            XCTAssertEqual(error.code, .outcomeUnknown, "\(error)")
        }
    }

    func testAnAnswerThatIsNoneLeavesTheOutcomeOfACommitUnknown() async throws {
        // The name of a column ends too early, so that the description of the answer does not fill its message.
        let proxy = try LoopbackProxy(to: try TestDatabase.server(), replacing: ("answer\0", "ans\0er\0"))
        defer { proxy.close() }
        let database = try TestDatabase(proxy.connection) { $0.retries = 0 }
        do {
            let outcome = try await database.open().commit(Samples.creation("ann"))
            XCTFail("the commit answered \(outcome)")
        } catch let error as AuthError {
            XCTAssertEqual(error.code, .outcomeUnknown, "\(error)")
            XCTAssertEqual((error.cause as? PostgresError)?.kind, .connectionLost, "\(error)")
        }
    }

    func testIfTheServerDoesNotComeBackTheOutcomeStaysUnknown() async throws {
        let proxy = try LoopbackProxy(to: try TestDatabase.server())
        let store = try await TestDatabase(proxy.connection) { $0.retries = 2 }.open()
        _ = try await store.commit(Samples.creation("ann"))
        proxy.cutNextCommit(.after) { proxy.close() }
        do {
            _ = try await store.commit(Samples.creation("ben"))
            XCTFail("the commit answered")
        } catch let error as AuthError {
            XCTAssertEqual(error.code, .outcomeUnknown, "it may have been written before the server was gone")
        }
        let kind = await Self.kind { _ = try await store.load([.account("ann")]) }
        XCTAssertEqual(kind, .unreachable)
    }
}
#endif
