import Synchronization

/// The newest refusals, in a ring buffer of bounded size, separate from the event log: a flood of refusals replaces
/// only older refusals.
final class RefusalLog: Sendable {
    private struct State {
        var ring: [AuditEntry] = []
        var last: UInt64 = 0
    }

    private let limit: Int
    private let state = Mutex(State())
    let news = Signal()

    init(limit: Int) { self.limit = max(1, limit) }

    func record(_ entry: AuditEntry) {
        var entry = entry
        state.withLock { state in
            state.last += 1
            entry.number = state.last
            if state.ring.count < limit {
                state.ring.append(entry)
            } else {
                state.ring[Int((state.last - 1) % UInt64(limit))] = entry
            }
        }
        if news.isHeard { news.raise() }
    }

    /// Returns the newest entries, newest first.
    func newest(_ count: Int) -> [AuditEntry] {
        state.withLock { state in
            (0..<UInt64(max(0, min(count, state.ring.count)))).map { age in
                state.ring[Int((state.last - 1 - age) % UInt64(limit))]
            }
        }
    }

    /// Returns what follows the entry with this number: the next one, or how many are no longer kept; nil if none does.
    func update(after number: UInt64) -> AuditEntry.Update? {
        state.withLock { state in
            guard number < state.last else { return nil }
            let lost = state.last - UInt64(state.ring.count)
            if number < lost { return .lost(Int(lost - number)) }
            return .refused(state.ring[Int(number % UInt64(limit))])
        }
    }

    func subscribe() -> NewsSequence<UInt64, AuditEntry.Update> {
        let news = news.listen()
        return updates(after: state.withLock { $0.last }, news)
    }

    /// What was refused after the entry with this number.
    func updates(after number: UInt64, _ news: AsyncStream<Void>) -> NewsSequence<UInt64, AuditEntry.Update> {
        NewsSequence(start: number, news: news) { last in
            let update = self.update(after: last)
            switch update {
            case .refused(let entry)?: last = entry.number
            case .lost(let count)?: last += UInt64(count)
            case nil: break
            }
            return update
        }
    }
}
