import Synchronization

/// Counts attempts in tables of bounded size: a flood of invented addresses cannot make them grow.
///
/// Each purpose has a table of its own, and each key one of four places there. A key that finds no place takes that of
/// the key that counts least. What is forgotten so is kept as the least that every key without a place counts: a full
/// table may count too much, and never too little.
public final class InMemoryAttemptStore: AttemptStore {
    fileprivate struct Bucket {
        var places: [(hash: UInt64, record: AttemptRecord)] = []
        /// What a key without a place counts at least.
        var floor: AttemptRecord?
    }

    private struct BucketKey: Hashable {
        let purpose: AttemptKey.Purpose
        let index: UInt64
    }

    fileprivate static let ways = 4
    private let buckets: UInt64
    private let table = Mutex<[BucketKey: Bucket]>([:])

    /// Creates tables for this many keys of each purpose.
    public init(capacity: Int = 65_536) {
        buckets = UInt64(max(1, capacity / Self.ways))
    }

    /// Counts an attempt under every key, or under none if one of them does not allow it.
    public func take(_ takes: [Store.Take], at now: Timestamp) async throws -> Store.TakeAnswer {
        table.withLock { table in
            let answer = Store.TakeAnswer(
                takes.map { take in record(of: take.key, in: table).answer(take.allowance, at: now) }
            )
            guard answer == .taken else { return answer }
            for take in takes { change(take.key, take.allowance, at: now, in: &table) { $0.take(take, at: now) } }
            return answer
        }
    }

    /// Records that attempts have failed: they stay counted, and are no longer in flight.
    public func keep(_ takes: [Store.Take], at now: Timestamp) async throws {
        table.withLock { table in
            for take in takes {
                change(take.key, take.allowance, at: now, in: &table) { $0.keep(take.allowance, at: now) }
            }
        }
    }

    /// Gives back attempts that succeeded, and clears the counts of some keys.
    public func refund(_ takes: [Store.Take], clearing keys: [Store.AttemptKey], at now: Timestamp) async throws {
        table.withLock { table in
            for take in takes { change(take.key, take.allowance, at: now, in: &table) { $0.refund() } }
            for key in keys { change(key, nil, at: now, in: &table) { $0.clear() } }
        }
    }

    private func bucket(of key: AttemptKey) -> BucketKey {
        BucketKey(purpose: key.purpose, index: key.hash % buckets)
    }

    private func record(of key: AttemptKey, in table: [BucketKey: Bucket]) -> AttemptRecord {
        guard let bucket = table[bucket(of: key)] else { return AttemptRecord() }
        return bucket.places.first { $0.hash == key.hash }?.record ?? bucket.floor ?? AttemptRecord()
    }

    private func change(
        _ key: AttemptKey,
        _ allowance: Store.Allowance?,
        at now: Timestamp,
        in table: inout [BucketKey: Bucket],
        _ change: (inout AttemptRecord) -> Void
    ) {
        var record = record(of: key, in: table)
        change(&record)
        table[bucket(of: key), default: Bucket()].set(record, of: key.hash, allowance, at: now)
        if table[bucket(of: key)]?.places.isEmpty == true { table[bucket(of: key)] = nil }
    }
}

extension InMemoryAttemptStore.Bucket {
    fileprivate mutating func set(
        _ record: AttemptRecord,
        of hash: UInt64,
        _ allowance: Store.Allowance?,
        at now: Timestamp
    ) {
        let isEmpty: (AttemptRecord) -> Bool = { record in
            record == AttemptRecord() || allowance.map { record.isEmpty($0, at: now) } ?? false
        }
        if let lowest = floor, isEmpty(lowest) { floor = nil }
        if let index = places.firstIndex(where: { $0.hash == hash }) {
            if floor == nil, isEmpty(record) { places.remove(at: index) } else { places[index].record = record }
        } else if floor == nil, isEmpty(record) {
            return
        } else if places.count < InMemoryAttemptStore.ways {
            places.append((hash, record))
        } else if let free = places.firstIndex(where: { isEmpty($0.record) }) {
            places[free] = (hash, record)
        } else if let least = places.indices.min(by: { places[$0].record.weight < places[$1].record.weight }) {
            floor = floor ?? AttemptRecord()
            floor?.raise(to: places[least].record)
            places[least] = (hash, record)
        }
    }
}

extension AttemptRecord {
    /// How much is lost where the record gives way to another one.
    fileprivate var weight: Double { failures + Double(inFlight) }
}
