#if SQLite
internal import AuthCoreSQL
internal import CSQLite

/// Why a file is not opened.
enum UnusableFile: Error {
    /// It belongs to another program, or to none.
    case foreign
    /// It can be read and not written.
    case readOnly
    /// Its file system does not support several connections beside each other.
    case withoutLog(mode: String)
    /// Its schema is older, and was not to be migrated.
    case olderSchema(Int)
    /// It is no file, so it cannot be copied.
    case inMemory
    /// Its copy would replace it while it is in use.
    case isItself
    /// SQLite itself is older than 3.37.
    case olderLibrary(String)
}

extension SQLiteConnection {
    /// Makes the connection that writes: checks whose file it is, and migrates it.
    static func writer(_ path: String, _ options: SQLiteStore.Options) throws -> SQLiteConnection {
        if path != SQLiteStore.memory { PrivateFile.make(path) }
        let connection = try SQLiteConnection(path: path, busyTimeout: options.busyTimeout)
        guard sqlite3_libversion_number() >= 3_037_000 else {
            throw UnusableFile.olderLibrary(unsafe String(cString: sqlite3_libversion()))
        }
        try connection.checkOwner()
        if connection.isReadOnly { throw UnusableFile.readOnly }
        let mode = try connection.useLog(waiting: options.busyTimeout) ?? ""
        guard mode == "wal" || path == SQLiteStore.memory else { throw UnusableFile.withoutLog(mode: mode) }
        try connection.execute("PRAGMA cache_size = -16384; PRAGMA trusted_schema = OFF")
        try connection.migrate(options)
        return connection
    }

    /// Makes a connection that reads beside the one that writes.
    static func reader(_ path: String, _ options: SQLiteStore.Options) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path, busyTimeout: options.busyTimeout)
        try connection.execute("PRAGMA query_only = ON; PRAGMA cache_size = -8192; PRAGMA trusted_schema = OFF")
        return connection
    }

    /// Refuses a database that another program made.
    private func checkOwner() throws {
        // The tables first: another process may make them and the mark meanwhile, in one transaction.
        let isEmpty = try !exists("SELECT 1 FROM sqlite_schema")
        let application = try first("PRAGMA application_id") { $0.integer(0) } ?? 0
        if application != SQLiteSchema.applicationID, application != 0 || !isEmpty { throw UnusableFile.foreign }
    }

    /// Lets commits go to a log beside the file, and returns the mode that the file has then.
    ///
    /// While another connection does the same, SQLite answers at once that the file is locked, without the wait that
    /// other statements have.
    private func useLog(waiting timeout: Duration) throws(SQLiteError) -> String? {
        func use() -> Result<String?, SQLiteError> {
            Result { () throws(SQLiteError) in try first("PRAGMA journal_mode = WAL") { $0.text(0) } }
        }
        var waits = timeout / .milliseconds(1)
        var answer = use()
        while case .failure(let error) = answer, error.primaryCode == SQLITE_BUSY, waits > 0 {
            waits -= 1
            sqlite3_sleep(1)
            answer = use()
        }
        return try answer.get()
    }

    private func migrate(_ options: SQLiteStore.Options) throws {
        let (migrations, losesCommits) = (SQLiteSchema.migrations, options.synchronous == .normal)
        if try migrations.steps(after: schemaVersion()).isEmpty, try !losesCommits && !lacksEvents() { return }
        // A failure of power must not take an incarnation of which readers have learned.
        try setSynchronous(true)
        // If something fails, the connection is closed, which undoes what was begun.
        try execute("BEGIN IMMEDIATE")
        // Another process may have done it meanwhile.
        let version = try schemaVersion()
        let steps = try migrations.steps(after: version)
        if !options.migrates, !steps.isEmpty { throw UnusableFile.olderSchema(version) }
        for step in steps {
            for statement in step.statements { try execute(statement) }
            try execute(SQLiteSchema.setVersion(step.version))
        }
        try execute("PRAGMA application_id = \(SQLiteSchema.applicationID)")
        if try losesCommits || lacksEvents() { try beginIncarnation(losesCommits) }
        try execute("COMMIT")
    }

    func schemaVersion() throws(SQLiteError) -> Int { try first("PRAGMA user_version") { Int($0.integer(0)) } ?? 0 }

    /// Whether readers may have seen events that the file does not have.
    private func lacksEvents() throws(SQLiteError) -> Bool { try exists("SELECT 1 FROM store WHERE is_copy > 0") }

    /// Raises the incarnation of a file that was restored from a copy, or may have lost commits to a failure of power.
    ///
    /// Readers may have seen events that the file does not have; what comes now is after all of them. A file whose
    /// commits do not wait for the disk keeps a mark, since a process that writes them may go on beside this one.
    private func beginIncarnation(_ losesCommits: Bool) throws(SQLiteError) {
        try execute(
            """
            UPDATE store SET is_copy = \(losesCommits ? "2" : "is_copy & 2"),
                incarnation = max(incarnation + 1,
                    1000 * CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) + abs(random() % 1000));
            INSERT INTO incarnations
                SELECT incarnation, 1 + coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0) FROM store;
            """
        )
    }
}
#endif
