import AuthCore

/// Clauses about which commits are written, and how much of them.
extension StoreClause {
    static let commits = [
        StoreClause("a key that is only expected stays with its owner, or free", expectationsChangeNothing),
        StoreClause("the rule of keys is that of the first change that was written with one", theFirstRuleHolds),
        StoreClause("an operation is known by its ID and by nothing else", operationsAreIDs),
        StoreClause("an operation is written once, whatever it writes", everyPartIsWrittenOnce),
        StoreClause("accounts exchange their keys in one step", keysAreExchanged),
        StoreClause("the keys and references of a removed account go to another in the same step", keysAreInherited),
        StoreClause("a tombstone makes way where it is used up, and nowhere else", tombstonesStay),
        StoreClause("a tombstone makes way for no replacement and no other use", tombstonesAreConsumed),
        StoreClause("one change writes many rows of each kind", manyRowsAreWritten),
    ]

    private static func expectationsChangeNothing(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let (ann, ben) = (scene.ann, scene.ben.id)
        let free: [UniqueKey] = [
            .identity(StoreScene.identity("free")), .phone(try StoreScene.number(of: "free")),
            .primaryEmail(try StoreScene.email("free@example.com")),
        ]
        let owned = ann.ownedKeys(under: .address)
        for _ in 0..<2 {
            try await probe.commit("a change that expects keys") { transaction in
                transaction.changes.keys = free.map { KeyChange($0, from: nil, to: nil) }
                transaction.changes.keys += owned.map { KeyChange($0, from: ann.id, to: ann.id) }
                transaction.event(.signedIn, ann.id, by: .system)
            }
            for key in free {
                probe.expect(try await probe.owner(of: key), is: nil, "the owner of a key expected free")
            }
            for key in owned { probe.expect(try await probe.owner(of: key), is: ann.id, "the owner expected") }
        }
        try await probe.commit("claims of keys that were expected to be free") { transaction in
            transaction.changes.keys = free.map { KeyChange($0, from: nil, to: ben) }
        }
        for key in free { probe.expect(try await probe.owner(of: key), is: ben, "the owner of a key that was free") }
    }

    private static func theFirstRuleHolds(_ probe: inout StoreProbe) async throws {
        func change(_ rule: KeyRule?, _ probe: inout StoreProbe) -> ChangeSet {
            var changes = ChangeSet(operation: OperationID(bits: probe.draw()), at: probe.now)
            changes.keyRule = rule
            changes.records = [.put(StoreScene.code(about: nil, &probe))]
            return changes
        }
        let unruled = change(nil, &probe)
        try await probe.commit("a change without a rule", unruled)
        var refused = change(.address, &probe)
        refused.records.append(.consume(OneTimeRecordID(bits: probe.draw())))
        if try await probe.store.commit(refused) == .committed { probe.report("a use of no record was written") }
        var again = unruled
        again.keyRule = .address
        probe.expect(try await probe.store.commit(again), is: .duplicate, "a change that was written before")
        try await probe.commit("the first change that is written with a rule", change(.mailbox, &probe))
        let other = try await probe.store.commit(change(.address, &probe))
        probe.expect(other, is: .violated(.keyRule(.mailbox)), "a change that follows another rule")
        try await probe.commit("a change that follows the rule", change(.mailbox, &probe))
        try await probe.commit("a change without a rule, later", change(nil, &probe))
        let late = try await probe.store.commit(change(.address, &probe))
        probe.expect(late, is: .violated(.keyRule(.mailbox)), "a change that follows another rule after one without")
    }

    private static func operationsAreIDs(_ probe: inout StoreProbe) async throws {
        try probe.requireLog(of: 5)
        let scene = try await StoreScene.stageEverything(in: &probe)
        let first = try scene.richChange(&probe)
        try await probe.commit("a change", first)
        var other = ChangeSet(operation: first.operation, at: probe.later(3600))
        other.records = [.put(StoreScene.code(about: scene.ann.id, &probe))]
        other.signIns = [Store.SignInRecord(account: scene.ann.id, at: probe.later(3600))]
        other.events = [IdentityEvent(.signedOut, at: probe.now, account: scene.ann.id, actor: .system, reasons: [])]
        other.messages = [try StoreScene.message(&probe)]
        var both = first
        both.records += other.records
        let before = try await StorePicture(of: scene, touchedBy: both, in: probe)
        probe.expect(try await probe.store.commit(other), is: .duplicate, "another change under the same ID")
        other.reads = [Store.AccountRead(id: scene.ann.id, version: 99)]
        probe.expect(
            try await probe.store.commit(other),
            is: .duplicate,
            "a change under the same ID that does not hold"
        )
        let after = try await StorePicture(of: scene, touchedBy: both, in: probe)
        probe.expect(before == after, "something was written under an ID that was known")
        // The same content under other IDs is written again, each time.
        for _ in 0..<3 {
            var same = ChangeSet(operation: OperationID(bits: probe.draw()), at: first.at)
            same.signIns = first.signIns
            same.events = first.events
            try await probe.commit("the same content under another ID", same)
        }
        let events = try await probe.store.events(after: .start, limit: 100).events
        probe.expect(events.count { $0.kind == .profileChanged }, is: 4, "how often an event was written")
    }

