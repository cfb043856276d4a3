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
    private let broadcast = Broadcast<AuditEntry.Update>()

    init(limit: Int) { self.limit = max(1, limit) }

    deinit { broadcast.finish() }

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
        if broadcast.isHeard { broadcast.publish(.refused(entry)) }
    }

    /// Returns the newest entries, newest first.
    func newest(_ count: Int) -> [AuditEntry] {
        state.withLock { state in
            (0..<UInt64(max(0, min(count, state.ring.count)))).map { age in
                state.ring[Int((state.last - 1 - age) % UInt64(limit))]
            }
        }
    }

    func subscribe(limit: Int) -> SubscribedSequence<AuditEntry.Update> {
        SubscribedSequence(broadcast.subscribe(limit: limit, gap: AuditEntry.Update.gap).subscription)
    }
}
