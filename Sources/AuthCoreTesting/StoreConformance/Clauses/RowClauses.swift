import AuthCore

/// Clauses about sessions and one-time records: which of them a change or a sweep removes, and which are found.
extension StoreClause {
    static let rows = [
        StoreClause(
            "of unused sessions those end that were used longest ago, then those of the lowest IDs",
            unusedSessionsEndInOrder
        ),
        StoreClause("each purpose is revoked alone", purposesAreRevokedAlone),
        StoreClause("a record that is replaced belongs to what it is then about", replacedRecordsMove),
        StoreClause("what is gone is in no list and is not swept", goneRowsAreGone),
        StoreClause("what has expired is there until it is swept", expiredRowsAreFound),
        StoreClause("a sweep leaves everything that does not expire", sweepsLeaveTheRest),
        StoreClause("a sweep removes as much as it may, and tells how much of each", sweepsAreThorough),
    ]

    private static func unusedSessionsEndInOrder(_ probe: inout StoreProbe) async throws {
        let ann = try StoreScene.bareAccount("ann", probe)
        // The later the ID, the earlier the session began, and the earlier it expires.
        let sessions = (0..<6).map { place in
            var session = Session(
                id: SessionID(bits: UInt128(1 + place) << 64),
                account: ann.id,
                sessionGeneration: UInt32(place % 2),
                basis: .init(kind: .anonymous, provider: .anonymous, generation: nil),
                at: probe.later(Double(100 - 10 * place)),
                device: nil,
                origin: nil,
                deviceName: nil
            )
            session.activeAt = probe.later(place == 4 ? 150 : 200)
            session.expiresAt = place == 1 ? nil : probe.later(Double(1000 - place))
            return session
        }
        let ids = sessions.map(\.id)
        try await probe.commit("six sessions") { transaction in
            transaction.insert(ann)
            transaction.changes.sessions = [3, 1, 5, 0, 4, 2].map { .put(sessions[$0]) }
        }
        // An update says when a session was last used, later or earlier than before.
        var (late, early) = (sessions[4], sessions[3])
        (late.activeAt, early.activeAt) = (probe.later(300), probe.later(120))
        let updates: [Store.SessionChange] = [.update(late, refreshCount: 0), .update(early, refreshCount: 0)]
        try await probe.commit("two uses") { $0.changes.sessions = updates }
        for (keeping, besides, left) in [
            (.max, 0, [0, 1, 2, 3, 4, 5]), (6, 0, [0, 1, 2, 3, 4, 5]), (5, 1, [0, 1, 2, 4, 5]), (3, 1, [1, 4, 5]),
            (1, 5, [5]),
        ] {
            try await probe.commit("room for \(keeping)") {
                $0.changes.sessions = [.endUnused(ann.id, keeping: keeping, besides: ids[besides])]
            }
            let found = try await probe.sessions(of: ann.id)
            probe.expect(found, is: left.map { ids[$0] }, "the sessions left where there is room for \(keeping)")
        }
    }

    private static func purposesAreRevokedAlone(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let samples = try StoreSamples()
        var left = samples.records(about: scene.ann.id, &probe) + samples.records(about: scene.ben.id, &probe)
        let all = left
        try await probe.commit("records of every purpose") {
            $0.changes.records = [.revoke(scene.code.key)] + all.map { .put($0) }
        }
        try await probe.commit("revoking no purpose") { $0.changes.records = [.revokeAll(scene.ann.id, [])] }
        for purpose in OneTimeRecord.Purpose.allCases {
            try await probe.commit("revoking \(purpose)") { $0.changes.records = [.revokeAll(scene.ann.id, [purpose])] }
            left.removeAll { $0.account == scene.ann.id && $0.purpose == purpose }
            let seen = try await probe.store.load(Lookups(all.map { .record($0.key) }))
            let found = all.compactMap { seen.record($0.key) }
            probe.expect(found == left, "revoking \(purpose) left \(found.count) of \(left.count) records")
        }
    }

