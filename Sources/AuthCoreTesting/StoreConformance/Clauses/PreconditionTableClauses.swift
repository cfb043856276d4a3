import AuthCore

/// Clauses that try every kind of precondition, wherever it stands in a change and whatever number it expects.
extension StoreClause {
    static let preconditionTable = [
        StoreClause("every precondition is looked at, wherever it stands", everyPreconditionCounts),
        StoreClause("of several preconditions that do not hold the first is answered", theFirstIsAnswered),
        StoreClause("a number that a change expects is that one, neither more nor less", numbersAreExact),
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
        Store.Precondition

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
                    next.version = expected(holds) + 1
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
                    changes.reads.append(Store.AccountRead(id: accounts[place].id, version: expected(holds)))
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
                var wanted: Store.Precondition?
                for place in 0..<3 {
                    let precondition = try condition(place, place != broken, &changes, &probe)
                    if place == broken { wanted = precondition }
                }
                guard let wanted else { continue }
                // Without anything else, which may be nothing to write, and with an event.
                for hasEvent in [false, true] {
                    if hasEvent {
                        changes.events = [
                            IdentityEvent(
                                .signedIn,
                                at: probe.now,
                                account: trio.accounts[0].id,
                                actor: .system,
                                reasons: []
                            )
                        ]
                    }
                    let outcome = try await probe.store.commit(changes)
                    probe.expect(
                        outcome,
                        is: .violated(wanted),
                        "three \(name), of which only number \(broken + 1) does not hold"
                    )
                }
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
                var wanted: [Store.Precondition] = []
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
        for wrong in [0, 1, 4, 6, 7, 1 << 8 | 5, 1 << 40 | 5] as [UInt64] {
            let what = "where \(wrong) was expected and the number is 5"
            var next = account
            next.version = wrong + 1
            let new = next
            try await probe.refuse("an update \(what)", .version(account.id)) {
                $0.changes.accounts = [.update(new, expected: wrong)]
            }
            try await probe.refuse("a removal \(what)", .version(account.id)) {
                $0.changes.accounts = [.remove(account.id, expected: wrong)]
            }
            try await probe.refuse("a read \(what)", .version(account.id)) {
                $0.changes.reads = [Store.AccountRead(id: account.id, version: wrong)]
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
        let unused = try StoreScene.email("unused@example.com")
        try await probe.refuse("a list without references, of which one was expected", .references(unused)) {
            $0.changes.referenceReads = [Store.EmailReferenceRead(email: unused, version: version)]
            $0.event(.signedIn, account.id, by: .system)
        }
    }
}
