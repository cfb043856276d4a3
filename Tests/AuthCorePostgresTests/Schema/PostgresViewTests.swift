#if PostgreSQL
import AuthCore
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// What each column of the readable views says: the value of the record, when it is made and when it changes.
final class PostgresViewTests: LimitedTestCase {
    private struct Views: ReadableViews {
        let store: PostgresStore

        /// Reads times in UTC.
        init() async throws {
            store = try await TestDatabase(try TestDatabase.server() + " options='-c timezone=UTC'").open()
        }

        func time(_ clock: String) -> String { "2027-01-15T\(clock)+00:00" }

        func truth(_ value: Bool) -> String { "\(value)" }

        func id(_ digit: Int) -> String { "00000000-0000-0000-0000-00000000000\(digit)" }

        func columns(of view: String, by order: String) async throws -> [String: [String]] {
            let rows = try await store.run(
                """
                SELECT c.key, coalesce(c.value, '-')
                FROM \(store.schema.name).\(view) v, json_each_text(row_to_json(v)) c ORDER BY v.\(order)
                """,
                []
            )
            return Dictionary(rows.map { ($0.text(0) ?? "", [$0.text(1) ?? ""]) }, uniquingKeysWith: +)
        }

        func ownColumnsOfTheEvent() async throws -> [String: [String]] {
            let position = try await store.events(1, after: .start).first?.position
            let transaction = try XCTUnwrap(position?.transaction)
            let record = try await store.run("SELECT record FROM \(store.schema.name).events", []).first?.text(0)
            return ["transaction": ["\(transaction)"], "record": [try XCTUnwrap(record)]]
        }
    }

    func testTheReadableAccountsAndMethodsHaveTheValuesOfTheRecord() async throws {
        try await Views().checkAccountsAndMethods()
    }

    func testTheReadableSessionsHaveTheValuesOfTheRecord() async throws {
        try await Views().checkSessions()
    }

    func testTheReadableMessagesHaveTheValuesOfTheRecordAndOfItsDelivery() async throws {
        try await Views().checkMessages()
    }

    func testATimeThatIsNotSetIsNull() async throws {
        try await Views().checkTimesThatAreNotSet()
    }

    func testTheReadableEventsAndAddressesHaveTheValuesOfTheRecord() async throws {
        try await Views().checkEventsAndAddresses()
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
}
#endif
