import AuthCore

extension StoreClause {
    static let reading = [
        StoreClause("what was committed is read back whole", readsBackWhole),
        StoreClause("everything is found by every name", findsByEveryName),
        StoreClause("what is not there is not found", findsNothingElse),
        StoreClause("a snapshot shows one moment", showsOneMoment),
        StoreClause("lists are whole, however long", listsAreWhole),
        StoreClause("times are kept to the millisecond", timesAreKept),
        StoreClause("times are kept and compared however far away", distantTimesAreKept),
        StoreClause("what is written in an order is read in that order", orderIsKept),
    ]

    private static func readsBackWhole(_ probe: inout StoreProbe) async throws {
        var ann = try StoreScene.person("ann", probe)
        ann.customClaims = ["level": 3, "share": 0.5, "list": [true, .null]]
        ann.displayName = "Ann \u{301} \u{0}"
        ann.note(.email(try StoreScene.email("ann@example.com")), .administrator, at: probe.now)
        let recovery = try OneTimeRecord.Content.changeEmail(
            from: StoreScene.email("ann@example.com"),
            to: StoreScene.email("new@example.com")
        )
        let code = StoreScene.code(about: ann.id, &probe, content: recovery, lasting: 3600)
        var session = StoreScene.session(of: ann.id, &probe, lasting: 3600)
        session.refreshHash = [0, 255]
        session.claims = ["role": "guest"]
        try await probe.commit("everything about Ann") { transaction in
            transaction.insert(ann)
            transaction.changes.records.append(.put(code))
            transaction.changes.sessions.append(.put(session))
        }
        probe.expect(try await probe.account(ann.id) == ann, "the account was read back changed")
        probe.expect(try await probe.record(code.key) == code, "the one-time record was read back changed")
        probe.expect(try await probe.session(session.id) == session, "the session was read back changed")
        var renamed = ann
        renamed.displayName = nil
        try await probe.commit("a new value") { $0.replace(ann, with: &renamed) }
        probe.expect(try await probe.account(ann.id) == renamed, "the account's new value was read back changed")
        session.refreshHash = nil
        try await probe.commit("a new row") {
            $0.changes.sessions.append(.update(session, refreshCount: session.refreshCount))
        }
        probe.expect(try await probe.session(session.id) == session, "the session's new value was read back changed")
    }

    private static func findsByEveryName(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let ann = scene.ann.id
        let ben = scene.ben.id
        let (mail, number) = (try StoreScene.email("ann@example.com"), try StoreScene.number(of: "ann"))
        let other = StoreScene.code(about: ben, &probe)
        try await probe.commit("a code about Ben") { $0.changes.records.append(.put(other)) }
        let (byID, byKey) = (Lookup.Reference.account(ann), Lookup.Reference.owner(.phone(number)))
        let identities = ["ben", "stranger", "ann"].map { UniqueKey.identity(StoreScene.identity($0)) }
        var lookups: Lookups = [
            .session(scene.session.id), .account(ben), .account(ann), .owner(.phone(number)),
            .owner(.primaryEmail(mail)), .referencing(mail), .record(other.key), .record(scene.code.key),
            .sessions(of: byID), .sessions(of: byKey), .records(of: byKey, .usedAssertion),
        ]
        for key in identities { lookups.insert(.owner(key)) }
        let seen = try await probe.store.load(lookups)
        probe.expect(seen.session(scene.session.id)?.id, is: scene.session.id, "the session")
        probe.expect(try await probe.account(ben), is: scene.ben, "an account")
        probe.expect(seen[ann], is: scene.ann, "an account among others")
        probe.expect(identities.map { seen.owner(of: $0)?.id }, is: [ben, nil, ann], "the owners of identities")
        probe.expect(seen.owner(of: .phone(number))?.id, is: ann, "the number's owner")
        probe.expect(seen.owner(of: .primaryEmail(mail))?.id, is: ann, "the address's owner")
        probe.expect(seen.accounts(referencing: mail).map(\.id), is: [ann], "the accounts that reference the address")
        probe.expect(seen.record(other.key)?.key, is: other.key, "a record")
        probe.expect(seen.record(scene.code.key)?.key, is: scene.code.key, "another record")
        probe.expect(seen.account(of: other.key)?.id, is: ben, "the record's account")
        probe.expect(seen.account(of: scene.code.key)?.id, is: ann, "the other record's account")
        probe.expect(seen.sessions(of: byID).map(\.id), is: [scene.session.id], "the account's sessions")
        probe.expect(seen.sessions(of: byKey).map(\.id), is: [scene.session.id], "the sessions of a key's owner")
        let records = seen.records(of: byKey, .usedAssertion)
        probe.expect(records.map(\.key), is: [scene.code.key], "the records of a key's owner")
        probe.expect(seen.lastSignIn(of: ann), is: probe.now, "the last sign-in")
        probe.expect(seen.lastSignIn(of: ben), is: nil, "the last sign-in of an account without one")
    }

