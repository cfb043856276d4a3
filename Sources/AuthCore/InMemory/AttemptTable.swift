/// The counts of attempts, in buckets that keys share; a store in a database holds those of one call in it.
///
/// A table of bounded size: a flood of invented addresses cannot make it grow.
package struct AttemptTable: Sendable {
    /// Names a bucket.
    package struct BucketID: Sendable, Hashable {
        /// What is counted there; each purpose has buckets of its own.
        package let purpose: Store.AttemptKey.Purpose
        /// The number of the bucket.
        package let index: UInt64
    }

    private let bucketCount: UInt64
    /// The buckets that count anything.
    private(set) var buckets = ShardedDictionary<BucketID, AttemptBucket>()

    /// Creates an empty table for this many keys of each purpose.
    package init(capacity: Int) { bucketCount = UInt64(max(1, capacity / AttemptBucket.ways)) }

    /// The bucket in which a key is counted.
    package func bucket(of key: Store.AttemptKey) -> BucketID {
        BucketID(purpose: key.purpose, index: key.hash % bucketCount)
    }

    /// The counts of a bucket; nil if nothing is counted there.
    package subscript(id: BucketID) -> AttemptBucket? {
        get { buckets[id] }
        set { buckets[id] = newValue }
    }

    /// Counts an attempt under every key, or under none if one of them does not allow it.
    package mutating func take(_ takes: [Store.Take], at now: Timestamp) -> Store.TakeAnswer {
        let answer = Store.TakeAnswer(takes.map { count(of: $0.key).answer($0.allowance, at: now) })
        guard answer == .taken else { return answer }
        for take in takes { change(take.key, take.allowance, at: now) { $0.take(take, at: now) } }
        return answer
    }

    /// Records that attempts have failed: they stay counted, and are no longer in flight.
    package mutating func keep(_ takes: [Store.Take], at now: Timestamp) {
        for take in takes {
            change(take.key, take.allowance, at: now) { $0.keep(take.allowance, takenAt: take.takenAt, at: now) }
        }
    }

    /// Gives back attempts that succeeded, and clears the counts of some keys.
    package mutating func refund(_ takes: [Store.Take], clearing keys: [Store.AttemptKey], at now: Timestamp) {
        for take in takes { change(take.key, take.allowance, at: now) { $0.refund(takenAt: take.takenAt) } }
        for key in keys { change(key, nil, at: now) { $0.clear() } }
    }

    private func count(of key: AttemptKey) -> AttemptRecord { buckets[bucket(of: key)]?[key.hash] ?? AttemptRecord() }

    private mutating func change(
        _ key: Store.AttemptKey,
        _ allowance: Store.Allowance?,
        at now: Timestamp,
        _ change: (inout AttemptRecord) -> Void
    ) {
        buckets.edit(bucket(of: key)) { $0.change(key.hash, allowance, at: now, change) }
    }
}
