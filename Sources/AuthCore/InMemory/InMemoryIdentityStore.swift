import Synchronization

/// The default store: dictionaries protected by one lock.
///
/// No call holds the lock for longer than a few hundred rows take; what reads or removes more does so in steps.
public final class InMemoryIdentityStore: IdentityStore {
    /// How many rows are read or removed at once.
    private static let step = 64

    let tables: Mutex<InMemoryTables>
    private let eventLimit: Int

    /// Creates an empty store that keeps the newest `eventLimit` events.
    public init(eventLimit: Int = 100_000) {
        self.eventLimit = max(1, eventLimit)
        tables = Mutex(InMemoryTables(eventLimit: eventLimit))
    }

    /// The newest events, and the operations of a day.
    public var retention: Store.Retention {
        Store.Retention(events: .newest(eventLimit), operations: RecentOperations.day)
    }

    /// False: the data ends with the process.
    public var isDurable: Bool { false }

    /// Returns what every lookup finds, all at the same moment.
    public func load(_ lookups: Store.Lookups) async throws -> Store.Snapshot { tables.withLock { $0.load(lookups) } }

    /// Writes the whole change if all its preconditions hold, and nothing otherwise.
    public func commit(_ changes: Store.ChangeSet) async throws -> Store.CommitOutcome {
        tables.withLock { $0.commit(changes) }
    }

    /// Returns the accounts after this ID, ordered by ID.
    public func accounts(after: AccountID?, limit: Int) async throws -> [Account] {
        pages(of: limit) { last, count in
            tables.withLock { $0.accounts(after: last?.id ?? after, limit: count) }.map(\.account)
        }
    }

    /// Returns the accounts for which something is due, the longest due first.
    public func accounts(dueBy now: Timestamp, after: Account?, limit: Int) async throws -> [Account] {
        pages(of: limit) { last, count in
            tables.withLock { $0.accounts(dueBy: now, after: last ?? after, limit: count) }.map(\.account)
        }
    }

    /// Reads in steps, each of which is given the last element that was found so far.
    private func pages<Element>(of limit: Int, _ read: (Element?, Int) -> [Element]) -> [Element] {
        var found: [Element] = []
        for begin in stride(from: 0, to: limit, by: Self.step) {
            let wanted = min(Self.step, limit - begin)
            let next = read(found.last, wanted)
            found += next
            if next.count < wanted { break }
        }
        return found
    }

    /// Returns the events after this position, oldest first.
    public func events(after position: IdentityEvent.Position, limit: Int) async throws -> Store.EventPage {
        let first = tables.withLock { $0.log.page(after: position, limit: min(limit, Self.step)) }
        var (events, removed, end) = (first.events, first.removed, first.end)
        while events.count < limit, let last = events.last?.position {
            let next = tables.withLock { $0.log.page(after: last, limit: min(limit - events.count, Self.step)) }
            // If events were removed between two steps, the page begins where the log begins now: without a hole.
            if next.removed > last { (events, removed) = ([], next.removed) }
            end = next.end
            if next.events.isEmpty { break }
            events += next.events
        }
        return Store.EventPage(events: events, removed: removed, end: end)
    }

    /// Hands out messages that are due, and keeps them from all other callers until this time.
    public func leaseMessages(
        at now: Timestamp,
        until end: Timestamp,
        limit: Int
    ) async throws -> [Store.QueuedMessage] {
        pages(of: limit) { last, count in
            // What is leased for no time at all is due again, so there is only one step.
            if last != nil, end <= now { return [] }
            return tables.withLock { $0.outbox.lease(at: now, until: end, limit: count) }
        }
    }

    /// Ends the lease of a message that was not sent.
    public func endLease(of id: Store.OperationID, tries: Int, dueAt: Timestamp?) async throws {
        tables.withLock { $0.outbox.endLease(of: id, tries: tries, dueAt: dueAt) }
    }

    /// Removes messages from the outbox, because they were sent or because an operator settled them.
    public func settleMessages(_ ids: [Store.OperationID]) async throws {
        for id in ids { tables.withLock { $0.outbox.settle(id) } }
    }

    /// Returns the messages with this status after this ID, ordered by ID.
    public func messages(
        _ status: Store.DeliveryStatus,
        after id: Store.OperationID?,
        limit: Int
    ) async throws -> [Store.QueuedMessage] {
        pages(of: limit) { last, count in
            tables.withLock { $0.outbox.messages(status, after: last?.entry.id ?? id, limit: count) }
        }
    }

    /// Removes expired records and sessions, up to the limit.
    public func sweep(at now: Timestamp, limit: Int) async throws -> Store.SweepReport {
        var report = Store.SweepReport(isComplete: false)
        var left = max(0, limit)
        while left > 0, !report.isComplete {
            let step = tables.withLock { $0.sweep(at: now, limit: min(left, Self.step)) }
            report.records += step.records
            report.sessions += step.sessions
            left -= step.records + step.sessions
            report.isComplete = step.isComplete
            // Others get the lock before the next step.
            await Task.yield()
        }
        return report
    }
}
