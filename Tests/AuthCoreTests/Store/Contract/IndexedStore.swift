@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// What a plain store would have beside its rows if it found them by indexes.
struct PlainIndexes: Sendable {
    /// A row under what an index finds it by.
    struct Entry<Key: Hashable & Comparable & Sendable, ID: Hashable & Comparable & Sendable>: Hashable, Comparable {
        let key: Key
        let id: ID

        static func < (left: Entry, right: Entry) -> Bool { (left.key, left.id) < (right.key, right.id) }
    }

    var records: Set<Entry<AccountID, OneTimeRecordID>>
    var sessions: Set<Entry<AccountID, SessionID>>
    var recordEnds: Set<Entry<Timestamp, OneTimeRecordID>>
    var sessionEnds: Set<Entry<Timestamp, SessionID>>
    var due: Set<Entry<Timestamp, AccountID>>

    /// The indexes of these rows.
    init(of tables: PlainTables = PlainTables()) {
        records = Set(tables.records.values.compactMap { Entry($0.account, $0.key) })
        sessions = Set(tables.sessions.values.compactMap { Entry($0.account, $0.id) })
        recordEnds = Set(tables.records.values.compactMap { Entry($0.expiresAt, $0.key) })
        sessionEnds = Set(tables.sessions.values.compactMap { Entry($0.expiresAt, $0.id) })
        due = Set(tables.accounts.values.compactMap { Entry($0.dueAt, $0.id) })
    }

    /// Adds and removes what a change makes new and old.
    mutating func follow(_ moment: IndexedStore.Moment) {
        let tables: (before: PlainTables, after: PlainTables)
        switch moment {
        case .written(_, let before, let after), .swept(let before, let after): tables = (before, after)
        case .refused, .interrupted, .reopened: return
        }
        let (old, new) = (PlainIndexes(of: tables.before), PlainIndexes(of: tables.after))
        remove(old, butNot: new)
        add(new, since: old)
    }

    /// Adds what is new since they were others.
    mutating func add(_ new: PlainIndexes, since old: PlainIndexes) {
        records.formUnion(new.records.subtracting(old.records))
        sessions.formUnion(new.sessions.subtracting(old.sessions))
        recordEnds.formUnion(new.recordEnds.subtracting(old.recordEnds))
        sessionEnds.formUnion(new.sessionEnds.subtracting(old.sessionEnds))
        due.formUnion(new.due.subtracting(old.due))
    }

    /// Removes what they had once and have no more.
    mutating func remove(_ old: PlainIndexes, butNot new: PlainIndexes) {
        records.subtract(old.records.subtracting(new.records))
        sessions.subtract(old.sessions.subtracting(new.sessions))
        recordEnds.subtract(old.recordEnds.subtracting(new.recordEnds))
        sessionEnds.subtract(old.sessionEnds.subtracting(new.sessionEnds))
        due.subtract(old.due.subtracting(new.due))
    }
}

extension PlainIndexes.Entry {
    fileprivate init?(_ key: Key?, _ id: ID) {
        guard let key else { return nil }
        self.init(key: key, id: id)
    }
}

/// A plain store that finds rows by indexes, which may be wrong.
final class IndexedStore: Sendable {
    /// What indexes follow, or should not.
    enum Moment: Sendable {
        case written(ChangeSet, before: PlainTables, after: PlainTables)
        case swept(before: PlainTables, after: PlainTables)
        case refused(ChangeSet, PlainTables)
        case interrupted(ChangeSet, PlainTables)
        case reopened
    }

    private struct ConnectionLost: Error {}

    private let plain = PlainStore()
    private let indexes = Mutex(PlainIndexes())
    private let follow: @Sendable (Moment, inout PlainIndexes) -> Void
    /// Whether a row is left where it is found by a time that it has no more.
    private let comparesTimes: Bool
    private let isInterrupted = Mutex(false)

    init(comparesTimes: Bool = false, _ follow: @escaping @Sendable (Moment, inout PlainIndexes) -> Void) {
        self.comparesTimes = comparesTimes
        self.follow = follow
    }

    /// A commit that ends after one of its first three statements has written nothing.
    var subject: StoreSubject {
        StoreSubject(
            open: { self.handle },
            reopen: {
                self.indexes.withLock { self.follow(.reopened, &$0) }
                return self.handle
            },
            interrupt: { statement in self.isInterrupted.withLock { $0 = statement < 3 } }
        )
    }

    private var handle: FlawedStore {
        var store = FlawedStore(whole: plain)
        store.onLoad = { lookups, _ in self.load(lookups) }
        store.onCommit = { changes, _ in try self.commit(changes) }
        store.onDue = { now, last, limit, _ in self.accounts(dueBy: now, after: last, limit: limit) }
        store.onSweep = { now, limit, _ in self.sweep(at: now, limit: limit) }
        return store
    }

