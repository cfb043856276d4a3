import AuthCore

/// Clauses about several things that one change does to the same rows, and about very many rows.
extension StoreClause {
    static let compounds = [
        StoreClause("a record that is used where others are revoked must be there", usesBesideRevocations),
        StoreClause("of parallel uses of one record that revoke the others one wins", oneUseThatRevokesWins),
        StoreClause("a session that is updated where others end was exchanged as often as seen", updatesBesideEnds),
        StoreClause("what a change does to records is done in its order", recordsChangeInOrder),
        StoreClause("what a change does to sessions is done in its order", sessionsChangeInOrder),
        StoreClause("all that a change ends or revokes is gone, however much it is", muchIsRemoved),
        StoreClause("a precondition is looked at behind however many others", manyPreconditions),
        StoreClause("a removed account leaves what the change does not remove", removalsLeaveTheRest),
        StoreClause("no session begins beside the end of all that it did not see", sessionsBeginBefore),
        StoreClause("a change that is refused makes no other a duplicate", refusalsReserveNothing),
    ]

    private static func usesBesideRevocations(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        // What a change does to a row before it is used up does not count.
        let other = StoreScene.code(about: scene.ann.id, &probe)
        try await probe.commit("a record") { $0.changes.records = [.put(other)] }
        try await probe.refuse("a record that is used up and put", .record(other.key)) {
            $0.changes.records = [.consume(other.key), .put(other)]
        }
        try await probe.commit("a record that is revoked and used up") {
            $0.changes.records = [.revoke(other.key), .consume(other.key)]
        }
        // A password reset uses its code up and revokes the others of the account.
        let use: [Store.OneTimeRecordChange] = [
            .consume(scene.code.key), .revokeAll(scene.ann.id, [scene.code.purpose]),
        ]
        try await probe.commit("the use of a code that revokes the others") { $0.changes.records = use }
        for again in [use, use.reversed()] {
            try await probe.refuse("the same code again", .record(scene.code.key)) { $0.changes.records = again }
        }
    }

    private static func oneUseThatRevokesWins(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        try await expectOneWinner(losers: .record(scene.code.key), in: &probe) { _, transaction in
            transaction.changes.records = [
                .consume(scene.code.key), .revokeAll(scene.ann.id, [scene.code.purpose]),
            ]
        }
    }

    private static func updatesBesideEnds(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let session = scene.session
        let changes: [Store.SessionChange] = [
            .endAll(scene.ann.id, except: session.id), .update(session, refreshCount: session.refreshCount + 7),
        ]
        for order in [changes, changes.reversed()] {
            try await probe.refuse("an update of another exchange", .session(session.id)) {
                $0.changes.sessions = order
            }
        }
        probe.expect(try await probe.session(session.id), is: session, "the session after the refusals")
    }

    private static func recordsChangeInOrder(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let (code, ann) = (scene.code, scene.ann.id)
        let moved = StoreScene.moved(code, to: scene.ben.id)
        let new = StoreScene.code(about: ann, &probe)
        try await probe.commit("a record that moves away and one that is put before all are revoked") {
            $0.changes.records = [.replace(moved), .put(new), .revokeAll(ann, [code.purpose])]
        }
        probe.expect(try await probe.record(code.key), is: moved, "the record that moved to another account")
        probe.expect(try await probe.record(new.key), is: nil, "the record that was put before all were revoked")
    }

    private static func sessionsChangeInOrder(_ probe: inout StoreProbe) async throws {
        let ann = try await StoreScene.stage(in: &probe).ann.id
        let early = StoreScene.session(of: ann, &probe)
        try await probe.commit("a session, and the end of all") {
            $0.changes.sessions = [.put(early), .endAll(ann, except: nil)]
        }
        probe.expect(try await probe.session(early.id), is: nil, "the session that was put before all ended")
        let kept = (0..<4).map { _ in StoreScene.session(of: ann, &probe) }
        let new = StoreScene.session(of: ann, &probe)
        try await probe.commit("four sessions") { $0.changes.sessions = kept.map { .put($0) } }
        try await probe.commit("an end, a session, and room for four") {
            $0.changes.sessions = [
                .end(kept[3].id), .put(new), .endUnused(ann, keeping: 4, besides: new.id),
            ]
        }
        let left = try await probe.sessions(of: ann)
        let expected = (kept[..<3].map(\.id) + [new.id]).sorted()
        probe.expect(left, is: expected, "the sessions where one ended, so that there was room for the new one")
        var unused = StoreScene.session(of: ann, &probe)
        unused.activeAt = probe.later(-1)
        let (old, newest) = (unused, StoreScene.session(of: ann, &probe))
        try await probe.commit("two sessions, and room for five") {
            $0.changes.sessions = [.put(old), .put(newest), .endUnused(ann, keeping: 5, besides: newest.id)]
        }
        let rest = try await probe.sessions(of: ann)
        probe.expect(
            rest,
            is: (expected + [newest.id]).sorted(),
            "the sessions where one of two new ones is the oldest"
        )
    }

