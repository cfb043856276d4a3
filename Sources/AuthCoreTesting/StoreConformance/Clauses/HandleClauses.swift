import AuthCore

/// Clauses about two handles on one database.
extension StoreClause {
    static let handles = [
        StoreClause("what is committed on one handle is read on the other", handlesAgree),
        StoreClause("an operation is known on every handle", handlesKnowOperations),
        StoreClause("a version that one handle raised is not met on the other", handlesMeetVersions),
        StoreClause("what a handle has read it reads anew", handlesReadAnew),
        StoreClause("what a handle has listed it lists anew", handlesListAnew),
        StoreClause("the rule of keys that one handle sets holds on the other", handlesShareTheRule),
        StoreClause("what was changed is read at once, however many read it meanwhile", readersSeeTheEnd),
    ]

    private static func handlesAgree(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stageEverything(in: &probe)
        var mirrored = probe
        mirrored.store = probe.other
        for _ in 0..<2 {
            // The other handle reads before, so that it has something that it could keep.
            _ = try await StorePicture(
                of: scene,
                touchedBy: ChangeSet(operation: .init(bits: 0), at: probe.now),
                in: mirrored
            )
            let change = try await nextChange(scene, &probe)
            try await probe.commit("a change on one handle", change)
            let here = try await StorePicture(of: scene, touchedBy: change, in: probe)
            let there = try await StorePicture(of: scene, touchedBy: change, in: mirrored)
            probe.expect(here == there, "the other handle shows something else")
        }
    }

    /// A change that writes every table, or once that is written a further name for Ben.
    private static func nextChange(_ scene: StoreScene, _ probe: inout StoreProbe) async throws -> ChangeSet {
        guard let ben = try await probe.account(scene.ben.id), (1..<UInt64.max).contains(ben.version) else {
            return try scene.richChange(&probe)
        }
        var (renamed, transaction) = (ben, probe.transaction())
        renamed.displayName = "Benjamin"
        transaction.replace(ben, with: &renamed)
        return transaction.changes
    }

    private static func handlesKnowOperations(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stageEverything(in: &probe)
        let change = try scene.richChange(&probe)
        try await probe.commit("a change", change)
        probe.expect(try await probe.other.commit(change), is: .duplicate, "the same change on the other handle")
    }

    private static func handlesMeetVersions(_ probe: inout StoreProbe) async throws {
        let ann = try await StoreScene.stage(in: &probe).ann
        _ = try await probe.other.load([.account(ann.id)])
        var renamed = ann
        renamed.displayName = "A."
        try await probe.commit("a change on one handle") { $0.replace(ann, with: &renamed) }
        var (late, transaction) = (ann, probe.transaction())
        late.displayName = "Annie"
        transaction.replace(ann, with: &late)
        let outcome = try await probe.other.commit(transaction.changes)
        probe.expect(outcome, is: .violated(.version(ann.id)), "a change of the earlier version on the other handle")
    }

    private static func handlesReadAnew(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let (ann, ben, gone) = (scene.ann.id, scene.ben.id, try StoreScene.id("gone"))
        let key = UniqueKey.identity(StoreScene.identity("moved"))
        let code = StoreScene.code(about: nil, &probe)
        let bens = StoreScene.session(of: ben, &probe)
        var session = scene.session
        try await probe.commit("a key, a code and a session") { transaction in
            transaction.changes.keys = [KeyChange(key, from: nil, to: ann)]
            transaction.changes.records = [.put(code)]
            transaction.changes.sessions = [.put(bens)]
        }
        let lookups: Lookups = [
            .session(session.id), .record(code.key), .account(gone), .sessions(of: .owner(key)), .account(ann),
            .records(of: .account(ann), .usedAssertion), .records(of: .account(ben), .usedAssertion),
        ]
        _ = try await probe.other.load(lookups)
        session.rotation += 7
        let replaced = OneTimeRecord(
            key: code.key,
            account: nil,
            createdAt: probe.later(1),
            expiresAt: nil,
            content: .usedAssertion
        )
        let (updated, tombstone, later) = (session, StoreScene.tombstone(of: gone, probe), probe.later(60))
        let moved = StoreScene.moved(scene.code, to: ben)
        try await probe.commit("changes of all that the other handle has read") { transaction in
            transaction.changes.sessions = [.update(updated, refreshCount: updated.refreshCount)]
            transaction.changes.records = [.replace(replaced), .put(tombstone), .replace(moved)]
            transaction.changes.keys = [KeyChange(key, from: ann, to: ben)]
            transaction.changes.signIns = [Store.SignInRecord(account: ann, at: later)]
        }
        let seen = try await probe.other.load(lookups)
        probe.expect(seen.session(session.id), is: updated, "a session that was updated without an exchange")
        probe.expect(seen.record(code.key), is: replaced, "a record that was replaced")
        probe.expect(seen.tombstone(of: gone), is: tombstone, "the tombstone of an account that was not there")
        probe.expect(seen.sessions(of: .owner(key)).map(\.id), is: [bens.id], "the sessions of a key's new owner")
        probe.expect(seen.lastSignIn(of: ann), is: later, "the last sign-in")
        let lists = [ann, ben].map { seen.records(of: .account($0), .usedAssertion) }
        probe.expect(lists, is: [[], [moved]], "the records of either account where one moved")
    }

