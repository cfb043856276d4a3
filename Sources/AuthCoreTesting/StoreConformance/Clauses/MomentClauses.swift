import AuthCore

/// Clauses that read on one handle while the other writes.
extension StoreClause {
    static let moments = [
        StoreClause("what one commit writes is seen together", commitsAreSeenWhole),
        StoreClause("a large commit is seen together, and a refused one never", largeCommitsAreSeenWhole),
        StoreClause("many rows of each kind are seen together", manyRowsAreSeenTogether),
        StoreClause("an owner is seen with its sessions, and a removal with its tombstone", ownersAreSeenWithTheirs),
        StoreClause("events and messages are seen with their change", eventsAreSeenWithTheirChange),
        StoreClause("a reader of the log misses nothing that others write", readersMissNothing),
    ]

    private static let repetitions = 120

    /// Every change gives two accounts their next version, and each other row the number of this version.
    private static func commitsAreSeenWhole(_ probe: inout StoreProbe) async throws {
        let rows = try await NumberedRows.stage(repetitions, in: &probe)
        let (store, other) = (probe.store, probe.other)
        var findings: Set<String> = []
        // Whether the list was empty, by its version.
        var lists: [UInt64: Bool] = [:]
        try await whileWriting(rows.changes, to: store) { turns in
            let before = rows.number(of: try await other.load([.account(rows.ann)])[rows.ann])
            turns.begin()
            let seen = try await other.load(rows.lookups(around: before))
            findings.formUnion(rows.rowsOfAnotherMoment(in: seen, around: before).map { "\($0) of another moment" })
            let isEmpty = seen.accounts(referencing: rows.shared).isEmpty
            if lists.updateValue(isEmpty, forKey: seen.referenceVersion(of: rows.shared)) ?? isEmpty != isEmpty {
                findings.insert("a version of a list of another moment")
            }
            return findings.isEmpty
        }
        for finding in findings.sorted() { probe.report("one snapshot shows \(finding) than the account") }
    }

    /// Changes that each replace all of very many sessions, and between them changes that do not hold.
    private static func largeCommitsAreSeenWhole(_ probe: inout StoreProbe) async throws {
        let ann = try StoreScene.bareAccount("ann", probe)
        try await probe.commit("an account") { $0.insert(ann) }
        let refused = StoreScene.session(of: ann.id, &probe)
        let code = StoreScene.code(about: ann.id, &probe)
        let stranger = try StoreScene.bareAccount("stranger", probe)
        var (current, changes, last) = (ann, [ChangeSet](), [SessionID]())
        for _ in 0..<10 {
            let sessions = (0..<150).map { _ in StoreScene.session(of: ann.id, &probe) }
            var next = current
            next.displayName = "\(changes.count)"
            var (whole, none) = (probe.transaction(), probe.transaction())
            whole.replace(current, with: &next)
            whole.changes.sessions = [.endAll(ann.id, except: nil)] + sessions.map { .put($0) }
            var spoiled = next
            (spoiled.displayName, spoiled.version) = ("refused", next.version + 1000)
            none.changes.accounts = [.create(stranger), .update(spoiled, expected: spoiled.version - 1)]
            none.changes.records = [.put(code)]
            none.changes.sessions = [.put(refused)]
            changes += [whole.changes, none.changes]
            last.append(sessions[sessions.count - 1].id)
            current = next
        }
        let (store, other, all, ends) = (probe.store, probe.other, changes, last)
        let own: [Lookup] = [.account(ann.id), .account(stranger.id), .session(refused.id), .record(code.key)]
        // So many that a store may answer them in parts, between the first and the last.
        let others = (0..<130).map { _ in Lookup.record(OneTimeRecordID(bits: probe.draw())) }
        let name = Lookup.Reference.account(ann.id)
        let lookups = Lookups(distinct: own + others + [.sessions(of: name)] + ends.map { .session($0) })
        var findings: Set<String> = []
        try await whileWriting(all, to: store) { turns in
            turns.begin()
            let seen = try await other.load(lookups)
            let version = seen[ann.id]?.version ?? 0
            let found = ends.indices.filter { seen.session(ends[$0]) != nil }.map { UInt64($0 + 1) }
            if found != (version == 0 ? [] : [version]) { findings.insert("a large change was seen in part") }
            let listed = Set(seen.sessions(of: name).map(\.id))
            let lasts = ends.indices.filter { listed.contains(ends[$0]) }.map { UInt64($0 + 1) }
            if lasts != found || listed.count != (version == 0 ? 0 : 150) {
                findings.insert("a list shows a large change in part")
            }
            let isSeen = seen[stranger.id] != nil || seen.session(refused.id) != nil || seen.record(code.key) != nil
            if isSeen || seen[ann.id]?.displayName == "refused" {
                findings.insert("a change was seen that was refused")
            }
            return findings.isEmpty
        }
        for finding in findings.sorted() { probe.report(finding) }
    }

