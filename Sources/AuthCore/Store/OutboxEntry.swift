extension Store {
    /// A message to be sent, as stored.
    ///
    /// It does not contain the code: the service derives it from the message's ID and a key when it sends the message.
    public struct OutboxEntry: Sendable, Hashable, Codable {
        /// The ID of the message.
        public let id: OperationID
        /// The kind of message.
        public let kind: Message.Kind
        /// The recipient.
        public let recipient: Message.Recipient
        /// The one-time record that the code belongs to; it is revoked if the message cannot be sent.
        public let record: OneTimeRecordID
        /// The account it is about, if there is one.
        public let account: AccountID?
        /// The app's settings for its link.
        public let settings: Message.Settings?
        /// When the decision was made.
        public let createdAt: Timestamp
        /// Until when the service that commits the message has the first try.
        public let leasedUntil: Timestamp
        /// From when on the message is of no use; nil for never.
        public let expiresAt: Timestamp?

        /// Creates a message with these values.
        public init(
            id: OperationID,
            kind: Message.Kind,
            recipient: Message.Recipient,
            record: OneTimeRecordID,
            account: AccountID?,
            settings: Message.Settings?,
            createdAt: Timestamp,
            leasedUntil: Timestamp,
            expiresAt: Timestamp?
        ) {
            self.id = id
            self.kind = kind
            self.recipient = recipient
            self.record = record
            self.account = account
            self.settings = settings
            self.createdAt = createdAt
            self.leasedUntil = leasedUntil
            self.expiresAt = expiresAt
        }
    }
}