    private static func replacedRecordsMove(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let (ann, ben, mail) = (scene.ann.id, scene.ben.id, try StoreScene.email("ann@example.com"))
        let first = StoreScene.code(about: ann, &probe, content: .resetPassword(mail), lasting: 10)
        func replacement(
            about account: AccountID?,
            _ content: OneTimeRecord.Content,
            _ seconds: Double?,
            _ probe: inout StoreProbe
        ) -> OneTimeRecord {
            StoreScene.code(about: account, &probe, content: content, lasting: seconds).under(first.key)
        }
        func expect(_ record: OneTimeRecord, _ what: String) async throws {
            probe.expect(try await probe.record(first.key), is: record, what)
            let about = try await probe.load(.record(first.key)).account(of: first.key)?.id
            probe.expect(about, is: record.account, "\(what): its account")
            for account in [ann, ben] {
                for purpose in [OneTimeRecord.Purpose.resetPassword, .verifyEmail, .signInLink] {
                    let name = Lookup.Reference.account(account)
                    let listed = try await probe.load(.records(of: name, purpose)).records(of: name, purpose)
                    let isListed = record.account == account && record.purpose == purpose
                    probe.expect(listed, is: isListed ? [record] : [], "\(what): those of \(account) and \(purpose)")
                }
            }
        }
        try await probe.commit("a record") { $0.changes.records = [.put(first)] }
        try await expect(first, "a record that was put")
        let second = replacement(about: ben, .verifyEmail(mail), nil, &probe)
        try await probe.commit("another account and purpose, and no end") { $0.changes.records = [.replace(second)] }
        try await expect(second, "a record that was replaced")
        try await probe.commit("revoking what it was about") {
            $0.changes.records = [.revokeAll(ann, OneTimeRecord.Purpose.allCases), .revokeAll(ben, [.resetPassword])]
        }
        let none = try await probe.store.sweep(at: probe.later(10), limit: 10)
        probe.expect(none.records, is: 0, "how many records were swept at a time that was replaced")
        try await expect(second, "a record of which the former account and purpose were revoked")
        let third = replacement(about: nil, .verifyEmail(mail), 20, &probe)
        try await probe.commit("no account") { $0.changes.records = [.replace(third)] }
        try await expect(third, "a record that belongs to no account any more")
        let fourth = replacement(about: ann, .signInLink(mail), 5, &probe)
        try await probe.commit("an earlier end") { $0.changes.records = [.replace(fourth)] }
        try await expect(fourth, "a record that ends earlier")
        let swept = try await probe.store.sweep(at: probe.later(5), limit: 10)
        probe.expect(swept.records, is: 1, "how many records were swept at the earlier end")
        probe.expect(try await probe.record(first.key), is: nil, "a record that was swept")
    }

    /// The changes that end a record and a session.
    private typealias End = (OneTimeRecordID, SessionID) -> ([OneTimeRecordChange], [Store.SessionChange])

    private static func goneRowsAreGone(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let (ann, ben) = (scene.ann.id, scene.ben.id)
        let mail = try StoreScene.email("ann@example.com")
        let (kept, signInLink) = (scene.session.id, OneTimeRecord.Content.signInLink(mail))
        let ends: [(what: String, content: OneTimeRecord.Content, end: End)] = [
            ("ended and used up", .usedAssertion, { ([.consume($0)], [.end($1)]) }),
            ("ended with all and revoked", .lostFactors, { key, _ in ([.revoke(key)], [.endAll(ann, except: kept)]) }),
            (
                "ended as unused and revoked with all", signInLink,
                { _, _ in ([.revokeAll(ann, [.signInLink])], [.endUnused(ann, keeping: 1, besides: kept)]) }
            ),
        ]
        for (what, content, end) in ends {
            let record = StoreScene.code(about: ann, &probe, content: content, lasting: 1)
            let session = StoreScene.session(of: ann, &probe, lasting: 1)
            try await probe.commit("a record and a session") { transaction in
                transaction.changes.records = [.put(record)]
                transaction.changes.sessions = [.put(session)]
            }
            let (records, sessions) = end(record.key, session.id)
            try await probe.commit("the end of both") {
                ($0.changes.records, $0.changes.sessions) = (records, sessions)
            }
            try await expectGone(record, session, "that were \(what)", &probe)
        }
        let report = try await probe.store.sweep(at: probe.later(2), limit: 100)
        probe.expect(report, is: Store.SweepReport(), "a sweep of what is gone already")
        let (record, session) = (
            StoreScene.code(about: ben, &probe, lasting: 3), StoreScene.session(of: ben, &probe, lasting: 3)
        )
        try await probe.commit("a record and a session") { transaction in
            transaction.changes.records = [.put(record)]
            transaction.changes.sessions = [.put(session)]
        }
        _ = try await probe.store.sweep(at: probe.later(3), limit: 100)
        try await expectGone(record, session, "that were swept", &probe)
        // What is gone makes room under its ID.
        try await probe.commit("the same record and session again") { transaction in
            transaction.changes.records = [.put(record)]
            transaction.changes.sessions = [.put(session)]
        }
        probe.expect(try await probe.rows(of: ben), is: [session], "a session that began again")
        try await idsAreUsedAgain(for: ann, instead: ben, record, session, &probe)
    }

