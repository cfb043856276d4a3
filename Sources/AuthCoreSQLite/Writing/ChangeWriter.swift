#if SQLite
internal import AuthCore
internal import AuthCoreSQL

/// Checks and writes one change, inside a transaction in which nobody else writes.
///
/// All preconditions are looked at before anything is written, as they were when the change was decided.
struct ChangeWriter {
    let connection: SQLiteConnection
    let coder: RowCoder
    let changes: Store.ChangeSet

    /// Writes the whole change if all its preconditions hold, and nothing otherwise.
    func commit() throws -> Store.CommitOutcome {
        let operation = changes.operation.bytes
        if try connection.exists("SELECT 1 FROM operations WHERE id = ?", .bytes(operation)) { return .duplicate }
        if let violated = try violation() { return .violated(violated) }
        try write()
        try connection.run(
            "INSERT INTO operations (id, at) VALUES (?, ?)",
            .bytes(operation),
            .time(changes.at)
        )
        if connection.lastRow % 32 == 0 { try connection.forgetOperations(before: changes.at - .seconds(90_000)) }
        return .committed
    }

    private func write() throws {
        if let rule = changes.keyRule {
            try connection.run("UPDATE store SET key_rule = ? WHERE key_rule IS NULL", .text(rule.rawValue))
        }
        for write in changes.accounts { try apply(write) }
        for change in changes.keys where change.owner != change.expected { try apply(change) }
        for change in changes.references { try apply(change) }
        for change in changes.records { try apply(change) }
        for change in changes.sessions { try apply(change) }
        for record in changes.signIns {
            try connection.run(
                "UPDATE accounts SET last_sign_in = ? WHERE id = ?",
                .time(record.at),
                .bytes(record.account.bytes)
            )
        }
        for event in changes.events { try append(event) }
        for message in changes.messages { try append(message) }
    }

    private func apply(_ change: Store.KeyChange) throws {
        let key = SQLiteValue.bytes(change.key.bytes)
        if let owner = change.owner {
            try connection.run(
                "INSERT INTO unique_keys VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET account = excluded.account",
                key,
                .bytes(owner.bytes)
            )
        } else {
            try connection.run("DELETE FROM unique_keys WHERE key = ?", key)
        }
    }

    private func append(_ event: IdentityEvent) throws {
        try connection.run(
            "INSERT INTO events (incarnation, at, kind, account, record) SELECT incarnation, ?, ?, ?, ? FROM store",
            .time(event.at),
            .text(event.kind.rawValue),
            .bytes(event.account.bytes),
            .utf8(try coder.encode(event.placed(at: .start)))
        )
    }

    private func append(_ message: Store.OutboxEntry) throws {
        let queued = Store.QueuedMessage(message)
        try connection.run(
            """
            INSERT INTO messages (id, kind, recipient, account, created_at, tries, due_at, record) \
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .bytes(message.id.bytes),
            .text(message.kind.rawValue),
            .text(message.recipient.readable),
            message.account.map { .bytes($0.bytes) } ?? .null,
            .time(message.createdAt),
            .integer(queued.tries),
            .time(queued.dueAt),
            .utf8(try coder.encode(message))
        )
    }
}

extension SQLiteConnection {
    /// Removes the oldest operations that were committed before this time.
    fileprivate func forgetOperations(before time: Timestamp) throws(SQLiteError) {
        try run(
            "DELETE FROM operations WHERE number IN (SELECT number FROM operations WHERE at < ? ORDER BY at LIMIT 64)",
            .time(time)
        )
    }
}
#endif
