import AuthCore
import XCTest

/// The readable views of a store, each of whose columns must say the value of the record, when it is made and when it
/// changes.
protocol ReadableViews {
    associatedtype Database: IdentityStore

    var store: Database { get }

    /// A time of the day on which everything happens, as the database writes it.
    func time(_ clock: String) -> String

    /// Whether something is so, as the database writes it.
    func truth(_ value: Bool) -> String

    /// An ID that is a digit, as the database writes it.
    func id(_ digit: Int) -> String

    /// Each column of a view, row by row in an order; a hyphen stands for null.
    func columns(of view: String, by order: String) async throws -> [String: [String]]

    /// The columns of the only event of which only the database itself knows what they must say.
    func ownColumnsOfTheEvent() async throws -> [String: [String]]
}

extension ReadableViews {
    /// 8 o'clock in the morning.
    private var start: Timestamp { Timestamp(seconds: 1_800_000_000) }

    private func check(
        _ view: String,
        by order: String,
        _ what: String,
        _ expected: [String: [String]],
        file: StaticString = #filePath,
        line: UInt = #line
    ) async throws {
        let found = try await columns(of: view, by: order)
        XCTAssertEqual(found.keys.sorted(), expected.keys.sorted(), "the columns of \(view)", file: file, line: line)
        for (column, values) in expected {
            XCTAssertEqual(found[column], values, "\(column) of \(view), \(what)", file: file, line: line)
        }
    }

    /// Commits one more change, so many seconds after 8 o'clock.
    private func commit(
        _ number: UInt128,
        at seconds: Int,
        _ change: (inout Store.ChangeSet) throws -> Void
    ) async throws {
        var changes = Store.ChangeSet(operation: Store.OperationID(bits: number), at: start + .seconds(seconds))
        try change(&changes)
        _ = try await store.commit(changes)
    }

    // MARK: Accounts and methods

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

