import AuthCore

/// Clauses about pages of accounts and events, and about messages that wait.
extension StoreClause {
    static let queues = [
        StoreClause(
            "accounts that are due at one time are paged by ID, from the account as it was read",
            dueAccountsArePaged
        ),
        StoreClause("a page is as long as it may be", pagesAreFull),
        StoreClause("a lease ends by its own number of tries and by no other", leasesAreCounted),
        StoreClause("the end of a lease may make a message due later than the lease did", leasesEndLater),
        StoreClause("a lease lasts as long as it says", leasesLastAsTheySay),
        StoreClause("messages of either status are listed in the order of their IDs", messagesAreOrdered),
        StoreClause("many messages are leased, given up and settled", manyMessagesAreSent),
        StoreClause("what one handle does to messages and to what is due the other sees", handlesShareQueues),
    ]

    // MARK: Pages

    private static func dueAccountsArePaged(_ probe: inout StoreProbe) async throws {
        // Written in another order than that of their IDs.
        let names = ["d", "b", "a10", "A", "c", "a2", "~"]
        let early = try StoreScene.bareAccount("z", probe)
        var accounts = try names.map { try StoreScene.bareAccount($0, probe) } + [early]
        for place in accounts.indices { accounts[place].dueAt = place == 7 ? .distantPast : probe.later(10) }
        let written = accounts
        try await probe.commit("accounts that are due") { $0.changes.accounts = written.map { .create($0) } }
        let order = [written[7]] + written[..<7].sorted { $0.id < $1.id }
        let all = try await probe.store.accounts(dueBy: probe.later(10), after: nil, limit: 100)
        probe.expect(all, is: order, "the accounts that are due")
        // What was read may be due at another time since, or gone, and the reader goes on from where it was.
        let page = try await probe.store.accounts(dueBy: probe.later(10), after: nil, limit: 3)
        probe.expect(page, is: Array(order[..<3]), "the first three")
        var (moved, again) = (order[1], order[0])
        (moved.version, again.version) = (1, 1)
        (moved.dueAt, again.dueAt) = (.distantFuture, nil)
        var added = try StoreScene.bareAccount("new", probe)
        added.dueAt = probe.later(1)
        let new = added
        let changes: [Store.AccountWrite] = [
            .update(moved, expected: 0), .update(again, expected: 0), .remove(order[2].id, expected: 0), .create(new),
        ]
        try await probe.commit("changes of what was read") { $0.changes.accounts = changes }
        // One that is due earlier than most of those is behind the reader who has read one of them.
        for last in 1..<3 {
            let next = try await probe.store.accounts(dueBy: probe.later(10), after: order[last], limit: 100)
            probe.expect(next, is: Array(order[3...]), "the accounts that are due after number \(last + 1)")
        }
        let end = try await probe.store.accounts(dueBy: .distantFuture, after: nil, limit: 100)
        probe.expect(end, is: [new] + order[3...] + [moved], "the accounts that are due at the end of time")
        probe.expect(
            try await probe.store.accounts(dueBy: probe.later(10), after: nil, limit: 0),
            is: [],
            "a page of none"
        )
        try await laterOnesMakeRoom(&probe)
    }

    /// An account that is due later now takes no place among those that are due.
    private static func laterOnesMakeRoom(_ probe: inout StoreProbe) async throws {
        var accounts = try (0..<9).map { try StoreScene.bareAccount("room\($0)", probe) }
        for place in accounts.indices { accounts[place].dueAt = probe.later(-Double(100 - place)) }
        let written = accounts
        try await probe.commit("accounts that are due first") { $0.changes.accounts = written.map { .create($0) } }
        for place in 0..<6 { (accounts[place].version, accounts[place].dueAt) = (1, probe.later(20)) }
        let later = accounts[..<6].map { Store.AccountWrite.update($0, expected: 0) }
        try await probe.commit("six that are due later") { $0.changes.accounts = later }
        let page = try await probe.store.accounts(dueBy: probe.later(10), after: nil, limit: 3)
        probe.expect(page, is: Array(accounts[6...]), "three accounts that are due where six are due later")
    }

