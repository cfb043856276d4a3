import AuthCore

/// Clauses about two things that meet: rows written twice in a change, lookups beside others, times out of order.
extension StoreClause {
    static let combinations = [
        StoreClause("events follow each other as their changes do, whatever their times are", positionsIgnoreTimes),
        StoreClause("a change may have many events, and the next one follows them", manyEventsAreFollowed),
        StoreClause("the session that is kept need not be there", keptSessionsMayBeMissing),
        StoreClause("a restored account is removed again", restoredAccountsGoAgain),
        StoreClause("keys that a collation or a short hash takes for one are two", keysOfEqualLooksAreTwo),
        StoreClause("an id is compared to its last letter, and no id begins another", idsAreWhole),
        StoreClause("what is found once is found beside others of its kind", eachLookupIsAnswered),
        StoreClause("a handle that saw an account gone sees it restored", restoredAccountsAreSeen),
        StoreClause("one device has as many sessions as begin on it", devicesHaveManySessions),
        StoreClause("the ID of a row that ended is free", endedIDsAreFree),
        StoreClause("a record about a removed account is replaced and used up", recordsOfTheGoneAreUsed),
        StoreClause("the unused sessions are those at the time of the change", unusedSessionsAreThoseOfNow),
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
        var count = 1500
        if case .newest(let limit) = probe.store.retention.events { count = min(count, limit - 2) }
        if count < 100 { throw NotApplicable() }
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

    // MARK: Sessions

    private static func keptSessionsMayBeMissing(_ probe: inout StoreProbe) async throws {
        let ann = try StoreScene.bareAccount("ann", probe)
        let first = [StoreScene.session(of: ann.id, &probe), StoreScene.session(of: ann.id, &probe)]
        let next = StoreScene.session(of: ann.id, &probe)
        let ghost = SessionID(bits: probe.draw())
        try await probe.commit("two sessions") { transaction in
            transaction.insert(ann)
            transaction.changes.sessions = first.map { .put($0) }
        }
        try await probe.commit("the end of all but one that is not there") {
            $0.changes.sessions = [.endAll(ann.id, except: ghost)]
        }
        probe.expect(try await probe.sessions(of: ann.id), is: [], "sessions after the end of all but a missing one")
        try await probe.commit("two sessions") { $0.changes.sessions = first.map { .put($0) } }
        try await probe.commit("the end of all but one that begins") {
            $0.changes.sessions = [.endAll(ann.id, except: next.id), .put(next)]
        }
        probe.expect(try await probe.sessions(of: ann.id), is: [next.id], "sessions after the end of all others")
        try await probe.commit("the end of one, and of all but that one") {
            $0.changes.sessions = [.put(first[0]), .end(next.id), .endAll(ann.id, except: next.id)]
        }
        probe.expect(try await probe.sessions(of: ann.id), is: [], "sessions after the end of the kept one, too")
    }

    private static func devicesHaveManySessions(_ probe: inout StoreProbe) async throws {
        let ann = try StoreScene.bareAccount("ann", probe)
        let samples = try StoreSamples()
        let sessions = (0..<3).map { _ in samples.fullSession(of: ann.id, SessionID(bits: probe.draw())) }
        let ids = sessions.map(\.id)
        try await probe.commit("an account") { $0.insert(ann) }
        for session in sessions { try await probe.commit("a session") { $0.changes.sessions = [.put(session)] } }
        probe.expect(try await probe.sessions(of: ann.id), is: ids.sorted(), "the sessions of one device")
        try await probe.commit("the end of the others") { $0.changes.sessions = [.endAll(ann.id, except: ids[1])] }
        probe.expect(try await probe.sessions(of: ann.id), is: [ids[1]], "the session that was kept on the device")
    }

    private static func unusedSessionsAreThoseOfNow(_ probe: inout StoreProbe) async throws {
        let ann = try StoreScene.bareAccount("ann", probe)
        let bits: [UInt128] = [1, 2, 3, 1 << 127, .max]
        let samples = try StoreSamples()
        let sessions = bits.map { samples.bareSession(of: ann.id, SessionID(bits: $0), at: probe.now) }
        let ids = sessions.map(\.id)
        let ghost = SessionID(bits: 9)
        try await probe.commit("five sessions of one time") { transaction in
            transaction.insert(ann)
            transaction.changes.sessions = sessions.map { .put($0) }
        }
        // The first is in use again, and another one has expired, which makes it no longer unused.
        var (active, over) = (sessions[0], sessions[1])
        active.activeAt = probe.later(60)
        over.expiresAt = probe.later(-60)
        over.activeAt = probe.later(30)
        let updates = [active, over]
        try await probe.commit("a use of two, and the end of one") { transaction in
            transaction.changes.sessions = updates.map { .update($0, refreshCount: 0) }
            transaction.changes.sessions.append(.endUnused(ann.id, keeping: 4, besides: ids[4]))
        }
        probe.expect(
            try await probe.sessions(of: ann.id),
            is: [ids[0], ids[1], ids[3], ids[4]],
            "what is left when the first of three of one time ends"
        )
        try await probe.commit("the end of one besides a session that is not there") {
            $0.changes.sessions = [.endUnused(ann.id, keeping: 3, besides: ghost)]
        }
        probe.expect(
            try await probe.sessions(of: ann.id),
            is: [ids[0], ids[1], ids[4]],
            "what is left when the lesser ID of two of one time ends"
        )
        try await probe.commit("the end of one of three, of which one has expired") {
            $0.changes.sessions = [.endUnused(ann.id, keeping: 2, besides: ids[4])]
        }
        probe.expect(
            try await probe.sessions(of: ann.id),
            is: [ids[0], ids[4]],
            "what is left when the one ends that has expired"
        )
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

    private static func idsAreWhole(_ probe: inout StoreProbe) async throws {
        let long = String(repeating: "a", count: 127)
        let names = [long + "b", long + "c", "x", "x:y", "x#y", "x/y", "x-y", "x.y", "x_y", "x~y"]
        let accounts = try names.map { try StoreScene.bareAccount($0, probe) }
        let sessions = accounts.map { StoreScene.session(of: $0.id, &probe) }
        let codes = accounts.map { StoreScene.code(about: $0.id, &probe) }
        try await probe.commit("accounts") { transaction in
            transaction.changes.accounts = accounts.map { .create($0) }
            transaction.changes.sessions = sessions.map { .put($0) }
            transaction.changes.records = codes.map { .put($0) }
        }
        for (place, account) in accounts.enumerated() {
            try await probe.commit("the end of what \(account.id) has") { transaction in
                transaction.changes.sessions = [.endAll(account.id, except: nil)]
                transaction.changes.records = [.revokeAll(account.id, OneTimeRecord.Purpose.allCases)]
            }
            for (other, left) in accounts.enumerated() {
                let isLeft = other > place
                let found = try await probe.sessions(of: left.id)
                probe.expect(found, is: isLeft ? [sessions[other].id] : [], "the sessions of \(left.id)")
                let code = try await probe.record(codes[other].key)
                probe.expect(code, is: isLeft ? codes[other] : nil, "the record about \(left.id)")
            }
        }
    }

    // MARK: Keys

    /// Pairs of subjects that databases, encodings and hashes of 32 bits have taken for one.
    private static let similarTexts = [
        ("\u{1F600}", "\u{1F601}"), ("https://x.example", "x.example"), ("a%41", "aA"), ("a&amp;b", "a&b"),
        ("a\u{A0}b", "a b"), ("a  b", "a b"), ("a\r\nb", "a\nb"), ("a\u{200D}b", "ab"), ("\u{FEFF}ab", "ab"),
        ("\u{0661}23", "123"), ("6BA7B810-9DAD-11D1-80B4-00C04FD430C8", "6ba7b8109dad11d180b400c04fd430c8"),
        ("6ba7b810-9dad-11d1-80b4-00c04fd430c8", "6BA7B8109DAD11D180B400C04FD430C8"),
        // The same CRC-32, FNV-1a and hash of Java's strings.
        ("plumless", "buckeroo"), ("costarring", "liquid"), ("Aa", "BB"),
    ]

    private static func keysOfEqualLooksAreTwo(_ probe: inout StoreProbe) async throws {
        let ann = try StoreScene.bareAccount("ann", probe)
        let ben = try StoreScene.bareAccount("ben", probe)
        try await probe.commit("two accounts") { $0.changes.accounts = [.create(ann), .create(ben)] }
        var pairs = similarTexts.flatMap { first, second in
            [
                (StoreScene.identity(first), StoreScene.identity(second)),
                (Identity.Key(issuer: first, subject: "s"), Identity.Key(issuer: second, subject: "s")),
            ]
        }.map { (UniqueKey.identity($0), UniqueKey.identity($1)) }
        // More digits than a number of 24 bits tells apart.
        for last in 1...3 {
            guard let first = PhoneNumber("+491510000000\(last)"), let second = PhoneNumber("+491510000000\(last + 1)")
            else { throw StoreScene.UnusableSample() }
            pairs.append((.phone(first), .phone(second)))
        }
        for (first, second) in pairs {
            try await probe.commit("a claim to \(first)") {
                $0.changes.keys = [KeyChange(first, from: nil, to: ann.id)]
            }
            probe.expect(try await probe.owner(of: second), is: nil, "the owner of \(second) beside \(first)")
            try await probe.commit("a claim to \(second) beside \(first)") {
                $0.changes.keys = [KeyChange(second, from: nil, to: ben.id)]
            }
            probe.expect(try await probe.owner(of: first), is: ann.id, "the owner of \(first) beside \(second)")
            try await probe.commit("the end of both") {
                $0.changes.keys = [KeyChange(first, from: ann.id, to: nil), KeyChange(second, from: ben.id, to: nil)]
            }
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
    fileprivate func under(_ id: SessionID) -> Session {
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
