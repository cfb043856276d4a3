import AuthCore

/// Clauses about what many write or take at once, where all of them may succeed.
extension StoreClause {
    static let sideBySide = [
        StoreClause("what many write side by side is all there", nothingIsLost),
        StoreClause("of parallel first changes of different rules those of one are written", oneRuleWins),
        StoreClause("a message that many lease at once goes to one of them", leasesAreExclusive),
        StoreClause(
            "a lease that another took over ends nothing, and what is settled stays so",
            overtakenLeasesEndNothing
        ),
        StoreClause("a version of a list that many write at once shows one list", versionsNameOneList),
        StoreClause("a sign-in beside updates of its account is kept", signInsAreKept),
    ]

    private static let writers = 24

    /// What all writers answer, who write on both handles at once.
    static func together<Answer: Sendable>(
        _ count: Int,
        _ probe: StoreProbe,
        _ body: @escaping @Sendable (Int, any IdentityStore) async throws -> Answer
    ) async throws -> [Answer] {
        let stores = [probe.store, probe.other]
        return try await withThrowingTaskGroup(of: Answer.self) { group in
            for number in 0..<count { group.addTask { try await body(number, stores[number % 2]) } }
            var answers: [Answer] = []
            for try await answer in group { answers.append(answer) }
            return answers
        }
    }

    /// Each adds rows to what another adds rows to: one account's sessions and records, one address's references.
    private static func nothingIsLost(_ probe: inout StoreProbe) async throws {
        try probe.requireLog(of: writers + 5)
        let scene = try await StoreScene.stage(in: &probe)
        let (ann, mail) = (scene.ann.id, try StoreScene.email("shared@example.com"))
        let accounts = try (0..<writers).map { number in
            var account = try StoreScene.bareAccount("writer\(10 + number)", probe)
            account.dueAt = probe.later(10)
            return account
        }
        var changes: [ChangeSet] = []
        for account in accounts {
            var change = ChangeSet(operation: OperationID(bits: probe.draw()), at: probe.now)
            change.accounts = [.create(account)]
            change.keys = [KeyChange(.identity(StoreScene.identity(account.id.description)), from: nil, to: account.id)]
            change.sessions = [.put(StoreScene.session(of: ann, &probe, lasting: 10))]
            change.records = [.put(StoreScene.code(about: ann, &probe, lasting: 10))]
            change.references = [StoreScene.reference(to: mail, by: account)]
            change.signIns = [Store.SignInRecord(account: account.id, at: probe.later(7))]
            change.messages = [try StoreScene.message(&probe)]
            change.events = [
                IdentityEvent(.accountCreated, at: probe.now, account: account.id, actor: .system, reasons: [])
            ]
            changes.append(change)
        }
        let all = changes
        let outcomes = try await together(writers, probe) { try await $1.commit(all[$0]) }
        probe.expect(
            outcomes.count { $0 == .committed },
            is: writers,
            "how many of changes that have nothing against each other were written"
        )
        let name = Lookup.Reference.account(ann)
        let seen = try await probe.load(.sessions(of: name), .records(of: name, .usedAssertion), .referencing(mail))
        probe.expect(seen.sessions(of: name).count, is: writers + 1, "how many sessions there are")
        probe.expect(seen.records(of: name, .usedAssertion).count, is: writers + 1, "how many records there are")
        let listed = seen.accounts(referencing: mail).map(\.id)
        probe.expect(listed, is: accounts.prefix(8).map(\.id), "the first accounts that reference the address")
        for account in accounts {
            let key = UniqueKey.identity(StoreScene.identity(account.id.description))
            probe.expect(try await probe.owner(of: key), is: account.id, "the owner of a key")
            let signIn = try await probe.lastSignIn(of: account.id)
            probe.expect(signIn, is: probe.later(7), "the last sign-in of an account")
        }
        let events = try await probe.store.events(after: .start, limit: 1000).events
        probe.expect(events.count { $0.kind == .accountCreated }, is: writers + 1, "how many events there are")
        probe.expect(try await probe.messageCount(on: probe.store), is: writers, "how many messages there are")
        let paged = try await probe.store.accounts(after: nil, limit: 1000).count
        probe.expect(paged, is: writers + 2, "how many accounts there are")
        let due = try await probe.store.accounts(dueBy: probe.later(10), after: nil, limit: 1000)
        probe.expect(due == accounts, "the accounts that are due are others")
        let swept = try await probe.store.sweep(at: probe.later(10), limit: 1000)
        probe.expect(swept, is: Store.SweepReport(records: writers, sessions: writers), "what a sweep removes")
    }

    private static func oneRuleWins(_ probe: inout StoreProbe) async throws {
        var changes: [ChangeSet] = []
        for number in 0..<writers {
            var change = ChangeSet(operation: OperationID(bits: probe.draw()), at: probe.now)
            // The same rules on both handles.
            change.keyRule = number / 2 % 2 == 0 ? .address : .mailbox
            change.records = [.put(StoreScene.code(about: nil, &probe))]
            changes.append(change)
        }
        let all = changes
        let outcomes = try await together(writers, probe) { (all[$0].keyRule, try await $1.commit(all[$0])) }
        let rules = Set(outcomes.filter { $0.1 == .committed }.map(\.0))
        probe.expect(rules.count, is: 1, "how many rules of keys have changes that were written")
        for (rule, outcome) in outcomes where !rules.contains(rule) {
            let isNamed = rules.contains { $0.map { outcome == .violated(.keyRule($0)) } ?? false }
            probe.expect(isNamed, "a change of another rule was answered: \(outcome)")
        }
    }

