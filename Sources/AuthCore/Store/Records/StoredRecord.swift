extension Store {
    /// A value that is stored as one record.
    public protocol StoredRecord: Codable, Sendable {
        /// The kind of the record, which the record contains.
        static var recordKind: RecordKind { get }
    }

    /// The kind of a record; the raw value is its name in the record.
    public enum RecordKind: String, Sendable, Hashable, CaseIterable {
        /// An account.
        case account
        /// A session.
        case session
        /// A one-time record.
        case record
        /// An entry of the event log.
        case event
        /// A message in the outbox.
        case message
        /// Everything that one decision writes, for logs.
        case changeSet
    }
}

extension Account: StoredRecord {
    /// An account.
    public static var recordKind: Store.RecordKind { .account }
}

extension Session: StoredRecord {
    /// A session.
    public static var recordKind: Store.RecordKind { .session }
}

extension OneTimeRecord: StoredRecord {
    /// A one-time record.
    public static var recordKind: Store.RecordKind { .record }
}

extension IdentityEvent: StoredRecord {
    /// An entry of the event log.
    public static var recordKind: Store.RecordKind { .event }
}

extension OutboxEntry: StoredRecord {
    /// A message in the outbox.
    public static var recordKind: Store.RecordKind { .message }
}

extension ChangeSet: StoredRecord {
    /// Everything that one decision writes.
    public static var recordKind: Store.RecordKind { .changeSet }
}
