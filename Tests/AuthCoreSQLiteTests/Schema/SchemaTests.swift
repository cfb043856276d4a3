#if SQLite
import AuthCore
import AuthCoreSQL
import AuthCoreTesting
import XCTest

@testable import AuthCoreSQLite
@testable import StoreInvariants

/// The tables: what a person reads in them, how they are made, and that a service works on them.
final class SchemaTests: LimitedTestCase {
    private func service(_ store: SQLiteStore) -> AuthService {
        let configuration = AuthConfiguration(
            store: store,
            providers: .simulated,
            passwordHasher: CheapPasswordHasher(),
            secretKey: Array(repeating: 7, count: 32)
        )
        return AuthService(configuration)
    }

    func testAnOperatorReadsAccountsMethodsSessionsAndEvents() async throws {
        let store = try await TestDatabase().open()
        let client = AuthClient(service: service(store))
        let person = SimulatedPerson(name: "Ann Archer", email: "ann@gmail.com")
        let user = try await client.signIn(with: .simulated(.google, person, at: .now)).user
        try await user.link(with: .simulated(.gitHub, person, at: .now))
        let id = user.account.id.description
        let key = try XCTUnwrap(user.account.methods.first?.identity?.key)
        let queries: [(String, [String])] = [
            ("SELECT id FROM readable_accounts WHERE email = 'ann@gmail.com' AND status = 'active'", [id]),
            ("SELECT account FROM readable_methods WHERE provider = 'github.com' AND kind = 'federated'", [id]),
            (
                "SELECT email || '/' || coalesce(phone_number, '') FROM readable_methods WHERE provider = 'google.com'",
                ["ann@gmail.com/"]
            ),
            (
                "SELECT issuer || ' ' || subject FROM readable_methods WHERE provider = 'google.com'",
                ["\(key.issuer) \(key.subject)"]
            ),
            ("SELECT account FROM readable_sessions WHERE provider = 'google.com' AND created_at > '2026-03-01'", [id]),
            (
                "SELECT kind FROM readable_events WHERE account = '\(id)' AND kind = 'methodsChanged'",
                ["methodsChanged"]
            ),
            ("SELECT json_extract(record, '$.value[6]') FROM accounts", ["ann@gmail.com"]),
        ]
        for (sql, expected) in queries {
            let found = try await store.column(sql)
            XCTAssertEqual(found, expected, sql)
        }
        try await user.unlink(.gitHub)
        let left = try await store.column("SELECT provider FROM readable_methods")
        XCTAssertEqual(left, ["google.com"], "the readable methods do not follow the record")
    }

    func testTheTimesThatAnOperatorReadsAreThoseOfTheRecords() async throws {
        let store = try await TestDatabase().open()
        let now = Timestamp(seconds: 1_800_000_000)
        var account = Account(id: "ann", createdAt: now)
        account.methods = [SignInMethod(.emailLink, addedAt: now + .seconds(30), generation: 0)]
        var session = Session(
            id: SessionID(bits: 1),
            account: "ann",
            sessionGeneration: 0,
            basis: .init(kind: .emailLink, provider: .password, generation: 0),
            at: now,
            device: nil,
            origin: nil,
            deviceName: "phone"
        )
        (session.activeAt, session.expiresAt) = (now + .seconds(60), now + .seconds(3600))
        var changes = Store.ChangeSet(operation: .init(bits: 1), at: now)
        changes.accounts = [.create(account)]
        changes.sessions = [.put(session)]
        _ = try await store.commit(changes)
        let methods = try await store.column("SELECT added_at FROM readable_methods")
        XCTAssertEqual(methods, ["2027-01-15 08:00:30"], "when the method was added")
        for (column, value) in [
            ("device_name", "phone"), ("created_at", "2027-01-15 08:00:00"), ("active_at", "2027-01-15 08:01:00"),
            ("expires_at", "2027-01-15 09:00:00"),
        ] {
            let found = try await store.column("SELECT \(column) FROM readable_sessions")
            XCTAssertEqual(found, [value], "the column \(column) of a session")
        }
    }

    func testTheReadableMethodsSayWhichIsSuspendedAndGoWithTheirAccount() async throws {
        let store = try await TestDatabase().open()
        let now = Timestamp(seconds: 1_800_000_000)
        var account = Account(id: "ann", createdAt: now)
        var password = SignInMethod(.password(PasswordHash(tagged: "none")), addedAt: now, generation: 0)
        password.suspension = SignInMethod.Suspension(since: now, reason: .recoverySuspends)
        account.methods = [password, SignInMethod(.emailLink, addedAt: now, generation: 1)]
        var changes = Store.ChangeSet(operation: .init(bits: 1), at: now)
        changes.accounts = [.create(account)]
        _ = try await store.commit(changes)
        let sql = "SELECT kind || ' ' || is_suspended FROM readable_methods ORDER BY kind"
        let methods = try await store.column(sql)
        XCTAssertEqual(methods, ["emailLink 0", "password 1"])
        account.version = 1
        account.methods[0].suspension = nil
        account.methods[1].suspension = password.suspension
        changes = Store.ChangeSet(operation: .init(bits: 2), at: now)
        changes.accounts = [.update(account, expected: 0)]
        _ = try await store.commit(changes)
        let later = try await store.column(sql)
        XCTAssertEqual(later, ["emailLink 1", "password 0"], "after one was confirmed and the other suspended")
        changes = Store.ChangeSet(operation: .init(bits: 3), at: now)
        changes.accounts = [.remove("ann", expected: 1)]
        _ = try await store.commit(changes)
        let left = try await store.column(sql)
        XCTAssertEqual(left, [], "methods of an account that is gone")
    }