    private static func pagesAreFull(_ probe: inout StoreProbe) async throws {
        try probe.requireLog(of: 600)
        let accounts = try (100..<700).map { number in
            // The later by ID, the earlier created.
            let created = probe.later(-Double(number))
            var account = Account(id: try StoreScene.id("account\(number)"), createdAt: created)
            account.dueAt = probe.later(Double(number))
            return account
        }
        // They are written in another order than that in which they are paged.
        let written = accounts.indices.map { accounts[7 * $0 % accounts.count] }
        for part in [written[..<400], written[400...]] {
            try await probe.commit("many accounts") { transaction in
                transaction.changes.accounts = part.map { .create($0) }
                for account in part { transaction.event(.accountCreated, account.id, by: .system) }
            }
        }
        let store = probe.store
        let log = try await store.events(after: .start, limit: 1000).events
        probe.expect(log.map(\.account), is: written.map(\.id), "all events")
        for (first, limit) in [(0, 1000), (0, 599), (70, 300), (255, 1), (300, 300), (599, 10)] {
            let position = log.indices.contains(first - 1) ? log[first - 1].position : .start
            let events = try await store.events(after: position, limit: limit).events
            probe.expect(
                events == Array(log.dropFirst(first).prefix(limit)),
                "\(limit) events after \(first) are others"
            )
            try await expectPages(of: accounts, from: first, limit, &probe)
        }
        let (left, gone) = (
            accounts.filter { $0.id.description.last != "3" }, accounts.filter { $0.id.description.last == "3" }
        )
        try await probe.commit("the end of every tenth") {
            $0.changes.accounts = gone.map { .remove($0.id, expected: 0) }
        }
        for (first, limit) in [(0, 1000), (200, 300)] { try await expectPages(of: left, from: first, limit, &probe) }
    }

    private static func expectPages(
        of accounts: [Account],
        from first: Int,
        _ limit: Int,
        _ probe: inout StoreProbe
    ) async throws {
        let wanted = accounts[first...].prefix(limit).map(\.id)
        let last = first == 0 ? nil : accounts[first - 1]
        let page = try await probe.store.accounts(after: last?.id, limit: limit).map(\.id)
        probe.expect(page, is: wanted, "\(limit) accounts after \(first)")
        let due = try await probe.store.accounts(dueBy: probe.later(5000), after: last, limit: limit).map(\.id)
        probe.expect(due, is: wanted, "\(limit) accounts that are due after \(first)")
    }

    // MARK: Messages

    private static func leasesEndLater(_ probe: inout StoreProbe) async throws {
        let message = try StoreScene.message(&probe, leasedFor: 60)
        try await probe.commit("a message") { $0.changes.messages = [message] }
        try await probe.store.endLease(of: message.id, tries: 1, dueAt: probe.later(3600))
        for (seconds, count) in [(100.0, 0), (3599, 0), (3600, 1)] {
            let (now, end) = (probe.later(seconds), probe.later(9000))
            let leased = try await probe.store.leaseMessages(at: now, until: end, limit: 5)
            probe.expect(leased.count, is: count, "leases after \(seconds) s of a message that is due after 3600 s")
        }
    }

    private static func leasesLastAsTheySay(_ probe: inout StoreProbe) async throws {
        let store = probe.store
        // The hours of queues that hide a message for half a day, for a week or for a month at most; and none at all.
        for hours in [0, 13, 200, 800, 100_000] as [Double] {
            let message = try StoreScene.message(&probe, leasedFor: 60)
            try await probe.commit("a message") { $0.changes.messages = [message] }
            let (now, end, next) = (probe.later(60), probe.later(60 + hours * 3600), probe.later(90 + hours * 7200))
            let leased = try await store.leaseMessages(at: now, until: end, limit: 5)
            let wanted = Store.QueuedMessage(message, tries: 2, dueAt: end)
            probe.expect(leased, is: [wanted], "what is leased for \(hours) hours")
            let early = try await store.leaseMessages(at: end - .milliseconds(1), until: next, limit: 5)
            probe.expect(early, is: [], "what is leased before a lease of \(hours) hours ends")
            let again = try await store.leaseMessages(at: end, until: end + .seconds(1), limit: 5)
            probe.expect(again.map(\.tries), is: [3], "the tries of what is leased once a lease of \(hours) hours ends")
            try await store.endLease(of: message.id, tries: 3, dueAt: next)
            let waiting = try await store.leaseMessages(at: next - .milliseconds(1), until: next, limit: 5)
            probe.expect(waiting, is: [], "what is leased before it is due again after \(hours) hours")
            let due = try await store.leaseMessages(at: next, until: .distantFuture, limit: 5)
            probe.expect(due.map(\.tries), is: [4], "the tries of what is due again after \(hours) hours")
            try await store.settleMessages([message.id])
        }
    }

