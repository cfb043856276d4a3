@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// A right store that is written differently: rows without indexes, other orders where none is promised, other
/// positions.
///
/// What it does can be spoiled at the places where a store goes wrong.
final class PlainStore: IdentityStore {
    let tables = Mutex(PlainTables())
    let retention: Store.Retention
    /// Changes what is to be written, before anything is looked at.
    let prepare: @Sendable (inout ChangeSet, PlainTables) -> Void
    /// Chooses which of the preconditions that do not hold is answered.
    let violation: @Sendable ([PlainTables.Check], PlainTables) -> Store.Precondition?
    /// Changes what was written, before anybody sees it.
    let edit: @Sendable (_ before: PlainTables, ChangeSet, _ after: inout PlainTables) -> Void

    init(
        events: Store.Retention.Events = .all,
        prepare: @escaping @Sendable (inout ChangeSet, PlainTables) -> Void = { _, _ in },
        violation: @escaping @Sendable ([PlainTables.Check], PlainTables) -> Store.Precondition? = { checks, _ in
            checks.first { !$0.holds }?.precondition
        },
        edit: @escaping @Sendable (PlainTables, ChangeSet, inout PlainTables) -> Void = { _, _, _ in }
    ) {
        retention = Store.Retention(events: events, operations: .seconds(Int64.max))
        self.prepare = prepare
        self.violation = violation
        self.edit = edit
    }

    func load(_ lookups: Lookups) async throws -> Snapshot { tables.withLock { $0.load(lookups) } }

    func commit(_ changes: ChangeSet) async throws -> Store.CommitOutcome {
        tables.withLock { tables in
            if tables.operations.contains(changes.operation) { return .duplicate }
            var changes = changes
            prepare(&changes, tables)
            if let violated = violation(tables.checks(of: changes), tables) { return .violated(violated) }
            let before = tables
            tables.write(changes)
            edit(before, changes, &tables)
            return .committed
        }
    }

    func accounts(after: AccountID?, limit: Int) async throws -> [Account] {
        let all = tables.withLock { $0.accounts.values.sorted { $0.id < $1.id } }
        return Array(all.filter { account in after.map { $0 < account.id } ?? true }.prefix(max(0, limit)))
    }

    func accounts(dueBy now: Timestamp, after: Account?, limit: Int) async throws -> [Account] {
        let all = tables.withLock { $0.accounts.values.filter { $0.dueAt.map { $0 <= now } ?? false } }
        let place = { (account: Account) in (account.dueAt ?? .distantPast, account.id) }
        let left = all.filter { account in after.map { place($0) < place(account) } ?? true }
        return Array(left.sorted { place($0) < place($1) }.prefix(max(0, limit)))
    }

    func events(after position: IdentityEvent.Position, limit: Int) async throws -> Store.EventPage {
        tables.withLock { tables in
            let left = tables.events.filter { $0.position > position }.prefix(max(0, limit))
            // A position that no event has.
            let end = IdentityEvent.Position(incarnation: 1, transaction: 2 * tables.commits, number: .max)
            return Store.EventPage(
                events: Array(left),
                removed: tables.removed,
                end: tables.commits == 0 ? .start : end
            )
        }
    }

    func leaseMessages(at now: Timestamp, until end: Timestamp, limit: Int) async throws -> [Store.QueuedMessage] {
        tables.withLock { tables in
            let due = tables.messages.indices
                .compactMap { place in tables.messages[place].dueAt.map { (at: $0, place: place) } }
                .filter { $0.at <= now }
                .sorted { ($0.at, $0.place) < ($1.at, $1.place) }
            return due.prefix(max(0, limit)).map { _, place in
                tables.messages[place].tries += 1
                tables.messages[place].dueAt = end
                return tables.messages[place]
            }
        }
    }

    func endLease(of id: OperationID, tries: Int, dueAt: Timestamp?) async throws {
        tables.withLock { tables in
            guard let place = tables.messages.firstIndex(where: { $0.entry.id == id && $0.tries == tries }) else {
                return
            }
            if tables.messages[place].dueAt != nil { tables.messages[place].dueAt = dueAt }
        }
    }

    func settleMessages(_ ids: [OperationID]) async throws {
        tables.withLock { $0.messages.removeAll { ids.contains($0.entry.id) } }
    }

    func messages(
        _ status: Store.DeliveryStatus,
        after id: OperationID?,
        limit: Int
    ) async throws -> [Store.QueuedMessage] {
        let all = tables.withLock { $0.messages }.sorted { $0.entry.id < $1.entry.id }
        return Array(
            all.filter { message in message.status == status && id.map { $0 < message.entry.id } ?? true }
                .prefix(max(0, limit))
        )
    }

