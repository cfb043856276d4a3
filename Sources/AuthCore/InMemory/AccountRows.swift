/// What is stored of one account: the account, and the IDs of its sessions and one-time records.
///
/// A one-time record can be there without the account.
struct AccountRows: Sendable, EmptyValue {
    /// A session or a one-time record of the account; those of one kind follow each other.
    private struct Belonging: Comparable, Sendable {
        let kind: UInt64
        let words: IdentifierWords

        static func < (left: Belonging, right: Belonging) -> Bool {
            left.kind == right.kind ? left.words.bits < right.words.bits : left.kind < right.kind
        }
    }

    /// What an account has: sessions, or one-time records of one purpose.
    struct Kind: Sendable {
        fileprivate let number: UInt64

        static let session = Kind(number: 0)
        static func record(_ purpose: Store.OneTimeRecord.Purpose) -> Kind { Kind(number: purpose.rawValue.digest) }
    }

    var account: Snapshot.Row?
    private var belongings = SortedSet<Belonging>()

    var isEmpty: Bool { account == nil && belongings.isEmpty }

    mutating func insert(_ id: some RandomIdentifier, _ kind: Kind) {
        belongings.insert(Belonging(kind: kind.number, words: id.words))
    }

    mutating func remove(_ id: some RandomIdentifier, _ kind: Kind) {
        belongings.remove(Belonging(kind: kind.number, words: id.words))
    }

    /// The IDs of one kind.
    func ids<ID: RandomIdentifier>(_ kind: Kind) -> [ID] {
        belongings.elements(from: first(kind)) { $0.kind == kind.number }.map { ID(words: $0.words) }
    }

    /// Whether the account has more of one kind than this; looks at one of them only.
    func hasMore(than limit: Int, _ kind: Kind) -> Bool {
        // A place that is farther away than half of all numbers would be no number.
        belongings.element(min(limit, .max / 2), after: first(kind))?.kind == kind.number
    }

    /// Where those of one kind begin.
    private func first(_ kind: Kind) -> Belonging {
        Belonging(kind: kind.number, words: IdentifierWords(high: 0, low: 0))
    }
}
