#if PostgreSQL
public import AuthCore
internal import AuthCoreSQL

extension PostgresStore {
    /// Hands out messages that are due, the longest due first, and keeps them from all other callers until this time.
    ///
    /// Messages that another process is leasing are left to it. If the connection is lost, a lease may be taken that
    /// no process has; it ends by itself.
    public func leaseMessages(
        at now: Timestamp,
        until end: Timestamp,
        limit: Int
    ) async throws -> [Store.QueuedMessage] {
        let rows = try await run(
            """
            WITH due AS (
                SELECT id, due_at, number FROM \(schema).messages WHERE due_at <= $1
                ORDER BY due_at, number LIMIT $3 FOR UPDATE SKIP LOCKED
            ), leased AS (
                UPDATE \(schema).messages m SET tries = m.tries + 1, due_at = $2 FROM due WHERE m.id = due.id
                RETURNING m.record, m.tries, m.due_at, due.due_at AS was_due, due.number
            )
            SELECT record, tries, due_at FROM leased ORDER BY was_due, number
            """,
            [.number(now.milliseconds), .number(end.milliseconds), .number(Int64(limit: limit))]
        )
        var leased: [Store.QueuedMessage] = []
        var failure: (any Error)?
        for row in rows { do { leased.append(try message(row)) } catch { failure = error } }
        // A message that cannot be read holds up no other; it is reported when it is alone.
        if leased.isEmpty, let failure { throw failure }
        return leased
    }

    /// Ends the lease of a message that was not sent.
    public func endLease(of id: Store.OperationID, tries: Int, dueAt: Timestamp?) async throws {
        _ = try await run(
            "UPDATE \(schema).messages SET due_at = $3 WHERE id = $1 AND tries = $2 AND due_at IS NOT NULL",
            [.id(id), .number(Int64(tries)), .number(dueAt?.milliseconds)]
        )
    }

    /// Removes messages from the outbox, because they were sent or because an operator settled them.
    public func settleMessages(_ ids: [Store.OperationID]) async throws {
        if ids.isEmpty { return }
        _ = try await run(
            """
            DELETE FROM \(schema).messages WHERE id IN (
                SELECT id FROM \(schema).messages WHERE id = ANY($1) ORDER BY id FOR UPDATE)
            """,
            [.ids(ids.map(\.bytes))]
        )
    }

    /// Returns the messages with this status after this ID, ordered by ID.
    public func messages(
        _ status: Store.DeliveryStatus,
        after id: Store.OperationID?,
        limit: Int
    ) async throws -> [Store.QueuedMessage] {
        let condition = status == .failed ? "due_at IS NULL" : "due_at IS NOT NULL"
        let rows = try await run(
            """
            SELECT record, tries, due_at FROM \(schema).messages
            WHERE \(condition) AND ($1 IS NULL OR id > $1) ORDER BY id LIMIT $2
            """,
            [.id(id), .number(Int64(limit: limit))]
        )
        return try rows.map(message)
    }

    private func message(_ row: Row) throws(AuthError) -> Store.QueuedMessage {
        Store.QueuedMessage(
            try decode(row[0]),
            tries: Int(clamping: row.number(1) ?? 0),
            dueAt: row.number(2).map(Timestamp.init(milliseconds:))
        )
    }
}
#endif
