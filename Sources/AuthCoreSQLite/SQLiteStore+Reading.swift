#if SQLite
public import AuthCore
internal import AuthCoreSQL
internal import CSQLite

extension SQLiteStore: IdentityStore {
    /// Returns what every lookup finds, all at the same moment.
    public func load(_ lookups: Store.Lookups) async throws -> Store.Snapshot {
        let coder = coder
        return try await read { connection in
            var loader = SQLiteLoader(connection, coder)
            return try Store.Snapshot(lookups) { try loader.answer(to: $0) }
        }
    }

    /// Returns the accounts after this ID, ordered by ID.
    public func accounts(after: AccountID?, limit: Int) async throws -> [Account] {
        try await pages(of: limit) { last, count in
            let sql = "SELECT record, x'', NULL FROM accounts WHERE id > ? ORDER BY id LIMIT ?"
            return (sql, [.bytes((last?.id ?? after)?.bytes ?? []), .integer(count)])
        }
    }

    /// Returns the accounts for which something is due, the longest due first.
    public func accounts(dueBy now: Timestamp, after: Account?, limit: Int) async throws -> [Account] {
        try await pages(of: limit) { last, count in
            let sql = """
                SELECT record, id, due_at FROM accounts WHERE due_at <= ? AND (due_at, id) > (?, ?) ORDER BY due_at, id LIMIT ?
                """
            let from = last ?? after
            return (
                sql,
                [
                    .time(now), .time(from.map { $0.dueAt ?? .distantFuture } ?? .distantPast),
                    .bytes(from?.id.bytes ?? []), .integer(count),
                ]
            )
        }
    }

    /// Reads accounts in steps, so that one large page keeps no reader from its place.
    private func pages(
        of limit: Int,
        _ query: @escaping @Sendable (Account?, Int) -> (String, [SQLiteValue])
    ) async throws -> [Account] {
        let coder = coder
        var found: [Account] = []
        while found.count < limit {
            let (last, wanted) = (found.last, min(256, limit - found.count))
            let page = try await read { connection in
                let (sql, values) = query(last, wanted)
                return try connection.all(sql, values) { ($0.bytes(0), $0.bytes(1), $0.time(2)) }.map { row in
                    let due = AccountID(bytes: row.1).flatMap { id in row.2.map { (id: id, at: $0) } }
                    return try coder.account(row.0, due: due)
                }
            }
            found += page
            if page.count < wanted { break }
        }
        return found
    }

    /// Returns the events after this position, oldest first.
    public func events(after position: IdentityEvent.Position, limit: Int) async throws -> Store.EventPage {
        let coder = coder
        return try await read { connection in
            let log = try connection.log()
            let after = try connection.eventNumber(of: position, in: log)
            let sql = "SELECT incarnation, number, record FROM events WHERE number > ? ORDER BY number LIMIT ?"
            let rows = try connection.all(sql, .number(after), .integer(max(0, limit))) { row in
                let position = IdentityEvent.Position(
                    incarnation: UInt64(clamping: row.integer(0)),
                    number: UInt64(clamping: row.integer(1))
                )
                return (position, row.bytes(2))
            }
            let events = try rows.map { try coder.decode(IdentityEvent.self, from: $1).placed(at: $0) }
            return Store.EventPage(events: events, removed: log.removed, end: log.end)
        }
    }

    /// Everything for ever, or what the options say; operations for a day.
    public var retention: Store.Retention { Store.Retention(events: options.events, operations: .seconds(86_400)) }

    /// True, unless the database is in memory.
    public var isDurable: Bool { readers != nil }
}

/// Where the log of events begins and ends.
struct EventLogBounds {
    let incarnation: UInt64
    let end: IdentityEvent.Position
    let removed: IdentityEvent.Position
}

extension SQLiteConnection {
    fileprivate func log() throws(SQLiteError) -> EventLogBounds {
        let sql = """
            SELECT incarnation, (SELECT seq FROM sqlite_sequence WHERE name = 'events'), removed_incarnation, \
            removed_event FROM store
            """
        let bounds = try first(sql) { row in
            func number(_ column: Int32) -> UInt64 { UInt64(clamping: row.integer(column)) }
            return EventLogBounds(
                incarnation: number(0),
                end: IdentityEvent.Position(incarnation: number(0), number: number(1)),
                removed: IdentityEvent.Position(incarnation: number(2), number: number(3))
            )
        }
        guard let bounds else { throw SQLiteError(code: SQLITE_CORRUPT, message: "the table store is empty") }
        return bounds
    }

    /// The number after which the events have greater positions than this one.
    ///
    /// Numbers grow over all incarnations of a file, but a position of an earlier incarnation may be of an event that
    /// was lost, whose number was given out again.
    fileprivate func eventNumber(
        of position: IdentityEvent.Position,
        in log: EventLogBounds
    ) throws(SQLiteError) -> UInt64 {
        if position.incarnation > log.incarnation || position.transaction > 0 { return .max }
        if position.incarnation == log.incarnation { return position.number }
        let sql = "SELECT min(first_event) FROM incarnations WHERE incarnation > ?"
        let next = try first(sql, .number(position.incarnation)) { UInt64(clamping: $0.integer(0)) } ?? 1
        return min(position.number, next - 1)
    }
}
#endif
