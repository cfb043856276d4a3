import AuthCore

extension StoreClause {
    static let due = [
        StoreClause("accounts that are due are found by their time", dueAccountsAreFound),
        StoreClause("a restored account is due when it says, and not when it was before", restoredAccountsAreDueAnew),
    ]

    /// As where a merge is undone: its lock made the account due, and nothing is due afterwards.
    private static func restoredAccountsAreDueAnew(_ probe: inout StoreProbe) async throws {
        var ann = try StoreScene.bareAccount("ann", probe)
        let tombstone = StoreScene.tombstone(of: ann.id, probe)
        ann.dueAt = probe.later(10)
        let first = ann
        try await probe.commit("an account that is due") { $0.changes.accounts = [.create(first)] }
        for time in [nil, probe.later(50), probe.later(5), nil] {
            let (version, again) = (ann.version, ann.due(at: time))
            try await probe.commit("a removal with a tombstone") { transaction in
                transaction.changes.accounts = [.remove(again.id, expected: version)]
                transaction.changes.records = [.put(tombstone)]
            }
            try await probe.commit("a restoration") { transaction in
                transaction.changes.accounts = [.create(again)]
                transaction.changes.records = [.consume(tombstone.key)]
            }
            let all = try await probe.store.accounts(dueBy: .distantFuture, after: nil, limit: 10)
            probe.expect(all, is: time == nil ? [] : [again], "what is due after a restoration")
            if let time {
                let early = try await probe.store.accounts(dueBy: time + .milliseconds(-1), after: nil, limit: 10)
                probe.expect(early, is: [], "what is due before the time of a restored account")
                let rest = try await probe.store.accounts(dueBy: .distantFuture, after: again, limit: 10)
                probe.expect(rest, is: [], "what is due after a restored account")
            }
            ann = again
        }
    }

    private static func dueAccountsAreFound(_ probe: inout StoreProbe) async throws {
        var accounts: [Account] = []
        for (number, seconds) in [50.0, 10, 30, 10, 20, 90, 70.9, 70.1].enumerated() {
            var account = try StoreScene.bareAccount("account\(number)", probe)
            account.dueAt = probe.later(seconds)
            accounts.append(account)
        }
        let never = try StoreScene.bareAccount("never", probe)
        let made = accounts + [never]
        try await probe.commit("accounts") { $0.changes.accounts = made.map { .create($0) } }
        let inOrder = [1, 3, 4, 2, 0].map { made[$0].id }
        probe.expect(try await due(50, &probe), is: inOrder, "the accounts due by the time of the last")
        probe.expect(try await due(49.999, &probe), is: inOrder.dropLast(), "the accounts due a moment earlier")
        probe.expect(try await due(9, &probe), is: [], "the accounts due before the first")
        let fine = inOrder + [7, 6].map { made[$0].id }
        probe.expect(try await due(71, &probe), is: fine, "the accounts that are due within one second")
        probe.expect(try await due(70.5, &probe), is: fine.dropLast(), "the accounts due in the middle of a second")
        var paged: [Account] = []
        while paged.count < 10 {
            let page = try await probe.store.accounts(dueBy: probe.later(50), after: paged.last, limit: 1)
            probe.expect(page.count <= 1, "a page of \(page.count) accounts where 1 was asked for")
            if page.isEmpty { break }
            paged += page
        }
        probe.expect(paged.map(\.id), is: inOrder, "the accounts that are due, page by page")
        var (later, done) = (made[1], made[4])
        (later.version, done.version) = (1, 1)
        (later.dueAt, done.dueAt) = (probe.later(40), nil)
        let writes: [Store.AccountWrite] = [
            .update(later, expected: 0), .update(done, expected: 0), .remove(made[3].id, expected: 0),
        ]
        try await probe.commit("one account is due later, one is not due any more, one is removed") {
            $0.changes.accounts = writes
        }
        var earlier = made[5]
        (earlier.version, earlier.dueAt) = (1, probe.later(5))
        let write = Store.AccountWrite.update(earlier, expected: 0)
        try await probe.commit("one account is due earlier") { $0.changes.accounts = [write] }
        let left = [5, 2, 1, 0].map { made[$0].id }
        probe.expect(try await due(60, &probe), is: left, "the accounts that are due after the changes")
    }

    private static func due(_ seconds: Double, _ probe: inout StoreProbe) async throws -> [AccountID] {
        try await probe.store.accounts(dueBy: probe.later(seconds), after: nil, limit: 100).map(\.id)
    }
}

extension Account {
    /// The same account, for which something is due at this time.
    fileprivate func due(at time: Timestamp?) -> Account {
        var account = self
        account.dueAt = time
        return account
    }
}
