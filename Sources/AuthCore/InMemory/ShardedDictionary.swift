/// A key that says in which shard of a ``ShardedDictionary`` it is; random keys do, without the cost of a second hash.
protocol ShardedKey: Hashable, Sendable {
    /// A number in which keys differ; its lowest bits select the shard.
    var shard: Int { get }
}

/// A dictionary in shards: when it grows, one of them is split, so that no single write waits until all of it has
/// moved.
struct ShardedDictionary<Key: ShardedKey, Value: Sendable>: Sendable {
    /// How many entries a shard has on average before there is one more.
    ///
    /// All entries of a shard move when it is split: with four times as many, the slowest sign-in of a thousand took
    /// three times as long in a store of a million accounts.
    private static var shardLimit: Int { 128 }

    private(set) var shards: [[Key: Value]] = [[:]]
    private var count = 0
    /// The bits of a key that tell its shard, if there is a shard of that number yet; else the highest is left out.
    private var mask = 0

    subscript(key: Key) -> Value? {
        get { shards[shard(of: key)][key] }
        set { change(key) { $0[key] = newValue } }
    }

    @discardableResult
    mutating func removeValue(forKey key: Key) -> Value? { change(key) { $0.removeValue(forKey: key) } }

    private func shard(of key: Key) -> Int {
        let number = key.shard & mask
        return number < shards.count ? number : number & (mask >> 1)
    }

    private mutating func change<Answer>(_ key: Key, _ body: (inout [Key: Value]) -> Answer) -> Answer {
        let shard = shard(of: key)
        let before = shards[shard].count
        defer { grow(by: shards[shard].count - before) }
        return body(&shards[shard])
    }

    private mutating func grow(by added: Int) {
        count += added
        if count > shards.count * Self.shardLimit { split() }
    }

    /// Adds a shard, and moves what belongs there from the shard that had it.
    private mutating func split() {
        if shards.count > mask { mask = 2 * mask + 1 }
        let old = shards.count & (mask >> 1)
        let all = shards[old]
        shards.append([:])
        shards[old] = all.filter { shard(of: $0.key) == old }
        shards[shards.count - 1] = all.filter { shard(of: $0.key) != old }
    }
}

/// The value of a key that has no entry.
protocol EmptyValue {
    init()
    /// Whether it is empty, so that it needs no entry.
    var isEmpty: Bool { get }
}

extension ShardedDictionary where Value: EmptyValue {
    /// Changes the value of a key with a single search for it, and removes it if it is empty then.
    mutating func edit(_ key: Key, _ body: (inout Value) -> Void) {
        change(key) { shard in
            func leavesNothing(_ value: inout Value) -> Bool {
                body(&value)
                return value.isEmpty
            }
            if leavesNothing(&shard[key, default: Value()]) { shard[key] = nil }
        }
    }
}

extension ShardedKey where Self: RandomIdentifier {
    var shard: Int { Int(truncatingIfNeeded: words.low) }
}

extension SessionID: ShardedKey {}
extension OperationID: ShardedKey {}
extension OneTimeRecordID: ShardedKey {
    // Some are digests of texts that a stranger can choose so that they end alike; the hashes differ in each process.
    var shard: Int { words.low.hashValue }
}
extension AccountID: ShardedKey { var shard: Int { text.shard } }
extension EmailAddress: ShardedKey { var shard: Int { text.shard } }
extension PhoneNumber: ShardedKey { var shard: Int { text.shard } }
extension Identity.Key: ShardedKey { var shard: Int { subject.text.shard } }
extension AttemptTable.BucketID: ShardedKey { var shard: Int { Int(truncatingIfNeeded: index) } }

extension String {
    fileprivate var shard: Int { Int(truncatingIfNeeded: digest >> 32) }
}