    func checkAccountsAndMethods() async throws {
        var account = try person()
        try await commit(1, at: 3600) { changes in
            changes.accounts = [.create(account)]
            changes.signIns = [Store.SignInRecord(account: "ann", at: start + .seconds(120))]
        }
        try await check(
            "readable_accounts",
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
            "added_at": [time("08:00:30"), time("08:01:00"), time("08:01:30")],
            "is_suspended": [false, false, true].map(truth),
        ]
        try await check("readable_methods", by: "added_at", "as they were added", methods)

        account.version = 1
        account.email = EmailAddress("ann@new.example")
        account.displayName = "Ann Baker"
        account.dueAt = start + .seconds(4 * 3600)
        account.isDisabled = true
        account.methods[0].kind = .phone(try XCTUnwrap(PhoneNumber("+15550005678")))
        // Of the second method, nothing else changes.
        account.methods[1].suspension = account.methods[2].suspension
        account.methods[2].suspension = nil
        try await commit(2, at: 7200) { changes in
            changes.accounts = [.update(account, expected: 0)]
            changes.signIns = [Store.SignInRecord(account: "ann", at: start + .seconds(180))]
        }
        try await check(
            "readable_accounts",
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
        methods["is_suspended"] = [false, true, false].map(truth)
        try await check("readable_methods", by: "added_at", "as they were changed", methods)
    }

    // MARK: Sessions

    private func session(
        _ basis: Session.Basis = .anonymous,
        deviceName: String? = nil
    ) -> Session {
        Session(
            id: SessionID(bits: 5),
            account: "ann",
            sessionGeneration: 0,
            basis: basis,
            at: start,
            device: nil,
            origin: nil,
            deviceName: deviceName
        )
    }

    func checkSessions() async throws {
        var session = session(.init(kind: .emailLink, provider: .password, generation: 0), deviceName: "tablet")
        (session.activeAt, session.expiresAt) = (start + .seconds(60), start + .seconds(3600))
        try await commit(1, at: 1800) { $0.sessions = [.put(session)] }
        var expected = [
            "id": [id(5)], "account": ["ann"], "method": ["emailLink"], "provider": ["password"],
            "device_name": ["tablet"], "created_at": [time("08:00:00")], "active_at": [time("08:01:00")],
            "expires_at": [time("09:00:00")],
        ]
        try await check("readable_sessions", by: "id", "as it began", expected)

        session.basis = .init(kind: .federated, provider: .gitHub, generation: 1)
        (session.activeAt, session.expiresAt) = (start + .seconds(120), start + .seconds(7200))
        try await commit(2, at: 1900) { $0.sessions = [.update(session, refreshCount: 0)] }
        (expected["method"], expected["provider"]) = (["federated"], ["github.com"])
        (expected["active_at"], expected["expires_at"]) = ([time("08:02:00")], [time("10:00:00")])
        try await check("readable_sessions", by: "id", "as it was changed", expected)

        session.expiresAt = nil
        try await commit(3, at: 2000) { $0.sessions = [.update(session, refreshCount: 0)] }
        expected["expires_at"] = ["-"]
        try await check("readable_sessions", by: "id", "as it has no end any more", expected)
    }

    // MARK: Messages

    private func message(
        to account: AccountID?,
        at createdAt: Timestamp,
        until leasedUntil: Timestamp,
        expiresAt: Timestamp?
    ) throws -> Store.OutboxEntry {
        Store.OutboxEntry(
            id: Store.OperationID(bits: 6),
            kind: .phoneCode,
            recipient: .phone(try XCTUnwrap(PhoneNumber("+15550001234"))),
            record: OneTimeRecordID(bits: 1),
            account: account,
            settings: nil,
            createdAt: createdAt,
            leasedUntil: leasedUntil,
            expiresAt: expiresAt
        )
    }

    func checkMessages() async throws {
        let message = try message(
            to: "ann",
            at: start + .seconds(60),
            until: start + .seconds(120),
            expiresAt: start + .seconds(180)
        )
        try await commit(1, at: 0) { $0.messages = [message] }
        var expected = [
            "id": [id(6)], "kind": ["phoneCode"], "recipient": ["+15550001234"], "account": ["ann"],
            "created_at": [time("08:01:00")], "tries": ["1"], "due_at": [time("08:02:00")],
            "has_failed": [truth(false)],
        ]
        try await check("readable_messages", by: "id", "as it was queued", expected)

        _ = try await store.leaseMessages(at: start + .seconds(300), until: start + .seconds(600), limit: 1)
        (expected["tries"], expected["due_at"]) = (["2"], [time("08:10:00")])
        try await check("readable_messages", by: "id", "as it was leased", expected)

        try await store.endLease(of: message.id, tries: 2, dueAt: nil)
        (expected["due_at"], expected["has_failed"]) = (["-"], [truth(true)])
        try await check("readable_messages", by: "id", "as it was given up", expected)
    }

    // MARK: Times that are not set

    func checkTimesThatAreNotSet() async throws {
        let message = try message(to: nil, at: start, until: start, expiresAt: nil)
        try await commit(1, at: 0) { changes in
            changes.accounts = [.create(Account(id: "ann", createdAt: start))]
            changes.messages = [message]
            changes.sessions = [.put(session())]
        }
        try await store.endLease(of: message.id, tries: 1, dueAt: nil)
        for (column, view) in [
            ("last_sign_in", "readable_accounts"), ("due_at", "readable_accounts"), ("expires_at", "readable_sessions"),
            ("due_at", "readable_messages"),
        ] {
            let columns = try await columns(of: view, by: "id")
            XCTAssertEqual(columns[column], ["-"], "\(column) of \(view)")
        }
    }

    // MARK: Events and addresses

    func checkEventsAndAddresses() async throws {
        let email = try XCTUnwrap(EmailAddress("ann@example.com"))
        try await commit(1, at: 0) { changes in
            changes.events = [
                IdentityEvent(.signedIn, at: start + .seconds(60), account: "ann", actor: .system, reasons: [])
            ]
            changes.references = [("ann", Store.EmailReference.Strength.confirmed), ("ben", .identity)].map {
                Store.EmailReferenceChange(
                    email: email,
                    reference: Store.EmailReference(account: $0, createdAt: start, strength: $1),
                    isReferenced: true
                )
            }
        }
        let event = [
            "incarnation": ["0"], "number": ["1"], "at": [time("08:01:00")], "kind": ["signedIn"], "account": ["ann"],
        ]
        let own = try await ownColumnsOfTheEvent()
        try await check("readable_events", by: "number", "as it was written", event.merging(own) { value, _ in value })
        try await check(
            "readable_addresses",
            by: "account",
            "as it was referenced",
            [
                "email": ["ann@example.com", "ann@example.com"], "account": ["ann", "ben"],
                "strength": ["confirmed", "identity"],
            ]
        )
    }
}
