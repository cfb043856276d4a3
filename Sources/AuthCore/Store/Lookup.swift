extension Store {
    /// One thing that a decision must see.
    ///
    /// A found record brings its account, and an account that is gone brings what became of it; nothing else depends on what
    /// another lookup finds, so a store can answer all of them at once.
    public enum Lookup: Sendable, Hashable {
        /// An account by its id; for one that is gone, its tombstone.
        case account(AccountID)
        /// The account that owns a unique key.
        case owner(UniqueKey)
        /// The accounts that show an address, as their own or by one of their identities.
        case referencing(EmailAddress)
        /// A session by its id.
        case session(SessionID)
        /// A one-time record by its id, with the account that it is about.
        case record(OneTimeRecordID)
        /// All sessions of an account.
        case sessions(of: Reference)
        /// All one-time records of one purpose about an account.
        case records(of: Reference, OneTimeRecord.Purpose)

        /// An account, by its id or by a key that it owns.
        public enum Reference: Sendable, Hashable {
            /// The account with this id.
            case account(AccountID)
            /// The account that owns this key.
            case owner(UniqueKey)
        }
    }
}

extension Store {
    /// Several lookups, each once, in the order in which they were asked for.
    ///
    /// A small array: a decision asks for a handful, and comparing them costs less than hashing them.
    public struct Lookups: Sendable, Hashable {
        private var all: [Lookup] = []

        /// No lookups.
        public init() {}

        /// These lookups.
        public init(_ lookups: some Sequence<Lookup>) {
            for lookup in lookups { insert(lookup) }
        }

        /// Adds a lookup if it is not there.
        public mutating func insert(_ lookup: Lookup) {
            if !all.contains(lookup) { all.append(lookup) }
        }

        /// Adds the lookups that are not there.
        public mutating func insert(contentsOf lookups: some Sequence<Lookup>) {
            for lookup in lookups { insert(lookup) }
        }

        /// All of both.
        public func union(_ other: Lookups) -> Lookups {
            if all.isEmpty { return other }
            var both = self
            both.insert(contentsOf: other)
            return both
        }
    }
}

extension Lookups: RandomAccessCollection, ExpressibleByArrayLiteral {
    /// These lookups.
    public init(arrayLiteral lookups: Store.Lookup...) { self.init(lookups) }

    /// The place of the first lookup.
    public var startIndex: Int { 0 }

    /// The place behind the last lookup.
    public var endIndex: Int { all.count }

    /// The lookup at a place.
    public subscript(place: Int) -> Store.Lookup { all[place] }
}
