#if SQLite
public import AuthCore
internal import AuthCoreSQL

/// The counts of attempts are in the same file, and shared by all processes that open it.
///
/// A failure of power may undo the last counts, though the end of the process does not.
extension SQLiteStore: AttemptStore {
    /// Counts an attempt under every key, or under none if one of them does not allow it.
    public func take(_ takes: [Store.Take], at now: Timestamp) async throws -> Store.TakeAnswer {
        try await count(takes.map(\.key)) { $0.take(takes, at: now) }
    }

    /// Records that attempts have failed: they stay counted, and are no longer in flight.
    public func keep(_ takes: [Store.Take], at now: Timestamp) async throws {
        try await count(takes.map(\.key)) { $0.keep(takes, at: now) }
    }

    /// Gives back attempts that succeeded, and clears the counts of some keys.
    public func refund(_ takes: [Store.Take], clearing keys: [Store.AttemptKey], at now: Timestamp) async throws {
        try await count(takes.map(\.key) + keys) { $0.refund(takes, clearing: keys, at: now) }
    }

    /// Reads the buckets of these keys, and writes those that the change has changed.
    private func count<Answer: Sendable>(
        _ keys: [Store.AttemptKey],
        _ change: @escaping @Sendable (inout AttemptTable) -> Answer
    ) async throws -> Answer {
        let coder = coder
        return try await write(needsDisk: false) { connection in
            var table = AttemptTable(capacity: Self.attemptCapacity)
            let ids = Set(keys.map(table.bucket))
            for id in ids { table[id] = try connection.bucket(id, coder) }
            let before = table
            let answer = change(&table)
            for id in ids where table[id] != before[id] {
                try connection.setBucket(id, table[id], coder)
            }
            return answer
        }
    }

    /// How many keys of each purpose are counted apart; part of the schema, since it says which bucket a key is in.
    private static var attemptCapacity: Int { 262_144 }
}

extension SQLiteConnection {
    fileprivate func bucket(_ id: AttemptTable.BucketID, _ coder: RowCoder) throws -> AttemptBucket? {
        let sql = "SELECT counts FROM attempts WHERE purpose = ? AND bucket = ?"
        return try first(sql, .integer(Int(id.purpose.rawValue)), .number(id.index)) { $0.bytes(0) }
            .map { try coder.decode(plain: AttemptBucket.self, from: $0) }
    }

    fileprivate func setBucket(_ id: AttemptTable.BucketID, _ bucket: AttemptBucket?, _ coder: RowCoder) throws {
        let (purpose, index) = (SQLiteValue.integer(Int(id.purpose.rawValue)), SQLiteValue.number(id.index))
        if let bucket {
            try run(
                "INSERT INTO attempts VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET counts = excluded.counts",
                purpose,
                index,
                .utf8(try coder.encode(plain: bucket))
            )
        } else {
            try run("DELETE FROM attempts WHERE purpose = ? AND bucket = ?", purpose, index)
        }
    }
}
#endif