    private static func leasesAreCounted(_ probe: inout StoreProbe) async throws {
        let message = try StoreScene.message(&probe, leasedFor: 60)
        try await probe.commit("a message") { $0.changes.messages = [message] }
        let (store, now) = (probe.store, probe.now)
        func expect(_ tries: Int, _ dueAt: Timestamp?, _ what: String) async throws {
            let listed = try await store.messages(dueAt == nil ? .failed : .waiting, after: nil, limit: 10)
            probe.expect(listed, is: [Store.QueuedMessage(message, tries: tries, dueAt: dueAt)], what)
        }
        for tries in [0, 2, 3, -1, Int.max] {
            try await store.endLease(of: message.id, tries: tries, dueAt: nil)
            try await store.endLease(of: message.id, tries: tries, dueAt: now)
        }
        try await store.endLease(of: OperationID(bits: probe.draw()), tries: 1, dueAt: nil)
        try await expect(1, probe.later(60), "a message whose writer has leased it")
        try await store.endLease(of: message.id, tries: 1, dueAt: probe.later(10))
        try await expect(1, probe.later(10), "a message that its writer could not send")
        probe.expect(
            try await store.leaseMessages(at: probe.later(9.999), until: now, limit: 10),
            is: [],
            "a message that is not due yet"
        )
        let leased = try await store.leaseMessages(at: probe.later(10), until: probe.later(40), limit: 10)
        probe.expect(
            leased,
            is: [Store.QueuedMessage(message, tries: 2, dueAt: probe.later(40))],
            "a message that is due now"
        )
        for tries in [1, 3, 4] {
            try await store.endLease(of: message.id, tries: tries, dueAt: nil)
            try await store.endLease(of: message.id, tries: tries, dueAt: now)
        }
        try await expect(2, probe.later(40), "a message that is leased for the second time")
        try await store.endLease(of: message.id, tries: 2, dueAt: nil)
        for tries in [1, 2, 3] { try await store.endLease(of: message.id, tries: tries, dueAt: now) }
        try await expect(2, nil, "a message that was given up")
        probe.expect(try await store.messages(.waiting, after: nil, limit: 10), is: [], "messages that wait")
    }

    private static func messagesAreOrdered(_ probe: inout StoreProbe) async throws {
        // The greater the ID, the earlier a message is due.
        let messages = try [7, 2, 9, 4, 0, 8, 1, 6, 3, 5].map {
            try StoreScene.message(&probe, leasedFor: Double(60 - $0))
                .under(OperationID(bits: UInt128(10 + $0 * 97) << 60))
        }
        for part in [messages[..<4], messages[4...]] {
            try await probe.commit("messages") { $0.changes.messages = Array(part) }
        }
        let order = messages.sorted { $0.id < $1.id }
        // Every other one is given up, in an order that is none of theirs.
        for message in messages where order.firstIndex(of: message).map({ $0 % 2 == 0 }) == true {
            try await probe.store.endLease(of: message.id, tries: 1, dueAt: nil)
        }
        for (status, remainder) in [(Store.DeliveryStatus.failed, 0), (.waiting, 1)] {
            let wanted = order.enumerated().filter { $0.offset % 2 == remainder }.map(\.element)
            var read: [OutboxEntry] = []
            while read.count < 10 {
                let page = try await probe.store.messages(status, after: read.last?.id, limit: 2).map(\.entry)
                if page.isEmpty { break }
                read += page
            }
            probe.expect(read, is: wanted, "messages that are \(status), page by page")
            // From the ID of a message of the other status, too.
            let rest = try await probe.store.messages(status, after: order[4].id, limit: 10).map(\.entry)
            probe.expect(
                rest,
                is: wanted.filter { order[4].id < $0.id },
                "messages that are \(status) after another one"
            )
        }
    }

