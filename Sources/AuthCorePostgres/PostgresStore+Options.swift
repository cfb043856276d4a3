#if !PostgreSQL
@available(*, unavailable, message: "turn on the trait PostgreSQL of auth-core to keep accounts in PostgreSQL")
#endif
extension PostgresStore {
    /// How a process uses its database.
    public struct Options: Sendable, Hashable {
        /// The schema that holds the tables: at most 63 lowercase letters, digits and underscores, not beginning with a
        /// digit or `pg_`.
        ///
        /// In statements of your own, put a keyword of SQL in quotes: `"user".readable_accounts`.
        public var schema = "authcore"
        /// How many connections the process opens at most, by default 8 and never more than 100; each is opened when it
        /// is first needed.
        public var connections = 8
        /// How long a statement may take before it is canceled, by default 10 seconds.
        public var statementTimeout = Duration.seconds(10)
        /// How long a statement may wait for a lock before it is canceled, by default 5 seconds.
        public var lockTimeout = Duration.seconds(5)
        /// How long an operation may wait for a connection of the process, by default 10 seconds.
        public var poolTimeout = Duration.seconds(10)
        /// How often a statement is sent again that a conflict, a lost connection or a server that does not write
        /// stopped, by default 5 times.
        public var retries = 5
        /// How many keys of each purpose have a count of attempts of their own, by default 262,144; the same number in
        /// every process.
        public var attemptCapacity = 262_144
        /// Whether a pooler, such as PgBouncer, gives each transaction any of its connections.
        ///
        /// Then nothing is prepared or set on a connection: give the role its time-outs with `ALTER ROLE … SET`.
        public var isPooledByTransaction = false
        /// Whether the tables are made or migrated when the database is opened; if not, an older schema is refused.
        public var migrates = true

        /// Each connection in use has up to two threads, and the system library gives a process 255 of these.
        static let mostConnections = 100

        /// Creates the default options.
        public init() {}
    }
}

#if PostgreSQL
/// What a connection is made of; it shows nothing of itself, since the connection string can contain a password.
struct Settings: Sendable, CustomStringConvertible, CustomReflectable {
    let connection: String
    let options: PostgresStore.Options

    var description: String { "Settings" }

    var customMirror: Mirror { Mirror(self, children: [:]) }
}
#endif
