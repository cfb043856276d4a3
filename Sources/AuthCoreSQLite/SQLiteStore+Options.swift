public import AuthCore

#if !SQLite
@available(*, unavailable, message: "turn on the trait SQLite of auth-core to keep accounts in a file")
#endif
extension SQLiteStore {
    /// How a database is opened.
    public struct Options: Sendable {
        /// When a commit returns.
        public enum Synchronous: Sendable, Hashable, CaseIterable {
            /// When the disk has it: a failure of power loses nothing that was answered.
            case full
            /// When the operating system has it: a failure of power may lose the last commits, each of them whole.
            ///
            /// The end of the process loses nothing. What is lost may be a removed method, an ended session or a used
            /// code, which is why this is not the default. Readers of events miss nothing that is written afterwards:
            /// from now on, every store that opens the file begins a new incarnation of positions.
            case normal
        }

        /// When a commit returns.
        public var synchronous = Synchronous.full
        /// How many connections read beside the one that writes: by default 4, at least 1.
        public var readers = 4
        /// How long to wait for another process that writes, by default 5 seconds.
        public var busyTimeout = Duration.seconds(5)
        /// Which events the log keeps, by default all; others are removed as new ones are written.
        public var events = Store.Retention.Events.all
        /// Whether the tables are migrated when the database is opened; if not, an older schema is refused.
        public var migrates = true

        /// Creates the default options.
        public init() {}
    }
}
