import AuthCore

/// Clauses that a store breaks which keeps copies, shortens numbers, or compares less than whole keys.
extension StoreClause {
    static let copies = [
        StoreClause("every name shows an account as it is", namesShowOneAccount),
        StoreClause("events are read back whole", eventsAreWhole),
        StoreClause("numbers are kept however large", numbersAreKept),
        StoreClause("what is zero or empty is not none", emptyIsKept),
        StoreClause("addresses and numbers that only look alike are two", contactsAreCompared),
        StoreClause("a record that is put where others are revoked stays", newRecordStays),
        StoreClause("a restored account has not signed in yet", restoredAccountsAreNew),
    ]

    /// The account as each lookup and each scan shows it.
    private static func views(
        of account: Account,
        by record: OneTimeRecordID,
        _ probe: StoreProbe
    ) async throws -> [(name: String, account: Account?)] {
        var views: [(name: String, account: Account?)] = [("its id", try await probe.account(account.id))]
        for key in account.ownedKeys(under: .address) {
            views.append(("the key \(key)", try await probe.load(.owner(key)).owner(of: key)))
        }
        for (email, _) in account.emailReferences(under: .address) {
            let found = try await probe.load(.referencing(email)).accounts(referencing: email)
            views.append(("a reference to \(email)", found.first))
        }
        views.append(("a record about it", try await probe.load(.record(record)).account(of: record)))
        views.append(("a page of accounts", try await probe.store.accounts(after: nil, limit: 10).first))
        let due = try await probe.store.accounts(dueBy: probe.later(60), after: nil, limit: 10)
        views.append(("a page of due accounts", due.first))
        return views
    }

    private static func namesShowOneAccount(_ probe: inout StoreProbe) async throws {
        var account = try StoreScene.person("ann", probe)
        let code = StoreScene.code(about: account.id, &probe)
        let first = account
        try await probe.commit("an account and a record about it") { transaction in
            transaction.insert(first)
            transaction.changes.records = [.put(code)]
        }
        for name in ["Ann", "Anna", "Anne"] {
            // Everything is read before each change, so that the store has something that it could keep.
            _ = try await views(of: account, by: code.key, probe)
            account.version += 1
            account.displayName = name
            account.dueAt = probe.later(30)
            let renamed = account
            try await probe.commit("a change of the account") {
                $0.changes.accounts = [.update(renamed, expected: renamed.version - 1)]
            }
            for view in try await views(of: account, by: code.key, probe) {
                probe.expect(view.account == account, "\(view.name) shows another version than the last")
            }
        }
    }

    private static func eventsAreWhole(_ probe: inout StoreProbe) async throws {
        let mail = try StoreScene.email("ann@example.com")
        let ann = try StoreScene.person("ann", probe)
        let actors: [IdentityEvent.Actor] = [
            .session(SessionID(bits: .max)), .mailbox(mail), .unauthenticated, .administrator, .system,
        ]
        let events = actors.map { actor in
            IdentityEvent(
                .methodsChanged,
                at: probe.later(0.123),
                account: ann.id,
                actor: actor,
                reasons: [.accountIsGone, .tokenIsNotOurs],
                evidence: [Evidence(.email(mail), .administrator, at: probe.later(-1))],
                before: [],
                after: ann.methods.map { SignInMethod.Summary($0) }
            )
        }
        try probe.requireLog(of: events.count)
        try await probe.commit("events") { $0.changes.events = events }
        let read = try await probe.store.events(after: .start, limit: 10).events.map { $0.placed(at: .start) }
        probe.expect(read.count, is: events.count, "how many events were read")
        for (read, written) in zip(read, events) {
            probe.expect(read == written, "an event by \(written.actor) was read back changed")
        }
    }

    private static func emptyIsKept(_ probe: inout StoreProbe) async throws {
        let claims: [String: ClaimValue] = [
            "https://claims.example/a.b": .integer(0), "$ref": .bool(false), "list": .array([]), "object": .object([:]),
            "text": "", "none": .null,
        ]
        var account = try StoreScene.bareAccount("ann", probe)
        account.customClaims = claims
        var session = StoreScene.session(of: account.id, &probe)
        session.basis = Session.Basis(kind: .password, provider: .password, generation: 0)
        session.claims = claims
        let (written, opened) = (account, session)
        let recovery = Store.EmailRecovery(
            restores: try StoreScene.email("ann@example.com"),
            replaced: nil,
            generation: 0,
            suspendsLaterMethods: true,
            recoveryCodes: []
        )
        let record = OneTimeRecord(
            key: OneTimeRecordID(bits: probe.draw()),
            account: account.id,
            createdAt: probe.now,
            expiresAt: nil,
            sessionGeneration: 0,
            content: .recoverEmail(recovery)
        )
        try await probe.commit("an account, a session and a record") { transaction in
            transaction.changes.accounts = [.create(written)]
            transaction.changes.sessions = [.put(opened)]
            transaction.changes.records = [.put(record)]
        }
        probe.expect(try await probe.account(account.id)?.customClaims, is: claims, "the claims of the account")
        let found = try await probe.session(session.id)
        probe.expect(found?.claims, is: claims, "the claims of the session")
        probe.expect(found?.basis, is: session.basis, "the method of the session, of generation 0")
        probe.expect(try await probe.record(record.key), is: record, "a record of generation 0, without codes")
    }