    private static func handlesListAnew(_ probe: inout StoreProbe) async throws {
        var accounts = try ["a", "b", "c"].map { try StoreScene.bareAccount($0, probe) }
        for place in accounts.indices { accounts[place].dueAt = probe.later(Double(place)) }
        let (first, second, third) = (accounts[0], accounts[1], accounts[2])
        let messages = try (0..<3).map { _ in try StoreScene.message(&probe, leasedFor: 0) }
        try await probe.commit("two accounts and two messages") { transaction in
            transaction.changes.accounts = [.create(first), .create(third)]
            transaction.changes.messages = [messages[0], messages[2]]
        }
        let (other, now) = (probe.other, probe.later(9))
        func expectLists(_ accounts: [Account], _ messages: [OutboxEntry], _ what: String) async throws {
            let page = try await other.accounts(after: nil, limit: 5)
            probe.expect(page, is: accounts, "the accounts \(what)")
            let next = try await other.accounts(after: first.id, limit: 5)
            probe.expect(next, is: accounts.filter { $0.id > first.id }, "the accounts after the first, \(what)")
            let due = try await other.accounts(dueBy: now, after: nil, limit: 5)
            probe.expect(due, is: accounts, "the accounts that are due \(what)")
            let waiting = try await other.messages(.waiting, after: nil, limit: 5).map(\.entry)
            probe.expect(waiting, is: messages, "the messages \(what)")
            let seen = try await other.load([.account(first.id), .account(third.id)])
            let found = [seen[first.id], seen[third.id]].compactMap(\.self)
            probe.expect(found, is: accounts.filter { $0.id != second.id }, "the first and the last account \(what)")
        }
        try await expectLists([first, third], [messages[0], messages[2]], "at first")
        try await probe.commit("one more of each") { transaction in
            transaction.changes.accounts = [.create(second)]
            transaction.changes.messages = [messages[1]]
        }
        try await expectLists([first, second, third], messages, "after one was added")
        // The last one is made again, with the version that it had.
        var again = third
        again.displayName = "Again"
        let new = again
        try await probe.commit("removals") {
            $0.changes.accounts = [.remove(first.id, expected: 0), .remove(third.id, expected: 0)]
        }
        try await probe.commit("one of them again") { $0.changes.accounts = [.create(new)] }
        try await probe.store.settleMessages([messages[0].id])
        try await expectLists([second, new], Array(messages[1...]), "after one was removed and one made again")
    }

    private static func handlesShareTheRule(_ probe: inout StoreProbe) async throws {
        let ann = try await StoreScene.stage(in: &probe).ann.id
        let signIn = Store.SignInRecord(account: ann, at: probe.now)
        try await probe.commit("a change with a rule on one handle") { transaction in
            transaction.changes.keyRule = .address
            transaction.changes.signIns = [signIn]
        }
        var change = probe.transaction().changes
        (change.keyRule, change.signIns) = (.mailbox, [signIn])
        let outcome = try await probe.other.commit(change)
        probe.expect(outcome, is: .violated(.keyRule(.address)), "a change with another rule on the other handle")
    }

    /// What has ended is not shown again because another call was reading it at that moment.
    private static func readersSeeTheEnd(_ probe: inout StoreProbe) async throws {
        let handles = [probe.store, probe.other]
        for round in 0..<96 {
            let account = try StoreScene.bareAccount("account\(round)", probe)
            let (session, code) = (
                StoreScene.session(of: account.id, &probe), StoreScene.code(about: account.id, &probe)
            )
            let (key, name) = (
                UniqueKey.identity(StoreScene.identity("\(round)")), Lookup.Reference.account(account.id)
            )
            try await probe.commit("an account with a key, a session and a record") { transaction in
                transaction.changes.accounts = [.create(account)]
                transaction.changes.keys = [KeyChange(key, from: nil, to: account.id)]
                transaction.changes.sessions = [.put(session)]
                transaction.changes.records = [.put(code)]
            }
            let lookups: [Lookup] = [
                .account(account.id), .owner(key), .session(session.id), .record(code.key), .sessions(of: name),
                .records(of: name, code.purpose),
            ]
            var change = probe.transaction().changes
            change.accounts = [.remove(account.id, expected: 0)]
            change.keys = [KeyChange(key, from: account.id, to: nil)]
            change.sessions = [.end(session.id)]
            change.records = [.consume(code.key)]
            let turns = Turns()
            let (sent, writer) = (change, handles[round % 2])
            // In some rounds each lookup is read again and again, in others once, and each at another moment.
            let isRepeated = round % 3 == 0
            let left = try await withThrowingTaskGroup(of: Void.self) { group in
                let start = StartingLine(runners: 2 * lookups.count + 1)
                for (place, lookup) in lookups.enumerated() {
                    for handle in handles {
                        group.addTask {
                            await start.arrive()
                            for _ in 0..<(5 * place + 3 * round) % 16 { await Task.yield() }
                            repeat {
                                _ = try await handle.load([lookup])
                                await Task.yield()
                            } while isRepeated && !turns.areOver
                        }
                    }
                }
                defer { turns.stop() }
                await start.arrive()
                for _ in 0..<8 { await Task.yield() }
                let outcome = try await writer.commit(sent)
                var left = outcome == .committed ? [] : ["\(outcome)"]
                if isRepeated { left += try await rest(of: lookups, on: handles) }
                turns.stop()
                try await group.waitForAll()
                return left + (try await rest(of: lookups, on: handles))
            }
            probe.expect(left, is: [], "what is shown of an account that was removed with all that it had")
            if !left.isEmpty { return }
        }
    }

    /// Which of these lookups find something.
    private static func rest(of lookups: [Lookup], on handles: [any IdentityStore]) async throws -> [String] {
        var found: [String] = []
        for handle in handles {
            for lookup in lookups {
                let answer = try await handle.load([lookup]).answer(to: lookup)
                if AnswerPicture(answer) != AnswerPicture() { found.append("\(lookup)") }
            }
        }
        return found
    }
}
