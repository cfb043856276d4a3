#if !PostgreSQL
@available(*, unavailable, message: "turn on the trait PostgreSQL of auth-core to keep accounts in PostgreSQL")
#endif
extension PostgresStore {
    /// How far readers of events are behind what was committed.
    public struct EventLag: Sendable, Hashable {
        /// How many transaction numbers the whole server has given from the oldest transaction that still runs to the
        /// last that has ended; 0 if none has ended since.
        public let transactions: Int
        /// For how long the oldest transaction that writes has been running; readers wait for it.
        ///
        /// Zero if there is none, or if the role may not see it: grant it `pg_read_all_stats`.
        public let age: Duration
    }
}