    /// What is under the ID of a row that ended is another account's, and does not expire.
    private static func idsAreUsedAgain(
        for account: AccountID,
        instead former: AccountID,
        _ record: OneTimeRecord,
        _ session: Session,
        _ probe: inout StoreProbe
    ) async throws {
        try await probe.commit("the use of the record and the end of the session") { transaction in
            transaction.changes.records = [.consume(record.key)]
            transaction.changes.sessions = [.end(session.id)]
        }
        let other = StoreScene.code(about: account, &probe).under(record.key)
        let begun = StoreScene.session(of: account, &probe).under(session.id)
        try await probe.commit("others under their IDs") { transaction in
            transaction.changes.records = [.put(other)]
            transaction.changes.sessions = [.put(begun)]
        }
        probe.expect(try await probe.records(of: former), is: [], "the records of the former account")
        probe.expect(try await probe.sessions(of: former), is: [], "the sessions of the former account")
        let swept = try await probe.store.sweep(at: probe.later(3600), limit: 100)
        probe.expect(swept, is: Store.SweepReport(), "a sweep by the times of what is gone")
        try await probe.commit("the end of all that the former account has") { transaction in
            transaction.changes.records = [.revokeAll(former, [record.purpose])]
            transaction.changes.sessions = [.endAll(former, except: nil)]
        }
        probe.expect(try await probe.record(record.key), is: other, "a record under the ID of one that is gone")
        probe.expect(try await probe.session(session.id), is: begun, "a session under the ID of one that is gone")
    }

    private static func expectGone(
        _ record: OneTimeRecord,
        _ session: Session,
        _ what: String,
        _ probe: inout StoreProbe
    ) async throws {
        guard let account = record.account else { return }
        let name = Lookup.Reference.account(account)
        let seen = try await probe.load(
            .record(record.key),
            .session(session.id),
            .sessions(of: name),
            .records(of: name, record.purpose)
        )
        probe.expect(seen.record(record.key), is: nil, "a record among those \(what)")
        probe.expect(seen.session(session.id), is: nil, "a session among those \(what)")
        probe.expect(
            !seen.sessions(of: name).contains { $0.id == session.id },
            "a session is listed among those \(what)"
        )
        let listed = seen.records(of: name, record.purpose)
        probe.expect(!listed.contains { $0.key == record.key }, "a record is listed among those \(what)")
    }

    private static func expiredRowsAreFound(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let (ann, later) = (scene.ann.id, probe.later(100_000))
        let codes = (0..<3).map { StoreScene.code(about: ann, &probe, lasting: Double($0) - 1) }
        let sessions = (0..<3).map { StoreScene.session(of: ann, &probe, lasting: Double($0) - 1) }
        try await probe.commit("what expires") { transaction in
            transaction.changes.records = codes.map { .put($0) }
            transaction.changes.sessions = sessions.map { .put($0) }
        }
        // The store has no clock of its own, and one that a decision brings is not the sweep's.
        var change = ChangeSet(operation: OperationID(bits: probe.draw()), at: later)
        change.signIns = [Store.SignInRecord(account: ann, at: later)]
        try await probe.commit("a change long after", change)
        _ = try await probe.store.leaseMessages(at: later, until: later, limit: 1)
        _ = try await probe.store.sweep(at: probe.later(-2), limit: 100)
        let name = Lookup.Reference.account(ann)
        let seen = try await probe.load(.sessions(of: name), .records(of: name, .usedAssertion))
        probe.expect(Set(seen.sessions(of: name)), is: Set(sessions + [scene.session]), "sessions that have expired")
        probe.expect(
            Set(seen.records(of: name, .usedAssertion)),
            is: Set(codes + [scene.code]),
            "records that have expired"
        )
        for code in codes {
            probe.expect(try await probe.record(code.key), is: code, "a record that has expired")
            let about = try await probe.load(.record(code.key)).account(of: code.key)?.id
            probe.expect(about, is: ann, "the account of a record that has expired")
        }
        for session in sessions {
            probe.expect(try await probe.session(session.id), is: session, "a session that has expired")
        }
        var renewed = ChangeSet(operation: OperationID(bits: probe.draw()), at: later)
        renewed.records = [.consume(codes[0].key), .replace(codes[1])]
        renewed.sessions = [.update(sessions[0], refreshCount: 0)]
        try await probe.commit("a use of what has expired", renewed)
        try await probe.refuse("a record under the ID of one that has expired", .record(codes[2].key)) {
            $0.changes.records = [.put(codes[2])]
        }
        try await probe.refuse("a session under the ID of one that has expired", .session(sessions[2].id)) {
            $0.changes.sessions = [.put(sessions[2])]
        }
    }