    /// Sessions come before records, and the newest first.
    func sweep(at now: Timestamp, limit: Int) async throws -> Store.SweepReport {
        tables.withLock { tables in
            let sessions = tables.sessions.values.filter { $0.expiresAt.map { $0 <= now } ?? false }
                .sorted { $1.id < $0.id }.prefix(max(0, limit))
            let records = tables.records.values.filter { !$0.isLive(at: now) }
                .sorted { $1.key < $0.key }.prefix(max(0, limit - sessions.count))
            for session in sessions { tables.sessions[session.id] = nil }
            for record in records { tables.records[record.key] = nil }
            let isComplete = sessions.count + records.count < limit
            return Store.SweepReport(records: records.count, sessions: sessions.count, isComplete: isComplete)
        }
    }
}

/// The rows of a plain store.
struct PlainTables: Sendable {
    /// A precondition, and whether it holds.
    struct Check: Sendable {
        let precondition: Store.Precondition
        let holds: Bool
    }

    var accounts: [AccountID: Account] = [:]
    var signIns: [AccountID: Timestamp] = [:]
    var keyRule: KeyRule?
    var owners: [UniqueKey: AccountID] = [:]
    var references: [EmailAddress: [EmailReference]] = [:]
    var listVersions: [EmailAddress: UInt64] = [:]
    var sessions: [SessionID: Session] = [:]
    var records: [OneTimeRecordID: OneTimeRecord] = [:]
    var events: [IdentityEvent] = []
    /// The last event that was removed.
    var removed = IdentityEvent.Position.start
    var messages: [Store.QueuedMessage] = []
    var operations: Set<OperationID> = []
    var commits: UInt64 = 0

    func load(_ lookups: Lookups) -> Snapshot { Snapshot(lookups) { answer(to: $0) } }

    private func answer(to lookup: Lookup) -> Snapshot.Answer {
        switch lookup {
        case .account(let id):
            if let row = row(id) { return .account(row) }
            return records[.tombstone(of: id)].map { .gone($0) } ?? .nothing
        case .owner(let key): return owners[key].flatMap(row).map { .account($0) } ?? .nothing
        case .referencing(let email):
            return .accounts(found(email).compactMap { row($0.account) }, version: version(of: email))
        case .session(let id): return sessions[id].map { .session($0) } ?? .nothing
        case .record(let key): return records[key].map { .record($0, $0.account.flatMap(row)) } ?? .nothing
        case .sessions(let reference):
            let id = id(of: reference)
            return .sessions(sessions.values.filter { $0.account == id })
        case .records(let reference, let purpose):
            guard let id = id(of: reference) else { return .records([]) }
            return .records(records.values.filter { $0.account == id && $0.purpose == purpose })
        }
    }

    private func row(_ id: AccountID) -> Snapshot.Row? {
        accounts[id].map { Snapshot.Row($0, lastSignIn: signIns[id]) }
    }

    func id(of reference: Lookup.Reference) -> AccountID? {
        switch reference {
        case .account(let id): id
        case .owner(let key): owners[key]
        }
    }

    func found(_ email: EmailAddress) -> [EmailReference] {
        Array((references[email] ?? []).sorted().prefix(EmailReference.lookupLimit))
    }

    func version(of email: EmailAddress) -> UInt64 {
        references[email, default: []].isEmpty ? 0 : listVersions[email] ?? 0
    }

    // MARK: Commits

    /// Every precondition of the change, in the order in which they are answered.
    func checks(of changes: ChangeSet) -> [Check] {
        var checks: [Check] = []
        func check(_ precondition: Store.Precondition, _ holds: Bool) {
            checks.append(Check(precondition: precondition, holds: holds))
        }
        if let keyRule, let wanted = changes.keyRule { check(.keyRule(keyRule), wanted == keyRule) }
        for write in changes.accounts {
            switch write {
            case .create(let account):
                let tombstone = OneTimeRecordID.tombstone(of: account.id)
                let isFree = records[tombstone] == nil || changes.records.contains(.consume(tombstone))
                check(.absent(account.id), accounts[account.id] == nil && isFree)
            case .update(_, let expected), .remove(_, let expected):
                check(.version(write.id), accounts[write.id]?.version == expected)
            }
        }
        for read in changes.reads { check(.version(read.id), accounts[read.id]?.version == read.version) }
        for read in changes.referenceReads { check(.references(read.email), version(of: read.email) == read.version) }
        for change in changes.keys { check(.owner(change.key), owners[change.key] == change.expected) }
        for change in changes.records {
            switch change {
            case .put(let new): check(.record(new.key), records[new.key] == nil)
            case .replace(let new): check(.record(new.key), records[new.key] != nil)
            case .consume(let key): check(.record(key), records[key] != nil)
            case .revoke, .revokeAll: break
            }
        }
        for change in changes.sessions {
            switch change {
            case .put(let new): check(.session(new.id), sessions[new.id] == nil)
            case .update(let new, let count): check(.session(new.id), sessions[new.id]?.refreshCount == count)
            case .end, .endAll, .endUnused: break
            }
        }
        return checks
    }