    private static func everyPartIsWrittenOnce(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stageEverything(in: &probe)
        guard let rest = scene.rest else { return }
        let (ann, ben, mail) = (scene.ann, scene.ben, try StoreScene.email("shared@example.com"))
        var renamed = ann
        renamed.version += 1
        let (next, code, session) = (
            renamed, StoreScene.code(about: ann.id, &probe), StoreScene.session(of: ann.id, &probe)
        )
        let (key, message) = (UniqueKey.identity(StoreScene.identity("new")), try StoreScene.message(&probe))
        let (new, unused) = (try StoreScene.bareAccount("new", probe), rest.sessions[0].id)
        let parts: [(String, (inout ChangeSet) -> Void)] = [
            ("an account", { $0.accounts = [.update(next, expected: ann.version)] }),
            ("a key", { $0.keys = [KeyChange(key, from: nil, to: ann.id)] }),
            ("a key that moves", { $0.keys = [KeyChange(key, from: ann.id, to: ben.id)] }),
            ("the end of a key", { $0.keys = [KeyChange(key, from: ben.id, to: nil)] }),
            ("a reference", { $0.references = [StoreScene.reference(to: mail, by: ann)] }),
            (
                "the end of a reference",
                { $0.references = [StoreScene.reference(to: mail, by: ann, isReferenced: false)] }
            ),
            ("a record", { $0.records = [.put(code)] }),
            ("a replacement of a record", { $0.records = [.replace(StoreScene.moved(code, to: ben.id))] }),
            ("a use of a record", { $0.records = [.consume(code.key)] }),
            ("the end of a record", { $0.records = [.revoke(rest.codes[0].key)] }),
            ("a revocation", { $0.records = [.revokeAll(ann.id, [.usedAssertion])] }),
            ("a session", { $0.sessions = [.put(session)] }),
            ("an update of a session", { $0.sessions = [.update(session, refreshCount: session.refreshCount)] }),
            ("the end of a session", { $0.sessions = [.end(session.id)] }),
            ("the end of the unused ones", { $0.sessions = [.endUnused(rest.eve.id, keeping: 1, besides: unused)] }),
            ("the end of all", { $0.sessions = [.endAll(rest.eve.id, except: nil)] }),
            ("a new account", { $0.accounts = [.create(new)] }),
            ("a removal", { $0.accounts = [.remove(new.id, expected: 0)] }),
            ("a sign-in", { $0.signIns = [Store.SignInRecord(account: ann.id, at: .distantFuture)] }),
            (
                "an event",
                {
                    $0.events = [
                        IdentityEvent(.signedIn, at: .distantPast, account: ann.id, actor: .system, reasons: [])
                    ]
                }
            ),
            ("a message", { $0.messages = [message] }),
        ]
        var written: [(String, ChangeSet)] = []
        for (what, add) in parts {
            var changes = ChangeSet(operation: OperationID(bits: probe.draw()), at: probe.now)
            add(&changes)
            try await probe.commit("a change of \(what)", changes)
            written.append((what, changes))
        }
        for store in [probe.store, probe.other] {
            for (what, changes) in written {
                probe.expect(try await store.commit(changes), is: .duplicate, "a change of \(what), once more")
            }
        }
        guard let reopen = probe.subject.reopen else { return }
        probe.store = try await reopen()
        for (what, changes) in written {
            let outcome = try await probe.store.commit(changes)
            probe.expect(outcome, is: .duplicate, "a change of \(what), after the store was opened again")
        }
    }

