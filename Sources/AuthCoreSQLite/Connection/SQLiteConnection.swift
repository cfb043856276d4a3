#if SQLite
internal import CSQLite

/// One connection to a database, with the statements that it has prepared; used by one thread at a time.
@safe final class SQLiteConnection {
    private var handle: OpaquePointer?
    private var statements: [String: SQLiteStatement] = [:]
    /// Whether a commit returns only when the disk has it; nil before it was set.
    private var isSynchronous: Bool?
    /// How the next statements end the connection as if its process had died; nil for not at all.
    var statementsBeforeDeath: Int?

    /// Opens a file that is there; `PrivateFile` makes new ones.
    init(path: String, busyTimeout: Duration) throws(SQLiteError) {
        let access = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = unsafe sqlite3_open_v2(Self.name(of: path), &handle, access, nil)
        guard code == SQLITE_OK else { throw failure(code) }
        // SQLite's own handler waits up to a tenth of a second at a time, in which a busy writer commits many times.
        let milliseconds = Int(max(0, min(busyTimeout / .milliseconds(1), Double(Int32.max))))
        unsafe sqlite3_busy_handler(
            handle,
            { limit, count in
                guard Int(count) < Int(bitPattern: limit) else { return 0 }
                sqlite3_sleep(1)
                return 1
            },
            UnsafeMutableRawPointer(bitPattern: milliseconds)
        )
    }

    deinit { close() }

    /// What SQLite must be told to use the file of this path: some builds take `file:` for the beginning of a URI.
    static func name(of path: String) -> String { path.hasPrefix("file:") ? "./" + path : path }

    /// Whether a transaction has begun and was neither committed nor rolled back, by SQLite itself either.
    var isInTransaction: Bool { unsafe handle.map { unsafe sqlite3_get_autocommit($0) == 0 } ?? false }

    /// Whether the file can be read and not written.
    var isReadOnly: Bool { unsafe handle.map { unsafe sqlite3_db_readonly($0, "main") == 1 } ?? false }

    /// How many rows the last statement changed.
    var changes: Int { unsafe handle.map { unsafe Int(sqlite3_changes($0)) } ?? 0 }

    /// The number of the row that was inserted last.
    var lastRow: Int64 { unsafe handle.map { unsafe sqlite3_last_insert_rowid($0) } ?? 0 }

    /// Runs a statement that returns nothing.
    func run(_ sql: String, _ values: SQLiteValue...) throws(SQLiteError) {
        try each(sql, values) { _ in }
    }

    /// Runs a statement that returns nothing.
    func run(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) {
        try each(sql, values) { _ in }
    }

    /// Returns what the closure makes of the first row; nil if there is none.
    func first<Value>(
        _ sql: String,
        _ values: SQLiteValue...,
        as read: (SQLiteStatement) throws(SQLiteError) -> Value
    ) throws(SQLiteError) -> Value? {
        try all(sql, values, as: read).first
    }

    /// Returns what the closure makes of every row.
    func all<Value>(
        _ sql: String,
        _ values: SQLiteValue...,
        as read: (SQLiteStatement) throws(SQLiteError) -> Value
    ) throws(SQLiteError) -> [Value] {
        try all(sql, values, as: read)
    }

    /// Returns what the closure makes of every row.
    func all<Value>(
        _ sql: String,
        _ values: [SQLiteValue],
        as read: (SQLiteStatement) throws(SQLiteError) -> Value
    ) throws(SQLiteError) -> [Value] {
        var found: [Value] = []
        try each(sql, values) { (row) throws(SQLiteError) in
            found.append(try read(row))
        }
        return found
    }

    /// Whether there is a row.
    func exists(_ sql: String, _ values: SQLiteValue...) throws(SQLiteError) -> Bool {
        try !all(sql, values) { _ in }.isEmpty
    }

    /// Runs statements that are not kept, such as those that take effect when they are prepared.
    func execute(_ sql: String) throws(SQLiteError) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        if code != SQLITE_OK { throw failure(code) }
    }

    /// Sets whether a commit returns only when the disk has it.
    func setSynchronous(_ isSynchronous: Bool) throws(SQLiteError) {
        if self.isSynchronous == isSynchronous { return }
        // On Apple's platforms a flush reaches the disk itself only with the second setting; elsewhere it does nothing.
        let setting = isSynchronous ? "FULL; PRAGMA fullfsync = ON" : "NORMAL; PRAGMA fullfsync = OFF"
        try execute("PRAGMA synchronous = \(setting)")
        self.isSynchronous = isSynchronous
    }

    private func each(
        _ sql: String,
        _ values: [SQLiteValue],
        _ visit: (SQLiteStatement) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        let statement = try prepared(sql)
        defer { statement.reset() }
        statement.bind(values)
        while true {
            let code = statement.step()
            if code == SQLITE_DONE { break }
            guard code == SQLITE_ROW else { throw failure(code) }
            try visit(statement)
        }
        try countStatement()
    }

    private func prepared(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        if let statement = statements[sql] { return statement }
        guard let handle = unsafe handle else {
            throw SQLiteError(code: SQLITE_MISUSE, message: "the connection is closed")
        }
        var pointer: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &pointer, nil)
        guard code == SQLITE_OK, let pointer = unsafe pointer else { throw failure(code) }
        let statement = unsafe SQLiteStatement(pointer)
        statements[sql] = statement
        return statement
    }

    private func failure(_ code: Int32) -> SQLiteError {
        guard let handle = unsafe handle else { return SQLiteError(code: code, message: "out of memory") }
        return unsafe SQLiteError(code: code, message: String(cString: sqlite3_errmsg(handle)))
    }

    private func countStatement() throws(SQLiteError) {
        guard let left = statementsBeforeDeath else { return }
        statementsBeforeDeath = left - 1
        if left > 0 { return }
        close()
        throw SQLiteError(code: SQLITE_INTERRUPT, message: "the connection was ended by a test")
    }

    /// Closes the connection; a transaction that has begun is rolled back.
    func close() {
        statements = [:]
        unsafe sqlite3_close_v2(handle)
        unsafe handle = nil
    }
}
#endif
