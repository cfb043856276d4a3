import AuthCore

/// Clauses about two things that meet: rows written twice in a change, lookups beside others, times out of order.
extension StoreClause {
    static let combinations = [
        StoreClause("events follow each other as their changes do, whatever their times are", positionsIgnoreTimes),
        StoreClause("a change may have many events, and the next one follows them", manyEventsAreFollowed),
        StoreClause("a restored account is removed again", restoredAccountsGoAgain),
        StoreClause("what is found once is found beside others of its kind", eachLookupIsAnswered),
        StoreClause("a handle that saw an account gone sees it restored", restoredAccountsAreSeen),
        StoreClause("the ID of a row that ended is free", endedIDsAreFree),
        StoreClause("a record about a removed account is replaced and used up", recordsOfTheGoneAreUsed),
        StoreClause("the rows of an account that is not there are updated and end", rowsOfTheGoneEnd),
        StoreClause("a row that a change writes and ends is gone", writtenRowsEnd),
        StoreClause("a sweep finds rows however great their IDs are, and spares messages", sweepsFindGreatIDs),
        StoreClause("a list of references has as many versions as changes", listsHaveManyVersions),
        StoreClause("an operation is not known by the ID of a message", operationsAreNoMessages),
    ]

    // MARK: Events

    private static func event(at time: Timestamp, _ kind: IdentityEvent.Kind = .signedIn) -> IdentityEvent {
        IdentityEvent(kind, at: time, account: "ann", actor: .system, reasons: [])
    }

    /// As on servers whose clocks differ.
    private static func positionsIgnoreTimes(_ probe: inout StoreProbe) async throws {
        try probe.requireLog(of: 4)
        var end = IdentityEvent.Position.start
        for (place, seconds) in [0, -3600, 3600, -7200].enumerated() {
            let time = probe.later(Double(seconds))
            var change = ChangeSet(operation: OperationID(bits: probe.draw()), at: time)
            change.events = [event(at: time)]
            try await probe.commit("an event", change)
            let page = try await probe.store.events(after: end, limit: 10)
            probe.expect(page.events.map(\.at), is: [time], "the events after those that were read before")
            end = place.isMultiple(of: 2) ? page.end : page.events.last?.position ?? page.end
        }
    }

