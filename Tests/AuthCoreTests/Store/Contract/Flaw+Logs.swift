@testable import AuthCore
import AuthCoreTesting

/// Logs that do not keep all events, right and wrong.
extension Flaw {
    static let logs: [String: [Flaw]] = [
        "the log keeps what the store says, and says what it removed": [keepsOneTooFew],
        "the log keeps all that it must": [keepsTooShort],
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

    private static let keepsTooShort = Flaw("keeps events for less than the time it says") {
        StoreSubject(log(keeping: .days(400), removingAfter: .days(300)))
    }
}
