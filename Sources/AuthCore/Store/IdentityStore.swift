/// Stores accounts, sessions, one-time records, events and messages; it applies no rules.
///
/// A store loads what a decision reads and writes what it decided, all of it or nothing. What is read back is what was
/// written, byte for byte, and a page is shorter than its limit only where nothing follows. What it returns depends on
/// no clock of its own, except for how long it remembers operations: every time is that of the caller. The conformance
/// suite in AuthCoreTesting defines this precisely.
///
/// Any function may throw any error. An operation that cannot go on without the answer then fails: with
/// ``AuthErrorCode/canceled`` for a `CancellationError`, with the code of an ``AuthError``, and otherwise with
/// ``AuthErrorCode/storeUnavailable`` and the error as the cause. Only ``commit(_:)`` differs.
public protocol IdentityStore: Sendable {
    /// What the store removes by itself, and when.
    var retention: Store.Retention { get }

    /// Returns what every lookup finds, all at the same moment.
    func load(_ lookups: Store.Lookups) async throws -> Store.Snapshot

    /// Writes the whole change if all its preconditions hold, and nothing otherwise.
    ///
    /// - Parameter changes: The change and its preconditions.
    /// - Returns: Whether it was written, or which precondition does not hold.
    /// - Throws: Any error. The service then sends the same change again, at most three times, since it may have been
    ///   written; if each of them fails, the operation throws ``AuthErrorCode/outcomeUnknown``. If the first error is
    ///   an ``AuthError``, it is final: it says that the change was not written, or that nothing more can be found out.
    func commit(_ changes: Store.ChangeSet) async throws -> Store.CommitOutcome

    /// Returns the accounts after this ID, ordered by ID.
    func accounts(after: AccountID?, limit: Int) async throws -> [Account]

    /// Returns the accounts for which something is due by this time, the longest due first, and by ID where that is
    /// equal.
    ///
    /// It finds them by an index on `Account.dueAt`. A reader pages by the last account of the page before, as it was
    /// read, and so with a time: it may be due at another time since, or be gone. An account whose record cannot be
    /// read may be there with only its ID and its time, so that it holds up no other.
    func accounts(dueBy now: Timestamp, after: Account?, limit: Int) async throws -> [Account]

    /// Returns the events after this position, in the order in which they became visible.
    ///
    /// A reader who goes on from the last position of a page misses no event. Its end is that of the log: a reader goes
    /// on from there only after a page that the limit did not cut.
    func events(after position: IdentityEvent.Position, limit: Int) async throws -> Store.EventPage

    /// Hands out messages that are due, the longest due first, and keeps them from all other callers until this time.
    ///
    /// Each lease counts as a try; a message is written with its first lease, which ends at `OutboxEntry.leasedUntil`.
    func leaseMessages(at now: Timestamp, until end: Timestamp, limit: Int) async throws -> [Store.QueuedMessage]

    /// Ends the lease of a message that was not sent: it is due again at this time, or is given up if there is none.
    ///
    /// The first lease is that of the writer, with one try. Nothing happens if the number of tries differs, because the
    /// message was leased again, or if it was given up.
    func endLease(of id: Store.OperationID, tries: Int, dueAt: Timestamp?) async throws

    /// Removes messages from the outbox, because they were sent or because an operator settled them.
    func settleMessages(_ ids: [Store.OperationID]) async throws

    /// Returns the messages with this status after this ID, ordered by ID; for operators.
    func messages(
        _ status: Store.DeliveryStatus,
        after id: Store.OperationID?,
        limit: Int
    ) async throws -> [Store.QueuedMessage]

    /// Removes expired records and sessions, up to the limit; until then they are found like others.
    ///
    /// Nothing else is removed but events that the log need not keep, which do not count.
    func sweep(at now: Timestamp, limit: Int) async throws -> Store.SweepReport

    /// Whether what is written outlives the process; true unless the store says otherwise.
    ///
    /// A service uses a durable store only with a secret key that was given to it.
    var isDurable: Bool { get }
}

extension IdentityStore {
    /// True: what is stored is expected to last.
    public var isDurable: Bool { true }
}

extension Store {
    /// The result of a commit.
    public enum CommitOutcome: Sendable, Hashable, Codable {
        /// It was written.
        case committed
        /// It was not written because this precondition does not hold.
        case violated(Precondition)
        /// The operation was written before.
        case duplicate
    }

    /// A precondition of a commit.
    public enum Precondition: Sendable, Hashable, Codable {
        /// The keys of addresses in the store follow the rule of the change; a store without one adopts it.
        ///
        /// A violation names the rule of the store.
        case keyRule(Store.KeyRule)
        /// The account has the version that was read.
        case version(AccountID)
        /// No account of this ID exists.
        case absent(AccountID)
        /// The key has the owner that was read.
        case owner(UniqueKey)
        /// The list of accounts that reference the address is the one that was read.
        case references(EmailAddress)
        /// The one-time record still exists, or does not exist yet.
        case record(OneTimeRecordID)
        /// The session row still exists, or does not exist yet.
        case session(SessionID)
    }

    /// A page of the event log.
    public struct EventPage: Sendable, Hashable {
        /// The events, in the order of their positions.
        public let events: [IdentityEvent]
        /// The position up to which events were removed from the log; `.start` if none was.
        public let removed: IdentityEvent.Position
        /// The end of the log when the page was read, not that of the page: also where the page ends at its limit.
        ///
        /// Every event that was visible then is at or before it, and every one that becomes visible later is behind
        /// it. It never moves back, even where all events are removed.
        public let end: IdentityEvent.Position

        /// Creates a page with these events.
        public init(events: [IdentityEvent], removed: IdentityEvent.Position = .start, end: IdentityEvent.Position) {
            self.events = events
            self.removed = removed
            self.end = end
        }
    }

    /// What a sweep removed.
    public struct SweepReport: Sendable, Hashable {
        /// How many expired one-time records were removed.
        public var records: Int
        /// How many expired sessions were removed.
        public var sessions: Int
        /// How many accounts were removed; a store leaves it 0, since the service removes accounts.
        public var accounts = 0
        /// How many accounts were looked at and stay; a store leaves it 0.
        var kept = 0
        /// Whether everything expired was removed; false if the limit may have left some.
        public var isComplete: Bool

        /// Whether nothing was removed or looked at.
        var isEmpty: Bool { records + sessions + accounts + kept == 0 }

        /// Creates a report with these counts.
        public init(records: Int = 0, sessions: Int = 0, isComplete: Bool = true) {
            self.records = records
            self.sessions = sessions
            self.isComplete = isComplete
        }
    }
}