    private static func findsNothingElse(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let id = try StoreScene.id("stranger")
        let mail = try StoreScene.email("stranger@example.com")
        let (key, session) = (OneTimeRecordID(bits: probe.draw()), SessionID(bits: probe.draw()))
        let keys: [UniqueKey] = [
            .identity(StoreScene.identity("stranger")), .phone(try StoreScene.number(of: "stranger")),
            .primaryEmail(mail),
        ]
        var lookups: Lookups = [
            .session(session), .account(id), .referencing(mail), .record(key), .sessions(of: .account(scene.ben.id)),
            .sessions(of: .account(id)), .records(of: .account(id), .usedAssertion),
        ]
        for key in keys {
            lookups.insert(.owner(key))
            lookups.insert(.records(of: .owner(key), .usedAssertion))
        }
        let seen = try await probe.store.load(lookups)
        probe.expect(seen.accounts.isEmpty, "an account was found by a key that no account has")
        probe.expect(seen.session(session) == nil, "a session was found that does not exist")
        for account in [id, scene.ben.id] {
            probe.expect(seen.sessions(of: .account(account)).isEmpty, "an unknown account has sessions")
        }
        let records = keys.flatMap { seen.records(of: .owner($0), .usedAssertion) }
        probe.expect(
            seen.record(key) == nil && seen.tombstone(of: id) == nil && records.isEmpty
                && seen.records(of: .account(id), .usedAssertion).isEmpty,
            "a one-time record was found that does not exist"
        )
        probe.expect(try await probe.store.load([]).asked.isEmpty, "lookups that match nothing found something")
    }

    private static func showsOneMoment(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        var changes: [ChangeSet] = []
        var current = scene.ann
        for round in 0..<200 {
            var next = current
            next.displayName = "\(round)"
            var transaction = probe.transaction()
            transaction.replace(current, with: &next)
            changes.append(transaction.changes)
            current = next
        }
        let (store, rounds) = (probe.store, changes)
        let key = UniqueKey.identity(StoreScene.identity("ann"))
        let lookups: Lookups = [.account(scene.ann.id), .owner(key)]
        // In the order of the lookups: each answer is the account that its own lookup found.
        let accounts = { (seen: Snapshot) in seen.accounts }
        var seen = accounts(try await store.load(lookups))
        async let written: Void = {
            for change in rounds {
                _ = try await store.commit(change)
                await Task.yield()
            }
        }()
        // Reads until the last version appears, so that the reads happen during all the writing.
        for _ in 0..<20_000 {
            if seen.first?.version == current.version { break }
            await Task.yield()
            seen = accounts(try await store.load(lookups))
            guard seen.count == 2, seen.first == seen.last else {
                probe.report("one snapshot shows two versions of an account")
                break
            }
        }
        try await written
    }

