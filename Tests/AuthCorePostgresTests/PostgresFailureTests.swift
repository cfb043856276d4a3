#if PostgreSQL
import AuthCore
import AuthCoreTesting
import XCTest

@testable import AuthCorePostgres

/// What bad things get: an error that says what happened, nothing lost, and service again afterwards.
final class PostgresFailureTests: XCTestCase {
    private static func kind(_ body: () async throws -> Void) async -> PostgresError.Kind? {
        do {
            try await body()
            return nil
        } catch {
            return ((error as? AuthError)?.cause as? PostgresError)?.kind
        }
    }

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

    func testNoErrorContainsTheConnectionString() async throws {
        _ = try TestDatabase.server()
        for connection in [
            "postgres://ann:secret-word@/x?nonsense=secret-word", "host=/nonexistent password=secret-word",
        ] {
            do {
                _ = try await PostgresStore(connection)
                XCTFail("it connected")
            } catch {
                XCTAssertFalse("\(error) \(String(describing: error.cause))".contains("secret-word"), "\(error)")
            }
        }
    }

    func testANameThatIsNoSchemaIsRefused() async throws {
        for name in ["", "Accounts", "a b", "a\"b", "pg_accounts", "1a", String(repeating: "a", count: 64)] {
            let kind = await Self.kind { _ = try await TestDatabase { $0.schema = name }.open() }
            XCTAssertEqual(kind, .invalidSettings, "the name \(name)")
            XCTAssertEqual(PostgresStore.schema(named: name), "", "the SQL for the name \(name)")
        }
    }

    func testASchemaOfANewerLibraryIsRefused() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        try await store.execute("INSERT INTO \(database.options.schema).schema_version VALUES (99)")
        let kind = await Self.kind { _ = try await database.open() }
        XCTAssertEqual(kind, .newerSchema)
    }

    func testASchemaThatIsMissingIsRefusedWhereItMayNotBeMade() async throws {
        let kind = await Self.kind { _ = try await TestDatabase { $0.migrates = false }.open() }
        XCTAssertEqual(kind, .olderSchema)
    }

    func testARoleThatMayNotCreateTablesUsesAMigratedDatabase() async throws {
        let database = try TestDatabase()
        let schema = database.options.schema
        let owner = try await database.open()
        try await owner.execute("CREATE ROLE \(schema) LOGIN")
        try await owner.execute("GRANT USAGE ON SCHEMA \(schema) TO \(schema)")
        try await owner.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(schema) TO \(schema)")
        try await owner.execute("GRANT USAGE ON ALL SEQUENCES IN SCHEMA \(schema) TO \(schema)")
        let store = try await PostgresStore(database.connection + " user=\(schema)", options: database.options)
        let outcome = try await store.commit(Samples.creation("ann"))
        XCTAssertEqual(outcome, .committed)
        let found = try await store.load([.account("ann")])["ann"]
        XCTAssertEqual(found?.id, "ann")
    }

    func testTheSchemaCanBeMadeByItsPrintedSQL() async throws {
        let database = try TestDatabase()
        let sql = PostgresStore.schema(named: database.options.schema)
        let maker = try await TestDatabase().open()
        try await maker.execute(script: sql)
        var options = database.options
        options.migrates = false
        let store = try await PostgresStore(database.connection, options: options)
        let outcome = try await store.commit(Samples.creation("ann"))
        XCTAssertEqual(outcome, .committed)
    }

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

    func testAStandbyOrReadOnlyServerIsNamed() async throws {
        let database = try TestDatabase()
        _ = try await database.open()
        let connection = database.connection + " options='-c default_transaction_read_only=on'"
        let store = try await PostgresStore(connection, options: database.options)
        let kind = await Self.kind { _ = try await store.commit(Samples.creation("ann")) }
        XCTAssertEqual(kind, .readOnly)
    }

    func testAServerWithoutConnectionsLeftIsNamedAndServesAgain() async throws {
        let server = try TestServer("max_connections=6")
        defer { try? server.stop("immediate") }
        let options = try TestDatabase { $0.connections = 10 }.options
        let store = try await PostgresStore(server.connection, options: options)
        let kinds = await withTaskGroup(of: PostgresError.Kind?.self) { group in
            for _ in 0..<10 { group.addTask { await Self.kind { try await store.execute("SELECT pg_sleep(1)") } } }
            return await group.reduce(into: Set<PostgresError.Kind>()) { kinds, kind in
                kind.map { _ = kinds.insert($0) }
            }
        }
        XCTAssertEqual(kinds, [.tooManyConnections])
        let outcome = try await store.commit(Samples.creation("ann"))
        XCTAssertEqual(outcome, .committed)
    }

    func testOfSeveralProcessesThatOpenAnEmptyDatabaseOneMigratesIt() async throws {
        let database = try TestDatabase()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<5 { group.addTask { _ = try await database.open() } }
            try await group.waitForAll()
        }
        let outcome = try await database.open().commit(Samples.creation("ann"))
        XCTAssertEqual(outcome, .committed)
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

    func testAStatementThatWaitsTooLongForALockIsStopped() async throws {
        let database = try TestDatabase { $0.lockTimeout = .milliseconds(100) }
        let (store, other) = (try await database.open(), try await database.open())
        let waiting = "DO $$ BEGIN LOCK TABLE \(database.options.schema).operations; PERFORM pg_sleep(5); END $$"
        async let held: Void = other.execute(waiting)
        try await TestDatabase().open().waitUntilLocked("\(database.options.schema).operations")
        let kind = await Self.kind { _ = try await store.commit(Samples.creation("ann")) }
        XCTAssertEqual(kind, .timedOut)
        try await held
        let outcome = try await store.commit(Samples.creation("ann"))
        XCTAssertEqual(outcome, .committed, "after the lock was released")
    }

    func testCancelingReachesTheServer() async throws {
        let database = try TestDatabase { $0.connections = 1 }
        let store = try await database.open()
        let started = ContinuousClock.now
        let task = Task { try await store.execute("SELECT pg_sleep(8)") }
        try await TestDatabase().open().waitUntilRunning("SELECT pg_sleep(8)")
        task.cancel()
        do {
            try await task.value
            XCTFail("the statement ended by itself")
        } catch let error as AuthError {
            XCTAssertEqual(error.code, .cancelled)
        }
        // The same connection serves the next call.
        let outcome = try await store.commit(Samples.creation("ann"))
        XCTAssertEqual(outcome, .committed)
        XCTAssertLessThan(ContinuousClock.now - started, .seconds(8), "the server went on with the statement")
    }

    func testWhenAllConnectionsAreInUseOperationsWaitAndThenFail() async throws {
        let database = try TestDatabase {
            $0.connections = 1
            $0.poolTimeout = .milliseconds(200)
        }
        let store = try await database.open()
        async let held: Void = store.execute("SELECT pg_sleep(2)")
        try await TestDatabase().open().waitUntilRunning("SELECT pg_sleep(2)")
        let kind = await Self.kind { _ = try await store.load([.account("ann")]) }
        XCTAssertEqual(kind, .tooManyConnections)
        try await held
    }

    func testADamagedRecordIsReported() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        _ = try await store.commit(Samples.creation("ann"))
        try await store.execute("UPDATE \(database.options.schema).accounts SET record = 'nothing'")
        let kind = await Self.kind { _ = try await store.load([.account("ann")]) }
        XCTAssertEqual(kind, .damagedRecord)
    }
}
#endif