    private static func leasesAreExclusive(_ probe: inout StoreProbe) async throws {
        let messages = try (0..<writers).map { _ in try StoreScene.message(&probe, leasedFor: 1) }
        try await probe.commit("messages") { $0.changes.messages = messages }
        let (now, end) = (probe.later(2), probe.later(100))
        var leased = try await together(writers, probe) {
            try await $1.leaseMessages(at: now, until: end, limit: 1 + $0 % 3)
        }.joined().map { $0 }
        // One that two were after at once may be left to the next.
        leased += try await probe.store.leaseMessages(at: now, until: end, limit: 100)
        probe.expect(
            Set(leased.map(\.entry.id)).count,
            is: leased.count,
            "how many leases there are for as many messages"
        )
        probe.expect(Set(leased.map(\.entry)), is: Set(messages), "the messages that were leased")
        probe.expect(leased.allSatisfy { $0.tries == 2 && $0.dueAt == end }, "a lease counts more than one try")
    }

    private static func overtakenLeasesEndNothing(_ probe: inout StoreProbe) async throws {
        let (now, end) = (probe.later(2), probe.later(100))
        for round in 0..<writers {
            let messages = try (0..<2).map { _ in try StoreScene.message(&probe, leasedFor: 1) }
            try await probe.commit("two messages") { $0.changes.messages = messages }
            // The writer of both, whose lease is over, gives the first up or makes it due later, and ends the lease of
            // the second while an operator settles it.
            let later = round / 4 % 2 == 0 ? nil : probe.later(5)
            let leased = try await together(4, probe) { number, store in
                switch (number + round) % 4 {
                case 0: return try await store.leaseMessages(at: now, until: end, limit: 10)
                case 1: try await store.endLease(of: messages[0].id, tries: 1, dueAt: later)
                case 2: try await store.settleMessages([messages[1].id])
                default: try await store.endLease(of: messages[1].id, tries: 1, dueAt: end)
                }
                return []
            }.joined()
            let isTakenOver = leased.contains { $0.entry == messages[0] }
            let left = Store.QueuedMessage(messages[0], tries: isTakenOver ? 2 : 1, dueAt: isTakenOver ? end : later)
            let expected = left.status == .waiting ? [left] : []
            let waiting = try await probe.store.messages(.waiting, after: nil, limit: 10)
            probe.expect(waiting, is: expected, "the messages that wait beside the end of an earlier lease")
            try await probe.store.settleMessages(messages.map(\.id))
        }
    }

    private static func versionsNameOneList(_ probe: inout StoreProbe) async throws {
        for round in 0..<rounds {
            let mail = try StoreScene.email("shared\(round)@example.com")
            let accounts = try (0..<8).map { try StoreScene.bareAccount("account\(round)-\($0)", probe) }
            try await probe.commit("eight accounts") { $0.changes.accounts = accounts.map { .create($0) } }
            let changes = accounts.map { account in
                var change = ChangeSet(operation: OperationID(bits: probe.draw()), at: probe.now)
                change.references = [StoreScene.reference(to: mail, by: account)]
                return change
            }
            // Each writer reads what is there after its own reference.
            let seen = try await together(accounts.count, probe) { number, store in
                _ = try await store.commit(changes[number])
                let seen = try await store.load([.referencing(mail)])
                return (seen.referenceVersion(of: mail), seen.accounts(referencing: mail).map(\.id))
            }
            let lists = Dictionary(grouping: seen) { $0.0 }.mapValues { Set($0.map(\.1)).count }
            probe.expect(lists.values.max(), is: 1, "how many lists one version shows")
        }
    }

    private static func signInsAreKept(_ probe: inout StoreProbe) async throws {
        var current = try StoreScene.bareAccount("ann", probe)
        let first = current
        try await probe.commit("an account") { $0.insert(first) }
        var (updates, signIns): ([ChangeSet], [ChangeSet]) = ([], [])
        for round in 1...writers {
            var next = current
            next.version += 1
            next.displayName = "\(round)"
            var update = ChangeSet(operation: OperationID(bits: probe.draw()), at: probe.now)
            update.accounts = [.update(next, expected: current.version)]
            var signIn = ChangeSet(operation: OperationID(bits: probe.draw()), at: probe.now)
            signIn.signIns = [Store.SignInRecord(account: first.id, at: probe.later(Double(round)))]
            updates.append(update)
            signIns.append(signIn)
            current = next
        }
        let pairs = Array(zip(updates, signIns))
        for (round, pair) in pairs.enumerated() {
            let outcomes = try await together(2, probe) { try await $1.commit($0 == round % 2 ? pair.0 : pair.1) }
            probe.expect(outcomes, is: [.committed, .committed], "an update and a sign-in at once")
            let seen = try await probe.load(.account(first.id))
            probe.expect(
                seen.lastSignIn(of: first.id),
                is: probe.later(Double(round + 1)),
                "the last sign-in beside an update"
            )
            probe.expect(seen[first.id]?.displayName, is: "\(round + 1)", "the update beside a sign-in")
        }
    }
}