    private static func keysAreExchanged(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let (ann, ben) = (scene.ann.id, scene.ben.id)
        let (hers, his) = (scene.ann.ownedKeys(under: .address), scene.ben.ownedKeys(under: .address))
        // What she keeps is of the same kinds as what she is given.
        let kept: [UniqueKey] = [
            .identity(StoreScene.identity("kept")), .phone(try StoreScene.number(of: "kept")),
            .primaryEmail(try StoreScene.email("kept@example.com")),
        ]
        try await probe.commit("more keys") { $0.changes.keys = kept.map { KeyChange($0, from: nil, to: ann) } }
        try await probe.commit("an exchange of all keys") { transaction in
            transaction.changes.keys = hers.map { KeyChange($0, from: ann, to: ben) }
            transaction.changes.keys += his.map { KeyChange($0, from: ben, to: ann) }
        }
        for (keys, owner) in [(hers, ben), (his + kept, ann)] {
            for key in keys {
                probe.expect(try await probe.owner(of: key), is: owner, "the owner of a key that was exchanged")
                let seen = try await probe.load(.sessions(of: .owner(key)), .records(of: .owner(key), .usedAssertion))
                let isAnns = owner == ann
                let sessions = seen.sessions(of: .owner(key)).map(\.id)
                probe.expect(sessions, is: isAnns ? [scene.session.id] : [], "the sessions of a new owner")
                let records = seen.records(of: .owner(key), .usedAssertion).map(\.key)
                probe.expect(records, is: isAnns ? [scene.code.key] : [], "the records of a new owner")
            }
        }
    }

    /// As a merge does it.
    private static func keysAreInherited(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let (ann, ben) = (scene.ann, scene.ben)
        let keys = ann.ownedKeys(under: .address)
        let mail = try StoreScene.email("ann@example.com")
        let kept = StoreScene.code(about: ben.id, &probe)
        try await probe.commit("a merge") { transaction in
            transaction.changes.keys = keys.map { KeyChange($0, from: ann.id, to: ben.id) }
            transaction.changes.references = [
                StoreScene.reference(to: mail, by: ben), StoreScene.reference(to: mail, by: ann, isReferenced: false),
            ]
            transaction.changes.records = [.put(kept), .revokeAll(ann.id, OneTimeRecord.Purpose.allCases)]
            transaction.changes.sessions = [.endAll(ann.id, except: nil)]
            transaction.changes.accounts = [.remove(ann.id, expected: ann.version)]
        }
        probe.expect(try await probe.account(ann.id) == nil, "a merged account was found")
        for key in keys { probe.expect(try await probe.owner(of: key), is: ben.id, "the owner of an inherited key") }
        probe.expect(try await probe.referencing(of: mail), is: [ben.id], "who references an inherited address")
        probe.expect(try await probe.record(kept.key), is: kept, "a record about the heir")
    }

    private static func tombstonesAreConsumed(_ probe: inout StoreProbe) async throws {
        let (ann, ben) = (try StoreScene.bareAccount("ann", probe), try StoreScene.bareAccount("ben", probe))
        let (anns, bens) = (StoreScene.tombstone(of: ann.id, probe), StoreScene.tombstone(of: ben.id, probe))
        try await probe.commit("two tombstones") { $0.changes.records = [.put(anns), .put(bens)] }
        let others: [(String, OneTimeRecordChange)] = [
            ("replaces its tombstone", .replace(anns)), ("revokes its tombstone", .revoke(anns.key)),
            ("uses up another tombstone", .consume(bens.key)),
        ]
        for (name, change) in others {
            try await probe.refuse("a creation that \(name)", .absent(ann.id)) { transaction in
                transaction.changes.accounts = [.create(ann)]
                transaction.changes.records = [change]
            }
        }
        try await probe.commit("a creation that uses up its tombstone") { transaction in
            transaction.changes.accounts = [.create(ann)]
            transaction.changes.records = [.consume(anns.key)]
        }
    }

    private static func tombstonesStay(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        // It holds until it is removed, though it has expired.
        let tombstone = StoreScene.tombstone(of: scene.ann.id, probe, lasting: -1)
        let other = StoreScene.code(about: scene.ben.id, &probe)
        try await probe.commit("a removal with a tombstone, and another record") { transaction in
            transaction.remove(scene.ann)
            transaction.changes.records += [.put(tombstone), .put(other)]
        }
        let again = try StoreScene.bareAccount("ann", probe)
        for _ in 0..<2 {
            try await probe.refuse("a new account where another record is used up", .absent(again.id)) { transaction in
                transaction.insert(again)
                transaction.changes.records.append(.consume(other.key))
            }
        }
        let stranger = try StoreScene.bareAccount("stranger", probe)
        try await probe.refuse("a new account behind another one", .absent(again.id)) { transaction in
            transaction.changes.accounts = [.create(stranger), .create(again)]
        }
        try await probe.refuse("a new account where its tombstone is revoked", .absent(again.id)) { transaction in
            transaction.insert(again)
            transaction.changes.records.append(.revoke(tombstone.key))
        }
        let seen = try await probe.load(.account(scene.ben.id), .account(again.id), .record(tombstone.key))
        probe.expect(seen[scene.ben.id], is: scene.ben, "an account asked for beside a tombstone")
        probe.expect(seen.tombstone(of: again.id), is: tombstone, "a tombstone that has expired")
        probe.expect(seen.record(tombstone.key), is: tombstone, "a tombstone, by its own ID")
        probe.expect(try await probe.record(other.key), is: other, "a record that a refused change uses up")
    }

