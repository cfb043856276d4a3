#if !PostgreSQL
public import AuthCore

/// Keeps accounts, sessions, messages, events and the counts of attempts in a PostgreSQL database.
@available(*, unavailable, message: "turn on the trait PostgreSQL of auth-core to keep accounts in PostgreSQL")
public final class PostgresStore {
    /// Connects to a database.
    public init(_ connection: String = "", options: Options = Options()) async throws(AuthError) {
        throw AuthError(.storeUnavailable)
    }
}
#endif
