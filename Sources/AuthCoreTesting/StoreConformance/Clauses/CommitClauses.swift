import AuthCore

/// Clauses about which commits are written, and how much of them.
extension StoreClause {
    static let commits = [
        StoreClause("every precondition is looked at, wherever it stands", everyPreconditionCounts),
        StoreClause("of several preconditions that do not hold the first is answered", theFirstIsAnswered),
        StoreClause("a number that a change expects is that one, neither more nor less", numbersAreExact),
        StoreClause("a key that is only expected stays with its owner, or free", expectationsChangeNothing),
        StoreClause("the rule of keys is that of the first change that was written with one", theFirstRuleHolds),
        StoreClause("an operation is known by its ID and by nothing else", operationsAreIDs),
        StoreClause("an operation is written once, whatever it writes", everyPartIsWrittenOnce),
        StoreClause("accounts exchange their keys in one step", keysAreExchanged),
        StoreClause("the keys and references of a removed account go to another in the same step", keysAreInherited),
        StoreClause("a tombstone makes way where it is used up, and nowhere else", tombstonesStay),
        StoreClause("one change writes many rows of each kind", manyRowsAreWritten),
    ]

    /// Three accounts, each with a key, a list of references, a record and a session.
    private struct Trio {
        var accounts: [Account] = []
        var keys: [UniqueKey] = []
        var mails: [EmailAddress] = []
        var versions: [UInt64] = []
        var records: [OneTimeRecord] = []
        var sessions: [Session] = []
    }

    private static func trio(_ probe: inout StoreProbe) async throws -> Trio {
        var trio = Trio()
        for name in ["ann", "ben", "cem"] {
            var account = try StoreScene.bareAccount(name, probe)
            account.version = 5
            trio.accounts.append(account)
            trio.keys.append(.identity(StoreScene.identity(name)))
            trio.mails.append(try StoreScene.email("\(name)@example.com"))
            trio.records.append(StoreScene.code(about: account.id, &probe))
            var session = StoreScene.session(of: account.id, &probe)
            session.refreshCount = 5
            trio.sessions.append(session)
        }
        let staged = trio
        try await probe.commit("three accounts") { transaction in
            transaction.changes.accounts = staged.accounts.map { .create($0) }
            transaction.changes.keys = zip(staged.keys, staged.accounts).map { KeyChange($0, from: nil, to: $1.id) }
            transaction.changes.references = zip(staged.mails, staged.accounts).map {
                StoreScene.reference(to: $0, by: $1)
            }
            transaction.changes.records = staged.records.map { .put($0) }
            transaction.changes.sessions = staged.sessions.map { .put($0) }
        }
        for mail in trio.mails { trio.versions.append(try await probe.referenceVersion(of: mail)) }
        return trio
    }

    /// Adds what holds or does not hold for one of three, and names the precondition.
    private typealias Condition = (_ place: Int, _ holds: Bool, inout ChangeSet, inout StoreProbe) throws ->
        Precondition

    private static func conditions(of trio: Trio) -> [(name: String, Condition)] {
        let (accounts, keys, mails) = (trio.accounts, trio.keys, trio.mails)
        let expected: (Bool) -> UInt64 = { $0 ? 5 : 4 }
        return [
            (
                "creations",
                { place, holds, changes, probe in
                    let id = holds ? try StoreScene.id("new\(place)") : accounts[place].id
                    changes.accounts.append(.create(Account(id: id, createdAt: probe.now)))
                    return .absent(id)
                }
            ),
            (
                "updates",
                { place, holds, changes, _ in
                    var next = accounts[place]
                    next.version = 6
                    changes.accounts.append(.update(next, expected: expected(holds)))
                    return .version(next.id)
                }
            ),
            (
                "removals",
                { place, holds, changes, _ in
                    changes.accounts.append(.remove(accounts[place].id, expected: expected(holds)))
                    return .version(accounts[place].id)
                }
            ),
            (
                "reads",
                { place, holds, changes, _ in
                    changes.reads.append(AccountRead(id: accounts[place].id, version: expected(holds)))
                    return .version(accounts[place].id)
                }
            ),
            (
                "lists",
                { place, holds, changes, _ in
                    let version = trio.versions[place] &+ (holds ? 0 : 1)
                    changes.referenceReads.append(Store.EmailReferenceRead(email: mails[place], version: version))
                    return .references(mails[place])
                }
            ),
            (
                "owners",
                { place, holds, changes, _ in
                    let owner = accounts[holds ? place : (place + 1) % 3].id
                    changes.keys.append(KeyChange(keys[place], from: owner, to: owner))
                    return .owner(keys[place])
                }
            ),
            (
                "claims",
                { place, holds, changes, _ in
                    let key = holds ? UniqueKey.identity(StoreScene.identity("new\(place)")) : keys[place]
                    changes.keys.append(KeyChange(key, from: nil, to: accounts[0].id))
                    return .owner(key)
                }
            ),
            (
                "puts",
                { place, holds, changes, probe in
                    let record = holds ? StoreScene.code(about: nil, &probe) : trio.records[place]
                    changes.records.append(.put(record))
                    return .record(record.key)
                }
            ),
            (
                "replacements",
                { place, holds, changes, probe in
                    let record = holds ? trio.records[place] : StoreScene.code(about: nil, &probe)
                    changes.records.append(.replace(record))
                    return .record(record.key)
                }
            ),
            (
                "uses",
                { place, holds, changes, probe in
                    let key = holds ? trio.records[place].key : OneTimeRecordID(bits: probe.draw())
                    changes.records.append(.consume(key))
                    return .record(key)
                }
            ),
            (
                "new sessions",
                { place, holds, changes, probe in
                    let session = holds ? StoreScene.session(of: accounts[0].id, &probe) : trio.sessions[place]
                    changes.sessions.append(.put(session))
                    return .session(session.id)
                }
            ),
            (
                "updates of sessions",
                { place, holds, changes, _ in
                    changes.sessions.append(.update(trio.sessions[place], refreshCount: holds ? 5 : 4))
                    return .session(trio.sessions[place].id)
                }
            ),
        ]
    }

