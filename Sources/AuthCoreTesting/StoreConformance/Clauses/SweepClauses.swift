import AuthCore

extension StoreClause {
    static let sweeping = [
        StoreClause("a sweep removes what has expired and nothing else", sweepsOnlyTheExpired),
        StoreClause("a sweep removes no more than it may", sweepsNoMoreThanItMay),
        StoreClause("a sweep spares what was given more time", sweepsByTheLatestTime),
        StoreClause("a sweep looks at the time of a row, not at its account", sweepsByTimeAlone),
        StoreClause("a sweep that removes very many rows says whether some are left", longSweepsGoOn),
    ]

    private static func sweepsOnlyTheExpired(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let ann = scene.ann.id
        // A record that expires at exactly this moment has expired.
        let over = [StoreScene.code(about: ann, &probe, lasting: 0), StoreScene.code(about: nil, &probe, lasting: -1)]
        let live = [StoreScene.code(about: ann, &probe, lasting: 1), StoreScene.code(about: nil, &probe)]
        let ended = [StoreScene.session(of: ann, &probe, lasting: 0), StoreScene.session(of: ann, &probe, lasting: -9)]
        let running = [scene.session, StoreScene.session(of: ann, &probe, lasting: 1)]
        try await probe.commit("records that expire") { transaction in
            transaction.changes.records += (over + live).map { .put($0) }
            transaction.changes.sessions += (ended + running.dropFirst()).map { .put($0) }
        }
        // What a session asked for does not end with it, and a row that is in use already is not overwritten.
        let mail = try StoreScene.email("ann@example.com")
        let content = OneTimeRecord.Content.verifyEmail(mail, askedBy: ended[0].id)
        let asked = StoreScene.code(about: ann, &probe, content: content)
        try await probe.commit("a code that a session asked for") { $0.changes.records.append(.put(asked)) }
        try await probe.refuse("a record under the ID of one that has expired", .record(over[0].key)) {
            $0.changes.records = [.put(over[0])]
        }
        let report = try await probe.store.sweep(at: probe.now, limit: 100)
        probe.expect(report, is: Store.SweepReport(records: 2, sessions: 2, isComplete: true), "the report")
        for code in over { probe.expect(try await probe.record(code.key), is: nil, "an expired record") }
        for code in live + [asked] { probe.expect(try await probe.record(code.key), is: code, "a live record") }
        let sessions = try await probe.sessions(of: ann)
        probe.expect(sessions, is: running.map(\.id).sorted(), "the sessions after a sweep")
        for session in ended {
            probe.expect(try await probe.session(session.id) == nil, "an expired session was found")
        }
        probe.expect(try await probe.account(ann) == scene.ann, "a sweep changed an account")
    }

    private static func sweepsByTimeAlone(_ probe: inout StoreProbe) async throws {
        let (gone, mail) = (try StoreScene.id("gone"), try StoreScene.email("ann@example.com"))
        let key = UniqueKey.identity(StoreScene.identity("gone"))
        var ann = try StoreScene.bareAccount("ann", probe)
        ann.mergeLock = Account.MergeLock(intent: OneTimeRecordID(bits: probe.draw()), until: probe.later(999))
        ann.isDisabled = true
        let locked = ann
        let asked = OneTimeRecord.Content.verifyEmail(mail, askedBy: SessionID(bits: probe.draw()))
        let live = [gone, ann.id].map { StoreScene.code(about: $0, &probe, content: asked, lasting: 20) }
        let expired = [gone, ann.id].map { StoreScene.code(about: $0, &probe, content: asked, lasting: 10) }
        let running = [gone, ann.id].map { StoreScene.session(of: $0, &probe, lasting: 20) }
        let over = [gone, ann.id].map { StoreScene.session(of: $0, &probe, lasting: 10) }
        let reference = StoreScene.reference(to: mail, by: try StoreScene.bareAccount("gone", probe))
        try await probe.commit("rows of a locked account, and of one that is not there") { transaction in
            transaction.changes.accounts = [.create(locked)]
            transaction.changes.keys = [KeyChange(key, from: nil, to: gone)]
            transaction.changes.references = [reference]
            transaction.changes.records = (live + expired).map { .put($0) }
            transaction.changes.sessions = (running + over).map { .put($0) }
        }
        let report = try await probe.store.sweep(at: probe.later(10), limit: 100)
        probe.expect(report, is: Store.SweepReport(records: 2, sessions: 2, isComplete: true), "the report")
        for code in live { probe.expect(try await probe.record(code.key), is: code, "a live record") }
        for session in running { probe.expect(try await probe.session(session.id), is: session, "a live session") }
        let version = try await probe.referenceVersion(of: mail)
        probe.expect(version != 0, "a reference by an account that is not there is gone")
        try await probe.refuse("a claim to a key whose owner is not there", .owner(key)) {
            $0.changes.keys = [KeyChange(key, from: nil, to: locked.id)]
        }
    }

