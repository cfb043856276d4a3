import AuthCore

/// Clauses that a store breaks which takes the first or the greatest value for none, or treats a list as a set.
extension StoreClause {
    static let extremes = [
        StoreClause("the greatest limit is a limit", greatestLimits),
        StoreClause("a limit below one asks for nothing", limitsBelowOne),
        StoreClause("the first moment of 1970 is a time", firstMomentOf1970),
        StoreClause("a list keeps what it contains twice, and its order", listsAreNoSets),
        StoreClause("identities that differ after thousands of bytes are two", longIdentitiesAreCompared),
        StoreClause("a change that writes nothing is checked", emptyChangesAreChecked),
    ]

    /// Writes a row of each kind that has pages, each of them due or expired now.
    private static func writeOneOfEach(_ probe: inout StoreProbe) async throws {
        var due = try StoreScene.bareAccount("ann", probe)
        due.dueAt = probe.now
        let account = due
        let message = try StoreScene.message(&probe, leasedFor: 0)
        let code = StoreScene.code(about: nil, &probe, lasting: 0)
        try probe.requireLog(of: 1)
        try await probe.commit("an account, a message, a record and an event") { transaction in
            transaction.event(.accountCreated, account.id, by: .system)
            transaction.changes.accounts = [.create(account)]
            transaction.changes.messages = [message]
            transaction.changes.records = [.put(code)]
        }
    }

    private static func limitsBelowOne(_ probe: inout StoreProbe) async throws {
        try await writeOneOfEach(&probe)
        let (store, now, end) = (probe.store, probe.now, probe.later(60))
        for limit in [0, -1, .min] {
            let pages = [
                "accounts": try await store.accounts(after: nil, limit: limit).count,
                "due accounts": try await store.accounts(dueBy: now, after: nil, limit: limit).count,
                "messages": try await store.messages(.waiting, after: nil, limit: limit).count,
                "leased messages": try await store.leaseMessages(at: now, until: end, limit: limit).count,
                "events": try await store.events(after: .start, limit: limit).events.count,
                "swept rows": try await store.sweep(at: now, limit: limit).records,
            ]
            for (what, count) in pages.sorted(by: { $0.key < $1.key }) {
                probe.expect(count, is: 0, "how many \(what) a limit of \(limit) gives")
            }
        }
    }

    private static func greatestLimits(_ probe: inout StoreProbe) async throws {
        try await writeOneOfEach(&probe)
        let (store, now, end) = (probe.store, probe.now, probe.later(60))
        probe.expect(try await store.accounts(after: nil, limit: .max).count, is: 1, "how many accounts a page has")
        let dueAccounts = try await store.accounts(dueBy: now, after: nil, limit: .max)
        probe.expect(dueAccounts.count, is: 1, "how many accounts a page of due ones has")
        let listed = try await store.messages(.waiting, after: nil, limit: .max)
        probe.expect(listed.count, is: 1, "how many messages are listed")
        let leased = try await store.leaseMessages(at: now, until: end, limit: .max)
        probe.expect(leased.count, is: 1, "how many messages are leased")
        let log = try await store.events(after: .start, limit: .max).events
        probe.expect(log.count, is: 1, "how many events a page has")
        let none = try await store.sweep(at: now, limit: 0)
        probe.expect(none.isComplete, is: false, "whether a sweep of nothing is complete while a record has expired")
        let all = try await store.sweep(at: now, limit: .max)
        probe.expect(all, is: Store.SweepReport(records: 1, sessions: 0, isComplete: true), "a sweep without a limit")
    }

    private static func firstMomentOf1970(_ probe: inout StoreProbe) async throws {
        let first = Timestamp(milliseconds: 0)
        var due = try StoreScene.bareAccount("ann", probe)
        due.dueAt = first
        let account = due
        let code = OneTimeRecord(
            key: OneTimeRecordID(bits: probe.draw()),
            account: account.id,
            createdAt: first,
            expiresAt: first,
            content: .usedAssertion
        )
        var session = StoreScene.session(of: account.id, &probe)
        session.expiresAt = first
        let expired = session
        let message = try StoreScene.message(&probe)
        try await probe.commit("an account, a record, a session and a message") { transaction in
            transaction.changes.accounts = [.create(account)]
            transaction.changes.records = [.put(code)]
            transaction.changes.sessions = [.put(expired)]
            transaction.changes.messages = [message]
            transaction.changes.signIns = [Store.SignInRecord(account: account.id, at: first)]
        }
        probe.expect(try await probe.account(account.id), is: account, "an account that is due then")
        probe.expect(try await probe.record(code.key), is: code, "a record that expires then")
        probe.expect(try await probe.session(expired.id), is: expired, "a session that expires then")
        probe.expect(try await probe.lastSignIn(of: account.id), is: first, "a sign-in then")
        let dueAccounts = try await probe.store.accounts(dueBy: first, after: nil, limit: 5)
        probe.expect(dueAccounts, is: [account], "the accounts that are due then")
        try await probe.store.endLease(of: message.id, tries: 1, dueAt: first)
        let leased = try await probe.store.leaseMessages(at: first, until: probe.now, limit: 5)
        probe.expect(leased.map(\.entry), is: [message], "the messages that are due then")
        let swept = try await probe.store.sweep(at: first, limit: 5)
        probe.expect(swept, is: Store.SweepReport(records: 1, sessions: 1, isComplete: true), "a sweep then")
    }

