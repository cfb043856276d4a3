import Synchronization

/// Counts attempts in tables of bounded size: a flood of invented addresses cannot make them grow.
///
/// A full table may count too much, and never too little.
public final class InMemoryAttemptStore: AttemptStore {
    let table: Mutex<AttemptTable>

    /// Creates tables for this many keys of each purpose.
    public init(capacity: Int = 65_536) { table = Mutex(AttemptTable(capacity: capacity)) }

    /// Counts an attempt under every key, or under none if one of them does not allow it.
    public func take(_ takes: [Store.Take], at now: Timestamp) async throws -> Store.TakeAnswer {
        table.withLock { $0.take(takes, at: now) }
    }

    /// Records that attempts have failed: they stay counted, and are no longer in flight.
    public func keep(_ takes: [Store.Take], at now: Timestamp) async throws {
        table.withLock { $0.keep(takes, at: now) }
    }

    /// Gives back attempts that succeeded, and clears the counts of some keys.
    public func refund(_ takes: [Store.Take], clearing keys: [Store.AttemptKey], at now: Timestamp) async throws {
        table.withLock { $0.refund(takes, clearing: keys, at: now) }
    }
}
