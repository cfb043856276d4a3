import Synchronization

/// The default store: dictionaries under one lock.
public final class InMemoryIdentityStore: IdentityStore {
    private let tables: Mutex<InMemoryTables>

    /// An empty store that keeps the newest events, this many.
    public init(eventLimit: Int = 100_000) {
        tables = Mutex(InMemoryTables(eventLimit: eventLimit))
    }

    /// Finds what every lookup names, as it was at one moment.
    public func load(_ lookups: Store.Lookups) async throws -> Store.Snapshot {
        tables.withLock { $0.load(lookups) }
    }

    /// Writes the whole change if everything it expects holds, and nothing otherwise.
    public func commit(_ changes: Store.ChangeSet) async throws -> Store.CommitOutcome {
        tables.withLock { $0.commit(changes) }
    }

    /// The accounts after this id, in order of their ids.
    public func accounts(after: AccountID?, limit: Int) async throws -> [Account] {
        tables.withLock { $0.accounts(after: after, limit: limit) }
    }

    /// The events after this place in the log, oldest first.
    public func events(after sequence: UInt64, limit: Int) async throws -> Store.EventPage {
        tables.withLock { $0.log.page(after: sequence, limit: limit) }
    }

    /// The messages that are still to be sent, oldest first.
    public func pendingMessages(limit: Int) async throws -> [Store.OutboxEntry] {
        tables.withLock { Array($0.outbox.prefix(max(0, limit))) }
    }

    /// Takes messages off that list, because they were sent or given up.
    public func settleMessages(_ ids: [Store.OperationID]) async throws {
        if ids.count == 1, let id = ids.first {
            // A message is mostly settled on its own, soon after it was written.
            tables.withLock { tables in
                if let index = tables.outbox.lastIndex(where: { $0.id == id }) { tables.outbox.remove(at: index) }
            }
            return
        }
        let settled = Set(ids)
        tables.withLock { $0.outbox.removeAll { settled.contains($0.id) } }
    }

    /// Removes what has expired, at most so much of it.
    public func sweep(at now: Timestamp, limit: Int) async throws -> Store.SweepReport {
        tables.withLock { $0.sweep(at: now, limit: limit) }
    }
}
