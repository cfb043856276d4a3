extension IdentityEvent {
    /// A place in the event log: opaque to readers, and ordered in the order in which events become visible.
    ///
    /// A store makes positions of up to three numbers, of which the first differing one decides. There may be gaps.
    public struct Position: Sendable, Hashable {
        /// Raised when the store is restored from a copy, so that later positions are greater than those that were
        /// lost.
        public let incarnation: UInt64
        /// The transaction that wrote the event, in a store that has such numbers.
        public let transaction: UInt64
        /// The number of the event.
        public let number: UInt64

        /// Creates the position of these numbers.
        public init(incarnation: UInt64 = 0, transaction: UInt64 = 0, number: UInt64) {
            self.incarnation = incarnation
            self.transaction = transaction
            self.number = number
        }

        /// The position before the first event.
        public static let start = Position(number: 0)
    }
}

extension IdentityEvent.Position: Comparable, CodableText {
    /// Orders positions as events became visible.
    public static func < (left: Self, right: Self) -> Bool {
        (left.incarnation, left.transaction, left.number) < (right.incarnation, right.transaction, right.number)
    }

    /// The position as text, to keep beside what was read up to it.
    public var description: String { "\(incarnation).\(transaction).\(number)" }

    /// Reads the text of a position; nil for anything else.
    public init?(_ text: String) {
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false).compactMap { UInt64($0) }
        guard numbers.count == 3 else { return nil }
        self.init(incarnation: numbers[0], transaction: numbers[1], number: numbers[2])
        if description != text { return nil }
    }
}
