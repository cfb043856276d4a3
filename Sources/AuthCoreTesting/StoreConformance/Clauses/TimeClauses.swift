import AuthCore

/// Clauses about what a store finds by a time or remembers between two calls, and about large rows.
extension StoreClause {
    static let times = [
        StoreClause("a session expires at the time that it was given last", sessionsExpireAtTheLastTime),
        StoreClause("what is done by a time is done to the millisecond", millisecondsCount),
        StoreClause("a handle shows nothing from before what another wrote", handlesKeepNothing),
        StoreClause("lists and pages are whole, however large their rows are", largeRowsAreListed),
    ]

    private static func sessionsExpireAtTheLastTime(_ probe: inout StoreProbe) async throws {
        let ann = try await StoreScene.stage(in: &probe).ann.id
        let sessions = [10, 50].map { StoreScene.session(of: ann, &probe, lasting: $0) }
        try await probe.commit("two sessions") { $0.changes.sessions = sessions.map { .put($0) } }
        var (endless, short) = (sessions[0], sessions[1])
        (endless.expiresAt, short.expiresAt) = (nil, probe.later(5))
        let updates: [Store.SessionChange] = [.update(endless, refreshCount: 0), .update(short, refreshCount: 0)]
        try await probe.commit("other ends of both") { $0.changes.sessions = updates }
        let report = try await probe.store.sweep(at: probe.later(6), limit: 10)
        probe.expect(report.sessions, is: 1, "how many sessions were swept once one ends earlier than before")
        probe.expect(try await probe.session(short.id), is: nil, "the session that ends earlier than before")
        _ = try await probe.store.sweep(at: probe.later(1000), limit: 10)
        probe.expect(try await probe.session(endless.id), is: endless, "the session that does not expire any more")
    }

    private static func millisecondsCount(_ probe: inout StoreProbe) async throws {
        let ann = try await StoreScene.stage(in: &probe).ann.id
        let session = StoreScene.session(of: ann, &probe, lasting: 0.789)
        let code = StoreScene.code(about: ann, &probe, lasting: 0.789)
        let message = try StoreScene.message(&probe, leasedFor: 10.5)
        let mail = try StoreScene.email("wanted@example.com")
        // The later a person was created, the lower the ID.
        let people = try [0.9, 0.1, 0.5].map { seconds in
            Account(id: try StoreScene.id("person\(10 - Int(seconds * 10))"), createdAt: probe.later(seconds))
        }
        try await probe.commit("rows with times within a second") { transaction in
            transaction.changes.accounts = people.map { .create($0) }
            transaction.changes.references = people.map { StoreScene.reference(to: mail, by: $0) }
            transaction.changes.sessions = [.put(session)]
            transaction.changes.records = [.put(code)]
            transaction.changes.messages = [message]
        }
        let found = try await probe.referencing(of: mail)
        probe.expect(found, is: [1, 2, 0].map { people[$0].id }, "the accounts that were created within a second")
        for (seconds, count) in [(0.788, 0), (0.789, 1)] {
            let report = try await probe.store.sweep(at: probe.later(seconds), limit: 10)
            let expected = Store.SweepReport(records: count, sessions: count, isComplete: true)
            probe.expect(report, is: expected, "a sweep \(seconds) s later, of what expires after 0.789 s")
        }
        for (seconds, count) in [(10.2, 0), (10.5, 1)] {
            let leased = try await probe.store.leaseMessages(
                at: probe.later(seconds),
                until: probe.later(60),
                limit: 10
            )
            probe.expect(leased.count, is: count, "leases after \(seconds) s of a message that is due after 10.5 s")
        }
        let late = try [0.9, 0.1, 0.5].map { try StoreScene.message(&probe, leasedFor: 20 + $0) }
        try await probe.commit("messages that are due within a second") { $0.changes.messages = late }
        let order = try await probe.store.leaseMessages(at: probe.later(21), until: probe.later(60), limit: 10)
        probe.expect(order.map(\.entry), is: [late[1], late[2], late[0]], "messages that are due within a second")
        try await longestUnusedEnd(ann, &probe)
    }

    private static func longestUnusedEnd(_ account: AccountID, _ probe: inout StoreProbe) async throws {
        // Within a second, and beyond what 32 bits hold.
        for times in [[0.9, 0.1, 0.5], [5e9, 1, 2]] {
            let sessions = times.map { seconds in
                var session = StoreScene.session(of: account, &probe)
                session.activeAt = probe.later(seconds)
                return session
            }
            try await probe.commit("three sessions") {
                $0.changes.sessions = [.endAll(account, except: nil)] + sessions.map { .put($0) }
            }
            try await probe.commit("room for two") {
                $0.changes.sessions = [.endUnused(account, keeping: 2, besides: sessions[2].id)]
            }
            let left = try await probe.sessions(of: account)
            let expected = [sessions[0].id, sessions[2].id].sorted()
            probe.expect(left, is: expected, "the sessions besides the one unused longest, of those used at \(times)")
        }
    }