    private static func sweepsLeaveTheRest(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stageEverything(in: &probe)
        let change = try scene.richChange(&probe)
        try await probe.commit("a change", change)
        let full = try StoreSamples().fullAccount(try StoreScene.id("full"))
        let tombstone = StoreScene.tombstone(of: try StoreScene.id("gone"), probe)
        let failed = try StoreScene.message(&probe)
        try await probe.commit("an account that is due, a tombstone and a message") { transaction in
            transaction.changes.accounts = [.create(full)]
            transaction.changes.records = [.put(tombstone)]
            transaction.changes.messages = [failed]
        }
        try await probe.store.endLease(of: failed.id, tries: 1, dueAt: nil)
        try await scene.endWhatExpires(of: change, in: &probe)
        let before = try await StorePicture(of: scene, touchedBy: change, in: probe)
        for limit in [1000, 0] {
            let report = try await probe.store.sweep(at: .distantFuture, limit: limit)
            probe.expect(report.removed, is: 0, "what a sweep removed that never expires")
        }
        let after = try await StorePicture(of: scene, touchedBy: change, in: probe)
        let isSame =
            switch probe.store.retention.events {
            // A sweep may remove the events for whose time the log is over.
            case .lasting: before.withoutEvents == after.withoutEvents
            case .all, .newest: before == after
            }
        probe.expect(isSame, "a sweep changed what never expires")
        let due = try await probe.store.accounts(dueBy: .distantFuture, after: nil, limit: 10).map(\.id)
        probe.expect(due, is: [full.id, try StoreScene.id("eve")], "the accounts that are due after a sweep")
        let gone = try StoreScene.id("gone")
        probe.expect(try await probe.tombstone(of: gone), is: tombstone, "a tombstone after a sweep")
        let given = try await probe.store.messages(.failed, after: nil, limit: 10).map(\.entry)
        probe.expect(given, is: [failed], "the messages that were given up, after a sweep")
    }

    private static func sweepsAreThorough(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let ann = scene.ann.id
        let codes = (0..<150).map { StoreScene.code(about: ann, &probe, lasting: Double($0)) }
        let sessions = (0..<130).map { StoreScene.session(of: ann, &probe, lasting: Double($0)) }
        try await probe.commit("what expires") { transaction in
            transaction.changes.records = codes.map { .put($0) }
            transaction.changes.sessions = sessions.map { .put($0) }
        }
        var removed = Store.SweepReport()
        // Nothing of it has expired yet, then a part, then all.
        for (seconds, limit, records, rows) in [(-1.0, 1000, 0, 0), (99, 90, 100, 100), (1000, 1000, 150, 130)] {
            for _ in 0..<300 {
                let report = try await probe.store.sweep(at: probe.later(seconds), limit: limit)
                probe.expect(report.removed <= Double(limit), "a sweep removed more than it may")
                removed.records &+= report.records
                removed.sessions &+= report.sessions
                if report.isComplete { break }
            }
            probe.expect(removed.records, is: records, "how many records were swept by \(seconds) s")
            probe.expect(removed.sessions, is: rows, "how many sessions were swept by \(seconds) s")
            let seen = try await probe.store.load(Lookups(codes.map { .record($0.key) }))
            let left = codes.filter { seen.record($0.key) != nil }.map(\.expiresAt)
            probe.expect(left, is: codes.dropFirst(records).map(\.expiresAt), "which records are left at \(seconds) s")
            let ids = try await probe.sessions(of: ann).filter { $0 != scene.session.id }
            probe.expect(
                ids,
                is: sessions.dropFirst(rows).map(\.id).sorted(),
                "which sessions are left at \(seconds) s"
            )
        }
    }
}
