#if PostgreSQL
public import AuthCore
internal import AuthCoreSQL

extension PostgresStore {
    /// Returns the accounts after this ID, ordered by ID.
    public func accounts(after: AccountID?, limit: Int) async throws -> [Account] {
        let rows = try await run(
            "SELECT record FROM \(schema).accounts WHERE $1 IS NULL OR id > $1 ORDER BY id LIMIT $2",
            [.text(after?.description), .number(Int64(limit: limit))]
        )
        return try rows.map { try decode($0[0]) }
    }

    /// Returns the accounts for which something is due by this time, the longest due first, and by ID where that is
    /// equal.
    public func accounts(dueBy now: Timestamp, after: Account?, limit: Int) async throws -> [Account] {
        let rows = try await run(
            """
            SELECT record, id, due_at FROM \(schema).accounts
            WHERE due_at <= $1 AND (due_at, id) > ($2, $3 COLLATE "C") ORDER BY due_at, id LIMIT $4
            """,
            [
                .number(now.milliseconds), .number(after?.dueAt?.milliseconds ?? .min),
                .text(after?.id.description ?? ""),
                .number(Int64(limit: limit)),
            ]
        )
        return try rows.map { row in
            guard let id = row.text(1).flatMap({ AccountID($0) }), let dueAt = row.number(2) else {
                return try decode(row[0])
            }
            return try coder.account(row[0] ?? [], due: (id, Timestamp(milliseconds: dueAt)))
        }
    }

    /// Returns the events after this position, in the order in which they became visible.
    ///
    /// It stops before the oldest transaction that is still running anywhere on the server: its events are not visible
    /// yet, and come before those of later ones. The log ends at its last event before that, or that was removed, and
    /// not at the number of that transaction: after a crash, the server gives out numbers again of which nothing was
    /// on the disk.
    public func events(after position: IdentityEvent.Position, limit: Int) async throws -> Store.EventPage {
        // One row more than the page: where the log begins and where it ends, as of the same moment. The last event is
        // looked for behind those that were removed only, which the index may still have.
        let rows = try await run(
            """
            WITH log AS (
                SELECT incarnation, pg_snapshot_xmin(pg_current_snapshot()) AS next,
                    removed_incarnation, removed_transaction, removed_number,
                    CASE incarnation WHEN removed_incarnation THEN removed_transaction ELSE '0' END AS first
                FROM \(schema).store
            )
            (SELECT NULL, incarnation, last.transaction, last.number, removed_incarnation, removed_transaction,
                removed_number
            FROM log LEFT JOIN LATERAL (SELECT e.transaction, e.number FROM \(schema).events e
                WHERE e.incarnation = log.incarnation AND e.transaction >= log.first AND e.transaction < log.next
                ORDER BY e.incarnation DESC, e.transaction DESC, e.number DESC LIMIT 1) last ON true)
            UNION ALL
            (SELECT e.record, e.incarnation, e.transaction, e.number, NULL, NULL, NULL FROM \(schema).events e, log
            WHERE (e.incarnation, e.transaction, e.number) > ($1, $2, $3)
                AND (e.incarnation < log.incarnation OR e.transaction < log.next)
            ORDER BY e.incarnation, e.transaction, e.number LIMIT $4)
            """,
            [
                .number(Int64(clamping: position.incarnation)),
                .transaction(min(position.transaction, UInt64(Int64.max))),
                .number(Int64(clamping: position.number)), .number(Int64(limit: limit)),
            ]
        )
        guard let log = rows.first(where: { $0[0] == nil }) else {
            throw AuthError(PostgresError(.damagedRecord, "The table store is empty."))
        }
        var events: [IdentityEvent] = []
        for row in rows where row[0] != nil {
            events.append(try decode(row[0], as: IdentityEvent.self).placed(at: row.position(1)))
        }
        events.sort { $0.position < $1.position }
        let removed = log.position(4)
        return Store.EventPage(events: events, removed: removed, end: max(log.position(1), removed))
    }

    /// Removes expired records and sessions, up to the limit, and the IDs of operations that are older than a day.
    ///
    /// Rows that another process is removing are left to it.
    public func sweep(at now: Timestamp, limit: Int) async throws -> Store.SweepReport {
        let rows = try await run(
            "SELECT * FROM \(schema).sweep($1, $2)",
            [.number(now.milliseconds), .number(Int64(limit: limit))]
        )
        guard let row = rows.first else { return Store.SweepReport(isComplete: false) }
        return Store.SweepReport(
            records: Int(clamping: row.number(0) ?? 0),
            sessions: Int(clamping: row.number(1) ?? 0),
            isComplete: row[2] == [1]
        )
    }
}

extension Int64 {
    /// A limit as a parameter.
    init(limit: Int) { self = Int64(Swift.max(0, limit)) }
}

extension Row {
    /// The position in this column and the two after it.
    fileprivate func position(_ column: Int) -> IdentityEvent.Position {
        let numbers = (column...column + 2).map { UInt64(bitPattern: number($0) ?? 0) }
        return IdentityEvent.Position(incarnation: numbers[0], transaction: numbers[1], number: numbers[2])
    }
}
#endif