    private static func sweepsNoMoreThanItMay(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let codes = (0..<5).map { _ in StoreScene.code(about: scene.ann.id, &probe, lasting: 0) }
        let sessions = (0..<5).map { _ in StoreScene.session(of: scene.ann.id, &probe, lasting: 0) }
        try await probe.commit("records that expire") { transaction in
            transaction.changes.records += codes.map { .put($0) }
            transaction.changes.sessions += sessions.map { .put($0) }
        }
        let none = try await probe.store.sweep(at: probe.now, limit: 0)
        probe.expect(none.removed, is: 0, "how much a sweep of nothing removed")
        var removed = 0.0
        for round in 0..<5 {
            let report = try await probe.store.sweep(at: probe.now, limit: 3)
            removed += report.removed
            probe.expect(report.removed <= 3, "a sweep of 3 removed \(report.removed)")
            probe.expect(!report.isComplete || removed == 10, "a sweep reported completion after \(removed) of 10")
            if round == 0 {
                let seen = try await probe.store.load(Lookups(codes.map { .record($0.key) }))
                let left = codes.count { seen.record($0.key) != nil }
                let rows = try await probe.sessions(of: scene.ann.id).count - 1
                probe.expect(Double(left + rows), is: 10 - removed, "what is left after the first sweep")
            }
            if report.isComplete { break }
        }
        probe.expect(removed, is: 10, "how much all sweeps removed")
        let last = try await probe.store.sweep(at: probe.now, limit: 3)
        probe.expect(last, is: Store.SweepReport(), "the report when nothing has expired")
    }

    private static func longSweepsGoOn(_ probe: inout StoreProbe) async throws {
        let (count, limit) = (1100, 1000)
        let codes = (0..<count).map { _ in StoreScene.code(about: nil, &probe, lasting: 0) }
        try await probe.commit("very many records that expire") { $0.changes.records = codes.map { .put($0) } }
        var removed = 0.0
        for _ in 0..<count {
            let report = try await probe.store.sweep(at: probe.now, limit: limit)
            removed += report.removed
            if report.isComplete { break }
        }
        probe.expect(removed, is: Double(count), "how much was removed when a sweep said that nothing is left")
        try await sweepsPassWhatIsOver(&probe)
    }

    /// What was used up or has more time since stands in no sweep's way.
    private static func sweepsPassWhatIsOver(_ probe: inout StoreProbe) async throws {
        let codes = (0..<120).map { _ in StoreScene.code(about: nil, &probe, lasting: 10) }
        let late = (0..<3).map { _ in StoreScene.code(about: nil, &probe, lasting: 20) }
        try await probe.commit("records that expire") { $0.changes.records = (codes + late).map { .put($0) } }
        let longer = codes[60...].map { code in
            OneTimeRecord(
                key: code.key,
                account: nil,
                createdAt: code.createdAt,
                expiresAt: probe.later(100),
                content: code.content
            )
        }
        try await probe.commit("the use of some, and more time for others") {
            $0.changes.records = codes[..<60].map { .consume($0.key) } + longer.map { .replace($0) }
        }
        var removed = 0.0
        for _ in codes {
            let report = try await probe.store.sweep(at: probe.later(20), limit: 10)
            removed += report.removed
            if report.isComplete { break }
        }
        probe.expect(removed, is: 3, "how much was swept behind what was used up or has more time")
    }

    private static func sweepsByTheLatestTime(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let code = StoreScene.code(about: scene.ann.id, &probe, lasting: 10)
        var session = StoreScene.session(of: scene.ann.id, &probe, lasting: 10)
        let short = session
        try await probe.commit("a record and a session") { transaction in
            transaction.changes.records = [.put(code)]
            transaction.changes.sessions = [.put(short)]
        }
        session.expiresAt = probe.later(50)
        let extended = session
        let longer = OneTimeRecord(
            key: code.key,
            account: code.account,
            createdAt: code.createdAt,
            expiresAt: probe.later(50),
            content: code.content
        )
        // The second time, the end is the one that they have.
        for _ in 0..<2 {
            try await probe.commit("more time for both") { transaction in
                transaction.changes.records = [.replace(longer)]
                transaction.changes.sessions = [.update(extended, refreshCount: extended.refreshCount)]
            }
        }
        _ = try await probe.store.sweep(at: probe.later(20), limit: 100)
        probe.expect(try await probe.record(code.key), is: longer, "a record that was given more time")
        probe.expect(try await probe.session(session.id), is: extended, "a session that was given more time")
        let report = try await probe.store.sweep(at: probe.later(50), limit: 100)
        probe.expect(report, is: Store.SweepReport(records: 1, sessions: 1), "the report when that time is over")
    }
}

extension Store.SweepReport {
    /// How much was removed in all; a number that can be compared however absurd the report is.
    var removed: Double { [records, sessions, accounts].reduce(0) { $0 + Double($1) } }
}