    /// The first and the last of the rows of each kind that one change writes, as one load may show them.
    private struct Ends {
        var accounts: [AccountID] = []
        var lookups: [Lookup] = []

        /// Whether each is there, and what the last sign-ins show.
        func areThere(in seen: Snapshot) -> [Bool] {
            lookups.map { lookup in
                switch seen.answer(to: lookup) {
                case .nothing, .gone: false
                case .accounts(let rows, _): !rows.isEmpty
                default: true
                }
            } + accounts.map { seen.lastSignIn(of: $0) != nil }
        }
    }

    /// Each change writes more rows of each kind than a batch of a database has.
    private static func manyRowsAreSeenTogether(_ probe: inout StoreProbe) async throws {
        let (count, rounds) = (120, 4)
        try probe.requireLog(of: count * rounds)
        var (changes, ends) = ([ChangeSet](), [Ends]())
        for round in 0..<rounds {
            var (transaction, end) = (probe.transaction(), Ends())
            for row in 0..<count {
                let account = try StoreScene.bareAccount("row\(round)-\(row)", probe)
                let key = UniqueKey.identity(StoreScene.identity(account.id.text))
                let mail = try StoreScene.email("\(account.id.text)@example.com")
                let code = StoreScene.code(about: account.id, &probe)
                let session = StoreScene.session(of: account.id, &probe)
                transaction.changes.accounts.append(.create(account))
                transaction.changes.keys.append(KeyChange(key, from: nil, to: account.id))
                transaction.changes.references.append(StoreScene.reference(to: mail, by: account))
                transaction.changes.records.append(.put(code))
                transaction.changes.sessions.append(.put(session))
                transaction.changes.signIns.append(Store.SignInRecord(account: account.id, at: probe.now))
                transaction.changes.messages.append(try StoreScene.message(&probe))
                transaction.event(.signedIn, account.id, by: .system)
                guard row == 0 || row == count - 1 else { continue }
                end.accounts.append(account.id)
                end.lookups += [
                    .account(account.id), .owner(key), .referencing(mail), .record(code.key), .session(session.id),
                ]
            }
            changes.append(transaction.changes)
            ends.append(end)
        }
        let (store, other, all, reader, wanted) = (probe.store, probe.other, changes, probe, ends)
        let lookups = Lookups(wanted.flatMap(\.lookups))
        var findings: Set<String> = []
        try await whileWriting(all, to: store) { turns in
            turns.begin()
            let seen = try await other.load(lookups)
            if wanted.contains(where: { Set($0.areThere(in: seen)).count > 1 }) {
                findings.insert("some rows of a change were seen before others")
            }
            let written = count * wanted.count { $0.areThere(in: seen).contains(true) }
            let events = try await other.events(after: .start, limit: 1000).events.count
            if events % count != 0 { findings.insert("some events of a change were seen before others") }
            if events < written { findings.insert("the rows of a change were seen before its events") }
            let messages = try await reader.messageCount(on: other)
            if messages % count != 0 { findings.insert("some messages of a change were seen before others") }
            if messages < written { findings.insert("the rows of a change were seen before its messages") }
            return findings.isEmpty
        }
        for finding in findings.sorted() { probe.report(finding) }
    }

    /// Every change moves a key and ends the only session and record of its owner for those of the next owner; every
    /// other one removes an account for a tombstone.
    private static func ownersAreSeenWithTheirs(_ probe: inout StoreProbe) async throws {
        let (ann, ben) = (try StoreScene.bareAccount("ann", probe), try StoreScene.bareAccount("ben", probe))
        let key = UniqueKey.identity(StoreScene.identity("moving"))
        let tombstone = StoreScene.tombstone(of: ann.id, probe)
        var session = StoreScene.session(of: ann.id, &probe)
        var code = StoreScene.code(about: ann.id, &probe)
        let (first, firstCode) = (session, code)
        try await probe.commit("two accounts, a key, a session and a record") { transaction in
            transaction.changes.accounts = [.create(ann), .create(ben)]
            transaction.changes.keys = [KeyChange(key, from: nil, to: ann.id)]
            transaction.changes.sessions = [.put(first)]
            transaction.changes.records = [.put(firstCode)]
        }
        var changes: [ChangeSet] = []
        for round in 0..<repetitions {
            let isRemoval = round.isMultiple(of: 2)
            let (from, to) = isRemoval ? (ann.id, ben.id) : (ben.id, ann.id)
            let (old, new) = (session.id, StoreScene.session(of: to, &probe))
            var change = probe.transaction().changes
            change.keys = [KeyChange(key, from: from, to: to)]
            change.sessions = [.end(old), .put(new)]
            change.accounts = [isRemoval ? .remove(ann.id, expected: 0) : .create(ann)]
            let newCode = StoreScene.code(about: to, &probe)
            change.records = [
                isRemoval ? .put(tombstone) : .consume(tombstone.key), .consume(code.key), .put(newCode),
            ]
            changes.append(change)
            (session, code) = (new, newCode)
        }
        let (store, other, all) = (probe.store, probe.other, changes)
        let lookups: Lookups = [
            .records(of: .owner(key), .usedAssertion), .account(ann.id), .sessions(of: .owner(key)), .owner(key),
        ]
        var findings: Set<String> = []
        try await whileWriting(all, to: store) { turns in
            turns.begin()
            let seen = try await other.load(lookups)
            let sessions = seen.sessions(of: .owner(key))
            if sessions.map(\.account) != [seen.owner(of: key)?.id] {
                findings.insert("a key was seen with \(sessions.count) sessions, not with the one of its owner")
            }
            let records = seen.records(of: .owner(key), .usedAssertion)
            if records.map(\.account) != [seen.owner(of: key)?.id] {
                findings.insert("a key was seen with \(records.count) records, not with the one of its owner")
            }
            if case .nothing = seen.answer(to: .account(ann.id)) {
                findings.insert("an account was seen to be gone without its tombstone")
            }
            return findings.isEmpty
        }
        for finding in findings.sorted() { probe.report(finding) }
    }

