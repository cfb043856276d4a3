@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// Flaws that show where a task is canceled, where a lease is long, and where others read at the same time or before.
extension Flaw {
    static let canceled: [String: [Flaw]] = [
        "what a canceled call answers has been done": answersWhatIsCanceled,
        "calls that are canceled side by side hold up none after them": [keepsConnectionsOfTheCanceled],
        "a lease lasts as long as it says": [leasesForHalfADay, leasesForAMonth, givesUpLeasesOfNoTime],
        "what was changed is read at once, however many read it meanwhile": [
            keepsWhatASlowReadFound, readsACopyUnderLoad,
        ],
        "a page of messages shows what waits when it is read, whatever was read before": [pagesMessagesFromOneRead],
    ]

    /// Whether the task is canceled, once others had their turns.
    private static func isCanceledSoon() async -> Bool {
        for _ in 0..<3 { await Task.yield() }
        return Task.isCancelled
    }

    private static let answersWhatIsCanceled: [Flaw] = [
        .wraps("answers canceled commits as written") { store in
            store.onCommit = { try await isCanceledSoon() ? .committed : $1.commit($0) }
        },
        .wraps("answers canceled settling as done") { store in
            store.onSettle = { ids, whole in
                if await !isCanceledSoon() { try await whole.settleMessages(ids) }
            }
        },
        .wraps("answers the canceled end of a lease as done") { store in
            store.onEndLease = { id, tries, dueAt, whole in
                if await !isCanceledSoon() { try await whole.endLease(of: id, tries: tries, dueAt: dueAt) }
            }
        },
        .wraps("hands out what a canceled lease does not keep from others") { store in
            store.onLease = { now, end, limit, whole in
                guard await isCanceledSoon() else {
                    return try await whole.leaseMessages(at: now, until: end, limit: limit)
                }
                let waiting = try await whole.messages(.waiting, after: nil, limit: .max)
                return waiting.filter { $0.dueAt.map { $0 <= now } ?? false }
            }
        },
        .wraps("counts what a canceled sweep leaves") { store in
            store.onSweep = { now, limit, whole in
                if await isCanceledSoon() { return Store.SweepReport(records: 1, sessions: 1) }
                return try await whole.sweep(at: now, limit: limit)
            }
        },
    ]

    private static let keepsConnectionsOfTheCanceled = Flaw.wraps("keeps the connection of a call that gave up waiting")
    {
        store in
        struct NoneIsFree: Error {}
        let free = Mutex(4)
        let takes = { @Sendable in
            free.withLock { free in
                defer { free = max(0, free - 1) }
                return free > 0
            }
        }
        store.onCommit = { changes, whole in
            var (turns, hasWaited) = (0, false)
            while !takes() {
                turns += 1
                hasWaited = true
                if turns > 20_000 { throw NoneIsFree() }
                await Task.yield()
            }
            if hasWaited { try Task.checkCancellation() }
            await pause()
            defer { free.withLock { $0 += 1 } }
            return try await whole.commit(changes)
        }
    }

    private static func leases(
        _ name: String,
        until last: @escaping @Sendable (_ now: Timestamp, _ end: Timestamp) -> Timestamp
    ) -> Flaw {
        .wraps(name) { store in
            store.onLease = { now, end, limit, whole in
                try await whole.leaseMessages(at: now, until: last(now, end), limit: limit)
            }
        }
    }

    private static let leasesForHalfADay = leases("leases for twelve hours at most") { min($1, $0 + .hours(12)) }

    private static let leasesForAMonth = leases("leases for thirty days at most") { min($1, $0 + .days(30)) }

    private static let givesUpLeasesOfNoTime = Flaw.wraps("gives up what is leased for no time") { store in
        store.onLease = { now, end, limit, whole in
            let leased = try await whole.leaseMessages(at: now, until: end, limit: limit)
            for message in leased where end <= now {
                try await whole.endLease(of: message.entry.id, tries: message.tries, dueAt: nil)
            }
            return leased
        }
    }

    /// A cache of all handles: each change empties it, and a read that began before fills it again.
    private static let keepsWhatASlowReadFound = Flaw("keeps what a read found that began before a change") {
        let whole = PlainStore()
        let cache = Mutex<[Lookup: Snapshot.Answer]>([:])
        return StoreSubject(open: {
            var store = FlawedStore(whole: whole)
            store.onCommit = { changes, whole in
                let outcome = try await whole.commit(changes)
                cache.withLock { $0 = [:] }
                return outcome
            }
            store.onLoad = { lookups, whole in
                guard lookups.count == 1, case .session = lookups[0] else { return try await whole.load(lookups) }
                if let known = cache.withLock({ $0[lookups[0]] }) { return Snapshot(lookups) { _ in known } }
                let seen = try await whole.load(lookups)
                await pause()
                cache.withLock { $0[lookups[0]] = seen.answer(to: lookups[0]) }
                return seen
            }
            return store
        })
    }

    private static let readsACopyUnderLoad = Flaw("reads a copy that is a change behind where many read") {
        let whole = PlainStore()
        let copy = Mutex(PlainTables())
        let readers = Mutex(0)
        var store = FlawedStore(whole: whole)
        store.onCommit = { changes, _ in
            let before = whole.tables.withLock { $0 }
            let outcome = try await whole.commit(changes)
            if outcome == .committed { copy.withLock { $0 = before } }
            return outcome
        }
        store.onLoad = { lookups, whole in
            let others = readers.withLock { readers in
                readers += 1
                return readers
            }
            defer { readers.withLock { $0 -= 1 } }
            await Task.yield()
            return others < 5 ? try await whole.load(lookups) : copy.withLock { $0.load(lookups) }
        }
        let subject = store
        return StoreSubject(open: { subject })
    }

    /// As a cursor that stays open shows rows as they were when it was opened.
    private static let pagesMessagesFromOneRead = Flaw.handles("pages messages from a list that was read once") {
        store in
        let read = Mutex<[Store.DeliveryStatus: [Store.QueuedMessage]]>([:])
        store.onMessages = { status, last, limit, whole in
            let all: [Store.QueuedMessage]
            if let last, let known = read.withLock({ $0[status] }) {
                all = known.filter { last < $0.entry.id }
            } else {
                all = try await whole.messages(status, after: last, limit: .max)
                read.withLock { $0[status] = all }
            }
            return Array(all.prefix(max(0, limit)))
        }
    }
}
