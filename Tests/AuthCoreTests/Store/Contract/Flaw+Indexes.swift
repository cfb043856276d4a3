@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// Flaws of indexes that do not follow their rows.
extension Flaw {
    static let indexes: [String: [Flaw]] = [
        "precondition: a record is consumed where one is": followsRefusals,
        "precondition: an update names the version it saw": followsRefusals,
        "a commit that is interrupted is written whole or not at all": followsInterruptions + [writesTheRestLater],
        "what was committed is there after the store is opened again": [callsItselfPassing],
        "what is due and what was read is known after the store is opened again": losesListsAtItsEnd,
        "what is gone is in no list and is not swept": keepsTheGone,
        "a sweep spares what was given more time": losesTheSame,
        "a sweep that removes very many rows says whether some are left": [stopsAtTheGone],
        "accounts that are due at one time are paged by ID, from the account as it was read": [pagesByFormerTimes],
        "what one handle does to messages and to what is due the other sees": [sweepsItsOwnSessions],
        "many messages are leased, given up and settled": [leasesBehindTheSettled],
        "what a handle has read it reads anew": [keepsRecordsWithTheirAccount],
        "a removed account leaves what the change does not remove": [joinsRecordsWithTheirAccount],
    ]

    /// What a change takes out of its lists, or moves.
    private static func take(_ changes: ChangeSet, out indexes: inout PlainIndexes) {
        for case .consume(let key) in changes.records { indexes.records = indexes.records.filter { $0.id != key } }
    }

    private static func move(_ changes: ChangeSet, in indexes: inout PlainIndexes) {
        for case .update(let account, _) in changes.accounts {
            indexes.due = indexes.due.filter { $0.id != account.id }
            if let due = account.dueAt { indexes.due.insert(.init(key: due, id: account.id)) }
        }
    }

    private static func forgetEnds(_ changes: ChangeSet, in indexes: inout PlainIndexes) {
        for case .consume(let key) in changes.records {
            indexes.recordEnds = indexes.recordEnds.filter { $0.id != key }
        }
        for case .replace(let record) in changes.records {
            indexes.recordEnds = indexes.recordEnds.filter { $0.id != record.key }
        }
        for case .update(let session, _) in changes.sessions {
            indexes.sessionEnds = indexes.sessionEnds.filter { $0.id != session.id }
        }
    }

    private static let followsRefusals = spoiling("where it refuses a change") { moment in
        if case .refused(let changes, _) = moment { changes } else { nil }
    }

    private static let followsInterruptions = spoiling("in a commit that is interrupted") { moment in
        if case .interrupted(let changes, _) = moment { changes } else { nil }
    }

    /// Indexes that follow a change at such a moment, though it is not written.
    private static func spoiling(
        _ place: String,
        _ changes: @escaping @Sendable (IndexedStore.Moment) -> ChangeSet?
    ) -> [Flaw] {
        let spoils: [(String, @Sendable (ChangeSet, inout PlainIndexes) -> Void)] = [
            ("takes used records out of lists", take), ("moves what is due", move),
            ("forgets the ends of what changes", forgetEnds),
        ]
        return spoils.map { name, spoil in
            .indexes("\(name) \(place)") { moment, indexes in
                indexes.follow(moment)
                if let changes = changes(moment) { spoil(changes, &indexes) }
            }
        }
    }

    /// Each handle writes the accounts and records of a change that was interrupted with its next one.
    private static let writesTheRestLater = Flaw("writes half of an interrupted change with the next one") {
        struct ConnectionLost: Error {}
        let whole = PlainStore()
        let isInterrupted = Mutex(false)
        return StoreSubject(
            open: {
                let rest = Mutex<ChangeSet?>(nil)
                var store = FlawedStore(whole: whole)
                store.onCommit = { changes, whole in
                    let isOver = isInterrupted.withLock { isInterrupted in
                        defer { isInterrupted = false }
                        return isInterrupted
                    }
                    if isOver {
                        rest.withLock { $0 = changes }
                        throw ConnectionLost()
                    }
                    let left = rest.withLock { rest in
                        defer { rest = nil }
                        return rest
                    }
                    var half = ChangeSet(operation: OperationID(bits: ~changes.operation.bits), at: changes.at)
                    (half.accounts, half.records) = (left?.accounts ?? [], left?.records ?? [])
                    if !half.isEmpty { _ = try await whole.commit(half) }
                    return try await whole.commit(changes)
                }
                return store
            },
            interrupt: { statement in isInterrupted.withLock { $0 = statement < 3 } }
        )
    }

    // MARK: What is gone

    /// Follows, and keeps what rows had that are gone.
    private static func keeps(
        _ what: String,
        _ keep: @escaping @Sendable (_ before: PlainIndexes, inout PlainIndexes, PlainTables) -> Void
    ) -> Flaw {
        .indexes("keeps \(what) where the row is gone") { moment, indexes in
            let before = indexes
            indexes.follow(moment)
            if case .written(_, _, let after) = moment { keep(before, &indexes, after) }
        }
    }

    private static let keepsTheGone: [Flaw] = [
        keeps("the account of a record") { before, indexes, after in
            indexes.records.formUnion(before.records.filter { after.records[$0.id] == nil })
        },
        keeps("the account of a session") { before, indexes, after in
            indexes.sessions.formUnion(before.sessions.filter { after.sessions[$0.id] == nil })
        },
        keeps("the end of a record") { before, indexes, after in
            indexes.recordEnds.formUnion(before.recordEnds.filter { after.records[$0.id] == nil })
        },
        keeps("the end of a session") { before, indexes, after in
            indexes.sessionEnds.formUnion(before.sessionEnds.filter { after.sessions[$0.id] == nil })
        },
    ]

