#if PostgreSQL
public import AuthCore
internal import AuthCoreSQL
internal import Synchronization

/// Counts attempts for all processes together.
///
/// A call computes from the counts that it saw last, and a function of the database writes the result if they are still
/// so; else it returns what they are, and the call computes again. So the counts change in one atomic step.
///
/// If the connection is lost, the counts may have been written or not. Then attempts may be counted twice, and what is
/// given back may stay counted. One is missed only where another process counts the same at the same millisecond.
extension PostgresStore: AttemptStore {
    private static let attemptTries = 200

    /// Counts an attempt under every key, or under none if one of them does not allow it.
    public func take(_ takes: [Store.Take], at now: Timestamp) async throws -> Store.TakeAnswer {
        if takes.isEmpty { return .taken }
        return try await exchange(takes.map(\.key)) { table, _ in table.take(takes, at: now) }
    }

    /// Records that attempts have failed: they stay counted, and are no longer in flight.
    public func keep(_ takes: [Store.Take], at now: Timestamp) async throws {
        if takes.isEmpty { return }
        try await exchange(takes.map(\.key)) { table, _ in table.keep(takes, at: now) }
    }

    /// Gives back attempts that succeeded, and clears the counts of some keys.
    public func refund(_ takes: [Store.Take], clearing keys: [Store.AttemptKey], at now: Timestamp) async throws {
        if takes.isEmpty, keys.isEmpty { return }
        try await exchange(takes.map(\.key) + keys) { table, mayBeDone in
            if !mayBeDone { table.refund(takes, clearing: keys, at: now) }
        }
    }

    /// Waits until the buckets of the keys were changed, in one atomic step.
    private func exchange<Answer: Sendable>(
        _ keys: [Store.AttemptKey],
        _ change: @escaping @Sendable (inout AttemptTable, _ mayBeDone: Bool) -> Answer
    ) async throws(AuthError) -> Answer {
        if Task.isCancelled { throw AuthError(PostgresError.canceledBefore) }
        let answer = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Answer, AuthError>, Never>) in
            let job = AttemptLine.Job(keys: keys) { table, mayBeDone in
                let answer = change(&table, mayBeDone)
                return { continuation.resume(returning: .success(answer)) }
            } fail: { error in
                continuation.resume(returning: .failure(AuthError(error)))
            }
            if attemptLine.add(job) { Task { await exchangeWaiting() } }
        }
        return try answer.get()
    }

    /// Does the jobs that wait, until there are none.
    private func exchangeWaiting() async {
        while true {
            let batch = attemptLine.next()
            if batch.isEmpty { return }
            do throws(PostgresError) {
                try await exchange(batch)
            } catch  where error.kind == .damagedRecord {
                // One bucket cannot be read; the jobs of the others are done.
                for job in batch {
                    do throws(PostgresError) { try await exchange([job]) } catch { job.fail(error) }
                }
            } catch {
                // Those that wait would wait as long for the same failure.
                for job in batch + attemptLine.removeAll() { job.fail(error) }
            }
        }
    }

    /// Changes the buckets of these jobs in one atomic step.
    private func exchange(_ batch: [AttemptLine.Job]) async throws(PostgresError) {
        let empty = AttemptTable(capacity: options.attemptCapacity)
        let buckets = Set(batch.flatMap(\.keys).map(empty.bucket)).sorted {
            ($0.purpose.rawValue, $0.index) < ($1.purpose.rawValue, $1.index)
        }
        var old = seenAttempts.withLock { seen in buckets.map { seen[$0] } }
        var mayBeDone = false
        for _ in 0..<Self.attemptTries {
            var table = empty
            for (bucket, counts) in zip(buckets, old) { table[bucket] = try decode(counts) }
            let before = table
            let answers = batch.map { $0.count(&table, mayBeDone) }
            var new: [[UInt8]?] = []
            for (bucket, counts) in zip(buckets, old) {
                let isSame = table[bucket] == before[bucket]
                new.append(isSame ? counts : try encode(table[bucket]))
            }
            var isRepeated = false
            let current = try await write(new, over: old, of: buckets, onLoss: { isRepeated = true })
            mayBeDone = mayBeDone || isRepeated
            // Sent again after a loss, it finds what it has written.
            if let current, !isRepeated || current != new {
                old = current
                continue
            }
            remember(new, of: buckets)
            for answer in answers { answer() }
            return
        }
        throw PostgresError(.conflict, "Others kept counting attempts under the same keys.")
    }

    /// Writes new counts; returns those that are there if they are not the old ones.
    private func write(
        _ new: [[UInt8]?],
        over old: [[UInt8]?],
        of buckets: [AttemptTable.BucketID],
        onLoss: () -> Void
    ) async throws(PostgresError) -> [[UInt8]?]? {
        // Sent again, it writes what it did not write, and finds other counts if it did.
        let rows = try await send(
            "SELECT * FROM \(schema).exchange_attempts($1, $2, $3, $4)",
            [
                .numbers(buckets.map { Int64($0.purpose.rawValue) }),
                .numbers(buckets.map { Int64(clamping: $0.index) }),
                .encoded(old), .encoded(new),
            ],
            onLoss: onLoss
        )
        if rows.isEmpty { return nil }
        var current = old
        for row in rows { current[Int(clamping: row.number(0) ?? 0)] = row[1] }
        return current
    }

    private func remember(_ counts: [[UInt8]?], of buckets: [AttemptTable.BucketID]) {
        seenAttempts.withLock { seen in
            if seen.count > 4096 { seen = [:] }
            for (bucket, counts) in zip(buckets, counts) { seen[bucket] = counts }
        }
    }

    private func decode(_ counts: [UInt8]?) throws(PostgresError) -> AttemptBucket? {
        guard let counts else { return nil }
        guard let bucket = try? coder.decode(plain: AttemptBucket.self, from: counts) else {
            throw PostgresError(.damagedRecord, "The counts of a bucket of attempts cannot be read.")
        }
        return bucket
    }

    private func encode(_ bucket: AttemptBucket?) throws(PostgresError) -> [UInt8]? {
        guard let bucket else { return nil }
        guard let counts = try? coder.encode(plain: bucket) else {
            throw PostgresError(.damagedRecord, "The counts of a bucket of attempts cannot be written.")
        }
        return counts
    }
}
#endif