    private static func listsAreWhole(_ probe: inout StoreProbe) async throws {
        try probe.requireLog(of: 301)
        let scene = try await StoreScene.stage(in: &probe)
        let reference = Lookup.Reference.account(scene.ben.id)
        // More than a thousand: many databases and drivers end a list there.
        let count = 1050
        let sessions = (0..<count).map { _ in StoreScene.session(of: scene.ben.id, &probe) }
        let codes = (0..<count).map { _ in StoreScene.code(about: scene.ben.id, &probe) }
        let others = try (0..<count).map { try StoreScene.bareAccount("other\($0)", probe) }
        let messages = try (0..<count).map { _ in try StoreScene.message(&probe) }
        try await probe.commit("many rows") { transaction in
            transaction.changes.sessions = sessions.map { .put($0) }
            transaction.changes.records = codes.map { .put($0) }
            transaction.changes.accounts = others.map { .create($0) }
            transaction.changes.messages = messages
            for account in others.prefix(300) { transaction.event(.accountCreated, account.id, by: .system) }
        }
        let lookups =
            [.sessions(of: reference), .records(of: reference, .usedAssertion)] + others.map { Lookup.account($0.id) }
        let seen = try await probe.store.load(Lookups(distinct: lookups))
        probe.expect(seen.sessions(of: reference).count, is: count, "how many sessions are found")
        probe.expect(seen.records(of: reference, .usedAssertion).count, is: count, "how many records are found")
        probe.expect(seen.accounts.count, is: count, "how many of many accounts one load finds")
        probe.expect(seen.accounts.map(\.id) == others.map(\.id), "one load of many accounts finds others")
        let events = try await probe.store.events(after: .start, limit: 1000).events
        probe.expect(events.count, is: 301, "how many events one page has")
        var paged: [AccountID] = []
        while paged.count < 2 * count {
            let page = try await probe.store.accounts(after: paged.last, limit: 70)
            if page.isEmpty { break }
            paged += page.map(\.id)
        }
        probe.expect(paged.count, is: count + 2, "how many accounts are found page by page")
        let page = try await probe.store.accounts(after: nil, limit: 2 * count)
        probe.expect(page.count, is: count + 2, "how many accounts one page has")
        let waiting = try await probe.store.messages(.waiting, after: nil, limit: 2 * count)
        probe.expect(waiting.count, is: count, "how many messages one page has")
        if let reopen = probe.subject.reopen {
            probe.store = try await reopen()
            try await expectMany(count, of: reference, &probe)
        }
        try await probe.store.settleMessages(messages.map(\.id))
        let left = try await probe.store.messages(.waiting, after: nil, limit: 2 * count)
        probe.expect(left.count, is: 0, "how many messages are left when all were settled at once")
    }

    /// As many rows of each kind as before the store was opened again.
    private static func expectMany(
        _ count: Int,
        of reference: Lookup.Reference,
        _ probe: inout StoreProbe
    ) async throws {
        let store = probe.store
        let seen = try await store.load([.sessions(of: reference), .records(of: reference, .usedAssertion)])
        probe.expect(seen.sessions(of: reference).count, is: count, "how many sessions a restart leaves")
        probe.expect(seen.records(of: reference, .usedAssertion).count, is: count, "how many records a restart leaves")
        let events = try await store.events(after: .start, limit: 1000).events
        probe.expect(events.count, is: 301, "how many events a restart leaves")
        let page = try await store.accounts(after: nil, limit: 2 * count)
        probe.expect(page.count, is: count + 2, "how many accounts a restart leaves")
        let waiting = try await store.messages(.waiting, after: nil, limit: 2 * count)
        probe.expect(waiting.count, is: count, "how many messages a restart leaves")
    }

    private static func timesAreKept(_ probe: inout StoreProbe) async throws {
        let odd = probe.later(0.123)
        var ann = Account(id: try StoreScene.id("ann"), createdAt: odd)
        ann.dueAt = probe.later(7.007)
        let account = ann
        let code = StoreScene.code(about: account.id, &probe, lasting: 0.456)
        let session = StoreScene.session(of: account.id, &probe, lasting: 0.789)
        try await probe.commit("odd times") { transaction in
            transaction.changes.accounts = [.create(account)]
            transaction.changes.records = [.put(code)]
            transaction.changes.sessions = [.put(session)]
            transaction.changes.signIns = [Store.SignInRecord(account: account.id, at: odd)]
        }
        probe.expect(try await probe.account(account.id), is: account, "an account with odd times")
        probe.expect(try await probe.lastSignIn(of: account.id), is: odd, "the last sign-in")
        probe.expect(try await probe.record(code.key)?.expiresAt, is: code.expiresAt, "when the record expires")
        probe.expect(try await probe.session(session.id)?.expiresAt, is: session.expiresAt, "when the session expires")
        let early = try await probe.store.sweep(at: probe.later(0.455), limit: 10)
        probe.expect(early.removed, is: 0, "how much was swept a millisecond too early")
        let late = try await probe.store.sweep(at: probe.later(0.456), limit: 10)
        probe.expect(late.records, is: 1, "how many records were swept in time")
    }

