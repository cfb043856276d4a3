extension Store {
    /// An account that references an address, as its own or through one of its identities.
    ///
    /// References to one address are ordered: the strongest first, and of equally strong ones the oldest account's.
    public struct EmailReference: Sendable, Hashable, Codable {
        /// How strongly an account is tied to an address.
        public enum Strength: Int, Sendable, Hashable, Codable, CaseIterable {
            /// One of the account's identities has the address.
            case identity = 0
            /// The address is the account's own, and nothing confirmed it.
            case own = 1
            /// The address is the account's own, and a provider or a mailed code confirmed it.
            case confirmed = 2
        }

        /// The account.
        public let account: AccountID
        /// When the account was created; a store may rely on it that this never changes.
        public let createdAt: Timestamp
        /// How strongly the account is tied to the address.
        public let strength: Strength

        /// Creates a reference with these values.
        public init(account: AccountID, createdAt: Timestamp, strength: Strength) {
            self.account = account
            self.createdAt = createdAt
            self.strength = strength
        }

        /// How many references a lookup finds, the first in their order, also those whose account is gone; the others
        /// are never read.
        public static let lookupLimit = 8
    }
}

extension Store.EmailReference: Comparable {
    /// Orders references: stronger ones first, then those of older accounts, then by the account's ID.
    public static func < (left: Self, right: Self) -> Bool {
        if left.strength != right.strength { return left.strength.rawValue > right.strength.rawValue }
        return (left.createdAt, left.account) < (right.createdAt, right.account)
    }
}

extension Store {
    /// A change of the non-unique index from addresses to the accounts that reference them.
    ///
    /// An account has one reference to an address, or none; a new one replaces it. It stays when the account is
    /// removed, unless the change ends it, too.
    public struct EmailReferenceChange: Sendable, Hashable, Codable {
        /// The address.
        public let email: EmailAddress
        /// The reference.
        public let reference: EmailReference
        /// Whether the account references the address after the change.
        public let isReferenced: Bool

        /// Creates a change with these values.
        public init(email: EmailAddress, reference: EmailReference, isReferenced: Bool) {
            self.email = email
            self.reference = reference
            self.isReferenced = isReferenced
        }
    }

    /// A list of accounts that reference an address, which must be as it was read.
    public struct EmailReferenceRead: Sendable, Hashable, Codable {
        /// The address.
        public let email: EmailAddress
        /// The version of the list that was read; see ``Snapshot/Answer/accounts(_:version:)``.
        public let version: UInt64

        /// Creates a precondition with these values.
        public init(email: EmailAddress, version: UInt64) {
            self.email = email
            self.version = version
        }
    }
}
