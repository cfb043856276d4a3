import Synchronization

/// Counts attempts in a table of fixed size: a flood of invented addresses cannot make it grow, and its counts decay.
///
/// A key has four possible places; a new key replaces the one with the lowest count.
public final class InMemoryAttemptStore: AttemptStore {
    private struct Place {
        var key: AttemptKey
        var count: Double
        var lastAt: Timestamp
    }

    private static let ways = 4
    private let buckets: Int
    private let halfLife: Duration
    private let table: Mutex<[Place?]>

    /// Creates a table for this many keys; a count halves in `halfLife`, which is at least one second.
    public init(capacity: Int = 65_536, halfLife: Duration = .seconds(3600)) {
        buckets = max(1, capacity / Self.ways)
        self.halfLife = max(.seconds(1), halfLife)
        table = Mutex(Array(repeating: nil, count: buckets * Self.ways))
    }

    /// Returns the record of each key, in the order of the keys.
    public func records(for keys: [Store.AttemptKey]) async throws -> [Store.AttemptRecord] {
        table.withLock { table in
            keys.map { key in
                for index in places(of: key) {
                    guard let place = table[index], place.key == key else { continue }
                    return AttemptRecord(count: place.count, lastAt: place.lastAt)
                }
                return AttemptRecord()
            }
        }
    }

    /// Counts one more attempt for each key.
    public func count(_ keys: [Store.AttemptKey], at now: Timestamp) async throws {
        table.withLock { table in
            for key in keys { count(key, at: now, in: &table) }
        }
    }

    private func count(_ key: AttemptKey, at now: Timestamp, in table: inout [Place?]) {
        let places = places(of: key)
        if let index = places.first(where: { table[$0]?.key == key }), let place = table[index] {
            let record = AttemptRecord(count: place.count, lastAt: place.lastAt).raised(at: now, halfLife: halfLife)
            table[index] = Place(key: key, count: record.count, lastAt: now)
            return
        }
        let index =
            places.first { table[$0] == nil }
            ?? places.min { left, right in worn(table[left], at: now) < worn(table[right], at: now) }
        if let index { table[index] = Place(key: key, count: 1, lastAt: now) }
    }

    /// Removes the records of these keys.
    public func forget(_ keys: [Store.AttemptKey]) async throws {
        table.withLock { table in
            for key in keys {
                for index in places(of: key) where table[index]?.key == key { table[index] = nil }
            }
        }
    }

    private func places(of key: AttemptKey) -> Range<Int> {
        let mixed = key.hash ^ (UInt64(key.purpose.rawValue) &* 0x9E37_79B9_7F4A_7C15)
        let first = Int(mixed % UInt64(buckets)) * Self.ways
        return first..<first + Self.ways
    }

    private func worn(_ place: Place?, at now: Timestamp) -> Double {
        guard let place else { return 0 }
        return place.count * AttemptRecord.wear(since: place.lastAt, now, halfLife: halfLife)
    }
}
