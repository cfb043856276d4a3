#if PostgreSQL
import AuthCore
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// What operators see and do.
final class PostgresOperatingTests: LimitedTestCase {
    /// A transaction that has written, in whatever database of the server.
    private static func heldTransaction(_ connection: String) throws -> Link {
        var link = try Link(Settings(connection: connection, options: PostgresStore.Options()))
        try link.run(text: "BEGIN; SELECT pg_current_xact_id()", until: .now + .seconds(10))
        return link
    }

    /// A plan may run a subquery again for each row: the statistics say that the table has one.
    func testASweepRemovesNoMoreThanItsLimit() async throws {
        for limit in [2, 5, 10] {
            let database = try TestDatabase()
            let store = try await database.open()
            try await putExpired(1, in: store)
            try await store.execute("VACUUM ANALYZE \(database.options.schema).records")
            try await putExpired(30, in: store)
            let report = try await store.sweep(at: Samples.now, limit: limit)
            XCTAssertEqual(report.records, limit, "of thirty-one expired records")
            XCTAssertFalse(report.isComplete, "the others are left")
        }
    }

    private func putExpired(_ count: Int, in store: PostgresStore) async throws {
        var changes = Store.ChangeSet(operation: Samples.random(), at: Samples.now)
        changes.records = (0..<count).map { number in
            .put(
                Store.OneTimeRecord(
                    key: Samples.random(),
                    account: nil,
                    createdAt: .distantPast,
                    expiresAt: Timestamp(seconds: Int64(1 + number)),
                    content: .usedAssertion
                )
            )
        }
        _ = try await store.commit(changes)
    }

