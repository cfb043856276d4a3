/// Keeps accounts, sessions, one-time things, events and messages; every rule lives elsewhere.
///
/// A store loads what a decision reads and writes what it decided, all of it or nothing. The conformance suite in
/// AuthCoreTesting says precisely what that means.
public protocol IdentityStore: Sendable {
    /// Finds what every lookup names, as it was at one moment.
    func load(_ lookups: Store.Lookups) async throws -> Store.Snapshot

    /// Writes the whole change if everything it expects holds, and nothing otherwise.
    func commit(_ changes: Store.ChangeSet) async throws -> Store.CommitOutcome

    /// The accounts after this id, in order of their ids.
    func accounts(after: AccountID?, limit: Int) async throws -> [Account]

    /// The events after this place in the log, oldest first.
    func events(after sequence: UInt64, limit: Int) async throws -> Store.EventPage

    /// The messages that are still to be sent, oldest first.
    func pendingMessages(limit: Int) async throws -> [Store.OutboxEntry]

    /// Takes messages off that list, because they were sent or given up.
    func settleMessages(_ ids: [Store.OperationID]) async throws

    /// Removes what has expired, at most so much of it.
    func sweep(at now: Timestamp, limit: Int) async throws -> Store.SweepReport
}

extension Store {
    /// What became of a commit.
    public enum CommitOutcome: Sendable, Hashable, Codable {
        /// It was written; this is the last event's place in the log, or the log's end where it had none.
        case committed(sequence: UInt64)
        /// It was not written because this no longer holds.
        case violated(Precondition)
        /// This operation was written before, then with this place in the log.
        case duplicate(sequence: UInt64)
    }
}

extension Store {
    /// What a commit expected and did not find.
    public enum Precondition: Sendable, Hashable, Codable {
        /// The account has the version that was read.
        case version(AccountID)
        /// No account of this id exists.
        case absent(AccountID)
        /// The key has the owner that was read.
        case owner(UniqueKey)
        /// The one-time thing is still there, or not there yet.
        case record(OneTimeRecordID)
        /// The session row is still there, or not there yet.
        case session(SessionID)
    }
}

extension Store {
    /// A stretch of the event log.
    public struct EventPage: Sendable, Hashable {
        /// The events, oldest first.
        public let events: [IdentityEvent]
        /// The oldest place that the log still holds; what came before is gone.
        public let oldest: UInt64

        /// A page with these events.
        public init(events: [IdentityEvent], oldest: UInt64) {
            self.events = events
            self.oldest = oldest
        }
    }
}

extension Store {
    /// What a sweep removed.
    public struct SweepReport: Sendable, Hashable {
        /// How many expired one-time things went.
        public var records: Int
        /// How many expired sessions went.
        public var sessions: Int
        /// How many accounts went; a store leaves it 0, since that is for the rules.
        public var accounts = 0
        /// The last account that was looked at, where there are more; a store leaves it nil.
        public var lastAccount: AccountID?
        /// Whether everything that had expired went; false where the limit may have left some.
        public var isComplete: Bool

        /// A report with these counts.
        public init(records: Int = 0, sessions: Int = 0, isComplete: Bool = true) {
            self.records = records
            self.sessions = sessions
            self.isComplete = isComplete
        }
    }
}
