#if SQLite
internal import AuthCore

extension SQLiteStore {
    /// Removes everything, for tests and tools that begin with an empty database.
    package func removeEverything() async throws {
        try await write { connection in
            let tables = try connection.all("SELECT name FROM sqlite_schema WHERE type = 'table'") { $0.text(0) }
            for table in tables where table != "store" { try connection.execute("DELETE FROM \(table)") }
            try connection.execute(
                """
                UPDATE store SET incarnation = 0, key_rule = NULL, reference_version = 0, removed_incarnation = 0, \
                removed_event = 0
                """
            )
        }
    }
}
#endif
