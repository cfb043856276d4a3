import Synchronization

/// The default store: dictionaries protected by one lock.
public final class InMemoryIdentityStore: IdentityStore {
    private let tables: Mutex<InMemoryTables>

    /// Creates an empty store that keeps the newest `eventLimit` events.
    public init(eventLimit: Int = 100_000) {
        tables = Mutex(InMemoryTables(eventLimit: eventLimit))
    }

    /// False: the data ends with the process.
    public var isDurable: Bool { false }

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

    /// Hands out messages that are due, and keeps them from all other callers until this time.
    public func leaseMessages(
        at now: Timestamp,
        until end: Timestamp,
        limit: Int
    ) async throws -> [Store.QueuedMessage] {
        tables.withLock { $0.outbox.lease(at: now, until: end, limit: limit) }
    }

    /// Ends the lease of a message that was not sent.
    public func endLease(of id: Store.OperationID, tries: Int, dueAt: Timestamp?) async throws {
        tables.withLock { $0.outbox.endLease(of: id, tries: tries, dueAt: dueAt) }
    }

    /// Removes messages from the outbox, because they were sent or because an operator settled them.
    public func settleMessages(_ ids: [Store.OperationID]) async throws {
        tables.withLock { tables in
            for id in ids { tables.outbox.settle(id) }
        }
    }

    /// Returns the messages with this status after this ID, ordered by ID.
    public func messages(
        _ status: Store.DeliveryStatus,
        after id: Store.OperationID?,
        limit: Int
    ) async throws -> [Store.QueuedMessage] {
        tables.withLock { $0.outbox.messages(status, after: id, limit: limit) }
    }

    /// Removes expired records and sessions, up to the limit.
    public func sweep(at now: Timestamp, limit: Int) async throws -> Store.SweepReport {
        tables.withLock { $0.sweep(at: now, limit: limit) }
    }
}
