extension Store {
    /// A message in the outbox, and how far its delivery has come.
    public struct QueuedMessage: Sendable, Hashable, Codable {
        /// The message.
        public let entry: OutboxEntry
        /// How often it was leased, counting the lease it was written with.
        public var tries: Int
        /// When it can be leased; nil if it was given up.
        public var dueAt: Timestamp?

        /// Creates a message with these values.
        public init(_ entry: OutboxEntry, tries: Int, dueAt: Timestamp?) {
            self.entry = entry
            self.tries = tries
            self.dueAt = dueAt
        }

        /// The message as a commit writes it: leased once, by the service that commits it.
        public init(_ entry: OutboxEntry) { self.init(entry, tries: 1, dueAt: entry.leasedUntil) }
    }

    /// Whether a message is still to be sent.
    public enum DeliveryStatus: String, Sendable, Hashable, Codable, CaseIterable {
        /// It is leased, or waits for its next try.
        case waiting
        /// It was given up, and an operator has not settled it yet.
        case failed
    }
}

extension Store.QueuedMessage {
    /// Whether it is still to be sent.
    public var status: Store.DeliveryStatus { dueAt == nil ? .failed : .waiting }
}
