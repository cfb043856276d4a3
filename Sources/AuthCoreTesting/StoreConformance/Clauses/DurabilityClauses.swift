import AuthCore

/// Clauses that need a subject that can be reopened or interrupted.
extension StoreClause {
    static let durability = [
        StoreClause("what was committed is there after the store is opened again", commitsSurvive),
        StoreClause("what is due and what was read is known after the store is opened again", memorySurvives),
        StoreClause("what was leased, settled, swept and ended is so after the store is opened again", endsSurvive),
        StoreClause("rows that no account shows are there after the store is opened again", hiddenRowsSurvive),
        StoreClause("positions grow on after the store is opened again", positionsGrowOn),
        StoreClause("a commit that is interrupted is written whole or not at all", interruptedCommitsAreWhole),
        StoreClause("a large commit that is interrupted is written whole or not at all", largeCommitsAreWhole),
    ]

    private static func commitsSurvive(_ probe: inout StoreProbe) async throws {
        guard let reopen = probe.subject.reopen else { throw NotApplicable() }
        let scene = try await StoreScene.stageEverything(in: &probe)
        let change = try scene.richChange(&probe)
        try await probe.commit("a change", change)
        let before = try await StorePicture(of: scene, touchedBy: change, in: probe)
        probe.store = try await reopen()
        let after = try await StorePicture(of: scene, touchedBy: change, in: probe)
        probe.expect(before == after, "something is lost, or was not there, after the store was opened again")
        probe.expect(probe.store.isDurable, "a store says that it is not durable, and all is there again")
        probe.expect(try await probe.store.commit(change), is: .duplicate, "the same change again")
        try await StoreScene.expectExpiry(in: &probe)
    }

    /// What a store may keep beside its tables, and lose: what is due, leases, the versions of lists, the rule of its
    /// keys, and what an account has.
    private static func memorySurvives(_ probe: inout StoreProbe) async throws {
        guard let reopen = probe.subject.reopen else { throw NotApplicable() }
        var due = try StoreScene.bareAccount("due", probe)
        due.dueAt = probe.later(10)
        let account = due
        let mail = try StoreScene.email("ann@example.com")
        let messages = try (0..<2).map { _ in try StoreScene.message(&probe, leasedFor: 60) }
        let code = StoreScene.code(about: nil, &probe, lasting: 10)
        let session = StoreScene.session(of: account.id, &probe, lasting: 10)
        try await probe.commit("an account, a reference, a record, a session and two messages") { transaction in
            transaction.changes.keyRule = .address
            transaction.changes.accounts = [.create(account)]
            transaction.changes.references = [StoreScene.reference(to: mail, by: account)]
            transaction.changes.records = [.put(code)]
            transaction.changes.sessions = [.put(session)]
            transaction.changes.messages = messages
        }
        let owned = try await Owned.stage(in: &probe)
        let stale = try await probe.referenceVersion(of: mail)
        try await probe.refer(to: mail, by: account, .confirmed)
        let version = try await probe.referenceVersion(of: mail)
        // A list that is empty again has lost its version, and gets no version again that it had.
        let emptied = try StoreScene.email("emptied@example.com")
        try await probe.refer(to: emptied, by: account)
        let lost = try await probe.referenceVersion(of: emptied)
        try await probe.refer(to: emptied, by: account, isReferenced: false)
        _ = try await probe.store.sweep(at: probe.now, limit: 100)
        try await probe.store.endLease(of: messages[1].id, tries: 1, dueAt: nil)

        probe.store = try await reopen()
        // Before any other change, whose rule the store could take for its own.
        try await probe.refuse("a change whose keys follow another rule", .keyRule(.address)) {
            $0.changes.keyRule = .mailbox
            $0.event(.signedIn, account.id, by: .system)
        }
        let found = try await probe.store.accounts(dueBy: probe.later(10), after: nil, limit: 10)
        probe.expect(found, is: [account], "the accounts that are due")
        try await owned.expectLists(in: &probe)
        let (now, end) = (probe.later(59), probe.later(600))
        let early = try await probe.store.leaseMessages(at: now, until: end, limit: 10)
        probe.expect(early.map(\.entry.id), is: [], "messages that are leased while another lease lasts")
        let failed = try await probe.store.messages(.failed, after: nil, limit: 10)
        probe.expect(failed.map(\.entry.id), is: [messages[1].id], "the messages that were given up")
        probe.expect(try await probe.referenceVersion(of: mail), is: version, "the version of a list of references")
        try await probe.refuse("a change that read the list before it changed", .references(mail)) {
            $0.changes.referenceReads = [Store.EmailReferenceRead(email: mail, version: stale)]
            $0.event(.signedIn, account.id, by: .system)
        }
        try await probe.refer(to: emptied, by: account, .confirmed)
        let again = try await probe.referenceVersion(of: emptied)
        probe.expect(again != lost, "a list that was emptied has version \(lost) again, where it shows an account")
        let swept = try await probe.store.sweep(at: probe.later(10), limit: 10)
        probe.expect(swept, is: Store.SweepReport(records: 1, sessions: 1), "what a sweep removes")
    }

