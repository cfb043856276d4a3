#if SQLite
public import AuthCore
internal import AuthCoreSQL

extension SQLiteStore {
    /// Writes the whole change if all its preconditions hold, and nothing otherwise.
    public func commit(_ changes: Store.ChangeSet) async throws -> Store.CommitOutcome {
        let (coder, retention) = (coder, options.events)
        return try await write { connection in
            let outcome = try ChangeWriter(connection: connection, coder: coder, changes: changes).commit()
            if outcome == .committed, !changes.events.isEmpty {
                try connection.removeEvents(beyond: retention, after: changes.events.count, at: changes.at)
            }
            return outcome
        }
    }

    /// Hands out messages that are due, and keeps them from all other callers until this time.
    public func leaseMessages(
        at now: Timestamp,
        until end: Timestamp,
        limit: Int
    ) async throws -> [Store.QueuedMessage] {
        let coder = coder
        let (leased, failure) = try await write(needsDisk: false) { connection in
            let sql = "SELECT number, tries, record FROM messages WHERE due_at <= ? ORDER BY due_at, number LIMIT ?"
            let due = try connection.all(sql, .time(now), .integer(max(0, limit))) { row in
                (number: row.integer(0), tries: Int(row.integer(1)) + 1, record: row.bytes(2))
            }
            var leased: [Store.QueuedMessage] = []
            var failure: (any Error)?
            for message in due {
                try connection.run(
                    "UPDATE messages SET tries = ?, due_at = ? WHERE number = ?",
                    .integer(message.tries),
                    .time(end),
                    .integer(message.number)
                )
                do {
                    let entry: Store.OutboxEntry = try coder.decode(from: message.record)
                    leased.append(Store.QueuedMessage(entry, tries: message.tries, dueAt: end))
                } catch {
                    failure = error
                }
            }
            return (leased, failure)
        }
        // A message that cannot be read holds up no other, also not those behind it: it stays leased. It is reported
        // when it is alone.
        if leased.isEmpty, let failure { throw AuthError(reading: failure) }
        return leased
    }

    /// Ends the lease of a message that was not sent.
    public func endLease(of id: Store.OperationID, tries: Int, dueAt: Timestamp?) async throws {
        try await write(needsDisk: false) { connection in
            try connection.run(
                "UPDATE messages SET due_at = ? WHERE id = ? AND tries = ? AND due_at IS NOT NULL",
                .time(dueAt),
                .bytes(id.bytes),
                .integer(tries)
            )
        }
    }

    /// Removes messages from the outbox, because they were sent or because an operator settled them.
    public func settleMessages(_ ids: [Store.OperationID]) async throws {
        try await write(needsDisk: false) { connection in
            for id in ids { try connection.run("DELETE FROM messages WHERE id = ?", .bytes(id.bytes)) }
        }
    }

    /// Returns the messages with this status after this ID, ordered by ID.
    public func messages(
        _ status: Store.DeliveryStatus,
        after id: Store.OperationID?,
        limit: Int
    ) async throws -> [Store.QueuedMessage] {
        let coder = coder
        return try await read { connection in
            let sql = """
                SELECT record, tries, due_at FROM messages WHERE due_at IS \(status == .failed ? "" : "NOT ")NULL \
                AND id > ? ORDER BY id LIMIT ?
                """
            let rows = try connection.all(sql, .bytes(id?.bytes ?? []), .integer(max(0, limit))) { row in
                (record: row.bytes(0), tries: Int(row.integer(1)), dueAt: row.time(2))
            }
            return try rows.map { row in
                Store.QueuedMessage(try coder.decode(from: row.record), tries: row.tries, dueAt: row.dueAt)
            }
        }
    }

    /// Removes expired records and sessions, up to the limit.
    public func sweep(at now: Timestamp, limit: Int) async throws -> Store.SweepReport {
        var report = Store.SweepReport(isComplete: false)
        var left = max(0, limit)
        // In steps, between which others commit.
        while left > 0, !report.isComplete {
            let wanted = min(left, 64)
            let (records, sessions) = try await write(needsDisk: false) { connection in
                let records = try connection.removeExpired(from: "one_time_records", by: now, wanted)
                return (records, try connection.removeExpired(from: "sessions", by: now, wanted - records))
            }
            report.records += records
            report.sessions += sessions
            left -= records + sessions
            report.isComplete = records + sessions < wanted
        }
        return report
    }
}

extension SQLiteConnection {
    fileprivate func removeExpired(from table: String, by now: Timestamp, _ limit: Int) throws(SQLiteError) -> Int {
        if limit == 0 { return 0 }
        try run(
            """
            DELETE FROM \(table) WHERE id IN \
            (SELECT id FROM \(table) WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)
            """,
            .time(now),
            .integer(limit)
        )
        return changes
    }

    /// Removes the oldest events that need not be kept, at most twice as many as were written.
    fileprivate func removeEvents(
        beyond retention: Store.Retention.Events,
        after written: Int,
        at now: Timestamp
    ) throws(SQLiteError) {
        let oldest = "SELECT number, incarnation, at FROM events"
        let limit = SQLiteValue.integer(2 * written)
        let row: (number: Int64, incarnation: Int64)? =
            switch retention {
            case .all: nil
            case .newest(let count):
                try all(
                    "\(oldest) WHERE number <= ? ORDER BY number LIMIT ?",
                    .integer(lastEvent() - Int64(max(1, count))),
                    limit
                ) { ($0.integer(0), $0.integer(1)) }.last
            case .lasting(let duration):
                try all("\(oldest) ORDER BY number LIMIT ?", limit) { ($0.integer(0), $0.integer(1), $0.time(2)) }
                    .prefix { $0.2.map { $0 + duration < now } ?? false }.last.map { ($0.0, $0.1) }
            }
        guard let row else { return }
        try run("DELETE FROM events WHERE number <= ?", .integer(row.number))
        try run(
            "UPDATE store SET removed_incarnation = ?, removed_event = ?",
            .integer(row.incarnation),
            .integer(row.number)
        )
    }

    private func lastEvent() throws(SQLiteError) -> Int64 {
        try first("SELECT max(number) FROM events") { $0.integer(0) } ?? 0
    }
}
#endif
