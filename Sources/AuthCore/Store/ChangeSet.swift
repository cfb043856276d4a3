extension Store {
    /// Names one attempt to commit, so that asking "did it go through?" neither loses nor doubles it.
    public struct OperationID: RandomIdentifier {
        /// The bits themselves.
        public let words: IdentifierWords

        /// Makes the identifier with these bits.
        public init(words: IdentifierWords) { self.words = words }
    }
}

extension Store {
    /// A key that one account at most may own.
    public enum UniqueKey: Sendable, Hashable, Codable {
        /// An identity at a provider.
        case identity(IdentityKey)
        /// A sign-in number.
        case phone(PhoneNumber)
        /// A primary address.
        case primaryEmail(EmailAddress)
    }
}

extension Store {
    /// Everything that one decision changes, with everything that must still be true when it is written.
    ///
    /// A store writes all of it or nothing.
    public struct ChangeSet: Sendable, Hashable, Codable {
        /// Names the attempt.
        public let operation: OperationID
        /// The time the decision was made at.
        public let at: Timestamp
        /// The accounts to write.
        public package(set) var accounts: [AccountWrite] = []
        /// The accounts that the decision read and did not write.
        public package(set) var reads: [AccountRead] = []
        /// The unique keys to take, give back, or find unchanged.
        public package(set) var keys: [KeyChange] = []
        /// Changes of the plain index from mentioned addresses to accounts.
        public package(set) var references: [EmailReferenceChange] = []
        /// The one-time things to make, use up and revoke.
        public package(set) var records: [OneTimeRecordChange] = []
        /// The session rows to put, re-stamp and end.
        public package(set) var sessions: [SessionChange] = []
        /// Sign-ins to record; they do not move an account's version.
        public package(set) var signIns: [SignInRecord] = []
        /// What the log gets.
        public package(set) var events: [IdentityEvent] = []
        /// What is to be sent once the change is written.
        public package(set) var messages: [OutboxEntry] = []

        package init(operation: OperationID, at: Timestamp) {
            self.operation = operation
            self.at = at
        }

        /// Whether there is nothing to write.
        public var isEmpty: Bool {
            accounts.isEmpty && records.isEmpty && sessions.isEmpty && signIns.isEmpty && events.isEmpty
                && messages.isEmpty && keys.isEmpty && references.isEmpty
        }
    }
}

extension Store {
    /// One account to write; by reference, since changes are handed on often.
    public indirect enum AccountWrite: Sendable, Hashable, Codable {
        /// A new account; no account of this id may exist.
        case create(Account)
        /// A new value for the account; its version is the one after `expected`.
        case update(Account, expected: UInt64)
        /// The account goes.
        case remove(AccountID, expected: UInt64)

        /// The account that is written.
        public var id: AccountID {
            switch self {
            case .create(let account), .update(let account, _): account.id
            case .remove(let id, _): id
            }
        }
    }
}

extension Store {
    /// An account that must still have the version that was read.
    public struct AccountRead: Sendable, Hashable, Codable {
        /// The account.
        public let id: AccountID
        /// The version that was read.
        public let version: UInt64

        package init(id: AccountID, version: UInt64) {
            self.id = id
            self.version = version
        }
    }
}

extension Store {
    /// A unique key: who must own it before, and who owns it after.
    public struct KeyChange: Sendable, Hashable, Codable {
        /// The key.
        public let key: UniqueKey
        /// Who must own it when the change is written; nil for nobody.
        public let expected: AccountID?
        /// Who owns it then; nil for nobody.
        public let owner: AccountID?

        package init(_ key: UniqueKey, from expected: AccountID?, to owner: AccountID?) {
            self.key = key
            self.expected = expected
            self.owner = owner
        }
    }
}

extension Store {
    /// A change of the plain index from addresses to the accounts that mention them.
    public struct EmailReferenceChange: Sendable, Hashable, Codable {
        /// The address.
        public let email: EmailAddress
        /// The account.
        public let account: AccountID
        /// Whether the account mentions it from now on.
        public let isReferenced: Bool

        package init(email: EmailAddress, account: AccountID, isReferenced: Bool) {
            self.email = email
            self.account = account
            self.isReferenced = isReferenced
        }
    }
}

extension Store {
    /// What happens to one-time things.
    public enum OneTimeRecordChange: Sendable, Hashable, Codable {
        /// Keep it; nothing may be kept under its key yet.
        case put(OneTimeRecord)
        /// Put a new value in place of the one that must be there.
        case replace(OneTimeRecord)
        /// Use it up; it must still be there.
        case consume(OneTimeRecordID)
        /// Take it away if it is there.
        case revoke(OneTimeRecordID)
        /// Take away all of these purposes that are about the account.
        case revokeAll(AccountID, [OneTimeRecord.Purpose])
    }
}

extension Store {
    /// What happens to session rows; by reference, as accounts are.
    public indirect enum SessionChange: Sendable, Hashable, Codable {
        /// A new row.
        case put(Session)
        /// A new value for a row whose refresh token must have been exchanged so often, and no oftener.
        case update(Session, refreshCount: UInt32)
        /// A row goes, if it is there.
        case end(SessionID)
        /// All rows of the account go but this one.
        case endAll(AccountID, except: SessionID?)
    }
}

extension Store {
    /// A sign-in to record.
    public struct SignInRecord: Sendable, Hashable, Codable {
        /// Who signed in.
        public let account: AccountID
        /// When.
        public let at: Timestamp

        package init(account: AccountID, at: Timestamp) {
            self.account = account
            self.at = at
        }
    }
}