    /// The same views are in the other store, which has a test of them too.
    func testTheViewsHaveTheColumnsOfTheOtherStore() async throws {
        let store = try await TestDatabase().open()
        let expected = [
            "readable_accounts":
                "id, status, email, phone_number, display_name, created_at, last_sign_in, due_at, version",
            "readable_addresses": "email, account, strength",
            "readable_events": "incarnation, number, at, kind, account, record",
            "readable_messages": "id, kind, recipient, account, created_at, tries, due_at, has_failed",
            "readable_methods":
                "account, kind, provider, issuer, subject, email, phone_number, added_at, is_suspended",
            "readable_sessions": "id, account, method, provider, device_name, created_at, active_at, expires_at",
        ]
        let views = try await store.column("SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name")
        XCTAssertEqual(views, expected.keys.sorted())
        for (view, columns) in expected {
            let found = try await store.column("SELECT name FROM pragma_table_info('\(view)') ORDER BY cid")
            XCTAssertEqual(found.joined(separator: ", "), columns, view)
        }
    }

    func testAnOperatorReadsAddressesAndMessages() async throws {
        let store = try await TestDatabase().open()
        let client = AuthClient(service: service(store))
        let ann = SimulatedPerson(name: "Ann Archer", email: "ann@gmail.com")
        let user = try await client.signIn(with: .simulated(.google, ann, at: .now)).user
        let signUp = try await client.signUp(email: "ben@example.com", password: "correct horse battery").user
        let work = SimulatedPerson(name: "Ann Archer", email: "ann@example.org")
        try await user.link(with: .simulated(.gitHub, work, at: .now))
        let sql = "SELECT account || ' ' || strength FROM readable_addresses WHERE email = "
        for (email, account, strength) in [
            ("ann@gmail.com", user, "confirmed"), ("ann@example.org", user, "identity"),
            ("ben@example.com", signUp, "own"),
        ] {
            let found = try await store.column(sql + "'\(email)'")
            XCTAssertEqual(found, ["\(account.account.id) \(strength)"], email)
        }
        var changes = Store.ChangeSet(operation: .init(bits: 1), at: Timestamp(seconds: 1_800_000_000))
        let address = try XCTUnwrap(EmailAddress("ann@gmail.com"))
        let number = try XCTUnwrap(PhoneNumber("+15550001234"))
        changes.messages = [Message.Recipient.email(address), .phone(number)].enumerated().map { place, recipient in
            Store.OutboxEntry(
                id: Store.OperationID(bits: UInt128(place)),
                kind: .verifyEmail,
                recipient: recipient,
                record: OneTimeRecordID(bits: 1),
                account: user.account.id,
                settings: nil,
                createdAt: changes.at,
                leasedUntil: changes.at,
                expiresAt: nil
            )
        }
        _ = try await store.commit(changes)
        try await store.endLease(of: Store.OperationID(bits: 1), tries: 1, dueAt: nil)
        let recipients = "SELECT recipient FROM readable_messages WHERE account = '\(user.account.id)'"
        let failed = try await store.column(recipients + " AND has_failed")
        XCTAssertEqual(failed, ["+15550001234"], "the message that failed")
        let waiting = try await store.column(recipients + " AND due_at = '2027-01-15 08:00:00'")
        XCTAssertEqual(waiting, ["ann@gmail.com"], "the message that waits")
    }

    func testAServiceFindsItsPeopleAgain() async throws {
        let database = try TestDatabase()
        let first = AuthClient(service: service(try await database.open()))
        let id = try await first.signUp(email: "ann@example.com", password: "correct horse battery").user.account.id
        try await database.close()
        let second = AuthClient(service: service(try await database.open()))
        let again = try await second.signIn(
            with: .password(email: "ann@example.com", password: "correct horse battery")
        ).user
        XCTAssertEqual(again.account.id, id)
    }