    private static func muchIsRemoved(_ probe: inout StoreProbe) async throws {
        let ann = try StoreScene.bareAccount("ann", probe)
        let count = 1100
        let codes = (0..<count).map { _ in StoreScene.code(about: ann.id, &probe) }
        let sessions = (0..<count).map { _ in StoreScene.session(of: ann.id, &probe) }
        try await probe.commit("very many sessions and records") { transaction in
            transaction.insert(ann)
            transaction.changes.sessions = sessions.map { .put($0) }
            transaction.changes.records = codes.map { .put($0) }
        }
        for keeping in [count / 2, 2] {
            try await probe.commit("room for \(keeping)") {
                $0.changes.sessions = [.endUnused(ann.id, keeping: keeping, besides: sessions[0].id)]
            }
            probe.expect(try await probe.sessions(of: ann.id).count, is: keeping, "how many sessions are left")
        }
        let others = sessions.map { _ in StoreScene.session(of: ann.id, &probe) }
        try await probe.commit("as many sessions again") { $0.changes.sessions = others.map { .put($0) } }
        try await probe.commit("the end of all") { transaction in
            transaction.changes.sessions = [.endAll(ann.id, except: nil)]
            transaction.changes.records = [.revokeAll(ann.id, [codes[0].purpose])]
        }
        probe.expect(try await probe.sessions(of: ann.id).count, is: 0, "how many sessions outlive the end of all")
        let name = Lookup.Reference.account(ann.id)
        let left = try await probe.load(.records(of: name, codes[0].purpose)).records(of: name, codes[0].purpose)
        probe.expect(left.count, is: 0, "how many records outlive the revocation of all")
    }

    private static func manyPreconditions(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let codes = (0..<150).map { _ in StoreScene.code(about: nil, &probe) }
        let sessions = (0..<150).map { _ in StoreScene.session(of: scene.ann.id, &probe) }
        let (code, session) = (StoreScene.code(about: nil, &probe), StoreScene.session(of: scene.ann.id, &probe))
        try await probe.refuse("the use of no record, behind many puts", .record(code.key)) {
            $0.changes.records = codes.map { .put($0) } + [.consume(code.key)]
        }
        try await probe.refuse("the update of no session, behind many puts", .session(session.id)) {
            $0.changes.sessions = sessions.map { .put($0) } + [.update(session, refreshCount: 0)]
        }
        probe.expect(try await probe.record(codes[0].key), is: nil, "a record of a change that was refused")
        let accounts = try (0..<150).map { try StoreScene.bareAccount("read\($0)", probe) }
        try await probe.commit("many accounts") { $0.changes.accounts = accounts.map { .create($0) } }
        let last = accounts[accounts.count - 1].id
        try await probe.refuse("a wrong version behind many that are right", .version(last)) { transaction in
            transaction.changes.reads = accounts.map { Store.AccountRead(id: $0.id, version: $0.id == last ? 1 : 0) }
            transaction.changes.records = [.put(code)]
        }
    }

