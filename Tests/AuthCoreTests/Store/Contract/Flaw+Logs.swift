@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// Logs that do not keep all events, right and wrong.
extension Flaw {
    static let logs: [String: [Flaw]] = [
        "the log keeps what the store says, and says what it removed": [
            keepsOneTooFew, beginsAnewWhenEmpty, sweepsEventsItMustKeep, looksAtTheRemovedFirst,
        ],
        "the log keeps all that it must": [keepsTooShort],
        "events are read in pages": [endsWithThePage],
    ]

    /// Removes this many of the first events of a log, and says so.
    static func remove(_ count: Int, of tables: inout PlainTables) {
        guard count > 0 else { return }
        tables.removed = tables.events[count - 1].position
        tables.events.removeFirst(count)
    }

    /// A store that keeps at most this many events.
    static func log(ofNewest limit: Int) -> PlainStore {
        PlainStore(events: .newest(limit), edit: { _, _, after in remove(after.events.count - limit, of: &after) })
    }

    /// A store that says how long it keeps events, and removes older ones than this with each commit.
    static func log(keeping duration: Duration, removingAfter limit: Duration) -> PlainStore {
        PlainStore(
            events: .lasting(duration),
            edit: { _, changes, after in
                remove(after.events.prefix { $0.at < changes.at - limit }.count, of: &after)
            }
        )
    }

    private static let keepsOneTooFew = Flaw("keeps one event too few when it removes others") {
        StoreSubject(
            PlainStore(
                events: .newest(1000),
                edit: { _, _, after in if after.events.count > 2000 { remove(after.events.count - 999, of: &after) } }
            )
        )
    }

    private static let endsWithThePage = Flaw.wraps("says that the log ends with a page that is cut") { store in
        store.onEvents = { position, limit, whole in
            let page = try await whole.events(after: position, limit: limit)
            let end = page.events.count == limit ? page.events.last?.position ?? page.end : page.end
            return Store.EventPage(events: page.events, removed: page.removed, end: end)
        }
    }

    private static let beginsAnewWhenEmpty = Flaw("ends an empty log where a log begins") {
        let plain = PlainStore(events: .lasting(.days(400)))
        var store = FlawedStore(whole: plain)
        store.onSweep = { now, limit, whole in
            plain.tables.withLock { tables in
                remove(tables.events.prefix { $0.at < now - .days(400) }.count, of: &tables)
            }
            return try await whole.sweep(at: now, limit: limit)
        }
        store.onEvents = { position, limit, whole in
            let page = try await whole.events(after: position, limit: limit)
            let isEmpty = plain.tables.withLock { $0.events.isEmpty }
            return Store.EventPage(events: page.events, removed: page.removed, end: isEmpty ? .start : page.end)
        }
        return StoreSubject(store)
    }

    private static let sweepsEventsItMustKeep = Flaw("sweeps all but a hundred events of a log that was longer") {
        let plain = log(ofNewest: 1000)
        var store = FlawedStore(whole: plain)
        store.onSweep = { now, limit, whole in
            plain.tables.withLock { if $0.removed > .start { remove($0.events.count - 100, of: &$0) } }
            return try await whole.sweep(at: now, limit: limit)
        }
        return StoreSubject(store)
    }

    private static let looksAtTheRemovedFirst = Flaw("looks at what it removed before it reads events") {
        var store = FlawedStore(whole: log(ofNewest: 1000))
        store.onEvents = { position, limit, whole in
            let before = try await whole.events(after: position, limit: 0)
            await pause()
            let page = try await whole.events(after: position, limit: limit)
            return Store.EventPage(events: page.events, removed: before.removed, end: page.end)
        }
        return StoreSubject(store)
    }

    private static let keepsTooShort = Flaw("keeps events for less than the time it says") {
        StoreSubject(log(keeping: .days(400), removingAfter: .days(300)))
    }
}
