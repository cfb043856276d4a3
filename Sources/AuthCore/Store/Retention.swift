extension Store {
    /// What a store removes by itself, and when; the rest is removed by ``IdentityStore/sweep(at:limit:)`` or stays.
    public struct Retention: Sendable, Hashable {
        /// Which events the log keeps.
        public enum Events: Sendable, Hashable {
            /// All of them; an operator removes old ones.
            case all
            /// At least this many of the newest.
            case newest(Int)
            /// All that are younger than this.
            case lasting(Duration)
        }

        /// Which events the log keeps.
        public let events: Events
        /// How long the IDs of committed operations are remembered; at least a day.
        public let operations: Duration

        /// Creates a statement with these values.
        public init(events: Events, operations: Duration) {
            self.events = events
            self.operations = operations
        }
    }
}