    private static func numbersAreKept(_ probe: inout StoreProbe) async throws {
        // What no 32 bits hold, and no floating-point number.
        var account = try StoreScene.bareAccount("ann", probe)
        account.version = (1 << 60) + 1
        var session = StoreScene.session(of: account.id, &probe)
        session.refreshCount = .max
        let (first, row) = (account, session)
        try await probe.commit("an account of a high version") { transaction in
            transaction.changes.accounts = [.create(first)]
            transaction.changes.sessions = [.put(row)]
        }
        probe.expect(try await probe.account(first.id)?.version, is: first.version, "the version of an account")
        probe.expect(try await probe.session(row.id), is: row, "a session of many exchanges")
        account.version += 1
        let next = account
        for near in [first.version - 1, 1, 0] {
            var late = next
            late.version = near + 1
            let update = Store.AccountWrite.update(late, expected: near)
            try await probe.refuse("an update that saw version \(near)", .version(first.id)) {
                $0.changes.accounts = [update]
            }
        }
        try await probe.commit("an update that saw the version") {
            $0.changes.accounts = [.update(next, expected: first.version)]
        }
        probe.expect(try await probe.account(first.id)?.version, is: next.version, "the version after an update")
    }

    private static func longAddress(_ end: String) -> String {
        let label = String(repeating: "d", count: 60)
        return String(repeating: "n", count: 64) + "@\(label).\(label).\(label).e\(end)"
    }

    private static func contactsAreCompared(_ probe: inout StoreProbe) async throws {
        let mails = try [
            "ann@example.com", "a.nn@example.com", "ann+1@example.com", "an_@example.com", "an%@example.com",
            "nn@example.com", "ann@example.co", "ann@xexample.com", "ann@sub.example.com",
            // One mailbox, which a rule of keys may join, and a store may not.
            "ann@gmail.com", "ann@googlemail.com",
            // As long as an address may be, and different in their last letters.
            longAddress("x"), longAddress("y"),
        ].map(StoreScene.email)
        let numbers = ["+15550001234", "+25550001234", "+155500012341", "+1555000123", "+445550001234"]
            .compactMap { PhoneNumber($0) }
        let keys = mails.map { UniqueKey.primaryEmail($0) } + numbers.map { UniqueKey.phone($0) }
        for (index, key) in keys.enumerated() {
            let account = try StoreScene.bareAccount("spelling\(index)", probe)
            try await probe.commit("the key \(key)") { transaction in
                transaction.insert(account)
                transaction.changes.keys.append(KeyChange(key, from: nil, to: account.id))
                guard case .primaryEmail(let mail) = key else { return }
                transaction.changes.references.append(StoreScene.reference(to: mail, by: account))
            }
        }
        for (index, key) in keys.enumerated() {
            let id = try StoreScene.id("spelling\(index)")
            probe.expect(try await probe.owner(of: key), is: id, "the owner of \(key)")
            guard case .primaryEmail(let mail) = key else { continue }
            probe.expect(try await probe.referencing(of: mail), is: [id], "who references \(mail)")
        }
    }

    private static func newRecordStays(_ probe: inout StoreProbe) async throws {
        let ann = try await StoreScene.stage(in: &probe).ann.id
        let mail = try StoreScene.email("ann@example.com")
        let old = StoreScene.code(about: ann, &probe, content: .resetPassword(mail))
        let new = StoreScene.code(about: ann, &probe, content: .resetPassword(mail))
        try await probe.commit("a record") { $0.changes.records = [.put(old)] }
        try await probe.commit("revoking all of a purpose, and a new one of it") {
            $0.changes.records = [.revokeAll(ann, [.resetPassword]), .put(new)]
        }
        probe.expect(try await probe.record(old.key), is: nil, "the record that was revoked")
        probe.expect(try await probe.record(new.key), is: new, "the record that was put after it")
    }

    private static func restoredAccountsAreNew(_ probe: inout StoreProbe) async throws {
        let ann = try await StoreScene.stage(in: &probe).ann
        try await probe.commit("a removal") { $0.remove(ann) }
        let again = try StoreScene.person("ann", probe)
        try await probe.commit("an account under the same ID") { $0.insert(again) }
        probe.expect(try await probe.lastSignIn(of: again.id), is: nil, "the last sign-in of an account made again")
        probe.expect(try await probe.sessions(of: again.id), is: [], "the sessions of an account made again")
    }
}