    /// What the change does not name stays, until a later change or a sweep removes it.
    private static func removalsLeaveTheRest(_ probe: inout StoreProbe) async throws {
        try probe.requireLog(of: 1)
        let key = UniqueKey.phone(try StoreScene.number(of: "left"))
        let account = try StoreScene.bareAccount("leaving", probe)
        let session = StoreScene.session(of: account.id, &probe)
        let code = StoreScene.code(about: account.id, &probe)
        let short = StoreScene.code(about: account.id, &probe, lasting: 10)
        let tombstone = StoreScene.tombstone(of: account.id, probe, lasting: 10)
        let mail = try StoreScene.email("left@example.com")
        let message = try StoreScene.message(&probe, to: account.id)
        try await probe.commit("an account with a session, a record, a key, a reference and a message") { transaction in
            transaction.insert(account)
            transaction.changes.keys = [KeyChange(key, from: nil, to: account.id)]
            transaction.changes.references = [StoreScene.reference(to: mail, by: account)]
            transaction.changes.messages = [message]
            transaction.event(.accountCreated, account.id, by: .system)
            transaction.changes.sessions = [.put(session)]
            transaction.changes.records = [.put(code), .put(short)]
        }
        let version = try await probe.referenceVersion(of: mail)
        try await probe.commit("the removal of the account, with a tombstone") { transaction in
            transaction.changes.accounts = [.remove(account.id, expected: account.version)]
            transaction.changes.records = [.put(tombstone)]
        }
        let name = Lookup.Reference.account(account.id)
        let seen = try await probe.load(.session(session.id), .sessions(of: name), .record(code.key))
        probe.expect(seen.session(session.id), is: session, "a session that the change did not end")
        probe.expect(seen.sessions(of: name), is: [session], "the sessions that the change did not end")
        probe.expect(seen.record(code.key), is: code, "a record that the change did not revoke")
        let owned = Lookup.Reference.owner(key)
        let found = try await probe.load(.sessions(of: owned)).sessions(of: owned)
        probe.expect(found, is: [session], "the sessions, by a key that the change did not release")
        for name in [name, owned] {
            let listed = try await probe.load(.records(of: name, code.purpose)).records(of: name, code.purpose)
            probe.expect(Set(listed), is: [code, short], "the records of an account that was removed")
        }
        let left = try await probe.referenceVersion(of: mail)
        probe.expect(left, is: version, "the version of a list of references that the change did not end")
        let waiting = try await probe.store.messages(.waiting, after: nil, limit: 10).map(\.entry)
        probe.expect(waiting, is: [message], "the messages that the change did not settle")
        let events = try await probe.store.events(after: .start, limit: 10).events
        probe.expect(events.map(\.kind), is: [.accountCreated], "the events of a removed account")
        try await probe.commit("the release of a key that the change did not release") {
            $0.changes.keys = [KeyChange(key, from: account.id, to: nil)]
        }
        let sweep = try await probe.store.sweep(at: probe.later(10), limit: 10)
        probe.expect(sweep.records, is: 2, "how many records were swept of which one and a tombstone have expired")
        probe.expect(sweep.sessions, is: 0, "how many sessions were swept of which none has expired")
        probe.expect(try await probe.session(session.id), is: session, "a session without its account, after a sweep")
        try await probe.commit("the account again, which references what it referenced") { $0.insert(account) }
        probe.expect(try await probe.referencing(of: mail), is: [account.id], "who references the address again")
    }

    private static func sessionsBeginBefore(_ probe: inout StoreProbe) async throws {
        for round in 0..<2 * rounds {
            let account = try StoreScene.bareAccount("account\(round)", probe)
            try await probe.commit("an account") { $0.insert(account) }
            let session = StoreScene.session(of: account.id, &probe)
            let code = StoreScene.code(about: account.id, &probe)
            var (ends, begins) = (probe.transaction(), probe.transaction())
            var next = account
            next.sessionGeneration += 1
            // The account changes in half of the rounds, and is removed in the others.
            if round < rounds {
                ends.replace(account, with: &next)
            } else {
                ends.changes.accounts = [.remove(account.id, expected: account.version)]
            }
            ends.changes.sessions = [.endAll(account.id, except: nil)]
            ends.changes.records = [.revokeAll(account.id, [code.purpose])]
            if round >= rounds { ends.changes.records.append(.put(StoreScene.tombstone(of: account.id, probe))) }
            begins.changes.reads = [Store.AccountRead(id: account.id, version: account.version)]
            begins.changes.sessions = [.put(session)]
            begins.changes.records = [.put(code)]
            let changes = [ends.changes, begins.changes]
            _ = try await race(round % 2 == 0 ? changes : changes.reversed(), probe)
            probe.expect(try await probe.session(session.id), is: nil, "a session from before the end of all")
            probe.expect(try await probe.record(code.key), is: nil, "a record from before the revocation of all")
        }
    }

    private static func refusalsReserveNothing(_ probe: inout StoreProbe) async throws {
        let ann = try await StoreScene.stage(in: &probe).ann.id
        let missing = StoreScene.code(about: ann, &probe)
        var transaction = probe.transaction()
        transaction.changes.records = [.consume(missing.key)]
        let outcomes = try await race(Array(repeating: transaction.changes, count: contenders), probe)
        let refused = outcomes.count { $0 == .violated(.record(missing.key)) }
        probe.expect(refused, is: contenders, "how many of one change that does not hold were refused")
    }
}