    func testAnotherToolMakesTheSameTables() async throws {
        let database = try TestDatabase()
        let refused = await storeError("a file without tables") {
            _ = try await database.open { $0.migrates = false }
        }
        XCTAssertEqual(refused?.message.contains("schema(after: 0)"), true, refused?.message ?? "")
        let tool = try SQLiteConnection(path: database.path, busyTimeout: .seconds(1))
        try tool.execute("BEGIN;\n\(SQLiteStore.schema())COMMIT")
        tool.close()
        let made = try await database.open { $0.migrates = false }
        let own = try await TestDatabase().open()
        let sql = "SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY name"
        let (theirs, ours) = (try await made.column(sql), try await own.column(sql))
        XCTAssertEqual(theirs, ours, "the printed SQL makes other tables")
        XCTAssertEqual(SQLiteStore.schema(after: SQLiteSchema.migrations.newest), "", "nothing is left to migrate")
    }

    func testTwoProcessesOpenANewFileAtOnce() async throws {
        // Many files, since what fails here fails for a few of a hundred.
        for _ in 0..<50 {
            let database = try TestDatabase()
            let stores = try await withThrowingTaskGroup(of: SQLiteStore.self) { group in
                for _ in 0..<8 { group.addTask { try await database.open() } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let versions = try await stores[0].column("SELECT count(*) FROM store")
            XCTAssertEqual(versions, ["1"], "the tables were made twice")
        }
    }

    func testACommitWaitsForTheDiskUnlessTheOptionsSayOtherwise() async throws {
        for (synchronous, level) in [(nil, "2"), (.full, "2"), (.normal, "1")]
            as [(SQLiteStore.Options.Synchronous?, String)]
        {
            let store = try await TestDatabase().open { if let synchronous { $0.synchronous = synchronous } }
            var changes = Store.ChangeSet(operation: Store.OperationID(bits: 1), at: Timestamp(seconds: 1_800_000_000))
            changes.signIns = [Store.SignInRecord(account: "ann", at: changes.at)]
            _ = try await store.commit(changes)
            let set = try await store.writer.run { try $0.all("PRAGMA synchronous") { $0.text(0) } }
            XCTAssertEqual(set, [level], "what SQLite waits for with \(synchronous.map { "\($0)" } ?? "the default")")
        }
    }

    func testOperationsOfAClockThatWasAheadKeepNoneFromBeingForgotten() async throws {
        let store = try await TestDatabase().open { $0.synchronous = .normal }
        let start = Timestamp(seconds: 1_800_000_000)
        for number in 0..<300 {
            let at = number < 100 ? start + .seconds(1000 * 86_400) : start + .seconds(number * 1000)
            var changes = Store.ChangeSet(operation: Store.OperationID(bits: UInt128(number)), at: at)
            changes.signIns = [Store.SignInRecord(account: "ann", at: at)]
            _ = try await store.commit(changes)
        }
        let kept = Int(try await store.column("SELECT count(*) FROM operations")[0]) ?? 0
        XCTAssertLessThan(kept, 100 + 160, "operations are never forgotten")
    }

    func testOldOperationsAreFoundWithoutReadingTheOthers() async throws {
        let store = try await TestDatabase().open()
        let question = "EXPLAIN QUERY PLAN SELECT number FROM operations WHERE at < 5 ORDER BY at LIMIT 64"
        let plan = try await store.read { try $0.all(question) { $0.text(3) } }
        XCTAssertTrue(plan.contains { $0.contains("operations_at (at<?)") }, "how they are looked for: \(plan)")
        XCTAssertFalse(plan.contains { $0.hasPrefix("SCAN") }, "how they are looked for: \(plan)")
    }

    func testOldOperationsAreForgotten() async throws {
        let store = try await TestDatabase().open { $0.synchronous = .normal }
        let start = Timestamp(seconds: 1_800_000_000)
        for number in 0..<400 {
            var changes = Store.ChangeSet(
                operation: Store.OperationID(bits: UInt128(number)),
                at: start + .seconds(number * 1000)
            )
            changes.signIns = [Store.SignInRecord(account: "ann", at: changes.at)]
            _ = try await store.commit(changes)
        }
        let kept = Int(try await store.column("SELECT count(*) FROM operations")[0]) ?? 0
        XCTAssertGreaterThanOrEqual(kept, 86, "operations of the last day")
        XCTAssertLessThan(kept, 160, "operations are never forgotten")
    }

    func testEventsAreKeptForTheTimeThatTheOptionsSay() async throws {
        let store = try await TestDatabase().open {
            $0.events = .lasting(.seconds(1000))
            $0.synchronous = .normal
        }
        let start = Timestamp(seconds: 1_800_000_000)
        for number in 0..<30 {
            var changes = Store.ChangeSet(
                operation: Store.OperationID(bits: UInt128(number)),
                at: start + .seconds(number * 100)
            )
            changes.events = [IdentityEvent(.signedIn, at: changes.at, account: "ann", actor: .system, reasons: [])]
            _ = try await store.commit(changes)
        }
        let page = try await store.events(after: .start, limit: 100)
        XCTAssertEqual(page.events.count, 11, "the events of a thousand seconds")
        XCTAssertEqual(page.removed.number, 19, "what was removed is told")
    }
}
#endif