    private static func distantTimesAreKept(_ probe: inout StoreProbe) async throws {
        // The limits, a time before 1970, two that 32 bits of seconds do not hold, and one in a year of five digits.
        let times: [Timestamp] = [
            .distantPast, Timestamp(milliseconds: -1), Timestamp(seconds: 1 << 31), Timestamp(seconds: 1 << 32),
            Timestamp(seconds: 253_402_300_800), .distantFuture,
        ]
        try probe.requireLog(of: times.count)
        let (samples, number) = (try StoreSamples(), try StoreScene.number(of: "ann"))
        var messages: [OutboxEntry] = []
        for (place, time) in times.enumerated() {
            var account = Account(id: try StoreScene.id("account\(place)"), createdAt: time)
            account.dueAt = time
            var session = samples.bareSession(of: account.id, SessionID(bits: probe.draw()), at: time)
            session.expiresAt = time
            let key = OneTimeRecordID(bits: probe.draw())
            let record = OneTimeRecord(
                key: key,
                account: account.id,
                createdAt: time,
                expiresAt: time,
                content: .usedAssertion
            )
            let message = OutboxEntry(
                id: OperationID(bits: probe.draw()),
                kind: .phoneCode,
                recipient: .phone(number),
                record: key,
                account: account.id,
                settings: nil,
                createdAt: time,
                leasedUntil: time,
                expiresAt: time
            )
            messages.append(message)
            let (new, row) = (account, session)
            let event = IdentityEvent(.signedIn, at: time, account: new.id, actor: .system, reasons: [])
            try await probe.commit("everything at \(time)") { transaction in
                transaction.changes.accounts = [.create(new)]
                transaction.changes.sessions = [.put(row)]
                transaction.changes.records = [.put(record)]
                transaction.changes.signIns = [Store.SignInRecord(account: new.id, at: time)]
                transaction.changes.events = [event]
                transaction.changes.messages = [message]
            }
            probe.expect(try await probe.account(new.id), is: new, "an account of \(time)")
            probe.expect(try await probe.lastSignIn(of: new.id), is: time, "a sign-in at \(time)")
            probe.expect(try await probe.session(row.id), is: row, "a session of \(time)")
            probe.expect(try await probe.record(key), is: record, "a record of \(time)")
        }
        switch probe.store.retention.events {
        case .lasting:
            // It need not keep what is older.
            break
        case .all, .newest:
            let events = try await probe.store.events(after: .start, limit: 10).events
            probe.expect(events.map(\.at), is: times, "the times of events")
        }
        let due = try await probe.store.accounts(dueBy: .distantFuture, after: nil, limit: 10)
        probe.expect(due.map(\.dueAt), is: times, "the times at which accounts are due, in their order")
        for (place, time) in times.enumerated() {
            let found = try await probe.store.accounts(dueBy: time, after: nil, limit: 10)
            probe.expect(found.map(\.dueAt), is: times[...place].map { $0 }, "when the accounts are due, by \(time)")
        }
        let leased = try await probe.store.leaseMessages(at: .distantFuture, until: .distantFuture, limit: 10)
        probe.expect(leased.map(\.entry), is: messages, "messages in the order in which they are due")
        for time in times {
            let report = try await probe.store.sweep(at: time, limit: 10)
            probe.expect(report.records, is: 1, "how many records expire at \(time)")
            probe.expect(report.sessions, is: 1, "how many sessions expire at \(time)")
        }
    }

    private static func orderIsKept(_ probe: inout StoreProbe) async throws {
        var account = try StoreScene.bareAccount("ann", probe)
        for number in 0..<20 {
            _ = account.add(
                .federated(Identity(key: StoreScene.identity("\(97 * number % 20)"), provider: "oidc.example")),
                at: probe.now
            )
        }
        let ann = account
        let kinds: [IdentityEvent.Kind] = [.signedOut, .accountCreated, .signedIn, .profileChanged, .accountDeleted]
        try probe.requireLog(of: kinds.count)
        let messages = try (0..<5).map { _ in try StoreScene.message(&probe) }
        try await probe.commit("lists in an order") { transaction in
            transaction.changes.accounts = [.create(ann)]
            for kind in kinds { transaction.event(kind, ann.id, by: .system) }
            transaction.changes.messages = messages.reversed()
        }
        probe.expect(try await probe.account(ann.id)?.methods == ann.methods, "the methods are in another order")
        let events = try await probe.store.events(after: .start, limit: 10).events
        probe.expect(events.map(\.kind), is: kinds, "the events of one commit")
    }
}
