#if !SQLite
public import AuthCore

/// Keeps accounts, sessions, messages, events and the counts of attempts in one file.
@available(*, unavailable, message: "turn on the trait SQLite of auth-core to keep accounts in a file")
public final class SQLiteStore {
    /// Opens a database.
    public init(path: String, options: Options = Options()) async throws(AuthError) {
        throw AuthError(.storeUnavailable)
    }
}
#endif
