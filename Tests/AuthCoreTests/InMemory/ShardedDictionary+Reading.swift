@testable import AuthCore

extension ShardedDictionary {
    var isEmpty: Bool { shards.allSatisfy(\.isEmpty) }

    /// All pairs of keys and values.
    var all: [Key: Value] {
        shards.reduce(into: [:]) { all, shard in
            if !shard.isEmpty { all.merge(shard) { first, _ in first } }
        }
    }

    /// How many entries the fullest shard has, which is the most that one write moves.
    var fullestShard: Int { shards.reduce(0) { max($0, $1.count) } }
}
