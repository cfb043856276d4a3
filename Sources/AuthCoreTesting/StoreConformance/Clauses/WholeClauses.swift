import AuthCore

/// Clauses that a store breaks which loses, cuts, mixes up or keeps a member of a value.
extension StoreClause {
    static let wholes = [
        StoreClause("an account is read back with everything that it has", accountsAreWhole),
        StoreClause("a session is read back with everything that it has", sessionsAreWhole),
        StoreClause("a record of every kind is read back with everything that it has", recordsAreWhole),
        StoreClause("an event is read back with everything that it has", everyEventIsWhole),
        StoreClause("a message is read back with everything that it has", messagesAreWhole),
        StoreClause("values are kept however large", largeValuesAreKept),
    ]

    /// Whether both values are equal and their texts have the same bytes, which the equality of texts does not ask.
    private static func isSame<Value: Store.StoredRecord & Equatable>(_ left: Value?, _ right: Value) throws -> Bool {
        guard let left, left == right else { return false }
        return try Store.RecordCoder().encode(left) == Store.RecordCoder().encode(right)
    }

    /// A change of an account to this value, with the keys and references of both values.
    private static func write(_ new: Account, over old: Account?, _ transaction: inout Transaction) {
        transaction.changes.accounts = [old.map { .update(new, expected: $0.version) } ?? .create(new)]
        let (before, after) = (old?.ownedKeys(under: .address) ?? [], new.ownedKeys(under: .address))
        transaction.changes.keys = before.filter { !after.contains($0) }.map { KeyChange($0, from: new.id, to: nil) }
        transaction.changes.keys += after.filter { !before.contains($0) }.map { KeyChange($0, from: nil, to: new.id) }
        let references = new.emailReferences(under: .address)
        transaction.changes.references = references.map {
            Store.EmailReferenceChange(email: $0.email, reference: $0.reference, isReferenced: true)
        }
        for (email, reference) in old?.emailReferences(under: .address) ?? []
        where !references.contains(where: { $0.email == email }) {
            let change = Store.EmailReferenceChange(email: email, reference: reference, isReferenced: false)
            transaction.changes.references.append(change)
        }
    }

    /// The account as each lookup and each page shows it, and its last sign-in where that is shown.
    private static func views(
        of account: Account,
        by record: OneTimeRecordID,
        _ probe: StoreProbe
    ) async throws -> [(name: String, row: Snapshot.Row?)] {
        var lookups: [(String, Lookup)] = [("its ID", .account(account.id)), ("a record about it", .record(record))]
        lookups += account.ownedKeys(under: .address).map { ("the key \($0)", .owner($0)) }
        lookups += account.emailReferences(under: .address).map {
            ("a reference to \($0.email)", .referencing($0.email))
        }
        var views: [(name: String, row: Snapshot.Row?)] = []
        for (name, lookup) in lookups {
            views.append((name, try await probe.load(lookup).answer(to: lookup).rows.first))
        }
        return views
    }

    private static func accountsAreWhole(_ probe: inout StoreProbe) async throws {
        let samples = try StoreSamples()
        let id = try StoreScene.id("ann")
        let code = StoreScene.code(about: id, &probe)
        var other = samples.fullAccount(id)
        other.methods.reverse()
        other.customClaims = ["only": 1]
        other.dueAt = .distantFuture
        // An empty text is not the same as none.
        other.displayName = ""
        other.photoURL = ""
        var old: Account?
        // Each value follows one that has what it lacks.
        for (version, value) in [samples.bareAccount(id), samples.fullAccount(id), samples.bareAccount(id), other]
            .enumerated()
        {
            var account = value
            account.version = UInt64(version)
            let (new, last, signIn) = (account, old, probe.later(Double(version)))
            try await probe.commit("an account") { transaction in
                write(new, over: last, &transaction)
                if last == nil { transaction.changes.records = [.put(code)] }
                transaction.changes.signIns = [Store.SignInRecord(account: id, at: signIn)]
            }
            for (name, row) in try await views(of: new, by: code.key, probe) {
                probe.expect(try isSame(row?.account, new), "\(name) shows version \(version) of an account changed")
                probe.expect(row?.lastSignIn, is: signIn, "the last sign-in that \(name) shows")
            }
            let page = try await probe.store.accounts(after: nil, limit: 10)
            probe.expect(try isSame(page.first, new), "a page shows version \(version) of an account changed")
            let due = try await probe.store.accounts(dueBy: .distantFuture, after: nil, limit: 10)
            probe.expect(
                due == (new.dueAt == nil ? [] : [new]),
                "a page of what is due shows version \(version) changed"
            )
            old = new
        }
    }

