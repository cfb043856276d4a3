#if SQLite
public import AuthCore
internal import CSQLite

extension SQLiteStore {
    /// Writes a copy of the database, as of one moment, while it is in use.
    ///
    /// The copy is checked, and is a database of its own: to restore it, stop the service, remove the original with its
    /// `-wal` and `-shm`, and put a copy in its place. The store that opens it begins a new incarnation of event
    /// positions, so that readers miss nothing that is written from then on.
    ///
    /// ```swift
    /// func backUp(_ store: SQLiteStore, day: String) async throws {
    ///     try await store.backup(to: "/var/backups/accounts-\(day).sqlite")
    /// }
    /// ```
    ///
    /// - Parameter path: The file to write; an existing file of this name is replaced when the copy is complete. Until
    ///   then the copy has a name of its own, which ends with `.partial`; only a process that ends meanwhile leaves it.
    /// - Throws: `storeUnavailable` if the copy cannot be written, or would replace the database itself; a file of this
    ///   name stays as it was then.
    public func backup(to path: String) async throws(AuthError) {
        // No other backup to the same path, in this process or another, has this name.
        let partial = "\(path).\(String(UInt64.random(in: .min ... .max), radix: 36)).partial"
        let (source, options) = (self.path, options)
        do {
            if source == Self.memory { throw UnusableFile.inMemory }
            if PrivateFile.areOne(source, path) { throw UnusableFile.isItself }
            try await Lane.opening {
                try Self.copy(source, to: partial, options)
                guard PrivateFile.rename(partial, to: path) else {
                    throw SQLiteError(code: SQLITE_CANTOPEN, message: "the copy cannot be named \(path)")
                }
            }
        } catch {
            PrivateFile.remove(partial)
            throw AuthError(copyingTo: path, failure: error)
        }
    }

    private static func copy(_ source: String, to path: String, _ options: Options) throws {
        PrivateFile.make(path)
        // A connection of its own, so that no reader waits for the copy.
        let original = try SQLiteConnection(path: source, busyTimeout: options.busyTimeout)
        try original.run("VACUUM INTO ?", .text(SQLiteConnection.name(of: path)))
        let copy = try SQLiteConnection(path: path, busyTimeout: options.busyTimeout)
        try copy.execute("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; UPDATE store SET is_copy = 1")
        if let damage = try copy.first("PRAGMA quick_check(1)", as: { $0.text(0) }), damage != "ok" {
            throw SQLiteError(code: SQLITE_CORRUPT, message: damage)
        }
    }

    /// Looks through the whole database for damage; it takes as long as reading the file.
    ///
    /// - Returns: What is wrong, in SQLite's words; empty for a sound database.
    /// - Throws: `storeUnavailable` if the database cannot be read at all.
    public func findDamage() async throws(AuthError) -> [String] {
        do {
            let found = try await read { try $0.all("PRAGMA integrity_check(20)") { $0.text(0) } }
            return found == ["ok"] ? [] : found
        } catch {
            throw AuthError(reading: error)
        }
    }
}
#endif
