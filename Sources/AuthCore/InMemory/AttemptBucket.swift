/// Four places for the counts of keys that share them, in a table of bounded size.
///
/// A key that finds no place takes that of the key that counts least. What is forgotten so is kept as the least that
/// every key without a place counts: a full table may count too much, and never too little.
package struct AttemptBucket: Sendable, Hashable, Codable {
    /// One key and its count.
    private struct Place: Sendable, Hashable, Codable {
        let hash: UInt64
        var record: AttemptRecord
    }

    /// How many keys have a place in a bucket.
    package static let ways = 4

    private var places: [Place] = []
    /// What a key without a place counts at least.
    private var floor: AttemptRecord?

    /// Creates a bucket in which no key was counted.
    package init() {}

    /// Whether it is the same as none.
    package var isEmpty: Bool { places.isEmpty && floor == nil }

    /// The count of the key with this hash.
    package subscript(hash: UInt64) -> Store.AttemptRecord {
        places.first { $0.hash == hash }?.record ?? floor ?? AttemptRecord()
    }

    /// Changes the count of the key with this hash; the allowance, if known, tells what counts no more.
    package mutating func change(
        _ hash: UInt64,
        _ allowance: Store.Allowance?,
        at now: Timestamp,
        _ change: (inout Store.AttemptRecord) -> Void
    ) {
        var record = self[hash]
        change(&record)
        let isEmpty: (AttemptRecord) -> Bool = { record in
            record == AttemptRecord() || allowance.map { record.isEmpty($0, at: now) } ?? false
        }
        if let lowest = floor, isEmpty(lowest) { floor = nil }
        if let index = places.firstIndex(where: { $0.hash == hash }) {
            if floor == nil, isEmpty(record) { places.remove(at: index) } else { places[index].record = record }
        } else if floor == nil, isEmpty(record) {
            return
        } else if places.count < Self.ways {
            places.append(Place(hash: hash, record: record))
        } else if let free = places.firstIndex(where: { isEmpty($0.record) }) {
            places[free] = Place(hash: hash, record: record)
        } else if let least = places.indices.min(by: { places[$0].record.weight < places[$1].record.weight }) {
            floor = floor ?? AttemptRecord()
            floor?.raise(to: places[least].record)
            places[least] = Place(hash: hash, record: record)
        }
    }
}

extension AttemptRecord {
    /// How much is lost where the record gives way to another one.
    fileprivate var weight: Double { failures + Double(inFlight) }
}
