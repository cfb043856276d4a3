#if SQLite
import AuthCore
import XCTest

@testable import AuthCoreSQLite
@testable import StoreInvariants

/// What each column of the readable views says: the value of the record, when it is made and when it changes.
final class ViewTests: LimitedTestCase {
    /// 8 o'clock in the morning.
    private let start = Timestamp(seconds: 1_800_000_000)

    private func time(_ clock: String) -> String { "2027-01-15 \(clock)" }

    private func changes(_ operation: UInt128, at seconds: Int) -> Store.ChangeSet {
        Store.ChangeSet(operation: Store.OperationID(bits: operation), at: start + .seconds(seconds))
    }

    /// Compares each column of a view, row by row in an order; a hyphen stands for null.
    private func check(
        _ view: String,
        of store: SQLiteStore,
        by order: String,
        _ what: String,
        _ expected: [String: [String]],
        file: StaticString = #filePath,
        line: UInt = #line
    ) async throws {
        let columns = try await store.column("SELECT name FROM pragma_table_info('\(view)') ORDER BY name")
        XCTAssertEqual(columns, expected.keys.sorted(), "the columns of \(view)", file: file, line: line)
        for (column, values) in expected {
            let found = try await store.column("SELECT coalesce(\(column), '-') FROM \(view) ORDER BY \(order)")
            XCTAssertEqual(found, values, "\(column) of \(view), \(what)", file: file, line: line)
        }
    }

    private func person() throws -> Account {
        var account = Account(id: "ann", createdAt: start)
        account.email = EmailAddress("ann@example.com")
        account.displayName = "Ann Archer"
        account.dueAt = start + .seconds(3 * 3600)
        let identity = Identity(
            key: Identity.Key(issuer: "https://accounts.google.com", subject: "117"),
            provider: .google,
            email: EmailAddress("ann@gmail.com")
        )
        account.methods = [
            SignInMethod(
                .phone(try XCTUnwrap(PhoneNumber("+15550001234"))),
                addedAt: start + .seconds(30),
                generation: 0
            ),
            SignInMethod(.federated(identity), addedAt: start + .seconds(60), generation: 1),
            SignInMethod(.password(PasswordHash(tagged: "none")), addedAt: start + .seconds(90), generation: 2),
        ]
        account.methods[2].suspension = SignInMethod.Suspension(since: start, reason: .recoverySuspends)
        return account
    }

    func testTheReadableAccountsAndMethodsHaveTheValuesOfTheRecord() async throws {
        let store = try await TestDatabase().open()
        var account = try person()
        var creation = changes(1, at: 3600)
        creation.accounts = [.create(account)]
        creation.signIns = [Store.SignInRecord(account: "ann", at: start + .seconds(120))]
        _ = try await store.commit(creation)
        try await check(
            "readable_accounts",
            of: store,
            by: "id",
            "as it was made",
            [
                "id": ["ann"], "status": ["active"], "email": ["ann@example.com"], "phone_number": ["+15550001234"],
                "display_name": ["Ann Archer"], "created_at": [time("08:00:00")], "last_sign_in": [time("08:02:00")],
                "due_at": [time("11:00:00")], "version": ["0"],
            ]
        )
        var methods = [
            "account": ["ann", "ann", "ann"], "kind": ["phone", "federated", "password"],
            "provider": ["phone", "google.com", "password"], "issuer": ["-", "https://accounts.google.com", "-"],
            "subject": ["-", "117", "-"], "email": ["-", "ann@gmail.com", "ann@example.com"],
            "phone_number": ["+15550001234", "-", "-"],
            "added_at": [time("08:00:30"), time("08:01:00"), time("08:01:30")], "is_suspended": ["0", "0", "1"],
        ]
        try await check("readable_methods", of: store, by: "added_at", "as they were added", methods)

        account.version = 1
        account.email = EmailAddress("ann@new.example")
        account.displayName = "Ann Baker"
        account.dueAt = start + .seconds(4 * 3600)
        account.isDisabled = true
        account.methods[0].kind = .phone(try XCTUnwrap(PhoneNumber("+15550005678")))
        // Of the second method, nothing else changes.
        account.methods[1].suspension = account.methods[2].suspension
        account.methods[2].suspension = nil
        var update = changes(2, at: 7200)
        update.accounts = [.update(account, expected: 0)]
        update.signIns = [Store.SignInRecord(account: "ann", at: start + .seconds(180))]
        _ = try await store.commit(update)
        try await check(
            "readable_accounts",
            of: store,
            by: "id",
            "as it was changed",
            [
                "id": ["ann"], "status": ["disabled"], "email": ["ann@new.example"], "phone_number": ["+15550005678"],
                "display_name": ["Ann Baker"], "created_at": [time("08:00:00")], "last_sign_in": [time("08:03:00")],
                "due_at": [time("12:00:00")], "version": ["1"],
            ]
        )
        methods["email"] = ["-", "ann@gmail.com", "ann@new.example"]
        methods["phone_number"] = ["+15550005678", "-", "-"]
        methods["is_suspended"] = ["0", "1", "0"]
        try await check("readable_methods", of: store, by: "added_at", "as they were changed", methods)
    }

