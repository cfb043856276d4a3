#if PostgreSQL
internal import AuthCore

/// The lists of references of a commit, in the order of their addresses: what was read of each, and what changes in it.
struct ListArguments {
    private struct List {
        let email: EmailAddress
        var expected: UInt64?
        var changes: [Store.EmailReferenceChange] = []
    }

    private var lists: [List] = []

    init(_ changes: Store.ChangeSet) {
        var lists: [EmailAddress: List] = [:]
        for read in changes.referenceReads {
            // A list that was read in two versions has neither: no list has the greatest one.
            let other = lists[read.email]?.expected ?? read.version
            lists[read.email, default: List(email: read.email)].expected = other == read.version ? other : .max
        }
        for change in changes.references {
            lists[change.email, default: List(email: change.email)].changes.append(change)
        }
        self.lists = lists.values.sorted { $0.email.description < $1.email.description }
    }

    /// The addresses in the order of the lists.
    var emails: [EmailAddress] { lists.map(\.email) }

    /// The arguments in the order of the function; the changes of all lists are in one, of which each list has a part.
    var parameters: [Parameter] {
        var ranges: [ClosedRange<Int64>?] = []
        var all: [Store.EmailReferenceChange] = []
        for list in lists {
            ranges.append(list.changes.isEmpty ? nil : Int64(all.count + 1)...Int64(all.count + list.changes.count))
            all += list.changes
        }
        return [
            .texts(emails.map(\.description)),
            .numbers(lists.map { $0.expected.map(Int64.init(bitPattern:)) }),
            .numbers(ranges.map { $0?.lowerBound ?? 1 }), .numbers(ranges.map { $0?.upperBound ?? 0 }),
            .texts(all.map(\.reference.account.description)), .numbers(all.map(\.reference.createdAt.milliseconds)),
            // No strength: the account does not reference the address any more.
            .numbers(all.map { $0.isReferenced ? Int64($0.reference.strength.rawValue) : nil }),
        ]
    }
}
#endif