    private static func everyPreconditionCounts(_ probe: inout StoreProbe) async throws {
        let trio = try await trio(&probe)
        for (name, condition) in conditions(of: trio) {
            for broken in 0..<3 {
                var changes = probe.transaction().changes
                var wanted: Precondition?
                for place in 0..<3 {
                    let precondition = try condition(place, place != broken, &changes, &probe)
                    if place == broken { wanted = precondition }
                }
                guard let wanted else { continue }
                changes.events = [
                    IdentityEvent(.signedIn, at: probe.now, account: trio.accounts[0].id, actor: .system, reasons: [])
                ]
                let outcome = try await probe.store.commit(changes)
                probe.expect(
                    outcome,
                    is: .violated(wanted),
                    "three \(name), of which only number \(broken + 1) does not hold"
                )
            }
        }
    }

    /// The order is that of the kinds; where keys and lists of references both fail, either may be named.
    private static func theFirstIsAnswered(_ probe: inout StoreProbe) async throws {
        let trio = try await trio(&probe)
        let all = Dictionary(uniqueKeysWithValues: conditions(of: trio))
        for kinds in [
            ["updates", "owners", "uses", "new sessions"], ["reads", "lists", "puts", "updates of sessions"],
        ] {
            for first in kinds.indices {
                var changes = probe.transaction().changes
                var wanted: [Precondition] = []
                for kind in kinds[first...] {
                    if let precondition = try all[kind]?(1, false, &changes, &probe) { wanted.append(precondition) }
                }
                let outcome = try await probe.store.commit(changes)
                probe.expect(outcome, is: .violated(wanted[0]), "a change in which \(kinds[first...]) do not hold")
                changes.keyRule = .mailbox
                let ruled = try await probe.store.commit(changes)
                probe.expect(ruled, is: .violated(.keyRule(.address)), "the same under another rule of keys")
            }
        }
    }

