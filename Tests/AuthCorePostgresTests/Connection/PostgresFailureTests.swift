#if PostgreSQL
import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// What bad things get: an error that says what happened, nothing lost, and service again afterwards.
final class PostgresFailureTests: LimitedTestCase {
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

    func testANameThatIsNoSchemaIsRefused() async throws {
        _ = try TestDatabase.server()
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
        _ = try TestDatabase.server()
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

    func testALimitOfNoTimeAtAllIsNotTakenForNoLimit() async throws {
        for limit in [Duration.zero, .microseconds(10), .seconds(-1), .seconds(Int64.min)] {
            let store = try await TestDatabase { $0.lockTimeout = limit }.open()
            let rows = try await store.run("SHOW lock_timeout", [])
            XCTAssertEqual(rows.first?.text(0), "1ms", "\(limit)")
        }
    }

    func testAStatementThatTakesTooLongIsStopped() async throws {
        let database = try TestDatabase { $0.statementTimeout = .milliseconds(100) }
        let store = try await database.open()
        let kind = await Self.kind { try await store.execute("SELECT pg_sleep(5)") }
        XCTAssertEqual(kind, .timedOut)
        let outcome = try await store.commit(Samples.creation("ann"))
        XCTAssertEqual(outcome, .committed, "the next statement")
    }

    func testAServerThatFallsSilentIsGivenUpAndServesAgain() async throws {
        let proxy = try LoopbackProxy(to: try TestDatabase.server())
        defer { proxy.close() }
        let database = try TestDatabase(proxy.connection) {
            $0.retries = 0
            $0.connections = 1
            $0.statementTimeout = .milliseconds(200)
        }
        let (prepared, unprepared) = (try await database.open(), try await database.open())
        _ = try await prepared.load([.account("ann")])
        proxy.fallSilent()
        let started = ContinuousClock.now
        // What was prepared is sent at once; what was not, by a thread that may block.
        async let first = Self.kind { _ = try await prepared.load([.account("ann")]) }
        async let second = Self.kind { _ = try await unprepared.load([.account("ann")]) }
        let kinds = await [first, second]
        XCTAssertEqual(kinds, [.connectionLost, .connectionLost], "a statement without an answer, prepared and not")
        // A second after the limit the server is asked to stop, and two later the connection is given up.
        XCTAssertLessThan(ContinuousClock.now - started, .seconds(20), "it waited for the request to stop")
        proxy.fallSilent(false)
        for store in [prepared, unprepared] {
            let found = try await store.load([.account("ann")])
            XCTAssertNil(found["ann"], "when the server answers again")
        }
    }

    func testAStatementThatIsLargerThanWhatASocketTakesIsSentWhole() async throws {
        let store = try await TestDatabase { $0.connections = 1 }.open()
        let text = String(repeating: "0123456789abcdef", count: 1 << 20)
        for round in 1...3 {
            let rows = try await store.run("SELECT octet_length($1::text)::bigint", [.text(text)])
            XCTAssertEqual(rows.first?.number(0), 16 << 20, "the bytes that arrived in round \(round)")
        }
        let outcome = try await store.commit(Samples.creation("ann"))
        XCTAssertEqual(outcome, .committed, "the next statement")
    }

    func testAStatementAfterAPauseIsAnswered() async throws {
        let database = try TestDatabase { $0.connections = 1 }
        let (store, other) = (try await database.open(), try await database.open())
        for round in 0..<3 {
            let outcome = try await store.commit(Samples.creation("ann\(round)"))
            XCTAssertEqual(outcome, .committed, "round \(round)")
            // Meanwhile the thread that waits for the answers of the first store ends.
            try await other.execute("SELECT pg_sleep(0.15)")
        }
    }

    /// Cancels a statement that takes long, and expects that it did not end by itself.
    private func assertIsCanceled(_ task: Task<Void, any Error>, line: UInt = #line) async throws {
        task.cancel()
        do {
            try await task.value
            XCTFail("the statement ended by itself", line: line)
        } catch let error as AuthError {
            XCTAssertEqual(error.code, .canceled, line: line)
        }
    }

    func testCancelingReachesTheServer() async throws {
        let database = try TestDatabase { $0.connections = 1 }
        let store = try await database.open()
        let watch = try await TestDatabase().open()
        let started = ContinuousClock.now
        let task = Task { try await store.execute("SELECT pg_sleep(8)") }
        try await watch.waitUntilRunning("SELECT pg_sleep(8)")
        try await assertIsCanceled(task)
        // The same connection serves the next call.
        let outcome = try await store.commit(Samples.creation("ann"))
        XCTAssertEqual(outcome, .committed)
        XCTAssertLessThan(ContinuousClock.now - started, .seconds(8), "the server went on with the statement")
    }

    func testWhatIsCanceledWhileItConnectsIsNotSent() async throws {
        let proxy = try LoopbackProxy(to: try TestDatabase.server())
        defer { proxy.close() }
        let store = try await TestDatabase(proxy.connection) { $0.connections = 1 }.open()
        proxy.cutAll()
        let task = Mutex<Task<Store.CommitOutcome, any Error>?>(nil)
        // Whoever connects waits until the task is there, and so it is canceled while it connects.
        proxy.onConnection { task.withLock { $0?.cancel() } }
        task.withLock { task in
            task = Task { try await store.commit(Samples.creation("ann")) }
        }
        do {
            let outcome = try await task.withLock({ $0 })?.value
            XCTFail("it was sent: \(String(describing: outcome))")
        } catch {
            XCTAssertEqual((error as? AuthError)?.code, .canceled, "\(error)")
        }
        proxy.onConnection {}
        let accounts = try await store.accounts(after: nil, limit: 1)
        XCTAssertEqual(accounts.map(\.id), [], "what was canceled was written")
    }

    func testARequestToStopThatIsLostIsRepeated() async throws {
        let proxy = try LoopbackProxy(to: try TestDatabase.server())
        defer { proxy.close() }
        let store = try await TestDatabase(proxy.connection) { $0.connections = 1 }.open()
        let watch = try await TestDatabase().open()
        let started = ContinuousClock.now
        proxy.loseRequestsToStop()
        let task = Task { try await store.execute("SELECT pg_sleep(9)") }
        try await watch.waitUntilRunning("SELECT pg_sleep(9)")
        try await assertIsCanceled(task)
        XCTAssertTrue(proxy.hasLostRequest, "no request was sent")
        XCTAssertLessThan(ContinuousClock.now - started, .seconds(8), "the server went on with the statement")
        let outcome = try await store.commit(Samples.creation("ann"))
        XCTAssertEqual(outcome, .committed, "the next statement of the same connection")
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
        try await store.execute("DELETE FROM \(database.options.schema).store")
        let kindOfLog = await Self.kind { _ = try await store.events(after: .start, limit: 1) }
        XCTAssertEqual(kindOfLog, .damagedRecord, "of a log whose bounds are missing")
    }

    func testAValueThatCouldNotBeReadBackIsRefusedAndNothingOfItsChangeIsWritten() async throws {
        let store = try await TestDatabase().open()
        var account = Samples.account("ann")
        account.customClaims = ["balance": .number(.nan)]
        var changes = Samples.creation("ann")
        changes.accounts = [.create(account)]
        do {
            let outcome = try await store.commit(changes)
            XCTFail("a number that is none was written: \(outcome)")
        } catch let error as AuthError {
            XCTAssertEqual(error.code, .storeUnavailable, "\(error)")
            let cause = try XCTUnwrap(error.cause as? PostgresError, "\(error)")
            XCTAssertEqual(cause.kind, .damagedRecord)
            XCTAssertTrue(cause.message.hasPrefix("A value of the change cannot be written"), cause.message)
        }
        let outcome = try await store.commit(Samples.creation("ann"))
        XCTAssertEqual(outcome, .committed, "the account without that claim")
    }

    func testADamagedPageIsNamedAndOtherPagesAreServed() async throws {
        let server = try TestServer()
        defer { try? server.stop("immediate") }
        let database = try TestDatabase(server.connection)
        var store = try await database.open()
        let names = (0..<60).map { "ann\($0)" }
        for name in names { _ = try await store.commit(Samples.creation(name)) }
        let question = "SELECT pg_relation_filepath('\(store.schema.name).accounts')"
        let row = try await store.run(question, []).first
        let file = try XCTUnwrap(row?.text(0))
        try server.stop()
        let pages = try FileHandle(forUpdating: URL(filePath: server.path(file)))
        let first = try XCTUnwrap(try pages.read(upToCount: 8192), "the first page of the accounts")
        try pages.seek(toOffset: 0)
        pages.write(Data(repeating: 0xFF, count: 4096))
        try server.start()
        store = try await database.open()
        var (served, damaged): ([String], [String]) = ([], [])
        for name in names {
            do {
                let found = try await store.load([.account(AccountID(name) ?? "")])
                XCTAssertEqual(found[AccountID(name) ?? ""], Samples.account(name), "an account of another page")
                served.append(name)
            } catch let error as AuthError {
                XCTAssertEqual(error.code, .storeUnavailable, "\(error)")
                XCTAssertEqual((error.cause as? PostgresError)?.kind, .damagedRecord, "\(error)")
                damaged.append(name)
            }
        }
        XCTAssertFalse(served.isEmpty, "all accounts are on the page")
        XCTAssertFalse(damaged.isEmpty, "no account was on the page")
        try server.stop()
        try pages.seek(toOffset: 0)
        pages.write(first)
        try server.start()
        let accounts = try await store.accounts(after: nil, limit: 100)
        XCTAssertEqual(Set(accounts.map(\.id.text)), Set(names), "when the page is whole again")
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

    func testAFullDiskIsNamedAndServiceGoesOnWhenThereIsRoom() async throws {
        let disk = try SmallDisk(megabytes: 8)
        defer { disk.remove() }
        let server = try TestServer()
        defer { try? server.stop("immediate") }
        let maker = try await TestDatabase(server.connection).open()
        try await maker.execute("CREATE TABLESPACE small LOCATION '\(disk.path)'")
        let connection = server.connection + " options='-c default_tablespace=small'"
        let store = try await TestDatabase(connection).open()
        var (written, error): (Int, AuthError?) = (0, nil)
        while error == nil, written < 20_000 {
            do {
                _ = try await store.commit(Samples.creation("ann\(written)"))
                written += 1
            } catch let failure as AuthError {
                error = failure
            }
        }
        XCTAssertEqual(error?.code, .storeUnavailable)
        XCTAssertEqual((error?.cause as? PostgresError)?.kind, .outOfResources, "\(String(describing: error?.cause))")
        XCTAssertEqual(error?.message.hasPrefix("The server has no space"), true, error?.message ?? "")
        let kept = try await store.accounts(after: nil, limit: 100_000).count
        XCTAssertEqual(kept, written, "what was answered, and nothing else")
        let events = "SELECT count(*) FROM \(store.schema.name).events"
        let count = try await store.run(events, []).first?.number(0)
        XCTAssertEqual(count, Int64(written), "the events of what was answered")
        try disk.grow(megabytes: 200)
        let outcome = try await store.commit(Samples.creation("ann\(written)"))
        XCTAssertEqual(outcome, .committed, "service did not go on")
    }

    func testProcessesWhoseClocksDifferShareLimitsLeasesAndOperations() async throws {
        let database = try TestDatabase()
        let (fast, slow) = (try await database.open(), try await database.open())
        // As far as clocks may differ.
        let (early, late) = (Samples.now, Samples.now + .seconds(60))
        let take = Store.Take(.init(purpose: .code, hash: 7), .number(3, each: .seconds(3600)), isSettled: true)
        for (store, time) in [(fast, late), (slow, early), (fast, late)] {
            let answer = try await store.take([take], at: time)
            XCTAssertEqual(answer, .taken)
        }
        for (store, time) in [(slow, early), (fast, late)] {
            let answer = try await store.take([take], at: time)
            XCTAssertNotEqual(answer, .taken, "an attempt more than the limit, at \(time.seconds)")
        }

        let change = Samples.creation("ann")
        let first = try await fast.commit(change)
        XCTAssertEqual(first, .committed)
        _ = try await fast.sweep(at: late + .seconds(100_000), limit: 100)
        let again = try await slow.commit(change)
        XCTAssertEqual(again, .duplicate, "a process with a fast clock forgot an operation of the last minute")

        let leased = try await fast.leaseMessages(at: late, until: late + .seconds(60), limit: 10)
        XCTAssertEqual(leased.count, 1)
        let taken = try await slow.leaseMessages(at: early, until: early + .seconds(60), limit: 10)
        XCTAssertEqual(taken, [], "a message that the other process holds")

        var session = Samples.creation("ben")
        let expiring = early + .seconds(30)
        session.records = [
            .put(
                Store.OneTimeRecord(
                    key: Samples.random(),
                    account: nil,
                    createdAt: early,
                    expiresAt: expiring,
                    content: .usedAssertion
                )
            )
        ]
        _ = try await slow.commit(session)
        let none = try await slow.sweep(at: early, limit: 100)
        XCTAssertEqual(none.records, 0, "what has not expired by the clock of the process that sweeps")
        let events = try await slow.events(2, after: .start)
        XCTAssertEqual(
            events.map(\.account),
            ["ann", "ben"],
            "the log is in the order of commits, whatever the clocks say"
        )
    }
}

/// A file system of its own in memory, which can be full; skips the test where none can be made.
private struct SmallDisk {
    let path = NSTemporaryDirectory() + "disk-\(UUID().uuidString.prefix(8))"

    init(megabytes: Int) throws {
        _ = try TestDatabase.server()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard try Self.run("mount", "-t", "tmpfs", "-o", "size=\(megabytes)m,mode=0777", "tmpfs", path) else {
            try? FileManager.default.removeItem(atPath: path)
            throw XCTSkip("needs a file system that can be full: only root may mount one")
        }
        // The server wants the folder for itself.
        guard try Self.run("chown", "nobody", path) else {
            remove()
            throw XCTSkip("needs the system's user nobody, under which the server runs")
        }
    }

    func grow(megabytes: Int) throws {
        let isDone = try Self.run("mount", "-o", "remount,size=\(megabytes)m", path)
        XCTAssertTrue(isDone, "the disk did not grow")
    }

    func remove() {
        _ = try? Self.run("umount", "-l", path)
        try? FileManager.default.removeItem(atPath: path)
    }

    private static func run(_ words: String...) throws -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
#endif
