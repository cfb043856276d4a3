extension Store {
    /// One thing that a decision must read.
    ///
    /// A record that is found includes its account, and a missing account its tombstone. No lookup depends on the
    /// result of another, so a store can answer all of them at once.
    public enum Lookup: Sendable, Hashable {
        /// An account by its ID; if it was deleted or merged, its tombstone.
        case account(AccountID)
        /// The account that owns a unique key.
        case owner(UniqueKey)
        /// The accounts that reference an address, as their own or through one of their identities.
        case referencing(EmailAddress)
        /// A session by its ID.
        case session(SessionID)
        /// A one-time record by its ID, with the account that it is about.
        case record(OneTimeRecordID)
        /// All sessions of an account.
        case sessions(of: Reference)
        /// All one-time records of one purpose about an account.
        case records(of: Reference, OneTimeRecord.Purpose)

        /// An account, by its ID or by a key that it owns.
        public enum Reference: Sendable, Hashable {
            /// The account with this ID.
            case account(AccountID)
            /// The account that owns this key.
            case owner(UniqueKey)
        }
    }

    /// Several lookups without duplicates, in the order in which they were added.
    ///
    /// A small array: a decision makes only a few lookups, and comparing them is faster than hashing them.
    public struct Lookups: Sendable, Hashable {
        private var all: [Lookup] = []

        /// Creates an empty list.
        public init() {}

        /// Creates a list of these lookups.
        public init(_ lookups: some Sequence<Lookup>) { for lookup in lookups { insert(lookup) } }

        /// Creates a list of these lookups, none of which equals another.
        package init(distinct lookups: [Lookup]) { all = lookups }

        /// Adds a lookup unless the list contains it.
        public mutating func insert(_ lookup: Lookup) {
            // Room for what most decisions read.
            if all.isEmpty { all.reserveCapacity(6) }
            if !all.contains(lookup) { all.append(lookup) }
        }

        /// Adds the lookups that the list does not contain.
        public mutating func insert(contentsOf lookups: some Sequence<Lookup>) {
            for lookup in lookups { insert(lookup) }
        }

        /// Returns the lookups of both lists.
        public func union(_ other: Lookups) -> Lookups {
            if all.isEmpty { return other }
            var both = self
            both.insert(contentsOf: other)
            return both
        }
    }
}

extension Lookups: RandomAccessCollection, ExpressibleByArrayLiteral {
    /// Creates a list of these lookups.
    public init(arrayLiteral lookups: Store.Lookup...) { self.init(lookups) }

    /// The index of the first lookup.
    public var startIndex: Int { 0 }

    /// The index after the last lookup.
    public var endIndex: Int { all.count }

    /// The lookup at an index.
    public subscript(place: Int) -> Store.Lookup { all[place] }
}
