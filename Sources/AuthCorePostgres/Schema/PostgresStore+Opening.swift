#if PostgreSQL
internal import AuthCoreSQL

extension PostgresStore {
    /// Brings the schema to the newest version, if it is older and may be migrated.
    func open() async throws(PostgresError) {
        try await checkSettings()
        let version = try await version()
        if version < migrations.newest {
            guard options.migrates else {
                throw PostgresError(.olderSchema, "The schema has version \(version), and was not to be migrated.")
            }
            try await migrate()
        }
        try await noticeCopy()
    }

    /// The SQL that makes the tables, or leads from an older schema to this version's, for a migration tool and a role
    /// of your own.
    ///
    /// - Parameters:
    ///   - version: The schema's version, the greatest in its table `schema_version`; 0 for a database without one.
    ///   - name: The name of the schema.
    /// - Returns: Statements to be run in one transaction; empty for a name that cannot be used, or after a newer
    ///   version.
    public static func schema(after version: Int = 0, named name: String = "authcore") -> String {
        guard let schema = Schema(name: name),
            let steps = try? Schema.migrations.sql(after: version, setVersion: Schema.note)
        else { return "" }
        return schema.preparation.map { $0 + ";\n" }.joined() + "\n" + steps
    }

    private var versionQuestion: String { "SELECT max(version) FROM \(schema).schema_version" }

    /// The version of the schema; 0 if there is none.
    ///
    /// - Throws: `newerSchema` if a newer version of the library has migrated it.
    private func version() async throws(PostgresError) -> Int {
        do throws(PostgresError) {
            return try checked(try await send(versionQuestion, []))
        } catch {
            // There is no such schema or table.
            if error.sqlState == "42P01" || error.sqlState == "3F000" { return 0 }
            throw error
        }
    }

    /// An error, with what the version of the schema says of it: a newer library may have migrated it since it was
    /// opened.
    func explained(_ error: PostgresError, of statement: String) async -> PostgresError {
        guard error.kind == .olderSchema, statement != versionQuestion else { return error }
        do throws(PostgresError) { _ = try await version() } catch {
            if error.kind == .newerSchema { return error }
        }
        return error
    }

    private func checked(_ rows: [Row]) throws(PostgresError) -> Int {
        let version = Int(clamping: rows.first?.number(0) ?? 0)
        do throws(NewerSchema) { _ = try migrations.steps(after: version) } catch {
            throw PostgresError(.newerSchema, error.description)
        }
        return version
    }

    private func migrate() async throws(PostgresError) {
        try await withConnection { (connection) throws(PostgresError) in
            try await connection.run(transaction: self.schema.preparation, then: self.versionQuestion) {
                (rows) throws(PostgresError) in
                // Another process may have migrated while this one waited for the lock.
                let version = try self.checked(rows)
                return self.migrations.steps.dropFirst(version).flatMap { $0.statements + [Schema.note($0.version)] }
            }
        }
    }

    /// Refuses a database that cannot store every text, and a level of isolation under which a change would be judged
    /// by what was read before others changed it.
    ///
    /// On its own connections a store sets the level; on those of a pooler it is that of the role.
    private func checkSettings() async throws(PostgresError) {
        let question = "SELECT current_setting('transaction_isolation'), current_setting('server_encoding')"
        let row = try await send(question, []).first
        let (level, encoding) = (row?.text(0) ?? "unknown", row?.text(1) ?? "unknown")
        if level != "read committed" {
            throw PostgresError(
                .invalidSettings,
                "Transactions are \(level): set the role's default_transaction_isolation to 'read committed'."
            )
        }
        // In an SQL_ASCII database the server stores what it gets, without a conversion.
        if !["UTF8", "SQL_ASCII"].contains(encoding) {
            let message = "The encoding of the database is \(encoding); create it with the encoding UTF8."
            throw PostgresError(.invalidSettings, message)
        }
    }

    /// Raises the incarnation if the newest event is of a transaction that this server has not begun yet.
    ///
    /// A copy on another server is like that, and its new positions would be smaller than those that readers have.
    private func noticeCopy() async throws(PostgresError) {
        let statement = """
            SELECT \(schema).raise_incarnation() FROM \(schema).store s WHERE (
                SELECT e.transaction FROM \(schema).events e WHERE e.incarnation = s.incarnation
                ORDER BY e.incarnation DESC, e.transaction DESC LIMIT 1
            ) >= pg_snapshot_xmax(pg_current_snapshot())
            """
        _ = try await send(statement, [])
    }
}
#endif
