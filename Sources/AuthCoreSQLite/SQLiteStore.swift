#if SQLite
public import AuthCore
internal import AuthCoreSQL
internal import CSQLite

/// Keeps accounts, sessions, messages, events and the counts of attempts in one file.
///
/// One store serves a whole process, as the store of its accounts and of its attempts:
///
/// ```swift
/// func configuration(path: String, secretKey: [UInt8]) async throws -> AuthConfiguration {
///     let store = try await SQLiteStore(path: path)
///     return AuthConfiguration(store: store, secretKey: secretKey)
/// }
/// ```
///
/// Several processes on one machine may open the same file. Every failure is an `AuthError` with a message that says
/// what is wrong, and a ``SQLiteError`` as its cause if SQLite reported one. Its code is `storeUnavailable` if nothing
/// was changed, `canceled` if the task was canceled before that, and `outcomeUnknown` if the disk failed at a commit.
/// The store works again when the reason is gone.
public final class SQLiteStore: Sendable {
    /// The path of a database that ends with the store, for tests.
    public static let memory = ":memory:"

    let writer: Writer
    /// Nil for a database in memory, which only the connection sees that made it.
    let readers: Readers?
    let coder: RowCoder
    let options: Options
    let path: String

    /// Opens a database, and makes or migrates its tables.
    ///
    /// - Parameters:
    ///   - path: The file, or ``memory``.
    ///   - options: How it is opened.
    /// - Throws: `storeUnavailable` if it cannot be opened, belongs to another program, or was written by a newer
    ///   version of this library.
    public convenience init(path: String, options: Options = Options()) async throws(AuthError) {
        try await self.init(path: path, options: options, coder: RowCoder())
    }

    init(path: String, options: Options, coder: RowCoder) async throws(AuthError) {
        self.path = path
        self.options = options
        self.coder = coder
        do {
            // SQLite would make a file of its own, which is gone when it is closed.
            if path.isEmpty { throw SQLiteError(code: SQLITE_CANTOPEN, message: "the path is empty") }
            // Opening may wait for a disk or another process, so it has a thread of its own as well.
            let (writer, lanes) = try await Lane.opening { () throws -> (Lane, [Lane]) in
                let writer = Lane("writer", try SQLiteConnection.writer(path, options))
                if path == Self.memory { return (writer, []) }
                let readers = try (0..<max(1, options.readers)).map {
                    Lane("reader \($0)", try SQLiteConnection.reader(path, options))
                }
                return (writer, readers)
            }
            self.writer = Writer(writer, isSynchronous: options.synchronous == .full)
            readers = lanes.isEmpty ? nil : Readers(lanes)
        } catch {
            throw AuthError(opening: path, failure: error)
        }
    }

    /// Reads on a connection beside the writer's, from one moment of the database.
    func read<Value: Sendable>(
        _ work: @escaping @Sendable (SQLiteConnection) throws -> Value
    ) async throws(AuthError) -> Value {
        do {
            guard let readers else { return try await writer.write(work) }
            return try await readers.read(work)
        } catch {
            throw AuthError(reading: error)
        }
    }

    /// Writes in a transaction, which others may share.
    func write<Value: Sendable>(
        needsDisk: Bool = true,
        _ work: @escaping @Sendable (SQLiteConnection) throws -> Value
    ) async throws(AuthError) -> Value {
        do {
            return try await writer.write(needsDisk: needsDisk) { connection in
                // Another process may have migrated the database to a schema that this library does not know.
                _ = try SQLiteSchema.migrations.steps(after: connection.schemaVersion())
                return try work(connection)
            }
        } catch {
            throw AuthError(reading: error)
        }
    }
}

extension SQLiteStore {
    /// The SQL that makes the tables, or leads from an older schema to this version's, for a migration tool of your
    /// own.
    ///
    /// - Parameter version: The schema's version, `PRAGMA user_version`; 0 for an empty file.
    /// - Returns: Statements to be run in one transaction; empty if there are none.
    public static func schema(after version: Int = 0) -> String {
        let mark = "PRAGMA application_id = \(SQLiteSchema.applicationID);\n"
        let sql = try? SQLiteSchema.migrations.sql(after: version, setVersion: SQLiteSchema.setVersion)
        return (sql ?? "") + (version == 0 ? mark : "")
    }
}
#endif