    private static func handlesKeepNothing(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        var (ann, other) = (scene.ann, probe)
        other.store = probe.other
        let mail = try StoreScene.email("ann@example.com")
        try await probe.refer(to: mail, by: ann)
        let keys = ann.ownedKeys(under: .address)
        let lookups = Lookups(
            keys.map { .owner($0) } + [
                .account(ann.id), .session(scene.session.id), .record(scene.code.key), .referencing(mail),
            ]
        )
        _ = try await other.store.load(lookups)
        ann.isDisabled = true
        try await probe.commit("an account that is disabled, and the end of its session") { transaction in
            transaction.replace(scene.ann, with: &ann)
            transaction.changes.sessions = [.end(scene.session.id)]
        }
        let seen = try await other.store.load(lookups)
        probe.expect(seen[ann.id], is: ann, "the account on the other handle")
        for key in keys { probe.expect(seen.owner(of: key), is: ann, "the owner of \(key) on the other handle") }
        probe.expect(seen.accounts(referencing: mail), is: [ann], "the account of a reference on the other handle")
        probe.expect(seen.account(of: scene.code.key), is: ann, "the account of a record on the other handle")
        probe.expect(seen.session(scene.session.id), is: nil, "a session that ended, on the other handle")
    }

    private static func largeRowsAreListed(_ probe: inout StoreProbe) async throws {
        let count = 30
        let claims: [String: ClaimValue] = ["a": .string(String(repeating: "x", count: 60_000))]
        let accounts = try (0..<count).map { number in
            var account = try StoreScene.bareAccount("account\(number)", probe)
            (account.customClaims, account.dueAt) = (claims, probe.now)
            return account
        }
        let owner = accounts[0].id
        let sessions = (0..<count).map { _ in
            var session = StoreScene.session(of: owner, &probe)
            session.claims = claims
            return session
        }
        let seed = OneTimeRecord.Content.totpSeed(Array(repeating: 7, count: 60_000))
        let codes = (0..<count).map { _ in StoreScene.code(about: owner, &probe, content: seed) }
        var holder = try StoreScene.bareAccount("holder", probe)
        _ = holder.add(
            .federated(
                Identity(key: StoreScene.identity(String(repeating: "x", count: 60_000)), provider: "google.com")
            ),
            at: probe.now
        )
        let summaries = holder.methods.map { SignInMethod.Summary($0) }
        let events = accounts.map { account in
            IdentityEvent(
                .methodsChanged,
                at: probe.now,
                account: account.id,
                actor: .system,
                reasons: [],
                before: summaries,
                after: []
            )
        }
        let text = String(repeating: "x", count: 60_000)
        let messages = try (0..<count).map { number in
            try StoreScene.message(&probe, leasedFor: Double(number), settings: Message.Settings(continueURL: text))
        }
        try probe.requireLog(of: count)
        try await probe.commit("large rows") { transaction in
            transaction.changes.events = events
            transaction.changes.messages = messages
            transaction.changes.accounts = accounts.map { .create($0) }
            transaction.changes.sessions = sessions.map { .put($0) }
            transaction.changes.records = codes.map { .put($0) }
        }
        let name = Lookup.Reference.account(owner)
        let seen = try await probe.load(.sessions(of: name), .records(of: name, .totpSeed))
        probe.expect(seen.sessions(of: name).count, is: count, "how many large sessions are found")
        probe.expect(seen.records(of: name, .totpSeed).count, is: count, "how many large records are found")
        let page = try await probe.store.accounts(after: nil, limit: count)
        probe.expect(page.count, is: count, "how many large accounts are on a page")
        let due = try await probe.store.accounts(dueBy: probe.now, after: nil, limit: count)
        probe.expect(due.count, is: count, "how many large accounts that are due are on a page")
        let log = try await probe.store.events(after: .start, limit: count).events
        probe.expect(log.count, is: count, "how many large events are on a page")
        let waiting = try await probe.store.messages(.waiting, after: nil, limit: count)
        probe.expect(waiting.count, is: count, "how many large messages are on a page")
        let leased = try await probe.store.leaseMessages(at: probe.later(60), until: probe.later(90), limit: count)
        probe.expect(leased.map(\.entry), is: messages, "large messages in the order in which they are due")
    }
}