    private static func listsAreNoSets(_ probe: inout StoreProbe) async throws {
        let (first, second) = (DeviceKey(bits: 7), DeviceKey(bits: 6))
        let id = try StoreScene.id("ann")
        var ann = Account(id: id, createdAt: probe.now, knownDevices: [first, second, first])
        ann.blockedIssuers = ["b", "a", "b"].map { ExactText($0) }
        ann.reservations = [
            Account.Reservation(email: try StoreScene.email("b@example.com"), until: probe.later(9)),
            Account.Reservation(email: try StoreScene.email("a@example.com"), until: probe.later(2)),
        ]
        ann.recoveryCodes = [[2], [1], [2]].map { SecondFactor.RecoveryCode(hash: $0) }
        let account = ann
        var session = StoreScene.session(of: id, &probe)
        session.used = [.anonymous, .anonymous]
        let used = session
        let reasons: [Reason] = [.tokenIsNotOurs, .accountIsGone, .tokenIsNotOurs]
        let event = IdentityEvent(.profileChanged, at: probe.now, account: id, actor: .system, reasons: reasons)
        try probe.requireLog(of: 1)
        try await probe.commit("an account, a session and an event") { transaction in
            transaction.changes.accounts = [.create(account)]
            transaction.changes.sessions = [.put(used)]
            transaction.changes.events = [event]
        }
        probe.expect(try await probe.account(id) == account, "a list of an account was read back changed")
        probe.expect(try await probe.session(used.id)?.used, is: used.used, "the methods that a session used")
        let read = try await probe.store.events(after: .start, limit: 5).events
        probe.expect(read.map(\.reasons), is: [reasons], "the reasons of an event")
    }

    /// No index of a database compares so many bytes.
    private static func longIdentitiesAreCompared(_ probe: inout StoreProbe) async throws {
        let owners = try ["ann", "ben"].map { try StoreScene.bareAccount($0, probe) }
        try await probe.commit("two accounts") { $0.changes.accounts = owners.map { .create($0) } }
        for length in [2500, 10_000, 70_000] {
            let start = String(repeating: "k", count: length)
            for isIssuer in [true, false] {
                let keys = ["1", "2"].map { end -> UniqueKey in
                    .identity(
                        isIssuer
                            ? Identity.Key(issuer: start + end, subject: "subject")
                            : StoreScene.identity(start + end)
                    )
                }
                try await probe.commit("two identities that differ after \(length) bytes") {
                    $0.changes.keys = zip(keys, owners).map { KeyChange($0, from: nil, to: $1.id) }
                }
                let seen = try await probe.store.load(Lookups(keys.map { .owner($0) }))
                for (key, owner) in zip(keys, owners) {
                    let found = seen.owner(of: key)?.id
                    probe.expect(found, is: owner.id, "the owner of an identity of \(length) bytes")
                }
            }
        }
    }

    private static func emptyChangesAreChecked(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let mail = try StoreScene.email("ann@example.com")
        let key = UniqueKey.primaryEmail(mail)
        try await probe.refuse("a change that only read an account", .version(scene.ann.id)) {
            $0.changes.reads = [Store.AccountRead(id: scene.ann.id, version: scene.ann.version + 1)]
        }
        try await probe.refuse("a change that only read a list of references", .references(mail)) {
            $0.changes.referenceReads = [Store.EmailReferenceRead(email: mail, version: .max)]
        }
        try await probe.refuse("a change that only expects an owner", .owner(key)) {
            $0.changes.keys = [KeyChange(key, from: scene.ben.id, to: scene.ben.id)]
        }
        try await probe.commit("a change that only has a rule") { $0.changes.keyRule = .address }
        try await probe.refuse("a change that only has another rule", .keyRule(.address)) {
            $0.changes.keyRule = .mailbox
        }
    }
}