    mutating func write(_ changes: ChangeSet) {
        keyRule = keyRule ?? changes.keyRule
        commits += 1
        operations.insert(changes.operation)
        for write in changes.accounts {
            switch write {
            case .create(let account), .update(let account, _): accounts[account.id] = account
            case .remove(let id, _): (accounts[id], signIns[id]) = (nil, nil)
            }
        }
        for change in changes.keys where change.owner != change.expected { owners[change.key] = change.owner }
        for change in changes.references { apply(change) }
        for change in changes.records { apply(change) }
        for change in changes.sessions { apply(change) }
        for record in changes.signIns where accounts[record.account] != nil { signIns[record.account] = record.at }
        for (number, event) in changes.events.enumerated() {
            // Every third number of every second transaction.
            let position = IdentityEvent.Position(incarnation: 1, transaction: 2 * commits, number: 3 * UInt64(number))
            events.append(event.placed(at: position))
        }
        messages += changes.messages.map { Store.QueuedMessage($0) }
    }

    private mutating func apply(_ change: Store.EmailReferenceChange) {
        let before = found(change.email)
        references[change.email, default: []].removeAll { $0.account == change.reference.account }
        if change.isReferenced { references[change.email, default: []].append(change.reference) }
        if found(change.email) != before { listVersions[change.email, default: 1000] += 7 }
    }

    private mutating func apply(_ change: OneTimeRecordChange) {
        switch change {
        case .put(let record), .replace(let record): records[record.key] = record
        case .consume(let key), .revoke(let key): records[key] = nil
        case .revokeAll(let account, let purposes):
            records = records.filter { $1.account != account || !purposes.contains($1.purpose) }
        }
    }

    private mutating func apply(_ change: Store.SessionChange) {
        switch change {
        case .put(let session), .update(let session, _): sessions[session.id] = session
        case .end(let id): sessions[id] = nil
        case .endAll(let account, let kept): sessions = sessions.filter { $1.account != account || $0 == kept }
        case .endUnused(let account, let limit, let kept):
            let all = sessions.values.filter { $0.account == account }
            let unused = all.filter { $0.id != kept }.sorted { ($0.activeAt, $0.id) < ($1.activeAt, $1.id) }
            for session in unused.prefix(max(0, all.count - limit)) { sessions[session.id] = nil }
        }
    }
}

extension Flaw {
    /// Writes right, and then changes what was written.
    static func edits(
        _ name: String,
        _ edit: @escaping @Sendable (_ before: PlainTables, ChangeSet, _ after: inout PlainTables) -> Void
    ) -> Flaw {
        Flaw(name, making: { StoreSubject(PlainStore(edit: edit)) })
    }

    /// Writes another change than the one that it was given.
    static func prepares(
        _ name: String,
        _ prepare: @escaping @Sendable (inout ChangeSet, PlainTables) -> Void
    ) -> Flaw {
        Flaw(name, making: { StoreSubject(PlainStore(prepare: prepare)) })
    }

    /// Looks at other preconditions than it should.
    static func judges(
        _ name: String,
        _ violation: @escaping @Sendable ([PlainTables.Check], PlainTables) -> Store.Precondition?
    ) -> Flaw {
        Flaw(name, making: { StoreSubject(PlainStore(violation: violation)) })
    }

    /// A plain store that the body spoils from outside.
    static func wraps(_ name: String, _ spoil: @escaping @Sendable (inout FlawedStore) -> Void) -> Flaw {
        Flaw(
            name,
            making: {
                var store = FlawedStore(whole: PlainStore())
                spoil(&store)
                return StoreSubject(store)
            }
        )
    }

    /// Writes a part of a change that was not written as a whole, by an operation of its own.
    static func writesAPart(
        _ name: String,
        _ fill: @escaping @Sendable (Store.CommitOutcome, ChangeSet, inout ChangeSet) -> Void
    ) -> Flaw {
        .wraps(name) { store in
            store.onCommit = { changes, whole in
                let outcome = try await whole.commit(changes)
                let empty = ChangeSet(operation: OperationID(bits: ~changes.operation.bits), at: changes.at)
                var part = empty
                fill(outcome, changes, &part)
                if part != empty { _ = try await whole.commit(part) }
                return outcome
            }
        }
    }
}