    private static func manyMessagesAreSent(_ probe: inout StoreProbe) async throws {
        // They are due in another order than that of their IDs, in which they were written.
        let written = try (0..<300).map { try StoreScene.message(&probe, leasedFor: Double(1 + 7 * $0 % 300)) }
        try await probe.commit("many messages") { $0.changes.messages = written }
        let messages = written.sorted { $0.leasedUntil < $1.leasedUntil }
        let (store, end) = (probe.store, probe.later(9000))
        let first = try await store.leaseMessages(at: probe.later(300), until: end, limit: 250)
        probe.expect(first.map(\.entry), is: Array(messages[..<250]), "the messages that are due longest")
        let rest = try await store.leaseMessages(at: probe.later(300), until: end, limit: 250)
        probe.expect(rest.map(\.entry), is: Array(messages[250...]), "the messages after those")
        let ids = messages.map(\.id)
        for id in ids[..<280] { try await store.endLease(of: id, tries: 2, dueAt: nil) }
        let failed = try await store.messages(.failed, after: nil, limit: 270).map(\.entry.id)
        probe.expect(failed, is: Array(ids[..<280].sorted().prefix(270)), "the messages that were given up")
        try await store.settleMessages(Array(ids[5..<295]))
        let left = try await store.messages(.failed, after: nil, limit: 1000).map(\.entry.id)
        probe.expect(left, is: ids[..<5].sorted(), "the messages that were given up and not settled")
        let waiting = try await store.messages(.waiting, after: nil, limit: 1000).map(\.entry.id)
        probe.expect(waiting, is: ids[295...].sorted(), "the messages that wait and were not settled")
        let again = try await store.leaseMessages(at: end, until: end, limit: 0)
        probe.expect(again, is: [], "a lease of no message")
        // A message that was settled before its first lease ended takes no place in a lease.
        let more = try (0..<30).map { try StoreScene.message(&probe, leasedFor: Double($0)) }
        try await probe.commit("more messages") { $0.changes.messages = more }
        try await store.settleMessages(more[..<20].map(\.id))
        let next = try await store.leaseMessages(at: probe.later(30), until: end, limit: 5).map(\.entry)
        probe.expect(next, is: Array(more[20..<25]), "five messages that are due where twenty were settled")
    }

    private static func handlesShareQueues(_ probe: inout StoreProbe) async throws {
        let messages = try (0..<3).map { try StoreScene.message(&probe, leasedFor: Double(10 + $0)) }
        var due = try StoreScene.bareAccount("due", probe)
        due.dueAt = probe.later(5)
        let account = due
        let code = StoreScene.code(about: nil, &probe, lasting: 5)
        let session = StoreScene.session(of: due.id, &probe, lasting: 5)
        let (store, other, end) = (probe.store, probe.other, probe.later(100))
        _ = try await other.leaseMessages(at: probe.now, until: end, limit: 10)
        _ = try await other.sweep(at: probe.now, limit: 10)
        _ = try await other.accounts(dueBy: end, after: nil, limit: 10)
        try await probe.commit("messages, an account, a record and a session") { transaction in
            transaction.changes.messages = messages
            transaction.changes.accounts = [.create(account)]
            transaction.changes.records = [.put(code)]
            transaction.changes.sessions = [.put(session)]
        }
        let found = try await other.accounts(dueBy: end, after: nil, limit: 10)
        probe.expect(found, is: [account], "the accounts that are due on the other handle")
        let first = try await store.leaseMessages(at: probe.later(20), until: end, limit: 2).map(\.entry)
        probe.expect(first, is: Array(messages[..<2]), "the messages that one handle leases")
        let second = try await other.leaseMessages(at: probe.later(20), until: end, limit: 10).map(\.entry)
        probe.expect(second, is: [messages[2]], "the messages that the other handle leases")
        try await other.endLease(of: messages[0].id, tries: 2, dueAt: nil)
        try await other.settleMessages([messages[1].id])
        let failed = try await store.messages(.failed, after: nil, limit: 10).map(\.entry)
        probe.expect(failed, is: [messages[0]], "the messages that the other handle gave up")
        let waiting = try await store.messages(.waiting, after: nil, limit: 10).map(\.entry)
        probe.expect(waiting, is: [messages[2]], "the messages that the other handle did not settle")
        let swept = try await other.sweep(at: probe.later(5), limit: 10)
        probe.expect(swept, is: Store.SweepReport(records: 1, sessions: 1), "what the other handle swept")
        probe.expect(try await probe.record(code.key), is: nil, "a record that the other handle swept")
    }
}
