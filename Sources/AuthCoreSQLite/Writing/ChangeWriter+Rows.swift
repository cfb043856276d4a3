#if SQLite
internal import AuthCore
internal import AuthCoreSQL

/// Sessions and one-time records.
extension ChangeWriter {
    func apply(_ change: Store.SessionChange) throws {
        switch change {
        case .put(let session): try put(session)
        case .update(let session, _):
            // What moves with a refresh; the account and the time of the sign-in never do.
            let sql = """
                UPDATE sessions SET method = ?, provider = ?, active_at = ?, expires_at = ?, refresh_count = ?, \
                record = ? WHERE id = ?
                """
            try connection.run(sql, columns(of: session) + [.bytes(session.id.bytes)])
        case .end(let id):
            try connection.run("DELETE FROM sessions WHERE id = ?", .bytes(id.bytes))
        case .endAll(let account, let kept):
            try connection.run(
                "DELETE FROM sessions WHERE account = ? AND id <> ?",
                .bytes(account.bytes),
                .bytes(kept?.bytes ?? [])
            )
        case .endUnused(let account, let limit, let kept):
            let sql = """
                DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE account = ?1 AND id <> ?2 \
                ORDER BY active_at, id LIMIT max(0, (SELECT count(*) FROM sessions WHERE account = ?1) - ?3))
                """
            try connection.run(sql, .bytes(account.bytes), .bytes(kept.bytes), .integer(limit))
        }
    }

    private func put(_ session: Session) throws {
        let sql = """
            INSERT INTO sessions (method, provider, active_at, expires_at, refresh_count, record, id, account, \
            device_name, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        let fixed: [SQLiteValue] = [
            .bytes(session.id.bytes), .bytes(session.account.bytes), .text(session.deviceName),
            .time(session.createdAt),
        ]
        try connection.run(sql, columns(of: session) + fixed)
    }

    private func columns(of session: Session) throws -> [SQLiteValue] {
        [
            .text(session.basis.kind.rawValue), .text(session.basis.provider.rawValue), .time(session.activeAt),
            .time(session.expiresAt), .integer(Int(session.refreshCount)), .utf8(try coder.encode(session)),
        ]
    }

    func apply(_ change: Store.OneTimeRecordChange) throws {
        switch change {
        case .put(let record): try put(record)
        case .replace(let record):
            try remove(record.key)
            try put(record)
        case .consume(let id), .revoke(let id): try remove(id)
        case .revokeAll(let account, let purposes):
            for purpose in purposes {
                try connection.run(
                    "DELETE FROM one_time_records WHERE account = ? AND purpose = ?",
                    .bytes(account.bytes),
                    .text(purpose.rawValue)
                )
            }
        }
    }

    private func put(_ record: Store.OneTimeRecord) throws {
        try connection.run(
            """
            INSERT INTO one_time_records (id, account, purpose, created_at, expires_at, record) \
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            .bytes(record.key.bytes),
            record.account.map { .bytes($0.bytes) } ?? .null,
            .text(record.purpose.rawValue),
            .time(record.createdAt),
            .time(record.expiresAt),
            .utf8(try coder.encode(record))
        )
    }

    private func remove(_ record: OneTimeRecordID) throws {
        try connection.run("DELETE FROM one_time_records WHERE id = ?", .bytes(record.bytes))
    }
}
#endif