    private static func manyRowsAreWritten(_ probe: inout StoreProbe) async throws {
        let count = 300
        try probe.requireLog(of: count)
        let accounts = try (0..<count).map { try StoreScene.bareAccount("account\($0)", probe) }
        let keys = accounts.map { UniqueKey.identity(StoreScene.identity($0.id.description)) }
        let mails = try (0..<count).map { try StoreScene.email("mail\($0)@example.com") }
        let codes = accounts.map { StoreScene.code(about: $0.id, &probe) }
        let sessions = accounts.map { StoreScene.session(of: $0.id, &probe) }
        let messages = try (0..<count).map { _ in try StoreScene.message(&probe) }
        try await probe.commit("many rows") { transaction in
            transaction.changes.accounts = accounts.map { .create($0) }
            transaction.changes.keys = zip(keys, accounts).map { KeyChange($0, from: nil, to: $1.id) }
            transaction.changes.references = zip(mails, accounts).map { StoreScene.reference(to: $0, by: $1) }
            transaction.changes.records = codes.map { .put($0) }
            transaction.changes.sessions = sessions.map { .put($0) }
            transaction.changes.signIns = accounts.map {
                Store.SignInRecord(account: $0.id, at: transaction.context.now)
            }
            for account in accounts { transaction.event(.accountCreated, account.id, by: .system) }
            transaction.changes.messages = messages
        }
        let lookups = Lookups(
            distinct: keys.map { .owner($0) } + mails.map { .referencing($0) } + codes.map { .record($0.key) }
                + sessions.map { .session($0.id) }
        )
        let seen = try await probe.store.load(lookups)
        let parts = seen.parts
        let owned = zip(keys, accounts).count { parts[.owner($0)]?.owner(of: $0)?.id == $1.id }
        probe.expect(owned, is: count, "how many keys were written")
        let listed = zip(mails, accounts).count {
            parts[.referencing($0)]?.accounts(referencing: $0).map(\.id) == [$1.id]
        }
        probe.expect(listed, is: count, "how many references were written")
        let recorded = codes.count { parts[.record($0.key)]?.record($0.key) == $0 }
        probe.expect(recorded, is: count, "how many records were written")
        let begun = sessions.count { parts[.session($0.id)]?.session($0.id) == $0 }
        probe.expect(begun, is: count, "how many sessions were written")
        let signedIn = accounts.count { seen.lastSignIn(of: $0.id) == probe.now }
        probe.expect(signedIn, is: count, "how many sign-ins were written")
        let events = try await probe.store.events(after: .start, limit: 1000).events
        probe.expect(events.map(\.account), is: accounts.map(\.id), "the accounts of the events, in their order")
        let waiting = try await probe.store.messages(.waiting, after: nil, limit: 1000)
        probe.expect(waiting.map(\.entry), is: messages.sorted { $0.id < $1.id }, "the messages")

        try await probe.commit("the end of many rows") { transaction in
            transaction.changes.accounts = accounts.map { .remove($0.id, expected: 0) }
            transaction.changes.keys = zip(keys, accounts).map { KeyChange($0, from: $1.id, to: nil) }
            transaction.changes.references = zip(mails, accounts).map {
                StoreScene.reference(to: $0, by: $1, isReferenced: false)
            }
            transaction.changes.records = codes.map { .consume($0.key) }
            transaction.changes.sessions = sessions.map { .end($0.id) }
        }
        let left = try await probe.store.accounts(after: nil, limit: 1000).count
        probe.expect(left, is: 0, "how many of many removed accounts are left")
        // Some at a time, since a snapshot compares each lookup with all.
        for start in stride(from: 0, to: lookups.count, by: 100) {
            let some = Lookups(lookups[start..<min(start + 100, lookups.count)])
            let seen = try await probe.store.load(some)
            let isEmpty = some.allSatisfy { AnswerPicture(seen.answer(to: $0)) == AnswerPicture() }
            probe.expect(isEmpty, "something is left of many rows that were removed")
        }
    }
}
