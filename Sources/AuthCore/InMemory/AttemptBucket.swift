/// Four places for the counts of keys that share them, in a table of bounded size.
///
/// A key that finds no place takes that of the key that counts least. What is forgotten so is kept as the least that
/// every key without a place counts: a full table may count too much, and never too little.
package struct AttemptBucket: Sendable, Hashable, Codable, EmptyValue {
    /// One key and its count.
    private struct Place: Sendable, Hashable, Codable {
        let hash: UInt64
        var record: AttemptRecord
        /// How long failures of the key count, where its allowance is for a window.
        var window: Duration?
    }

    /// How many keys have a place in a bucket.
    package static let ways = 4

    private var places: [Place] = []
    /// What a key without a place counts at least.
    private var floor: AttemptRecord?
    /// The longest window of the keys that gave way.
    private var floorWindow: Duration?

    /// Creates a bucket in which no key was counted.
    package init() {}

    /// Whether it is the same as none.
    package var isEmpty: Bool { places.isEmpty && floor == nil }

    /// The count of the key with this hash.
    package subscript(hash: UInt64) -> Store.AttemptRecord {
        places.first { $0.hash == hash }?.record ?? floor ?? AttemptRecord()
    }

    /// Changes the count of the key with this hash; the allowance, if known, tells what counts no more.
    ///
    /// The keys of a purpose can have windows of different lengths, so each count is judged by its own.
    package mutating func change(
        _ hash: UInt64,
        _ allowance: Store.Allowance?,
        at now: Timestamp,
        _ change: (inout Store.AttemptRecord) -> Void
    ) {
        let isEmpty: (AttemptRecord, Duration?) -> Bool = { record, window in
            let own = window.map { .number(0, each: $0) } ?? allowance
            return record == AttemptRecord() || own.map { record.isEmpty($0, at: now) } ?? false
        }
        let index = places.firstIndex { $0.hash == hash }
        var place = index.map { places[$0] } ?? Place(hash: hash, record: self[hash])
        if case .number(_, let window)? = allowance { place.window = window }
        change(&place.record)
        if let lowest = floor, isEmpty(lowest, floorWindow) { (floor, floorWindow) = (nil, nil) }
        if floor == nil, isEmpty(place.record, place.window) {
            places.removeAll { $0.hash == hash }
        } else if let free = index ?? places.firstIndex(where: { isEmpty($0.record, $0.window) }) {
            places[free] = place
        } else if places.count < Self.ways {
            places.append(place)
        } else if let least = places.indices.min(by: { places[$0].record.weight < places[$1].record.weight }) {
            floor = floor ?? AttemptRecord()
            floor?.raise(to: places[least].record)
            floorWindow = [floorWindow, places[least].window].compactMap(\.self).max()
            places[least] = place
        }
    }
}
