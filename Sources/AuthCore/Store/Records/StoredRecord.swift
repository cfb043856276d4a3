extension Store {
    /// A value that a store keeps as one record.
    public protocol StoredRecord: Codable, Sendable {
        /// The name of its kind, which the record carries.
        static var recordKind: RecordKind { get }
    }
}

extension Store {
    /// What a record holds; the raw value is what the record says.
    public enum RecordKind: String, Sendable, Hashable, CaseIterable {
        /// An account.
        case account
        /// A session.
        case session
        /// A one-time thing.
        case record
        /// An entry of the event log.
        case event
        /// A message in the outbox.
        case message
        /// Everything that one decision changes, for logs.
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
    /// A one-time thing.
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
    /// Everything that one decision changes.
    public static var recordKind: Store.RecordKind { .changeSet }
}
