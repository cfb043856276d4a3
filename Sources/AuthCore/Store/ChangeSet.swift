extension Store {
    /// Identifies one attempt to commit, so that a retry neither loses nor repeats it.
    public struct OperationID: RandomIdentifier {
        /// The bits of the ID.
        public let words: IdentifierWords

        /// Creates the ID with these bits.
        public init(words: IdentifierWords) { self.words = words }

        /// Creates an ID of the time and of half of these random bits: later ones are greater, so that a store's
        /// index of them grows at its end.
        init(at time: Timestamp, _ random: IdentifierWords) {
            words = IdentifierWords(high: UInt64(bitPattern: time.milliseconds), low: random.low)
        }
    }

    /// A key that at most one account can own.
    public enum UniqueKey: Sendable, Hashable, Codable {
        /// An identity at a provider.
        case identity(Identity.Key)
        /// A sign-in number.
        case phone(PhoneNumber)
        /// A primary address.
        case primaryEmail(EmailAddress)
    }

    /// Everything that one decision writes, and every precondition that must hold when it is written.
    ///
    /// A store writes all of it or nothing.
    public struct ChangeSet: Sendable, Hashable, Codable {
        /// The ID of the attempt.
        public let operation: OperationID
        /// When the decision was made.
        public let at: Timestamp
        /// The accounts to write, each once.
        public var accounts: [AccountWrite] = []
        /// The accounts that the decision read and did not write.
        public var reads: [AccountRead] = []
        /// The lists of accounts referencing an address that the decision read.
        public var referenceReads: [EmailReferenceRead] = []
        /// The rule that the keys and references of addresses follow; nil if the change has none.
        public var keyRule: KeyRule?
        /// The unique keys to take, release, or find unchanged.
        public var keys: [KeyChange] = []
        /// The changes of the non-unique index from referenced addresses to accounts, in the order of this list.
        public var references: [EmailReferenceChange] = []
        /// The changes of one-time records, in the order of this list; none puts the same record twice.
        public var records: [OneTimeRecordChange] = []
        /// The changes of session rows, in the order of this list; none inserts the same row twice.
        public var sessions: [SessionChange] = []
        /// The sign-ins to record; they do not change an account's version.
        public var signIns: [SignInRecord] = []
        /// The events to add to the log, in the order of this list.
        public var events: [IdentityEvent] = []
        /// The messages to send once the change is written; each has an ID that no message had before.
        public var messages: [OutboxEntry] = []

        /// Creates an empty change.
        public init(operation: OperationID, at: Timestamp) {
            self.operation = operation
            self.at = at
        }

        /// Whether there is nothing to write.
        public var isEmpty: Bool {
            accounts.isEmpty && records.isEmpty && sessions.isEmpty && signIns.isEmpty && events.isEmpty
                && messages.isEmpty && keys.isEmpty && references.isEmpty
        }
    }

    /// One account to write; by reference, since changes are copied often.
    public indirect enum AccountWrite: Sendable, Hashable, Codable {
        /// A new account; no account with this ID may exist.
        case create(Account)
        /// A new value of the account; its version is the one after `expected`.
        case update(Account, expected: UInt64)
        /// The account is removed.
        case remove(AccountID, expected: UInt64)

        /// The account that is written.
        public var id: AccountID {
            switch self {
            case .create(let account), .update(let account, _): account.id
            case .remove(let id, _): id
            }
        }
    }

    /// An account that must still have the version that was read.
    public struct AccountRead: Sendable, Hashable, Codable {
        /// The account.
        public let id: AccountID
        /// The version that was read.
        public let version: UInt64

        /// Creates a precondition with these values.
        public init(id: AccountID, version: UInt64) {
            self.id = id
            self.version = version
        }
    }

    /// A change of a unique key: the owner it must have before, and the owner after; nothing is written if both are
    /// one.
    public struct KeyChange: Sendable, Hashable, Codable {
        /// The key.
        public let key: UniqueKey
        /// The owner that it must have when the change is written; nil for none.
        public let expected: AccountID?
        /// The owner after the change; nil for none.
        public let owner: AccountID?

        /// Creates a change of a key's owner, or a precondition if the owner stays the same.
        public init(_ key: UniqueKey, from expected: AccountID?, to owner: AccountID?) {
            self.key = key
            self.expected = expected
            self.owner = owner
        }
    }

    /// A change of one-time records.
    public enum OneTimeRecordChange: Sendable, Hashable, Codable {
        /// Inserts the record; no record with its ID may exist.
        case put(OneTimeRecord)
        /// Replaces the record, which must exist; the new one may be about another account and for another purpose.
        case replace(OneTimeRecord)
        /// Consumes the record, which must exist.
        case consume(OneTimeRecordID)
        /// Removes the record if it exists.
        case revoke(OneTimeRecordID)
        /// Removes all records about the account with these purposes.
        case revokeAll(AccountID, [OneTimeRecord.Purpose])
    }

    /// A change of session rows.
    ///
    /// A case with a row holds it by reference, since changes are copied often.
    public enum SessionChange: Sendable, Hashable, Codable {
        /// Inserts a row.
        indirect case put(Session)
        /// Updates a row, whose refresh token must have been exchanged exactly this many times.
        ///
        /// No change set updates a session that it ends.
        indirect case update(Session, refreshCount: UInt32)
        /// Ends the session, if it exists.
        case end(SessionID)
        /// Ends all sessions of the account except this one.
        case endAll(AccountID, except: SessionID?)
        /// Ends the sessions of the account that were unused longest, by `activeAt` and then by ID, until this many are
        /// left; never the last one named. That one counts, and so do those that have expired.
        case endUnused(AccountID, keeping: Int, besides: SessionID)
    }

    /// A sign-in to record.
    ///
    /// Of two the one that is recorded last counts, whatever their times are: the clocks of servers differ.
    public struct SignInRecord: Sendable, Hashable, Codable {
        /// The account that was signed in to.
        public let account: AccountID
        /// When the sign-in happened.
        public let at: Timestamp

        /// Creates a record with these values.
        public init(account: AccountID, at: Timestamp) {
            self.account = account
            self.at = at
        }
    }
}