    private func load(_ lookups: Lookups) -> Snapshot {
        plain.tables.withLock { tables in
            let seen = tables.load(lookups)
            return indexes.withLock { indexes in
                Snapshot(lookups) { lookup in
                    switch lookup {
                    case .records(let reference, let purpose):
                        let id = tables.id(of: reference)
                        let rows = indexes.records.filter { $0.key == id }.compactMap { tables.records[$0.id] }
                        return .records(rows.filter { $0.purpose == purpose })
                    case .sessions(let reference):
                        let id = tables.id(of: reference)
                        return .sessions(indexes.sessions.filter { $0.key == id }.compactMap { tables.sessions[$0.id] })
                    default: return seen.answer(to: lookup)
                    }
                }
            }
        }
    }

    private func commit(_ changes: ChangeSet) throws -> Store.CommitOutcome {
        let isOver = isInterrupted.withLock { isInterrupted in
            defer { isInterrupted = false }
            return isInterrupted
        }
        return try plain.tables.withLock { tables in
            try indexes.withLock { indexes in
                if isOver {
                    follow(.interrupted(changes, tables), &indexes)
                    throw ConnectionLost()
                }
                if tables.operations.contains(changes.operation) { return .duplicate }
                if let violated = tables.checks(of: changes).first(where: { !$0.holds })?.precondition {
                    follow(.refused(changes, tables), &indexes)
                    return .violated(violated)
                }
                let before = tables
                tables.write(changes)
                for change in changes.records { indexes.correct(change, before, &tables) }
                for change in changes.sessions { indexes.correct(change, before, &tables) }
                follow(.written(changes, before: before, after: tables), &indexes)
                return .committed
            }
        }
    }

    private func accounts(dueBy now: Timestamp, after last: Account?, limit: Int) -> [Account] {
        plain.tables.withLock { tables in
            let due = indexes.withLock { $0.due.filter { $0.key <= now } }.sorted().filter { entry in
                last.map { ($0.dueAt ?? .distantPast, $0.id) < (entry.key, entry.id) } ?? true
            }
            return due.prefix(max(0, limit)).compactMap { entry in
                tables.accounts[entry.id].flatMap { comparesTimes && $0.dueAt != entry.key ? nil : $0 }
            }
        }
    }

    /// What the indexes name and is gone counts as looked at, and is named no more, unless times are compared.
    private func sweep(at now: Timestamp, limit: Int) -> Store.SweepReport {
        plain.tables.withLock { tables in
            indexes.withLock { indexes in
                let records = indexes.recordEnds.filter { $0.key <= now }.sorted().prefix(max(0, limit))
                let sessions = indexes.sessionEnds.filter { $0.key <= now }.sorted()
                    .prefix(max(0, limit - records.count))
                let before = tables
                for entry in records where !comparesTimes || tables.records[entry.id]?.expiresAt == entry.key {
                    tables.records[entry.id] = nil
                }
                for entry in sessions where !comparesTimes || tables.sessions[entry.id]?.expiresAt == entry.key {
                    tables.sessions[entry.id] = nil
                }
                follow(.swept(before: before, after: tables), &indexes)
                if !comparesTimes {
                    indexes.recordEnds.subtract(records)
                    indexes.sessionEnds.subtract(sessions)
                }
                return Store.SweepReport(
                    records: before.records.count - tables.records.count,
                    sessions: before.sessions.count - tables.sessions.count,
                    isComplete: records.count + sessions.count < limit
                )
            }
        }
    }
}

extension PlainIndexes {
    /// Revokes what the indexes name as the account's, and nothing else.
    fileprivate func correct(_ change: OneTimeRecordChange, _ before: PlainTables, _ tables: inout PlainTables) {
        guard case .revokeAll(let account, let purposes) = change else { return }
        for (key, record) in before.records where purposes.contains(record.purpose) {
            let isListed = records.contains(Entry(key: account, id: key))
            if record.account == account, !isListed { tables.records[key] = record }
            if record.account != account, isListed { tables.records[key] = nil }
        }
    }

    /// Ends what the indexes name as the account's, and nothing else.
    fileprivate func correct(_ change: Store.SessionChange, _ before: PlainTables, _ tables: inout PlainTables) {
        switch change {
        case .endAll(let account, _), .endUnused(let account, _, _):
            for (id, session) in before.sessions {
                let isListed = sessions.contains(Entry(key: account, id: id))
                if session.account == account, !isListed { tables.sessions[id] = session }
                if session.account != account, isListed { tables.sessions[id] = nil }
            }
        case .put, .update, .end: break
        }
    }
}

extension Flaw {
    /// A store whose indexes the body keeps, which may spoil them.
    static func indexes(
        _ name: String,
        comparesTimes: Bool = false,
        _ follow: @escaping @Sendable (IndexedStore.Moment, inout PlainIndexes) -> Void
    ) -> Flaw {
        Flaw(name, making: { IndexedStore(comparesTimes: comparesTimes, follow).subject })
    }
}