    private static func sessionsAreWhole(_ probe: inout StoreProbe) async throws {
        let samples = try StoreSamples()
        let account = samples.fullAccount(try StoreScene.id("ann"))
        try await probe.commit("an account") { write(account, over: nil, &$0) }
        let (first, second) = (SessionID(bits: probe.draw()), SessionID(bits: probe.draw()))
        var (bare, full) = (samples.bareSession(of: account.id, first), samples.fullSession(of: account.id, second))
        let blank = samples.blankSession(of: account.id, SessionID(bits: probe.draw()))
        let added = [bare, full, blank]
        try await probe.commit("three sessions") { $0.changes.sessions = added.map { .put($0) } }
        try await expect(added, of: account, "sessions that began", in: &probe)
        // Each gets what the other has, as far as an update may.
        (bare, full) = (samples.fullSession(of: account.id, first), samples.bareSession(of: account.id, second))
        let swapped = [bare, full, blank]
        try await probe.commit("updates of both") { transaction in
            transaction.changes.sessions = zip(swapped, added).map { .update($0, refreshCount: $1.refreshCount) }
        }
        try await expect(swapped, of: account, "sessions that were updated", in: &probe)
    }

    /// Expects these sessions of the account and no others, by each lookup.
    private static func expect(
        _ sessions: [Session],
        of account: Account,
        _ what: String,
        in probe: inout StoreProbe
    ) async throws {
        for session in sessions {
            probe.expect(try isSame(try await probe.session(session.id), session), "\(what): one was read back changed")
        }
        let names = account.ownedKeys(under: .address).map { Lookup.Reference.owner($0) } + [.account(account.id)]
        for name in names {
            let found = try await probe.load(.sessions(of: name)).sessions(of: name).sorted { $0.id < $1.id }
            let isWhole = try found.count == sessions.count && zip(found, sessions).allSatisfy { try isSame($0, $1) }
            probe.expect(isWhole, "\(what): the sessions of \(name) were read back changed")
        }
    }

    private static func recordsAreWhole(_ probe: inout StoreProbe) async throws {
        let samples = try StoreSamples()
        let account = samples.fullAccount(try StoreScene.id("ann"))
        try await probe.commit("an account") { write(account, over: nil, &$0) }
        let first = samples.records(about: account.id, &probe)
        try await probe.commit("a record of every kind") { $0.changes.records = first.map { .put($0) } }
        try await expect(first, of: account, "records that were put", in: &probe)
        // Each gets what the next has.
        let others = samples.records(about: account.id, &probe)
        let second = zip(first, others.dropFirst() + others.prefix(1)).map { $1.under($0.key) }
        try await probe.commit("a replacement of each") { $0.changes.records = second.map { .replace($0) } }
        try await expect(second, of: account, "records that were replaced", in: &probe)
    }

    /// Expects these records about the account and no others, by each lookup.
    private static func expect(
        _ records: [OneTimeRecord],
        of account: Account,
        _ what: String,
        in probe: inout StoreProbe
    ) async throws {
        for record in records {
            let found = try await probe.record(record.key)
            probe.expect(try isSame(found, record), "\(what): one of \(record.purpose) was read back changed")
        }
        let names = [Lookup.Reference.account(account.id), .owner(account.ownedKeys(under: .address)[0])]
        for purpose in OneTimeRecord.Purpose.allCases {
            let wanted = records.filter { $0.purpose == purpose }
            for name in names {
                let found = try await probe.load(.records(of: name, purpose)).records(of: name, purpose)
                    .sorted { $0.key < $1.key }
                let isWhole = try found.count == wanted.count && zip(found, wanted).allSatisfy { try isSame($0, $1) }
                probe.expect(isWhole, "\(what): those of \(purpose) were listed changed, or others with them")
            }
        }
    }

    private static func everyEventIsWhole(_ probe: inout StoreProbe) async throws {
        let written = try StoreSamples().events(of: StoreScene.id("ann"))
        try probe.requireLog(of: written.count)
        // At the time of the oldest, so that a log for a time keeps all of them.
        let start = written.map(\.at).min() ?? probe.now
        var changes = ChangeSet(operation: OperationID(bits: probe.draw()), at: start)
        changes.events = written
        try await probe.commit("events", changes)
        let read = try await probe.store.events(after: .start, limit: 100).events.map { $0.placed(at: .start) }
        probe.expect(read.count, is: written.count, "how many events were read")
        for (read, written) in zip(read, written) {
            probe.expect(try isSame(read, written), "an event by \(written.actor) was read back changed")
        }
    }