    private static func endsSurvive(_ probe: inout StoreProbe) async throws {
        guard let reopen = probe.subject.reopen else { throw NotApplicable() }
        let scene = try await StoreScene.stage(in: &probe)
        let messages = try (0..<4).map { _ in try StoreScene.message(&probe, leasedFor: 10) }
        let code = StoreScene.code(about: nil, &probe, lasting: 10)
        try await probe.commit("messages and a record") { transaction in
            transaction.changes.messages = messages
            transaction.changes.records = [.put(code)]
        }
        let (now, end) = (probe.later(10), probe.later(600))
        _ = try await probe.store.leaseMessages(at: now, until: end, limit: 10)
        try await probe.store.settleMessages([messages[0].id])
        try await probe.store.endLease(of: messages[1].id, tries: 2, dueAt: probe.later(50))
        try await probe.store.endLease(of: messages[2].id, tries: 2, dueAt: nil)
        _ = try await probe.store.sweep(at: now, limit: 10)
        let tombstone = StoreScene.tombstone(of: scene.ben.id, probe)
        try await probe.commit("the end of a session, a record and an account") { transaction in
            transaction.remove(scene.ben)
            transaction.changes.sessions = [.end(scene.session.id)]
            transaction.changes.records += [.consume(scene.code.key), .put(tombstone)]
        }

        probe.store = try await reopen()
        let waiting = [
            Store.QueuedMessage(messages[1], tries: 2, dueAt: probe.later(50)),
            Store.QueuedMessage(messages[3], tries: 2, dueAt: end),
        ]
        let listed = try await probe.store.messages(.waiting, after: nil, limit: 10)
        probe.expect(listed, is: waiting, "the messages that wait")
        let failed = try await probe.store.messages(.failed, after: nil, limit: 10)
        probe.expect(
            failed,
            is: [Store.QueuedMessage(messages[2], tries: 2, dueAt: nil)],
            "the messages that were given up"
        )
        let leased = try await probe.store.leaseMessages(at: probe.later(50), until: end, limit: 10)
        probe.expect(
            leased,
            is: [Store.QueuedMessage(messages[1], tries: 3, dueAt: end)],
            "the message that is due again"
        )
        for key in [code.key, scene.code.key] {
            probe.expect(try await probe.record(key), is: nil, "a record that was swept or used up")
        }
        probe.expect(try await probe.tombstone(of: scene.ben.id), is: tombstone, "what is left of a removed account")
        try await probe.commit("claims to keys that were released") {
            $0.changes.keys = scene.ben.ownedKeys(under: .address).map { KeyChange($0, from: nil, to: scene.ann.id) }
        }
        probe.expect(
            try await probe.sessions(of: scene.ann.id),
            is: [],
            "the sessions of an account whose session ended"
        )
    }

    private static func hiddenRowsSurvive(_ probe: inout StoreProbe) async throws {
        guard let reopen = probe.subject.reopen else { throw NotApplicable() }
        let gone = try StoreScene.bareAccount("gone", probe)
        let key = UniqueKey.identity(StoreScene.identity("gone"))
        let (mail, alone) = (try StoreScene.email("wanted@example.com"), try StoreScene.email("alone@example.com"))
        let codes = [StoreScene.code(about: gone.id, &probe), StoreScene.code(about: nil, &probe, lasting: -9)]
        let sessions = [StoreScene.session(of: gone.id, &probe), StoreScene.session(of: gone.id, &probe, lasting: -9)]
        let claimants = try (10..<21).map { try StoreScene.bareAccount("claimant\($0)", probe) }
        try await probe.commit("rows of an account that is not there, and references behind a list") { transaction in
            transaction.changes.accounts = claimants.map { .create($0) }
            transaction.changes.keys = [KeyChange(key, from: nil, to: gone.id)]
            transaction.changes.references =
                [StoreScene.reference(to: alone, by: gone)] + claimants.map { StoreScene.reference(to: mail, by: $0) }
            transaction.changes.records = codes.map { .put($0) }
            transaction.changes.sessions = sessions.map { .put($0) }
        }
        let version = try await probe.referenceVersion(of: alone)

        probe.store = try await reopen()
        for code in codes { probe.expect(try await probe.record(code.key), is: code, "a record") }
        for session in sessions { probe.expect(try await probe.session(session.id), is: session, "a session") }
        try await probe.refuse("a claim to a key whose owner is not there", .owner(key)) {
            $0.changes.keys = [KeyChange(key, from: nil, to: claimants[0].id)]
        }
        probe.expect(try await probe.referenceVersion(of: alone), is: version, "the version of a list")
        try await probe.commit("the end of references") {
            $0.changes.references = claimants.prefix(EmailReference.lookupLimit)
                .map { StoreScene.reference(to: mail, by: $0, isReferenced: false) }
        }
        let left = claimants.dropFirst(EmailReference.lookupLimit).map(\.id)
        probe.expect(try await probe.referencing(of: mail), is: left, "the references that were behind the list")
    }

