#if SQLite
internal import AuthCore
internal import AuthCoreSQL

/// Accounts, their readable columns, and the addresses that they reference.
extension ChangeWriter {
    func apply(_ write: Store.AccountWrite) throws {
        switch write {
        case .create(let account):
            let sql = """
                INSERT INTO accounts (version, status, email, phone_number, display_name, due_at, record, id, created_at) \
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
            try connection.run(sql, columns(of: account) + [.bytes(account.id.bytes), .time(account.createdAt)])
            try writeMethods(of: account)
        case .update(let account, _):
            let sql = """
                UPDATE accounts SET version = ?, status = ?, email = ?, phone_number = ?, display_name = ?, due_at = ?, \
                record = ? WHERE id = ?
                """
            try connection.run(sql, columns(of: account) + [.bytes(account.id.bytes)])
            try writeMethods(of: account)
        case .remove(let id, _):
            try connection.run("DELETE FROM accounts WHERE id = ?", .bytes(id.bytes))
            try removeMethods(of: id, from: 0)
        }
    }

    private func columns(of account: Account) throws -> [SQLiteValue] {
        let columns = AccountColumns(account)
        return [
            .number(account.version), .text(columns.status), .text(columns.email), .text(columns.phoneNumber),
            .text(columns.displayName), .time(account.dueAt), .utf8(try coder.encode(account)),
        ]
    }

    /// Writes the rows of methods that differ from those that are there.
    private func writeMethods(of account: Account) throws {
        let sql = """
            INSERT INTO sign_in_methods VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (account, place) DO UPDATE \
            SET kind = excluded.kind, provider = excluded.provider, issuer = excluded.issuer, \
            subject = excluded.subject, email = excluded.email, phone_number = excluded.phone_number, \
            added_at = excluded.added_at, is_suspended = excluded.is_suspended \
            WHERE (kind, provider, issuer, subject, email, phone_number, added_at, is_suspended) IS NOT \
            (excluded.kind, excluded.provider, excluded.issuer, excluded.subject, excluded.email, \
            excluded.phone_number, excluded.added_at, excluded.is_suspended)
            """
        for method in MethodColumns.all(of: account) {
            try connection.run(
                sql,
                .bytes(account.id.bytes),
                .integer(method.place),
                .text(method.kind),
                .text(method.provider),
                .text(method.issuer),
                .text(method.subject),
                .text(method.email),
                .text(method.phoneNumber),
                .time(method.addedAt),
                .integer(method.isSuspended ? 1 : 0)
            )
        }
        try removeMethods(of: account.id, from: account.methods.count)
    }

    private func removeMethods(of account: AccountID, from place: Int) throws {
        let sql = "DELETE FROM sign_in_methods WHERE account = ? AND place >= ?"
        try connection.run(sql, .bytes(account.bytes), .integer(place))
    }

    /// Adds, replaces or removes a reference; the list's version changes if what a lookup finds does.
    func apply(_ change: Store.EmailReferenceChange) throws {
        let email = SQLiteValue.bytes(change.email.bytes)
        let (created, account) = (SQLiteValue.time(change.reference.createdAt), change.reference.account.bytes)
        let before = try connection.references(to: change.email)
        try connection.run(
            "DELETE FROM email_references WHERE email = ? AND strength IN (0, 1, 2) AND created_at = ? AND account = ?",
            email,
            created,
            .bytes(account)
        )
        if change.isReferenced {
            try connection.run(
                "INSERT INTO email_references VALUES (?, ?, ?, ?)",
                email,
                .integer(change.reference.strength.rawValue),
                created,
                .bytes(account)
            )
        }
        let after = try connection.references(to: change.email)
        if after == before { return }
        if after.isEmpty { return try connection.run("DELETE FROM email_lists WHERE email = ?", email) }
        try connection.run("UPDATE store SET reference_version = reference_version + 1")
        try connection.run(
            """
            INSERT INTO email_lists SELECT ?, reference_version FROM store WHERE true \
            ON CONFLICT (email) DO UPDATE SET version = excluded.version
            """,
            email
        )
    }
}
#endif