    func testTheReadableSessionsHaveTheValuesOfTheRecord() async throws {
        let store = try await TestDatabase().open()
        var session = Session(
            id: SessionID(bits: 5),
            account: "ann",
            sessionGeneration: 0,
            basis: .init(kind: .emailLink, provider: .password, generation: 0),
            at: start,
            device: nil,
            origin: nil,
            deviceName: "tablet"
        )
        (session.activeAt, session.expiresAt) = (start + .seconds(60), start + .seconds(3600))
        var creation = changes(1, at: 1800)
        creation.sessions = [.put(session)]
        _ = try await store.commit(creation)
        var expected = [
            "id": ["00000000000000000000000000000005"], "account": ["ann"], "method": ["emailLink"],
            "provider": ["password"], "device_name": ["tablet"], "created_at": [time("08:00:00")],
            "active_at": [time("08:01:00")], "expires_at": [time("09:00:00")],
        ]
        try await check("readable_sessions", of: store, by: "id", "as it began", expected)

        session.basis = .init(kind: .federated, provider: .gitHub, generation: 1)
        (session.activeAt, session.expiresAt) = (start + .seconds(120), nil)
        var update = changes(2, at: 1900)
        update.sessions = [.update(session, refreshCount: 0)]
        _ = try await store.commit(update)
        (expected["method"], expected["provider"]) = (["federated"], ["github.com"])
        (expected["active_at"], expected["expires_at"]) = ([time("08:02:00")], ["-"])
        try await check("readable_sessions", of: store, by: "id", "as it was changed", expected)
    }

    func testTheReadableMessagesHaveTheValuesOfTheRecordAndOfItsDelivery() async throws {
        let store = try await TestDatabase().open()
        let message = Store.OutboxEntry(
            id: Store.OperationID(bits: 6),
            kind: .phoneCode,
            recipient: .phone(try XCTUnwrap(PhoneNumber("+15550001234"))),
            record: OneTimeRecordID(bits: 1),
            account: "ann",
            settings: nil,
            createdAt: start + .seconds(60),
            leasedUntil: start + .seconds(120),
            expiresAt: start + .seconds(180)
        )
        var creation = changes(1, at: 0)
        creation.messages = [message]
        _ = try await store.commit(creation)
        var expected = [
            "id": ["00000000000000000000000000000006"], "kind": ["phoneCode"], "recipient": ["+15550001234"],
            "account": ["ann"], "created_at": [time("08:01:00")], "tries": ["1"], "due_at": [time("08:02:00")],
            "has_failed": ["0"],
        ]
        try await check("readable_messages", of: store, by: "id", "as it was queued", expected)

        _ = try await store.leaseMessages(at: start + .seconds(300), until: start + .seconds(600), limit: 1)
        (expected["tries"], expected["due_at"]) = (["2"], [time("08:10:00")])
        try await check("readable_messages", of: store, by: "id", "as it was leased", expected)

        try await store.endLease(of: message.id, tries: 2, dueAt: nil)
        (expected["due_at"], expected["has_failed"]) = (["-"], ["1"])
        try await check("readable_messages", of: store, by: "id", "as it was given up", expected)
    }

    func testATimeThatIsNotSetIsNull() async throws {
        let store = try await TestDatabase().open()
        var changes = changes(1, at: 0)
        changes.accounts = [.create(Account(id: "ann", createdAt: start))]
        let message = Store.OutboxEntry(
            id: Store.OperationID(bits: 6),
            kind: .phoneCode,
            recipient: .phone(try XCTUnwrap(PhoneNumber("+15550001234"))),
            record: OneTimeRecordID(bits: 1),
            account: nil,
            settings: nil,
            createdAt: start,
            leasedUntil: start,
            expiresAt: nil
        )
        changes.messages = [message]
        changes.sessions = [
            .put(
                Session(
                    id: SessionID(bits: 5),
                    account: "ann",
                    sessionGeneration: 0,
                    basis: .anonymous,
                    at: start,
                    device: nil,
                    origin: nil,
                    deviceName: nil
                )
            )
        ]
        _ = try await store.commit(changes)
        try await store.endLease(of: message.id, tries: 1, dueAt: nil)
        for (column, view) in [
            ("last_sign_in", "readable_accounts"), ("due_at", "readable_accounts"), ("expires_at", "readable_sessions"),
            ("due_at", "readable_messages"),
        ] {
            let values = try await store.column("SELECT coalesce(\(column), '-') FROM \(view)")
            XCTAssertEqual(values, ["-"], "\(column) of \(view)")
        }
    }

    func testTheReadableEventsAndAddressesHaveTheValuesOfTheRecord() async throws {
        let store = try await TestDatabase().open()
        let event = IdentityEvent(
            .signedIn,
            at: start + .seconds(60),
            account: "ann",
            actor: .system,
            reasons: []
        )
        let email = try XCTUnwrap(EmailAddress("ann@example.com"))
        var creation = changes(1, at: 0)
        creation.events = [event]
        creation.references = [("ann", Store.EmailReference.Strength.confirmed), ("ben", .identity)].map {
            Store.EmailReferenceChange(
                email: email,
                reference: Store.EmailReference(account: $0, createdAt: start, strength: $1),
                isReferenced: true
            )
        }
        _ = try await store.commit(creation)
        let record = try await store.column("SELECT record FROM events")
        try await check(
            "readable_events",
            of: store,
            by: "number",
            "as it was written",
            [
                "incarnation": ["0"], "number": ["1"], "at": [time("08:01:00")], "kind": ["signedIn"],
                "account": ["ann"],
                "record": record,
            ]
        )
        try await check(
            "readable_addresses",
            of: store,
            by: "account",
            "as it was referenced",
            [
                "email": ["ann@example.com", "ann@example.com"], "account": ["ann", "ben"],
                "strength": ["confirmed", "identity"],
            ]
        )
    }
}
#endif