    private static func positionsGrowOn(_ probe: inout StoreProbe) async throws {
        guard let reopen = probe.subject.reopen else { throw NotApplicable() }
        try probe.requireLog(of: 1)
        _ = try await StoreScene.stage(in: &probe)
        try await overrun(&probe)
        let before = try await probe.store.events(after: .start, limit: 0)
        let end = before.end
        probe.store = try await reopen()
        let removed = try await probe.store.events(after: .start, limit: 0).removed
        probe.expect(removed >= before.removed, "the log says that it removed what is up to \(removed)")
        try await probe.commit("an event") { $0.event(.signedIn, "ann", by: .system) }
        let later = try await probe.store.events(after: end, limit: 10).events
        probe.expect(later.map(\.kind), is: [.signedIn], "the events after the end that was read before")
    }

    private static func interruptedCommitsAreWhole(_ probe: inout StoreProbe) async throws {
        guard let interrupt = probe.subject.interrupt else { throw NotApplicable() }
        try probe.requireLog(of: 2)
        try await interruptedCommitsSetNoRule(interrupt, &probe)
        let whole = try await StorePicture.whole(like: probe)
        let scene = try await StoreScene.stageEverything(in: &probe)
        let change = try scene.richChange(&probe)
        let before = try await StorePicture(of: scene, touchedBy: change, in: probe)
        for statement in 0..<1000 {
            var isFinal = false
            try await interrupt(statement)
            do {
                let outcome = try await probe.store.commit(change)
                probe.expect(outcome, is: .committed, "the change without an interruption")
                // An answer that goes out before the change is durable would be given to an interrupted commit, too.
                probe.store = try await probe.subject.open()
                let after = try await StorePicture(of: scene, touchedBy: change, in: probe)
                probe.expect(after.withoutVersions == whole, "a change that was answered as committed is not there")
                return try await StoreScene.expectExpiry(in: &probe)
            } catch {
                isFinal = (error as? AuthError).map { $0.code != .outcomeUnknown } ?? false
                // The connection is gone, and another process looks at what is left.
                try await goOn(&probe)
            }
            let after = try await StorePicture(of: scene, touchedBy: change, in: probe)
            if after == before { continue }
            probe.expect(
                after.withoutVersions == whole,
                "a commit that was interrupted after statement \(statement) was written in part"
            )
            probe.expect(!isFinal, "a change that was written was answered with an error that says it was not")
            probe.expect(try await probe.store.commit(change), is: .duplicate, "the change that was written, again")
            return try await StoreScene.expectExpiry(in: &probe)
        }
        probe.report("a commit has more than a thousand statements, or every one was interrupted")
    }

    /// Commits on the handle whose commit was interrupted, which may fail, and opens another.
    private static func goOn(_ probe: inout StoreProbe) async throws {
        let code = StoreScene.code(about: nil, &probe)
        var next = probe.transaction().changes
        next.records = [.put(code)]
        let outcome = try? await probe.store.commit(next)
        probe.store = try await probe.subject.open()
        let found = try await probe.record(code.key)
        probe.expect(outcome == nil || found == code, "a change on a handle whose commit was interrupted is not there")
    }

    /// Interrupts a change of more rows than a batch of a database has.
    private static func largeCommitsAreWhole(_ probe: inout StoreProbe) async throws {
        guard let interrupt = probe.subject.interrupt else { throw NotApplicable() }
        let count = 320
        for statement in [10, 26, 101, 301, 1001] {
            let codes = (0..<count).map { _ in StoreScene.code(about: nil, &probe) }
            let messages = try codes.map { _ in try StoreScene.message(&probe) }
            var change = ChangeSet(operation: OperationID(bits: probe.draw()), at: probe.now)
            (change.records, change.messages) = (codes.map { .put($0) }, messages)
            try await interrupt(statement)
            do {
                // One that has no more statements ends before it is interrupted.
                return try await probe.commit("a large change without an interruption", change)
            } catch {
                probe.store = try await probe.subject.open()
            }
            let seen = try await probe.store.load(Lookups(codes.map { .record($0.key) }))
            let found = codes.count { seen.record($0.key) != nil }
            let waiting = try await probe.store.messages(.waiting, after: nil, limit: 10 * count).map(\.entry.id)
            let sent = Set(waiting).intersection(messages.map(\.id)).count
            let isWhole = (found, sent) == (0, 0) || (found, sent) == (count, count)
            probe.expect(isWhole, "\(found) records and \(sent) messages of \(count) were written")
        }
    }