    private static func messagesAreWhole(_ probe: inout StoreProbe) async throws {
        let messages = try StoreSamples().messages(dueAt: StoreSamples.odd, &probe)
        try await probe.commit("messages") { $0.changes.messages = messages }
        let end = StoreSamples.odd + .milliseconds(1001)
        func expect(_ found: [Store.QueuedMessage], _ tries: Int, _ dueAt: Timestamp?, _ what: String) throws {
            let wanted = messages.map { Store.QueuedMessage($0, tries: tries, dueAt: dueAt) }
            let isWhole = try zip(found, messages).allSatisfy { try isSame($0.entry, $1) }
            probe.expect(found == wanted && isWhole, "\(what) were read back changed")
        }
        let store = probe.store
        try expect(try await store.messages(.waiting, after: nil, limit: 10), 1, StoreSamples.odd, "messages that wait")
        let leased = try await store.leaseMessages(at: StoreSamples.odd, until: end, limit: 10)
        try expect(leased.sorted { $0.entry.id < $1.entry.id }, 2, end, "messages that were leased")
        try expect(try await store.messages(.waiting, after: nil, limit: 10), 2, end, "messages that are leased")
        for message in messages { try await store.endLease(of: message.id, tries: 2, dueAt: nil) }
        try expect(try await store.messages(.failed, after: nil, limit: 10), 2, nil, "messages that were given up")
    }

    private static func largeValuesAreKept(_ probe: inout StoreProbe) async throws {
        try probe.requireLog(of: 1)
        let long = String(repeating: "e\u{301}\u{1F511} ", count: 9000)
        var ann = try StoreScene.bareAccount("ann", probe)
        let plain = String(repeating: "x", count: 70_000)
        // The longest that is read.
        let name = String(repeating: "n", count: 512)
        (ann.displayName, ann.photoURL) = (long, plain)
        ann.customClaims = ["list": .array((0..<5000).map { .integer($0) }), name: .string(long)]
        ann.blockedIssuers = (0..<1000).map { ExactText("issuer \($0)") } + [ExactText(long)]
        let account = ann
        var row = Session(
            id: SessionID(bits: probe.draw()),
            account: account.id,
            sessionGeneration: 0,
            basis: .init(kind: .anonymous, provider: .anonymous, generation: nil),
            at: probe.now,
            device: nil,
            origin: plain,
            deviceName: plain
        )
        row.claims = [name: .string(long)]
        let session = row
        let code = StoreScene.code(
            about: account.id,
            &probe,
            content: .totpSeed((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
        )
        let message = try StoreScene.message(
            &probe,
            to: account.id,
            settings: Message.Settings(continueURL: plain, language: plain)
        )
        try await probe.commit("large values") { transaction in
            transaction.changes.messages = [message]
            transaction.changes.accounts = [.create(account)]
            transaction.changes.sessions = [.put(session)]
            transaction.changes.records = [.put(code)]
        }
        probe.expect(try isSame(try await probe.account(account.id), account), "a large account was read back changed")
        probe.expect(try isSame(try await probe.session(session.id), session), "a large session was read back changed")
        probe.expect(try isSame(try await probe.record(code.key), code), "a large record was read back changed")
        let waiting = try await probe.store.messages(.waiting, after: nil, limit: 1).first
        probe.expect(try isSame(waiting?.entry, message), "a large message was read back changed")
        try await longMembersAreKept(&probe)
    }

    private static func longMembersAreKept(_ probe: inout StoreProbe) async throws {
        let (samples, id) = (try StoreSamples(), try StoreScene.id("long"))
        let (account, session) = (samples.longAccount(id), samples.longSession(of: id, SessionID(bits: probe.draw())))
        let codes = samples.longContents(id).map { StoreScene.code(about: id, &probe, content: $0) }
        let event = samples.longEvent(of: account)
        try await probe.commit("long texts and lists") { transaction in
            write(account, over: nil, &transaction)
            transaction.changes.sessions = [.put(session)]
            transaction.changes.records = codes.map { .put($0) }
            transaction.changes.events = [event]
        }
        probe.expect(try await probe.account(id) == account, "an account with long members was changed")
        probe.expect(try await probe.session(session.id) == session, "a session with long members was changed")
        for code in codes {
            let found = try await probe.record(code.key)
            probe.expect(found == code, "a record of \(code.purpose) with long members was changed")
        }
        let read = try await probe.store.events(after: .start, limit: 10).events.last?.placed(at: .start)
        probe.expect(read == event, "an event with long members was changed")
    }
}

extension Snapshot.Answer {
    /// The accounts that the answer shows.
    var rows: [Snapshot.Row] {
        switch self {
        case .account(let row): [row]
        case .accounts(let rows, _): rows
        case .record(_, let row): row.map { [$0] } ?? []
        default: []
        }
    }
}

extension OneTimeRecord {
    /// The same record under another ID.
    func under(_ key: OneTimeRecordID) -> OneTimeRecord {
        OneTimeRecord(
            key: key,
            account: account,
            createdAt: createdAt,
            expiresAt: expiresAt,
            device: device,
            sessionGeneration: sessionGeneration,
            content: content
        )
    }
}
