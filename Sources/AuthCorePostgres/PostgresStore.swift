#if PostgreSQL
public import AuthCore
internal import AuthCoreSQL
internal import Synchronization

/// Keeps accounts, sessions, messages, events and the counts of attempts in a PostgreSQL database.
///
/// One store serves a whole process, as the store of its accounts and of its attempts; any number of processes may use
/// one database:
///
/// ```swift
/// func configuration(secretKey: [UInt8]) async throws -> AuthConfiguration {
///     let store = try await PostgresStore("host=db.example dbname=accounts user=authcore sslmode=verify-full")
///     return AuthConfiguration(store: store, secretKey: secretKey)
/// }
/// ```
///
/// A load is one statement, and a commit is one call of a function in the database. Every failure is an `AuthError`
/// with a ``PostgresError`` as its cause, but for a cancellation. Its code is `storeUnavailable` if no account was
/// changed, `canceled` if the task was canceled before that, and `outcomeUnknown` if the connection was lost during a
/// commit and could not be made again to find out.
public final class PostgresStore: Sendable {
    let options: Options
    let schema: Schema
    let coder: RowCoder
    let migrations: Migrations
    /// What was seen or written last in buckets of attempts that were used lately; a guess that the database corrects.
    let seenAttempts = Mutex<[AttemptTable.BucketID: [UInt8]]>([:])
    /// The attempts that wait to be counted.
    let attemptLine = AttemptLine()
    private let pool: ConnectionPool

    /// Connects to a database, and makes or migrates its tables.
    ///
    /// - Parameters:
    ///   - connection: A connection string or URI of libpq, which completes it from its environment variables and
    ///     password file; empty for what they say alone.
    ///   - options: How the database is used.
    /// - Throws: `storeUnavailable` if the database cannot be reached or used, or was migrated by a newer version of
    ///   this library.
    public convenience init(_ connection: String = "", options: Options = Options()) async throws(AuthError) {
        try await self.init(connection, options: options, migrations: Schema.migrations)
    }

    init(
        _ connection: String,
        options: Options,
        coder: RowCoder = RowCoder(),
        migrations: Migrations = Schema.migrations
    ) async throws(AuthError) {
        guard let schema = Schema(name: options.schema) else {
            throw AuthError(PostgresError(.invalidSettings, "\(options.schema) is not a name for a schema."))
        }
        self.options = options
        self.schema = schema
        self.coder = coder
        self.migrations = migrations
        pool = ConnectionPool(Settings(connection: connection, options: options))
        do throws(PostgresError) {
            try await open()
        } catch {
            throw AuthError(error)
        }
    }

    /// Runs work on a connection of the process.
    func withConnection<Value>(
        _ work: (Connection) async throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        do throws(PostgresError) {
            return try await pool.withConnection(work)
        } catch {
            if error.sqlState == "57014", Task.isCancelled { throw .canceledBefore }
            throw error
        }
    }

    /// Runs a statement that may be sent again: it only reads, or the database recognizes it.
    ///
    /// `onLoss` is called when the connection is lost, before it is sent again.
    func send(
        _ statement: String,
        _ parameters: [Parameter],
        onLoss: () -> Void = {}
    ) async throws(PostgresError) -> [Row] {
        var (failures, lost): (Int, PostgresError?) = (0, nil)
        while true {
            do throws(PostgresError) {
                return try await withConnection { (connection) throws(PostgresError) in
                    try await connection.run(statement, parameters)
                }
            } catch {
                failures += 1
                if error.kind == .connectionLost {
                    lost = error
                    onLoss()
                }
                // A server that is restarted lets no one in for a while.
                let isAway = lost != nil && error.kind == .unreachable
                // What was sent over a connection that was lost may have been done, whatever failed afterwards.
                guard error.isTemporary || isAway, failures <= options.retries else {
                    if let lost { throw lost }
                    throw await explained(error, of: statement)
                }
                // Growing, jittered waits, so that those that met do not meet again. A wait fails only if its task is
                // canceled: then nothing was written, unless a connection was lost with the statement.
                let wait = Duration.milliseconds(Int.random(in: 0...(1 << min(failures + 1, 8))))
                if (try? await Task.sleep(for: wait)) == nil { throw lost ?? .canceledBefore }
            }
        }
    }

    /// Runs a statement of the store's contract that may be sent again.
    func run(_ statement: String, _ parameters: [Parameter]) async throws(AuthError) -> [Row] {
        do throws(PostgresError) {
            return try await send(statement, parameters)
        } catch {
            throw AuthError(error)
        }
    }

    /// Reads the record of a row.
    func decode<Record: Store.StoredRecord>(
        _ bytes: [UInt8]?,
        as type: Record.Type = Record.self
    ) throws(AuthError) -> Record {
        do throws(PostgresError) {
            return try coder.read(bytes)
        } catch {
            throw AuthError(error)
        }
    }
}

extension RowCoder {
    /// Reads the record of a row.
    func read<Record: Store.StoredRecord>(
        _ bytes: [UInt8]?,
        as type: Record.Type = Record.self
    ) throws(PostgresError) -> Record {
        do throws(Store.RecordError) {
            guard let bytes else { throw .malformed }
            return try decode(type, from: bytes)
        } catch {
            throw PostgresError(.damagedRecord, "A row of the kind \(Record.recordKind.rawValue) is \(error).")
        }
    }
}

extension AuthError {
    /// The error of a store that wrote nothing, as far as is known.
    init(_ error: PostgresError) {
        if error.kind == .canceled {
            self.init(.canceled, cause: CancellationError())
        } else {
            // What was sent over a connection that was lost may have been done.
            let rest = error.kind == .connectionLost ? "" : " Nothing was changed."
            self.init(.storeUnavailable, message: error.explanation + rest, cause: error)
        }
    }
}
#endif
