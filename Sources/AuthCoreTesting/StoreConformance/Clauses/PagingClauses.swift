import AuthCore

extension StoreClause {
    static let paging = [
        StoreClause("accounts are paged in the order of their ids, while others are added", accountsArePaged),
        StoreClause("a page has as many accounts as it may while others are removed", pagesAreFull),
        StoreClause("a page has as many messages as it may while others are settled", pagesOfMessagesAreFull),
        StoreClause("a page of messages shows what waits when it is read, whatever was read before", pagesAreRead),
    ]

    private static func accountsArePaged(_ probe: inout StoreProbe) async throws {
        // The order is that of the bytes, not of the length or of numbers; capital letters come first.
        let names = ["b", "a", "B", "a1", "a10", "a2", "~", "10", "9", "aa"]
        for name in names {
            let account = try StoreScene.bareAccount(name, probe)
            try await probe.commit("an account") { $0.insert(account) }
        }
        var read: [AccountID] = []
        while true {
            let page = try await probe.store.accounts(after: read.last, limit: 2).map(\.id)
            probe.expect(page.count <= 2, "a page of \(page.count) accounts where 2 were asked for")
            if page.isEmpty || read.count > 100 { break }
            read += page
            // One account before the reader's position, which the reader may miss, and one far behind it, which the
            // reader must see.
            for name in ["!\(read.count)", "~~\(read.count)"] where read.count < 7 {
                let account = try StoreScene.bareAccount(name, probe)
                try await probe.commit("an account added meanwhile") { $0.insert(account) }
            }
        }
        let expected = try (names + ["~~2", "~~4", "~~6"]).map(StoreScene.id).sorted()
        probe.expect(read, is: expected, "the accounts read page by page")
        let between = try await probe.store.accounts(after: "a11", limit: 1).map(\.id.text)
        probe.expect(between, is: ["a2"], "the account after an ID that does not exist")
        probe.expect(try await probe.store.accounts(after: nil, limit: 0).isEmpty, "a page of limit 0 had accounts")
    }

    private static func pagesAreFull(_ probe: inout StoreProbe) async throws {
        let limit = 5
        let accounts = try (10..<99).map { number in
            var account = try StoreScene.bareAccount("\(number)", probe)
            account.dueAt = probe.now
            return account
        }
        try await probe.commit("accounts that are due") { $0.changes.accounts = accounts.map { .create($0) } }
        let removals = accounts.dropLast(limit).map { account in
            var transaction = probe.transaction()
            transaction.changes.accounts = [.remove(account.id, expected: account.version)]
            return transaction.changes
        }
        let (store, other, now) = (probe.store, probe.other, probe.now)
        var findings: Set<String> = []
        try await whileWriting(removals, to: store) { turns in
            turns.begin()
            let page = try await other.accounts(after: nil, limit: limit).count
            if page < limit { findings.insert("a page of \(page) accounts where \(limit) were asked for") }
            turns.begin()
            let due = try await other.accounts(dueBy: now, after: nil, limit: limit).count
            if due < limit { findings.insert("a page of \(due) due accounts where \(limit) were asked for") }
            return findings.isEmpty
        }
        for finding in findings.sorted() { probe.report(finding) }
    }

    private static func pagesOfMessagesAreFull(_ probe: inout StoreProbe) async throws {
        let limit = 5
        let messages = try (0..<30).map { _ in try StoreScene.message(&probe) }
        try await probe.commit("messages") { $0.changes.messages = messages }
        let (store, other) = (probe.store, probe.other)
        var findings: Set<String> = []
        try await whileWriting { turns in
            for message in messages.dropLast(limit) where !turns.areOver {
                try await store.settleMessages([message.id])
                await turns.wait()
            }
        } _: { turns in
            turns.begin()
            let page = try await other.messages(.waiting, after: nil, limit: limit).count
            if page < limit { findings.insert("a page of \(page) messages where \(limit) were asked for") }
            return findings.isEmpty
        }
        for finding in findings.sorted() { probe.report(finding) }
    }

    private static func pagesAreRead(_ probe: inout StoreProbe) async throws {
        let messages = try (0..<8).map { _ in try StoreScene.message(&probe) }.sorted { $0.id < $1.id }
        try await probe.commit("messages") { $0.changes.messages = Array(messages[..<7]) }
        let page = try await probe.store.messages(.waiting, after: nil, limit: 2).map(\.entry)
        probe.expect(page, is: Array(messages[..<2]), "a first page of messages")
        try await probe.other.settleMessages([messages[3].id])
        try await probe.other.endLease(of: messages[4].id, tries: 1, dueAt: nil)
        try await probe.other.endLease(of: messages[5].id, tries: 1, dueAt: probe.later(7))
        try await probe.commit("a further message") { $0.changes.messages = [messages[7]] }
        let rest = try await probe.store.messages(.waiting, after: messages[1].id, limit: 10)
        let due = [60, 7, 60, 60].map(probe.later)
        let wanted = zip([2, 5, 6, 7], due).map { Store.QueuedMessage(messages[$0], tries: 1, dueAt: $1) }
        probe.expect(rest, is: wanted, "the messages after a first page, once some of them were settled and given up")
    }
}