    func testAMessageThatCannotBeReadHoldsUpNoOther() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        for name in ["ann", "ben"] { _ = try await store.commit(Samples.creation(name)) }
        try await store.execute("UPDATE \(database.options.schema).messages SET record = '{}' WHERE account = 'ann'")
        let now = Samples.now + .seconds(3600)
        let leased = try await store.leaseMessages(at: now, until: now + .seconds(60), limit: 10)
        XCTAssertEqual(leased.map(\.entry.account), ["ben"], "the message that can be read")
        try await store.settleMessages(leased.map(\.entry.id))
        do {
            let none = try await store.leaseMessages(at: now + .seconds(60), until: now + .seconds(90), limit: 10)
            XCTFail("what cannot be read was answered with \(none)")
        } catch {
            XCTAssertEqual((error as? AuthError)?.code, .storeUnavailable, "\(error)")
        }
    }

    func testManyEventsAreRemovedInSteps() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        let events = "\(database.options.schema).events"
        _ = try await store.commit(Samples.creation("ann"))
        try await store.execute(
            "INSERT INTO \(events) SELECT 0, transaction, g, at, account, kind, record "
                + "FROM \(events), generate_series(2, 20000) g"
        )
        let removed = try await store.removeEvents(before: Samples.now + .seconds(1))
        XCTAssertEqual(removed, 20_000, "one event and its copies")
        let left = try await store.run("SELECT count(*) FROM \(events)", []).first?.number(0)
        XCTAssertEqual(left, 0, "events in the log")
    }

    /// From the sixth call on, the server plans for any limit; the counts are those of one transaction.
    func testRemovingEventsReadsNoMoreThanItRemovesHoweverLongTheLogIs() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        let schema = database.options.schema
        _ = try await store.commit(Samples.creation("ann"))
        try await store.execute(
            "INSERT INTO \(schema).events SELECT 0, transaction, g, at + g, account, kind, record "
                + "FROM \(schema).events, generate_series(2, 100000) g"
        )
        try await store.execute("VACUUM ANALYZE \(schema).events")
        var link = try Link(Settings(connection: database.connection, options: database.options))
        let soon = ContinuousClock.Instant.now + .seconds(60)
        func counts() throws -> (ofScans: Int64, byIndex: Int64) {
            let sql =
                "SELECT seq_tup_read, idx_tup_fetch FROM pg_stat_xact_user_tables "
                + "WHERE schemaname = '\(schema)' AND relname = 'events'"
            let row = try link.run(sql, [], isPrepared: false, until: soon)[0]
            return (row.number(0) ?? 0, row.number(1) ?? 0)
        }
        try link.run(text: "BEGIN", until: soon)
        for call in 1...8 {
            let before = try counts()
            let limit = Samples.now.milliseconds + Int64(call) * 100
            try link.run(text: "SELECT \(schema).remove_events(\(schema).moment(\(limit)))", until: soon)
            let after = try counts()
            XCTAssertEqual(after.ofScans, before.ofScans, "call \(call) reads the whole log")
            XCTAssertLessThan(after.byIndex - before.byIndex, 45_000, "rows of the log that call \(call) looks at")
        }
        try link.run(text: "ROLLBACK", until: soon)
    }

    /// A commit of another process becomes visible while the removal runs.
    func testRemovingEventsTakesNoneThatBecameVisibleMeanwhile() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        let schema = database.options.schema
        _ = try await store.commit(Samples.creation("ann"))
        let limit = Timestamp(milliseconds: Samples.now.milliseconds + 1000)
        let watcher = try await database.open()
        var other = try Link(Settings(connection: database.connection, options: PostgresStore.Options()))
        let soon = ContinuousClock.Instant.now + .seconds(20)
        try other.run(text: "BEGIN; LOCK TABLE \(schema).store IN ACCESS EXCLUSIVE MODE", until: soon)
        let removing = Task { try await store.removeEvents(before: limit) }
        let waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = '\(schema).store'::regclass"
        while try await watcher.run(waiting, []).first?.number(0) == 0 { await Task.yield() }
        try other.run(
            text: "INSERT INTO \(schema).events SELECT 0, pg_current_xact_id(), 1, \(limit.milliseconds + 1), account, "
                + "kind, record FROM \(schema).events LIMIT 1; COMMIT",
            until: soon
        )
        let removed = try await removing.value
        XCTAssertEqual(removed, 1, "only one event is from before the limit")
        let left = try await store.run("SELECT count(*) FROM \(schema).events", []).first?.number(0)
        XCTAssertEqual(left, 1, "the event from after the limit")
    }

    /// Another process begins to remove events while the removal runs, and is done before it.
    func testOfTwoRemovalsAtOnceNeitherTakesAnEventFromAfterItsTime() async throws {
        let database = try TestDatabase()
        let (store, watcher) = (try await database.open(), try await database.open())
        let schema = database.options.schema
        _ = try await store.commit(Samples.creation("ann"))
        let limit = Timestamp(milliseconds: Samples.now.milliseconds + 1000)
        var other = try Link(Settings(connection: database.connection, options: PostgresStore.Options()))
        let soon = ContinuousClock.Instant.now + .seconds(20)
        // More than are removed at once, and one event from after the limit.
        for (numbers, time) in [("2, 10100", limit.milliseconds - 1), ("1, 1", limit.milliseconds + 1)] {
            let rows =
                "SELECT 0, pg_current_xact_id(), n, \(time), account, kind, record "
                + "FROM (SELECT * FROM \(schema).events LIMIT 1) e, generate_series(\(numbers)) n"
            try other.run(text: "INSERT INTO \(schema).events \(rows)", until: soon)
        }
        try other.run(text: "BEGIN; LOCK TABLE \(schema).store IN ACCESS EXCLUSIVE MODE", until: soon)
        let removing = Task { try await store.removeEvents(before: limit) }
        let waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = '\(schema).store'::regclass"
        while try await watcher.run(waiting, []).first?.number(0) == 0 { await Task.yield() }
        // It must not come between the statements of the first removal, and so gives up.
        let second =
            "SET LOCAL lock_timeout = '100ms'; "
            + "SELECT \(schema).remove_events(\(schema).moment(\(limit.milliseconds)))"
        try? other.run(text: second, until: soon)
        try other.run(text: "COMMIT", until: soon)
        _ = try await removing.value
        let left = try await store.run("SELECT count(*), min(at) FROM \(schema).events", []).first
        XCTAssertEqual(left?.number(0), 1, "the event from after the limit")
        XCTAssertEqual(left?.number(1), limit.milliseconds + 1, "the time of the event that is left")
    }

    func testReadersWaitForTheOldestTransactionOfAnyDatabaseAndOperatorsSeeIt() async throws {
        let server = try TestServer("max_prepared_transactions=2", "autovacuum=off")
        defer { try? server.stop("immediate") }
        let store = try await TestDatabase(server.connection).open()
        try await store.execute("CREATE DATABASE elsewhere")
        let quiet = try await store.eventLag()
        XCTAssertEqual(quiet, PostgresStore.EventLag(transactions: 0, age: .zero), "without another transaction")
        // The second is prepared, and belongs to no connection any more.
        let ends = ["COMMIT", "PREPARE TRANSACTION 'held'"]
        for (end, place) in zip(ends, ["elsewhere", "postgres"]) {
            let began = ContinuousClock.now
            var held = try Self.heldTransaction(server.connection + " dbname=\(place)")
            let isHeld = ContinuousClock.now
            let start = try await store.events(after: .start, limit: 10).end
            if end != "COMMIT" { try held.run(text: end, until: .now + .seconds(10)) }
            _ = try await store.commit(Samples.creation("late-\(place)"))
            let seen = try await store.events(after: start, limit: 10).events
            XCTAssertEqual(seen.map(\.account), [], "an event that an older one could still precede, \(place)")
            // What a transaction does later makes it no younger; where it is prepared, nothing more is done.
            if end == "COMMIT" { try held.run(text: "SELECT 1", until: .now + .seconds(10)) }
            let least = end == "COMMIT" ? ContinuousClock.now - isHeld - .milliseconds(2) : .zero
            let lag = try await store.eventLag()
            XCTAssertGreaterThanOrEqual(lag.age, least, "how long the oldest one has been running, \(place)")
            // The one that is held, and the one that has ended since, which may have used two numbers.
            XCTAssertGreaterThanOrEqual(lag.transactions, 2, "the transactions that readers wait for, \(place)")
            XCTAssertGreaterThan(lag.age, .zero, "how long the oldest one has been running, \(place)")
            XCTAssertLessThanOrEqual(lag.age, ContinuousClock.now - began, "how long the oldest one has been running")
            try held.run(text: end == "COMMIT" ? end : "ROLLBACK PREPARED 'held'", until: .now + .seconds(10))
            let after = try await store.events(after: start, limit: 10).events
            XCTAssertEqual(after.map(\.account), [AccountID("late-\(place)")], "when it has ended, \(place)")
            let ended = try await store.eventLag()
            XCTAssertEqual(ended, quiet, "when it has ended, \(place)")
        }
    }

    func testAnEventIsReadableAtOnceOrWhenTheOldestTransactionEnds() async throws {
        let server = try TestServer("autovacuum=off")
        defer { try? server.stop("immediate") }
        let store = try await TestDatabase(server.connection).open()
        try await store.execute("CREATE DATABASE elsewhere")
        let clock = ContinuousClock()
        var end = IdentityEvent.Position.start
        var delays: [Duration] = []
        // Returns how long after the answer to its commit an event is there.
        func delay(_ name: String, whileWaiting wait: () throws -> Void) async throws -> Duration {
            _ = try await store.commit(Samples.creation(name))
            let answered = clock.now
            try wait()
            while true {
                let page = try await store.events(after: end, limit: 10)
                if let last = page.events.last {
                    XCTAssertEqual(last.account.text, name, "the event")
                    end = page.end
                    return clock.now - answered
                }
            }
        }
        for round in 0..<40 { delays.append(try await delay("ann\(round)") {}) }
        let usual = delays.sorted()[20]
        XCTAssertLessThan(usual, .seconds(5), "without another transaction")

        var held = try Self.heldTransaction(server.connection + " dbname=elsewhere")
        let rest = Duration.milliseconds(ProcessInfo.processInfo.environment["AUTHCORE_LONG"] == nil ? 300 : 5000)
        let delayed = try await delay("ben") {
            try held.run(text: "SELECT pg_sleep(\(rest / .seconds(1))); COMMIT", until: .now + .seconds(20))
        }
        XCTAssertGreaterThanOrEqual(delayed, rest, "an event that an older one could still precede")
        XCTAssertLessThan(delayed, rest + .seconds(10), "when the older transaction has ended")
        print(
            "An event is readable after \(usual), and after \(delayed) if another database's transaction goes on for \(rest)."
        )
    }

    func testARestoreRaisesTheIncarnation() async throws {
        let store = try await TestDatabase().open()
        _ = try await store.commit(Samples.creation("ann"))
        let end = try await store.events(after: .start, limit: 10).end
        // A reader of the lost server was far ahead.
        let ahead = IdentityEvent.Position(transaction: end.transaction + 1_000_000, number: 5)
        try await store.raiseIncarnation()
        _ = try await store.commit(Samples.creation("ben"))
        let later = try await store.events(1, after: ahead)
        XCTAssertEqual(later.map(\.account), ["ben"], "a reader that was ahead misses an event")
        let all = try await store.events(2, after: .start)
        XCTAssertEqual(all.map(\.account), ["ann", "ben"])
    }

    func testACopyOnAnotherServerIsNoticed() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        _ = try await store.commit(Samples.creation("ann"))
        // As if the transactions of another server had numbers far above those of this one.
        try await store.execute("UPDATE \(database.options.schema).events SET transaction = '1000000000000'")
        let copy = try await database.open()
        _ = try await copy.commit(Samples.creation("ben"))
        let events = try await copy.events(2, after: .start)
        XCTAssertEqual(events.map(\.account), ["ann", "ben"])
        let own = try await copy.incarnation(of: database)
        XCTAssertGreaterThan(own, 0, "the copy has an incarnation of its own")
        XCTAssertEqual(events.last?.position.incarnation, UInt64(own), "what is written there has it")
        try await store.execute("UPDATE \(database.options.schema).events SET at = at + 7200000 WHERE account = 'ben'")
        let removed = try await copy.removeEvents(before: Samples.now + .seconds(3600))
        XCTAssertEqual(removed, 1, "an event of an earlier incarnation can be removed, however high its transaction is")
    }

    func testACopyIsNoticedByTheNumberThatTheServerGivesOutNext() async throws {
        // On a server of its own, where nothing else takes a number.
        let server = try TestServer()
        defer { try? server.stop("immediate") }
        for (distance, isCopy) in [(0, false), (1, true)] {
            let database = try TestDatabase(server.connection)
            let store = try await database.open()
            _ = try await store.commit(Samples.creation("ann"))
            let number = "(pg_current_xact_id()::text::bigint + \(distance))::text::xid8"
            try await store.execute("UPDATE \(database.options.schema).events SET transaction = \(number)")
            let incarnation = try await database.open().incarnation(of: database)
            XCTAssertEqual(incarnation > 0, isCopy, "\(distance) after the number of the last transaction")
        }
    }

    func testTwoRestoresOfOneBackupHaveTwoIncarnations() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        try await store.raiseIncarnation()
        let first = try await store.incarnation(of: database)
        // The backup was made before the first restore.
        try await store.execute("UPDATE \(database.options.schema).store SET incarnation = 0")
        try await store.raiseIncarnation()
        let second = try await store.incarnation(of: database)
        XCTAssertGreaterThan(second, first, "a reader of the first restore would miss what the second one writes")
    }

    func testOldEventsCanBeRemovedAndReadersLearnOfIt() async throws {
        let store = try await TestDatabase().open()
        for (number, name) in ["ann", "ben", "cem"].enumerated() {
            var change = Samples.creation(name)
            let at = Samples.now + .seconds(Int64(number) * 60)
            change.events = [
                IdentityEvent(.signedIn, at: at, account: change.accounts[0].id, actor: .system, reasons: [])
            ]
            _ = try await store.commit(change)
        }
        _ = try await store.events(3, after: .start)
        let removed = try await store.removeEvents(before: Samples.now + .seconds(60))
        XCTAssertEqual(removed, 1)
        let page = try await store.events(after: .start, limit: 10)
        XCTAssertEqual(page.events.map(\.account), ["ben", "cem"])
        XCTAssertGreaterThan(page.removed, .start)
        XCTAssertLessThan(page.removed, try XCTUnwrap(page.events.first?.position))
        let all = try await store.removeEvents(before: Samples.now + .seconds(3600))
        XCTAssertEqual(all, 2, "all events can be removed")
        let empty = try await store.events(after: .start, limit: 10)
        XCTAssertEqual(empty.removed, page.events.last?.position, "up to where events were removed")
        XCTAssertGreaterThanOrEqual(empty.end, page.end, "the end of the log has moved back")
        try await store.raiseIncarnation()
        let raised = try await store.events(after: .start, limit: 10).end
        XCTAssertGreaterThan(raised.incarnation, empty.end.incarnation, "the end of an empty log after a restore")
    }

    func testOperatorsReadAccountsMethodsAndSessions() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        var account = Samples.account("ann")
        let identity = Identity(key: Identity.Key(issuer: "https://github.com", subject: "1\0"), provider: "github.com")
        _ = account.add(.federated(identity), at: Samples.now)
        var change = Store.ChangeSet(operation: Samples.random(), at: Samples.now)
        change.accounts = [.create(account)]
        change.sessions = [.put(Samples.session(of: account.id))]
        change.signIns = [Store.SignInRecord(account: account.id, at: Samples.now)]
        _ = try await store.commit(change)
        let schema = database.options.schema
        let rows = try await store.run(
            """
            SELECT a.id, a.email, m.issuer, m.subject, s.provider, extract(epoch FROM a.last_sign_in)::bigint
            FROM \(schema).readable_accounts a JOIN \(schema).readable_methods m ON m.account = a.id
            JOIN \(schema).readable_sessions s ON s.account = a.id
            WHERE m.provider = 'github.com' AND a.last_sign_in > '2026-03-01'
            """,
            []
        )
        XCTAssertEqual(rows.map { $0.text(0) }, ["ann"])
        XCTAssertEqual(rows.first?.text(1), "ann@example.com")
        XCTAssertEqual(rows.first?.text(2), "https://github.com", "the issuer of the identity")
        XCTAssertEqual(rows.first?.text(3), "1\u{FFFD}", "a character that no text of PostgreSQL can have")
        XCTAssertEqual(rows.first?.number(5), 1_800_000_000)

        // The columns follow the record.
        var changed = account
        changed.version = 1
        changed.methods = []
        changed.displayName = "Ann"
        var update = Store.ChangeSet(operation: Samples.random(), at: Samples.now)
        update.accounts = [.update(changed, expected: 0)]
        _ = try await store.commit(update)
        let methods = try await store.run("SELECT * FROM \(schema).readable_methods", [])
        XCTAssertTrue(methods.isEmpty, "a method that was removed is listed")
    }

    func testTheTimesThatAnOperatorReadsAreThoseOfTheRecords() async throws {
        let database = try TestDatabase()
        let (store, schema) = (try await database.open(), database.options.schema)
        var session = Samples.session(of: "ann")
        session.activeAt = session.createdAt + .seconds(60)
        session.expiresAt = session.createdAt + .seconds(3600)
        var change = Store.ChangeSet(operation: Samples.random(), at: Samples.now)
        change.sessions = [.put(session)]
        _ = try await store.commit(change)
        let rows = try await store.run(
            """
            SELECT extract(epoch FROM created_at)::bigint, extract(epoch FROM active_at - created_at)::bigint,
                extract(epoch FROM expires_at - created_at)::bigint
            FROM \(schema).readable_sessions
            """,
            []
        )
        XCTAssertEqual(rows.map { $0.number(0) }, [session.createdAt.seconds], "when the session began")
        XCTAssertEqual(rows.map { $0.number(1) }, [60], "how long after that it was used")
        XCTAssertEqual(rows.map { $0.number(2) }, [3600], "how long after that it expires")
    }

    /// The same views are in the other store, which has a test of them too.
    func testTheViewsHaveTheColumnsOfTheOtherStore() async throws {
        let database = try TestDatabase()
        let (store, schema) = (try await database.open(), database.options.schema)
        let expected = [
            "readable_accounts":
                "id, status, email, phone_number, display_name, created_at, last_sign_in, due_at, version",
            "readable_addresses": "email, account, strength",
            "readable_events": "incarnation, transaction, number, at, kind, account, record",
            "readable_messages": "id, kind, recipient, account, created_at, tries, due_at, has_failed",
            "readable_methods":
                "account, kind, provider, issuer, subject, email, phone_number, added_at, is_suspended",
            "readable_sessions": "id, account, method, provider, device_name, created_at, active_at, expires_at",
        ]
        let rows = try await store.run(
            """
            SELECT c.table_name::text, string_agg(c.column_name::text, ', ' ORDER BY c.ordinal_position)
            FROM information_schema.columns c JOIN information_schema.views v USING (table_schema, table_name)
            WHERE c.table_schema = '\(schema)' GROUP BY c.table_name
            """,
            []
        )
        let found = rows.map { ($0.text(0) ?? "", $0.text(1) ?? "") }
        XCTAssertEqual(Dictionary(uniqueKeysWithValues: found), expected)
    }

    func testOperatorsReadAddressesEventsSessionsAndMessages() async throws {
        let database = try TestDatabase()
        let (store, schema) = (try await database.open(), database.options.schema)
        _ = try await store.commit(Samples.creation("ann"))
        let addresses = try await store.run(
            "SELECT account, strength FROM \(schema).readable_addresses WHERE email = 'ann@example.com'",
            []
        )
        XCTAssertEqual(addresses.map { $0.text(0) }, ["ann"])
        XCTAssertEqual(addresses.first?.text(1), "own")
        let events = try await store.run(
            "SELECT kind, extract(epoch FROM at)::bigint FROM \(schema).readable_events WHERE account = 'ann'",
            []
        )
        let log = try await store.events(1, after: .start)
        XCTAssertEqual(events.map { $0.text(0) }, log.map(\.kind.rawValue))
        XCTAssertEqual(events.first?.number(1), 1_800_000_000)
        let sessions = try await store.run(
            "SELECT method FROM \(schema).readable_sessions WHERE account = 'ann'",
            []
        )
        XCTAssertEqual(sessions.map { $0.text(0) }, [Samples.session(of: "ann").basis.kind.rawValue])
        func messages(_ condition: String) async throws -> [String?] {
            let text = "SELECT account FROM \(schema).readable_messages WHERE \(condition)"
            return try await store.run(text, []).map { $0.text(0) }
        }
        let waiting = try await messages("NOT has_failed")
        XCTAssertEqual(waiting, ["ann"], "the message that waits")
        for message in try await store.messages(.waiting, after: nil, limit: 1) {
            try await store.endLease(of: message.entry.id, tries: message.tries, dueAt: nil)
        }
        let failed = try await messages("has_failed")
        XCTAssertEqual(failed, ["ann"], "the message that failed")
        var removal = Store.ChangeSet(operation: Samples.random(), at: Samples.now)
        removal.accounts = [.remove("ann", expected: 0)]
        _ = try await store.commit(removal)
        let left = try await store.run("SELECT kind FROM \(schema).readable_events WHERE account = 'ann'", [])
        XCTAssertEqual(left.map { $0.text(0) }, events.map { $0.text(0) }, "the events of a removed account")
    }

    func testAnAccountThatCannotBeReadIsDueLikeTheOthers() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        for (index, name) in ["ann", "ben"].enumerated() {
            var account = Samples.account(name)
            account.dueAt = Timestamp(seconds: Int64(100 + index))
            var changes = Samples.creation(name)
            changes.accounts = [.create(account)]
            _ = try await store.commit(changes)
        }
        try await store.execute(
            "UPDATE \(database.options.schema).accounts SET record = '{\"format\":9,\"kind\":\"account\",\"value\":{}}' WHERE id = 'ann'"
        )
        let due = try await store.accounts(dueBy: Timestamp(seconds: 1000), after: nil, limit: 10)
        XCTAssertEqual(due.map(\.id), ["ann", "ben"], "those that are due, the one of a newer library too")
        XCTAssertEqual(due.map(\.dueAt), [Timestamp(seconds: 100), Timestamp(seconds: 101)], "when they are due")
    }

    func testAnEventThatCannotBeReadIsNotLeftOut() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        for name in ["ann", "ben"] { _ = try await store.commit(Samples.creation(name)) }
        _ = try await store.events(2, after: .start)
        try await store.execute(
            "UPDATE \(database.options.schema).events SET record = '{\"format\":9,\"kind\":\"event\",\"value\":{}}' WHERE account = 'ann'"
        )
        do {
            let page = try await store.events(after: .start, limit: 10)
            XCTFail("a page without the event of a newer library: \(page.events.map(\.account))")
        } catch let error as AuthError {
            XCTAssertEqual((error.cause as? PostgresError)?.kind, .damagedRecord, "\(error)")
        }
    }

    func testSeveralProcessesThatSweepRemoveEverythingOnce() async throws {
        let database = try TestDatabase()
        var stores: [PostgresStore] = []
        for _ in 0..<3 { stores.append(try await database.open()) }
        var change = Store.ChangeSet(operation: Samples.random(), at: Samples.now)
        change.records = (0..<300).map { _ in
            .put(
                Store.OneTimeRecord(
                    key: Samples.random(),
                    account: nil,
                    createdAt: Samples.now,
                    expiresAt: Samples.now,
                    content: .usedAssertion
                )
            )
        }
        _ = try await stores[0].commit(change)
        let removed = try await withThrowingTaskGroup(of: Int.self) { group in
            for store in stores {
                group.addTask {
                    var removed = 0
                    while true {
                        let report = try await store.sweep(at: Samples.now, limit: 7)
                        removed += report.records
                        if report.isComplete { return removed }
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        XCTAssertEqual(removed, 300)
    }

    func testSeveralProcessesLeaseEveryMessageOnce() async throws {
        let database = try TestDatabase()
        var stores: [PostgresStore] = []
        for _ in 0..<3 { stores.append(try await database.open()) }
        for number in 0..<60 { _ = try await stores[0].commit(Samples.creation("ann\(number)")) }
        let leased = try await withThrowingTaskGroup(of: [Store.OperationID].self) { group in
            for store in stores {
                group.addTask {
                    var leased: [Store.OperationID] = []
                    while true {
                        let page = try await store.leaseMessages(
                            at: Samples.now,
                            until: Samples.now + .seconds(60),
                            limit: 4
                        )
                        if page.isEmpty { return leased }
                        leased += page.map(\.entry.id)
                    }
                }
            }
            return try await group.reduce([], +)
        }
        XCTAssertEqual(Set(leased).count, leased.count, "a message was leased twice")
        XCTAssertGreaterThanOrEqual(
            leased.count,
            57,
            "messages were passed over, but for those that another process held"
        )
    }

    func testConnectionsAreBounded() async throws {
        let database = try TestDatabase { $0.connections = 3 }
        let store = try await database.open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<60 { group.addTask { _ = try await store.commit(Samples.creation("ann\(number)")) } }
            try await group.waitForAll()
        }
        let watch = try await TestDatabase().open()
        let rows = try await watch.run(
            "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%\(store.schema).commit%' AND pid <> pg_backend_pid()",
            []
        )
        let count = rows.first?.number(0) ?? 0
        XCTAssertTrue((1...3).contains(count), "connections that committed: \(count)")
        let accounts = try await store.accounts(after: nil, limit: 100)
        XCTAssertEqual(accounts.count, 60)
    }
}

extension PostgresStore {
    /// The incarnation that positions of new events begin with.
    fileprivate func incarnation(of database: TestDatabase) async throws -> Int64 {
        let rows = try await run("SELECT incarnation FROM \(database.options.schema).store", [])
        return try XCTUnwrap(rows.first?.number(0))
    }
}
#endif
