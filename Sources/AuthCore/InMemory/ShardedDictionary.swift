/// A key that says in which shard of a ``ShardedDictionary`` it is, without the cost of a second hash.
protocol ShardedKey: Hashable, Sendable {
    /// A number in which keys differ; its lowest bits select the shard.
    var shard: Int { get }
}

/// A dictionary in shards: when it grows, one shard moves at a time, so that no single write waits for all of it.
struct ShardedDictionary<Key: ShardedKey, Value: Sendable>: Sendable {
    /// With two million entries, a shard has two thousand, which move in a quarter of a millisecond.
    private static var shardCount: Int { 1024 }

    private(set) var shards = Array(repeating: [Key: Value](), count: Self.shardCount)

    subscript(key: Key) -> Value? {
        get { shards[key.shard & (Self.shardCount - 1)][key] }
        set { shards[key.shard & (Self.shardCount - 1)][key] = newValue }
    }

    subscript(key: Key, default standard: @autoclosure () -> Value) -> Value {
        get { shards[key.shard & (Self.shardCount - 1)][key, default: standard()] }
        _modify { yield &shards[key.shard & (Self.shardCount - 1)][key, default: standard()] }
    }

    /// Replaces the value of a key, if it has one, with a single search for it.
    mutating func replaceValue(forKey key: Key, with new: (Value) -> Value) {
        let shard = key.shard & (Self.shardCount - 1)
        guard let index = shards[shard].index(forKey: key) else { return }
        shards[shard].values[index] = new(shards[shard].values[index])
    }

    /// Sets the value of a key, and returns the former one, with a single search for it.
    mutating func updateValue(_ value: Value, forKey key: Key) -> Value? {
        shards[key.shard & (Self.shardCount - 1)].updateValue(value, forKey: key)
    }

    @discardableResult
    mutating func removeValue(forKey key: Key) -> Value? {
        shards[key.shard & (Self.shardCount - 1)].removeValue(forKey: key)
    }
}

extension ShardedKey where Self: RandomIdentifier {
    var shard: Int { Int(truncatingIfNeeded: words.low) }
}

extension SessionID: ShardedKey {}
extension OneTimeRecordID: ShardedKey {}
extension OperationID: ShardedKey {}
extension AccountID: ShardedKey { var shard: Int { text.shard } }
extension EmailAddress: ShardedKey { var shard: Int { text.shard } }
extension PhoneNumber: ShardedKey { var shard: Int { text.shard } }
extension Identity.Key: ShardedKey { var shard: Int { subject.text.shard } }
extension AttemptTable.BucketID: ShardedKey { var shard: Int { Int(truncatingIfNeeded: index) } }

extension AccountID {
    /// A number made of the account and a purpose of one-time records.
    func digest(with purpose: Store.OneTimeRecord.Purpose) -> UInt64 { text.digest ^ purpose.rawValue.digest }
}

extension String {
    fileprivate var shard: Int { Int(truncatingIfNeeded: digest >> 32) }
}