    /// Interrupts the first commit of all, which sets the rule of the store's keys, until it is written.
    private static func interruptedCommitsSetNoRule(
        _ interrupt: @Sendable (_ afterStatement: Int) async throws -> Void,
        _ probe: inout StoreProbe
    ) async throws {
        let (code, unknown) = drawRecords(&probe)
        var first = ChangeSet(operation: OperationID(bits: code.key.bits), at: probe.later(0))
        (first.keyRule, first.records) = (.address, [.put(code)])
        // Refused in any case, so that it sets no rule either.
        var other = ChangeSet(operation: OperationID(bits: unknown.key.bits), at: probe.later(0))
        (other.keyRule, other.records) = (.mailbox, [.consume(unknown.key)])
        for statement in 0..<1000 {
            try await interrupt(statement)
            do {
                _ = try await probe.store.commit(first)
            } catch {
                probe.store = try await probe.subject.open()
            }
            if try await probe.record(code.key) != nil { return }
            let refused = try await probe.store.commit(other)
            probe.expect(refused, is: .violated(.record(unknown.key)), "another rule after a commit that is not there")
        }
    }

    /// Two records that belong to no account.
    private static func drawRecords(_ probe: inout StoreProbe) -> (OneTimeRecord, OneTimeRecord) {
        (StoreScene.code(about: nil, &probe), StoreScene.code(about: nil, &probe))
    }
}

/// An account with a key, with records of three purposes, one of which another account had first, and with sessions.
private struct Owned {
    let account: AccountID
    let key: UniqueKey
    let records: [OneTimeRecord]
    let sessions: [Session]

    static func stage(in probe: inout StoreProbe) async throws -> Owned {
        let (owner, other) = (try StoreScene.bareAccount("owner", probe), try StoreScene.bareAccount("other", probe))
        let mail = try StoreScene.email("owner@example.com")
        let contents: [OneTimeRecord.Content] = [.usedAssertion, .resetPassword(mail), .signInLink(mail)]
        let owned = Owned(
            account: owner.id,
            key: .identity(StoreScene.identity("owner")),
            records: contents.map { StoreScene.code(about: owner.id, &probe, content: $0) },
            sessions: (0..<3).map { _ in StoreScene.session(of: owner.id, &probe) }
        )
        try await probe.commit("an account with records and sessions") { transaction in
            transaction.changes.accounts = [.create(owner), .create(other)]
            transaction.changes.keys = [KeyChange(owned.key, from: nil, to: owner.id)]
            transaction.changes.records =
                owned.records[..<2].map { .put($0) } + [.put(StoreScene.moved(owned.records[2], to: other.id))]
            transaction.changes.sessions = owned.sessions.map { .put($0) }
        }
        try await probe.commit("a record that moves") { $0.changes.records = [.replace(owned.records[2])] }
        return owned
    }

    /// What the account has is found by its ID and by its key, revoked and ended.
    func expectLists(in probe: inout StoreProbe) async throws {
        for name in [Lookup.Reference.account(account), .owner(key)] {
            for record in records {
                let seen = try await probe.load(.records(of: name, record.purpose))
                probe.expect(seen.records(of: name, record.purpose), is: [record], "the records of an account")
            }
            let seen = try await probe.load(.sessions(of: name)).sessions(of: name)
            probe.expect(Set(seen), is: Set(sessions), "the sessions of an account")
        }
        try await probe.commit("the end of some of each") { transaction in
            transaction.changes.records = [.revokeAll(account, [.usedAssertion, .signInLink])]
            transaction.changes.sessions = [.endUnused(account, keeping: 2, besides: sessions[2].id)]
        }
        let left = try await probe.store.load(Lookups(records.map { .record($0.key) }))
        probe.expect(records.map { left.record($0.key) }, is: [nil, records[1], nil], "the records left")
        probe.expect(try await probe.sessions(of: account), is: sessions[1...].map(\.id), "the sessions left")
        try await probe.commit("the end of all sessions") {
            $0.changes.sessions = [.endAll(account, except: nil)]
        }
        for session in sessions {
            probe.expect(try await probe.session(session.id), is: nil, "a session after the end of all")
        }
    }
}