    private static func numbersAreExact(_ probe: inout StoreProbe) async throws {
        let trio = try await trio(&probe)
        let (account, session, mail, version) = (trio.accounts[1], trio.sessions[1], trio.mails[1], trio.versions[1])
        var next = account
        next.version = 6
        let new = next
        for wrong in [0, 1, 4, 6, 7, 1 << 8 | 5, 1 << 40 | 5] as [UInt64] {
            let what = "where \(wrong) was expected and the number is 5"
            try await probe.refuse("an update \(what)", .version(account.id)) {
                $0.changes.accounts = [.update(new, expected: wrong)]
            }
            try await probe.refuse("a removal \(what)", .version(account.id)) {
                $0.changes.accounts = [.remove(account.id, expected: wrong)]
            }
            try await probe.refuse("a read \(what)", .version(account.id)) {
                $0.changes.reads = [AccountRead(id: account.id, version: wrong)]
                $0.event(.signedIn, account.id, by: .system)
            }
            let count = UInt32(min(wrong, UInt64(UInt32.max)))
            try await probe.refuse("an exchange \(what)", .session(session.id)) {
                $0.changes.sessions = [.update(session, refreshCount: count)]
            }
        }
        for wrong in [0, version &- 1, version &+ 1, version ^ 1 << 40] {
            try await probe.refuse("a list of version \(wrong), not \(version)", .references(mail)) {
                $0.changes.referenceReads = [Store.EmailReferenceRead(email: mail, version: wrong)]
                $0.event(.signedIn, account.id, by: .system)
            }
        }
        let unused = try StoreScene.email("nobody@example.com")
        try await probe.refuse("a list without references, of which one was expected", .references(unused)) {
            $0.changes.referenceReads = [Store.EmailReferenceRead(email: unused, version: version)]
            $0.event(.signedIn, account.id, by: .system)
        }
    }

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
    }

    private static func operationsAreIDs(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let first = try scene.richChange(&probe)
        try await probe.commit("a change", first)
        var other = ChangeSet(operation: first.operation, at: probe.later(3600))
        other.records = [.put(StoreScene.code(about: scene.ann.id, &probe))]
        other.signIns = [SignInRecord(account: scene.ann.id, at: probe.later(3600))]
        other.events = [IdentityEvent(.signedOut, at: probe.now, account: scene.ann.id, actor: .system, reasons: [])]
        other.messages = [try StoreScene.message(&probe)]
        var both = first
        both.records += other.records
        let before = try await StorePicture(of: scene, touchedBy: both, in: probe)
        probe.expect(try await probe.store.commit(other), is: .duplicate, "another change under the same ID")
        other.reads = [AccountRead(id: scene.ann.id, version: 99)]
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
        let scene = try await StoreScene.stage(in: &probe)
        let (ann, mail) = (scene.ann, try StoreScene.email("shared@example.com"))
        var renamed = ann
        renamed.version += 1
        let (next, code, session) = (
            renamed, StoreScene.code(about: ann.id, &probe), StoreScene.session(of: ann.id, &probe)
        )
        let (key, message) = (UniqueKey.identity(StoreScene.identity("new")), try StoreScene.message(&probe))
        let parts: [(String, (inout ChangeSet) -> Void)] = [
            ("an account", { $0.accounts = [.update(next, expected: ann.version)] }),
            ("a key", { $0.keys = [KeyChange(key, from: nil, to: ann.id)] }),
            ("a reference", { $0.references = [StoreScene.reference(to: mail, by: ann)] }),
            ("a record", { $0.records = [.put(code)] }),
            ("a use of a record", { $0.records = [.consume(code.key)] }),
            ("a revocation", { $0.records = [.revokeAll(ann.id, [.usedAssertion])] }),
            ("a session", { $0.sessions = [.put(session)] }),
            ("the end of a session", { $0.sessions = [.end(session.id)] }),
            ("a sign-in", { $0.signIns = [SignInRecord(account: ann.id, at: .distantFuture)] }),
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
        for (what, changes) in written {
            probe.expect(try await probe.store.commit(changes), is: .duplicate, "a change of \(what), once more")
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

    private static func tombstonesStay(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let buried = OneTimeRecord(
            key: .tombstone(of: scene.ann.id),
            account: nil,
            createdAt: probe.now,
            // It holds until it is removed, though it has expired.
            expiresAt: probe.later(-1),
            content: .tombstone(successor: nil)
        )
        let other = StoreScene.code(about: scene.ben.id, &probe)
        try await probe.commit("a removal with a tombstone, and another record") { transaction in
            transaction.remove(scene.ann)
            transaction.changes.records += [.put(buried), .put(other)]
        }
        let again = try StoreScene.bareAccount("ann", probe)
        for _ in 0..<2 {
            try await probe.refuse("a new account where another record is used up", .absent(again.id)) { transaction in
                transaction.insert(again)
                transaction.changes.records.append(.consume(other.key))
            }
        }
        let seen = try await probe.load(.account(scene.ben.id), .account(again.id), .record(buried.key))
        probe.expect(seen[scene.ben.id], is: scene.ben, "an account asked for beside a tombstone")
        probe.expect(seen.tombstone(of: again.id), is: buried, "a tombstone that has expired")
        probe.expect(seen.record(buried.key), is: buried, "a tombstone, by its own ID")
        probe.expect(try await probe.record(other.key), is: other, "a record that a refused change uses up")
    }

    private static func manyRowsAreWritten(_ probe: inout StoreProbe) async throws {
        let count = 300
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
            transaction.changes.signIns = accounts.map { SignInRecord(account: $0.id, at: transaction.context.now) }
            for account in accounts { transaction.event(.accountCreated, account.id, by: .system) }
            transaction.changes.messages = messages
        }
        let lookups = Lookups(
            keys.map { .owner($0) } + mails.map { .referencing($0) } + codes.map { .record($0.key) }
                + sessions.map { .session($0.id) }
        )
        var seen = try await probe.store.load(lookups)
        let owned = zip(keys, accounts).count { seen.owner(of: $0)?.id == $1.id }
        probe.expect(owned, is: count, "how many keys were written")
        let listed = zip(mails, accounts).count { seen.accounts(referencing: $0).map(\.id) == [$1.id] }
        probe.expect(listed, is: count, "how many references were written")
        probe.expect(codes.count { seen.record($0.key) == $0 }, is: count, "how many records were written")
        probe.expect(sessions.count { seen.session($0.id) == $0 }, is: count, "how many sessions were written")
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
        seen = try await probe.store.load(lookups)
        let isEmpty = lookups.allSatisfy { AnswerPicture(seen.answer(to: $0)) == AnswerPicture() }
        probe.expect(isEmpty, "something is left of many rows that were removed")
    }
}