    private static func manyEventsAreFollowed(_ probe: inout StoreProbe) async throws {
        try probe.requireLog(of: 102)
        var count = 1500
        if case .newest(let limit) = probe.store.retention.events { count = min(count, limit - 2) }
        var positions: [IdentityEvent.Position] = []
        for size in [count, 1] {
            var change = ChangeSet(operation: OperationID(bits: probe.draw()), at: probe.now)
            change.events = Array(repeating: event(at: probe.now), count: size)
            try await probe.commit("\(size) events", change)
        }
        while true {
            let page = try await probe.store.events(after: positions.last ?? .start, limit: 400).events.map(\.position)
            if page.isEmpty || positions.count > count { break }
            positions += page
        }
        probe.expect(positions.count, is: count + 1, "how many events were read")
        let isRising = zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 }
        probe.expect(isRising, "an event has no greater position than the one before it")
    }

    // MARK: Accounts

    private static func restoredAccountsGoAgain(_ probe: inout StoreProbe) async throws {
        let ann = try StoreScene.bareAccount("ann", probe)
        let tombstone = StoreScene.tombstone(of: ann.id, probe)
        try await probe.commit("an account") { $0.insert(ann) }
        for round in 0..<3 {
            try await probe.commit("removal \(round)") { transaction in
                transaction.changes.accounts = [.remove(ann.id, expected: ann.version)]
                transaction.changes.records = [.put(tombstone)]
            }
            probe.expect(try await probe.tombstone(of: ann.id), is: tombstone, "the tombstone of removal \(round)")
            try await probe.commit("restoration \(round)") { transaction in
                transaction.changes.accounts = [.create(ann)]
                transaction.changes.records = [.consume(tombstone.key)]
            }
            probe.expect(try await probe.record(tombstone.key), is: nil, "the tombstone after restoration \(round)")
            probe.expect(try await probe.account(ann.id), is: ann, "the account after restoration \(round)")
        }
    }

    private static func restoredAccountsAreSeen(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let (ann, tombstone) = (scene.ann, StoreScene.tombstone(of: scene.ann.id, probe))
        let lookups: Lookups = [.account(ann.id)]
        for _ in 0..<2 {
            try await probe.commit("a removal") { transaction in
                transaction.remove(ann)
                transaction.changes.records.append(.put(tombstone))
            }
            let gone = try await probe.other.load(lookups)
            probe.expect(gone.tombstone(of: ann.id), is: tombstone, "what the other handle shows of a removal")
            try await probe.commit("a restoration") { transaction in
                transaction.insert(ann)
                transaction.changes.records.append(.consume(tombstone.key))
            }
            let back = try await probe.other.load(lookups)
            probe.expect(back[ann.id], is: ann, "what the other handle shows of a restoration")
        }
    }

    // MARK: Reading

    private static func eachLookupIsAnswered(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let second = StoreScene.code(about: scene.ann.id, &probe)
        let gone = try ["dan", "eve"].map { try StoreScene.bareAccount($0, probe) }
        let tombstones = gone.map { StoreScene.tombstone(of: $0.id, probe) }
        try await probe.commit("a second record, and two tombstones") {
            $0.changes.records = ([second] + tombstones).map { .put($0) }
        }
        let records: [Lookup] = [.record(scene.code.key), .record(second.key)]
        let seen = try await probe.store.load(Lookups(records + gone.map { .account($0.id) }))
        for code in [scene.code, second] {
            probe.expect(seen.account(of: code.key), is: scene.ann, "the account of one of two records about it")
        }
        for (account, tombstone) in zip(gone, tombstones) {
            probe.expect(seen.tombstone(of: account.id), is: tombstone, "one of two tombstones")
        }
        let keys = scene.ann.ownedKeys(under: .address)
        let owners = try await probe.store.load(Lookups(keys.flatMap { [.owner($0), .sessions(of: .owner($0))] }))
        for key in keys {
            probe.expect(owners.owner(of: key), is: scene.ann, "the owner of one of several keys")
            let sessions = owners.sessions(of: .owner(key)).map(\.id)
            probe.expect(sessions, is: [scene.session.id], "the sessions of the owner of one of several keys")
        }
    }

    // MARK: Rows

    private static func endedIDsAreFree(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let ends: [(String, OneTimeRecordChange)] = [
            ("used up", .consume(scene.code.key)), ("revoked", .revoke(scene.code.key)),
            ("revoked with others", .revokeAll(scene.ann.id, [scene.code.purpose])),
        ]
        for (what, end) in ends {
            try await probe.commit("a record that is \(what)") { $0.changes.records = [end] }
            try await probe.commit("the same record, after it was \(what)") { $0.changes.records = [.put(scene.code)] }
            probe.expect(try await probe.record(scene.code.key), is: scene.code, "a record that was \(what) before")
        }
        for end in [Store.SessionChange.end(scene.session.id), .endAll(scene.ann.id, except: nil)] {
            try await probe.commit("the end of a session") { $0.changes.sessions = [end] }
            try await probe.commit("the same session, after it ended") { $0.changes.sessions = [.put(scene.session)] }
            probe.expect(try await probe.session(scene.session.id), is: scene.session, "a session that ended before")
        }
    }

    private static func recordsOfTheGoneAreUsed(_ probe: inout StoreProbe) async throws {
        let ghost = try StoreScene.id("ghost")
        let codes = (0..<2).map { _ in StoreScene.code(about: ghost, &probe) }
        try await probe.commit("records about an account that is not there") {
            $0.changes.records = codes.map { .put($0) }
        }
        try await probe.commit("a use of one, and a replacement of the other") {
            $0.changes.records = [.consume(codes[0].key), .replace(StoreScene.moved(codes[1], to: ghost))]
        }
        probe.expect(try await probe.record(codes[0].key), is: nil, "a record that was used up")
        try await probe.commit("the use of the other") { $0.changes.records = [.consume(codes[1].key)] }
        probe.expect(try await probe.record(codes[1].key), is: nil, "the other record that was used up")
    }

    private static func rowsOfTheGoneEnd(_ probe: inout StoreProbe) async throws {
        let ghost = try StoreScene.id("ghost")
        let codes = (0..<3).map { _ in StoreScene.code(about: ghost, &probe) }
        var rows = (0..<6).map { _ in StoreScene.session(of: ghost, &probe) }
        for place in rows.indices { rows[place].activeAt = probe.later(Double(place)) }
        let sessions = rows
        try await probe.commit("rows of an account that is not there") { transaction in
            transaction.changes.records = codes.map { .put($0) }
            transaction.changes.sessions = sessions.map { .put($0) }
        }
        rows[5].rotation = 7
        let updated = rows[5]
        let ends: [(String, Store.SessionChange, left: [Int])] = [
            ("an update", .update(updated, refreshCount: updated.refreshCount), [0, 1, 2, 3, 4, 5]),
            ("the end of one", .end(sessions[4].id), [0, 1, 2, 3, 5]),
            ("room for three", .endUnused(ghost, keeping: 3, besides: sessions[0].id), [0, 3, 5]),
            ("the end of all but one", .endAll(ghost, except: updated.id), [5]),
            ("the end of all", .endAll(ghost, except: nil), []),
        ]
        for (what, end, left) in ends {
            try await probe.commit(what) { $0.changes.sessions = [end] }
            let found = try await probe.rows(of: ghost)
            let wanted = left.map { rows[$0] }.sorted { $0.id < $1.id }
            probe.expect(found == wanted, "the sessions of an account that is not there are others after \(what)")
        }
        let revocations: [(String, OneTimeRecordChange, left: [OneTimeRecord])] = [
            ("the revocation of one", .revoke(codes[2].key), Array(codes[..<2])),
            ("the revocation of all", .revokeAll(ghost, [.usedAssertion]), []),
        ]
        for (what, revocation, left) in revocations {
            try await probe.commit(what) { $0.changes.records = [revocation] }
            let found = try await probe.records(of: ghost)
            let wanted = left.sorted { $0.key < $1.key }
            probe.expect(found == wanted, "the records of an account that is not there are others after \(what)")
        }
    }

    private static func writtenRowsEnd(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let ann = scene.ann.id
        let (code, session) = (StoreScene.code(about: ann, &probe), StoreScene.session(of: ann, &probe))
        let records: [(String, [OneTimeRecordChange])] = [
            ("put and revoked", [.put(code), .revoke(code.key)]),
            ("put and revoked with others", [.put(code), .revokeAll(ann, [code.purpose])]),
        ]
        for (what, changes) in records {
            try await probe.commit("a record that is \(what)") { $0.changes.records = changes }
            probe.expect(try await probe.record(code.key), is: nil, "a record that was \(what)")
        }
        try await probe.commit("a record") { $0.changes.records = [.put(code)] }
        try await probe.commit("a record that is replaced and revoked") {
            $0.changes.records = [.replace(code), .revoke(code.key)]
        }
        probe.expect(try await probe.record(code.key), is: nil, "a record that was replaced and revoked")
        let sessions: [(String, [Store.SessionChange])] = [
            ("begins and ends", [.put(session), .end(session.id)]),
            ("begins and ends with all", [.put(session), .endAll(ann, except: scene.session.id)]),
        ]
        for (what, changes) in sessions {
            try await probe.commit("a session that \(what)") { $0.changes.sessions = changes }
            probe.expect(
                try await probe.sessions(of: ann),
                is: [scene.session.id],
                "the sessions beside one that \(what)"
            )
        }
    }

    private static func sweepsFindGreatIDs(_ probe: inout StoreProbe) async throws {
        let ann = try StoreScene.bareAccount("ann", probe)
        let bits: [UInt128] = [1, 1 << 127, .max]
        let template = StoreScene.code(about: ann.id, &probe, lasting: 60)
        let codes = bits.map { template.under(OneTimeRecordID(bits: $0)) }
        let session = StoreScene.session(of: ann.id, &probe, lasting: 60)
        let sessions = bits.map { session.under(SessionID(bits: $0)) }
        let entry = try StoreScene.message(&probe)
        let message = OutboxEntry(
            id: entry.id,
            kind: entry.kind,
            recipient: entry.recipient,
            record: codes[0].key,
            account: nil,
            settings: nil,
            createdAt: entry.createdAt,
            leasedUntil: probe.later(60),
            expiresAt: probe.later(3600)
        )
        try await probe.commit("rows that expire, and a message about one") { transaction in
            transaction.insert(ann)
            transaction.changes.records = codes.map { .put($0) }
            transaction.changes.sessions = sessions.map { .put($0) }
            transaction.changes.messages = [message]
        }
        let report = try await probe.store.sweep(at: probe.later(120), limit: 100)
        probe.expect(report, is: Store.SweepReport(records: 3, sessions: 3), "a sweep of all")
        for code in codes { probe.expect(try await probe.record(code.key), is: nil, "a record after the sweep") }
        probe.expect(try await probe.sessions(of: ann.id), is: [], "the sessions after the sweep")
        let waiting = try await probe.store.messages(.waiting, after: nil, limit: 10).map(\.entry)
        probe.expect(waiting, is: [message], "the message about a record that was swept")
    }

    private static func listsHaveManyVersions(_ probe: inout StoreProbe) async throws {
        let ann = try StoreScene.bareAccount("ann", probe)
        let mail = try StoreScene.email("ann@example.com")
        try await probe.commit("an account") { $0.insert(ann) }
        var versions: Set<UInt64> = []
        for round in 1...260 {
            try await probe.refer(to: mail, by: ann, round.isMultiple(of: 2) ? .own : .confirmed)
            versions.insert(try await probe.referenceVersion(of: mail))
            if versions.count < round { return probe.report("version \(round) of a list is one that it had before") }
        }
    }

    private static func operationsAreNoMessages(_ probe: inout StoreProbe) async throws {
        let message = try StoreScene.message(&probe)
        let code = StoreScene.code(about: nil, &probe)
        try await probe.commit("a message") { $0.changes.messages = [message] }
        var change = ChangeSet(operation: message.id, at: probe.now)
        change.records = [.put(code)]
        try await probe.commit("a change under the ID of a message", change)
        probe.expect(try await probe.record(code.key), is: code, "what the change wrote")
    }
}

extension Session {
    /// The same session under another ID.
    func under(_ id: SessionID) -> Session {
        var session = Session(
            id: id,
            account: account,
            sessionGeneration: sessionGeneration,
            basis: basis,
            at: createdAt,
            device: device,
            origin: origin,
            deviceName: deviceName
        )
        session.expiresAt = expiresAt
        return session
    }
}