    private static let losesTheSame: [Flaw] = [
        .indexes("loses the end of a record that is written with it again") { moment, indexes in
            indexes.follow(moment)
            guard case .written(let changes, let before, _) = moment else { return }
            for case .replace(let new) in changes.records where before.records[new.key]?.expiresAt == new.expiresAt {
                indexes.recordEnds = indexes.recordEnds.filter { $0.id != new.key }
            }
        },
        .indexes("loses the end of a session that is written with it again") { moment, indexes in
            indexes.follow(moment)
            guard case .written(let changes, let before, _) = moment else { return }
            for case .update(let new, _) in changes.sessions where before.sessions[new.id]?.expiresAt == new.expiresAt {
                indexes.sessionEnds = indexes.sessionEnds.filter { $0.id != new.id }
            }
        },
    ]

    private static let stopsAtTheGone = Flaw.indexes("looks at the ends of what is gone first", comparesTimes: true) {
        moment,
        indexes in
        let before = indexes.recordEnds
        indexes.follow(moment)
        if case .written = moment { indexes.recordEnds.formUnion(before) }
    }

    private static let pagesByFormerTimes = Flaw.indexes("pages by times that are over, too", comparesTimes: true) {
        moment,
        indexes in
        let before = indexes.due
        indexes.follow(moment)
        guard case .written(_, _, let after) = moment else { return }
        indexes.due.formUnion(before.filter { after.accounts[$0.id] != nil })
    }

    private static let leasesBehindTheSettled = Flaw.wraps("counts settled messages among those that it leases") {
        store in
        let settled = Mutex<[Store.QueuedMessage]>([])
        store.onSettle = { ids, whole in
            let waiting = try await whole.messages(.waiting, after: nil, limit: .max)
            settled.withLock { $0 += waiting.filter { ids.contains($0.entry.id) } }
            try await whole.settleMessages(ids)
        }
        store.onLease = { now, end, limit, whole in
            let waiting = try await whole.messages(.waiting, after: nil, limit: .max)
            let gone = settled.withLock { $0 }.map { (message: $0, isGone: true) }
            let due = (gone + waiting.map { (message: $0, isGone: false) })
                .filter { $0.message.dueAt.map { $0 <= now } ?? false }
                .sorted {
                    ($0.message.dueAt ?? now, $0.message.entry.id) < ($1.message.dueAt ?? now, $1.message.entry.id)
                }
            let count = due.prefix(max(0, limit)).count { !$0.isGone }
            return try await whole.leaseMessages(at: now, until: end, limit: count)
        }
    }

    // MARK: Handles and accounts

    /// Each handle keeps by itself when sessions end.
    private static let sweepsItsOwnSessions = Flaw("sweeps the sessions that the same handle began") {
        let plain = PlainStore()
        return StoreSubject(open: {
            let own = Mutex<Set<SessionID>>([])
            var store = FlawedStore(whole: plain)
            store.onCommit = { changes, whole in
                own.withLock { own in
                    for case .put(let session) in changes.sessions { own.insert(session.id) }
                }
                return try await whole.commit(changes)
            }
            store.onSweep = { now, limit, whole in
                let own = own.withLock { $0 }
                let others = plain.tables.withLock { tables in
                    let others = tables.sessions.filter { !own.contains($0.key) }
                    tables.sessions = tables.sessions.filter { own.contains($0.key) }
                    return others
                }
                let report = try await whole.sweep(at: now, limit: limit)
                plain.tables.withLock { $0.sessions.merge(others) { first, _ in first } }
                return report
            }
            return store
        })
    }

    /// The second handle shows an account's records as it read them first, until the account has another version.
    private static let keepsRecordsWithTheirAccount = Flaw("keeps an account's records until it changes") {
        let whole = PlainStore()
        return .counted { number in
            var store = FlawedStore(whole: whole)
            let known = FirstValues<String, [OneTimeRecord]>()
            if number == 1 { return store }
            store.onLoad = { lookups, whole in
                var more = lookups
                for case .records(.account(let id), _) in lookups { more.insert(.account(id)) }
                let seen = try await whole.load(more)
                return Snapshot(lookups) { lookup in
                    guard case .records(.account(let id), _) = lookup,
                        case .records(let records) = seen.answer(to: lookup)
                    else { return seen.answer(to: lookup) }
                    let name = "\(lookup) \(seen[id]?.version ?? .max)"
                    known.keep(records, under: name)
                    return .records(known[name] ?? records)
                }
            }
            return store
        }
    }

    private static let joinsRecordsWithTheirAccount = Flaw.wraps("lists the records of accounts that are there") {
        store in
        store.onLoad = { lookups, whole in
            let seen = try await whole.load(lookups)
            let there = Set(try await whole.accounts(after: nil, limit: .max).map(\.id))
            return Snapshot(lookups) { lookup in
                guard case .records(let records) = seen.answer(to: lookup) else { return seen.answer(to: lookup) }
                return .records(records.filter { $0.account.map(there.contains) ?? true })
            }
        }
    }

    // MARK: Restarts

    private static func loses(_ what: String, _ lose: @escaping @Sendable (inout PlainIndexes) -> Void) -> Flaw {
        .indexes("loses \(what) at its end") { moment, indexes in
            indexes.follow(moment)
            if case .reopened = moment { lose(&indexes) }
        }
    }

    private static let losesListsAtItsEnd: [Flaw] = [
        loses("which records are an account's") { $0.records = [] },
        loses("when sessions end") { $0.sessionEnds = [] },
    ]

    private static let callsItselfPassing = Flaw("calls itself passing, and is not") {
        var store = FlawedStore(whole: PlainStore())
        store.isDurable = false
        let passing = store
        return StoreSubject(open: { passing }, reopen: { passing })
    }
}