    private static func eventsAreSeenWithTheirChange(_ probe: inout StoreProbe) async throws {
        try probe.requireLog(of: repetitions)
        var current = try StoreScene.bareAccount("ann", probe)
        let first = current
        try await probe.commit("an account") { $0.insert(first) }
        var changes: [ChangeSet] = []
        for round in 1...repetitions {
            var next = current
            next.displayName = "\(round)"
            var transaction = probe.transaction()
            transaction.replace(current, with: &next)
            transaction.event(.profileChanged, first.id, by: .system)
            transaction.changes.messages.append(try StoreScene.message(&probe))
            changes.append(transaction.changes)
            current = next
        }
        let (store, other, all, reader) = (probe.store, probe.other, changes, probe)
        var findings: Set<String> = []
        try await whileWriting(all, to: store) { turns in
            turns.begin()
            let before = Int(clamping: try await other.load([.account(first.id)])[first.id]?.version ?? 0)
            let events = try await other.events(after: .start, limit: 1000).events.count
            let messages = try await reader.messageCount(on: other)
            let after = Int(clamping: try await other.load([.account(first.id)])[first.id]?.version ?? 0)
            if events < before { findings.insert("a change was seen before its event") }
            if messages < before { findings.insert("a change was seen before its message") }
            if events > after { findings.insert("an event was seen before its change") }
            if messages > after { findings.insert("a message was seen before its change") }
            return findings.isEmpty
        }
        for finding in findings.sorted() { probe.report(finding) }
    }

    /// Several writers on both handles; a reader goes on from the last position that it has read.
    private static func readersMissNothing(_ probe: inout StoreProbe) async throws {
        let writers = 6
        try probe.requireLog(of: writers * repetitions)
        var changes: [[ChangeSet]] = []
        for writer in 0..<writers {
            let id = try StoreScene.id("writer\(writer)")
            changes.append(
                (0..<repetitions / 2).map { round in
                    var transaction = probe.transaction()
                    for _ in 0...round % 3 { transaction.event(.signedIn, id, by: .system) }
                    return transaction.changes
                }
            )
        }
        let (stores, all) = ([probe.store, probe.other], changes)
        let reader = stores[1]
        var (read, later): ([IdentityEvent], [IdentityEvent]) = ([], [])
        var end = IdentityEvent.Position.start
        try await whileWriting { _ in
            try await withThrowingTaskGroup { group in
                for (writer, changes) in all.enumerated() {
                    group.addTask {
                        for change in changes {
                            _ = try await stores[writer % 2].commit(change)
                            await Task.yield()
                        }
                    }
                }
                try await group.waitForAll()
            }
        } _: { _ in
            while true {
                let page = try await reader.events(after: read.last?.position ?? .start, limit: 7)
                // A page that leads no further would be read for ever.
                guard let last = page.events.last?.position, last > read.last?.position ?? .start else { break }
                read += page.events
            }
            // Another reader goes on from the end of the log.
            let page = try await reader.events(after: end, limit: 10_000)
            later += page.events
            end = page.end
            return true
        }
        let written = changes.joined().reduce(0) { $0 + $1.events.count }
        probe.expect(read.count, is: written, "how many events a reader saw")
        probe.expect(later == read, "a reader who goes on from the end of the log saw \(later.count) events")
        let positions = read.map(\.position)
        probe.expect(Set(positions).count, is: positions.count, "how many positions there are")
        let log = try await probe.store.events(after: .start, limit: 10_000).events
        probe.expect(log.map(\.position) == positions, "the log shows the events in another order than its reader saw")
    }
}
