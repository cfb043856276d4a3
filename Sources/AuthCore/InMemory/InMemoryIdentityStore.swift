import Synchronization

/// The default store: dictionaries protected by one lock.
public final class InMemoryIdentityStore: IdentityStore {
    private let tables: Mutex<InMemoryTables>

    /// Creates an empty store that keeps the newest `eventLimit` events.
    public init(eventLimit: Int = 100_000) {
        tables = Mutex(InMemoryTables(eventLimit: eventLimit))
    }

    /// Returns what every lookup finds, all at the same moment.
    public func load(_ lookups: Store.Lookups) async throws -> Store.Snapshot {
        tables.withLock { $0.load(lookups) }
    }

    /// Writes the whole change if all its preconditions hold, and nothing otherwise.
    public func commit(_ changes: Store.ChangeSet) async throws -> Store.CommitOutcome {
        tables.withLock { $0.commit(changes) }
    }

    /// Returns the accounts after this ID, ordered by ID.
    public func accounts(after: AccountID?, limit: Int) async throws -> [Account] {
        tables.withLock { $0.accounts(after: after, limit: limit) }
    }

    /// Returns the events after this sequence number, oldest first.
    public func events(after sequence: UInt64, limit: Int) async throws -> Store.EventPage {
        tables.withLock { $0.log.page(after: sequence, limit: limit) }
    }

    /// Returns the messages that have not been sent, oldest first.
    public func pendingMessages(limit: Int) async throws -> [Store.OutboxEntry] {
        tables.withLock { Array($0.outbox.prefix(max(0, limit))) }
    }

    /// Removes messages from the outbox, because they were sent or abandoned.
    public func settleMessages(_ ids: [Store.OperationID]) async throws {
        if ids.count == 1, let id = ids.first {
            // Usually one message is removed at a time, soon after it was written.
            tables.withLock { tables in
                if let index = tables.outbox.lastIndex(where: { $0.id == id }) { tables.outbox.remove(at: index) }
            }
            return
        }
        let settled = Set(ids)
        tables.withLock { $0.outbox.removeAll { settled.contains($0.id) } }
    }

    /// Removes expired records and sessions, up to the limit.
    public func sweep(at now: Timestamp, limit: Int) async throws -> Store.SweepReport {
        tables.withLock { $0.sweep(at: now, limit: limit) }
    }
}
