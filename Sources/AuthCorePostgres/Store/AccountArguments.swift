#if PostgreSQL
internal import AuthCore
internal import AuthCoreSQL

/// The accounts of a commit, in the order of their IDs, and the columns of their sign-in methods.
struct AccountArguments {
    private struct Step {
        let kind: Character
        let id: AccountID
        var expected: UInt64?
        var account: Account?
        var record: [UInt8]?
        var tombstone: OneTimeRecordID?
    }

    private var steps: [Step] = []

    /// Adds everything that the changes write and read of accounts.
    mutating func append(_ changes: Store.ChangeSet, _ coder: RowCoder) throws(Store.RecordError) {
        for write in changes.accounts {
            switch write {
            case .create(let account):
                // An account under the ID of one that was removed is refused, unless the change uses its tombstone up.
                let tombstone = OneTimeRecordID.tombstone(of: account.id)
                steps.append(
                    Step(
                        kind: "c",
                        id: account.id,
                        account: account,
                        record: try coder.encode(account),
                        tombstone: changes.records.contains(.consume(tombstone)) ? nil : tombstone
                    )
                )
            case .update(let account, let expected):
                let record = try coder.encode(account)
                steps.append(Step(kind: "u", id: account.id, expected: expected, account: account, record: record))
            case .remove(let id, let expected): steps.append(Step(kind: "d", id: id, expected: expected))
            }
        }
        // A write of the version that was read says the same, and a read would take a weaker lock first.
        for read in changes.reads where !steps.contains(where: { $0.id == read.id && $0.expected == read.version }) {
            steps.append(Step(kind: "r", id: read.id, expected: read.version))
        }
        steps.sort { ($0.id, $0.kind == "r" ? 0 : 1) < ($1.id, $1.kind == "r" ? 0 : 1) }
    }

    /// The accounts in the order of the steps.
    var ids: [AccountID] { steps.map(\.id) }

    /// The arguments in the order of the function.
    var parameters: [Parameter] {
        let columns = steps.map { $0.account.map(AccountColumns.init) }
        let accounts: [Parameter] = [
            .text(String(steps.map(\.kind))), .texts(steps.map(\.id.description)),
            .numbers(steps.map { $0.expected.map(Int64.init(bitPattern:)) }),
            .numbers(steps.map { $0.account.map { Int64(bitPattern: $0.version) } }),
            .numbers(steps.map(\.account?.dueAt?.milliseconds)),
            .numbers(steps.map(\.account?.createdAt.milliseconds)),
            .texts(columns.map(\.?.email)), .texts(columns.map(\.?.phoneNumber)),
            .texts(columns.map(\.?.displayName?.readable)), .texts(columns.map(\.?.status)),
            .encoded(steps.map(\.record)), .ids(steps.map(\.tombstone?.bytes)),
        ]
        let methods = steps.compactMap(\.account).flatMap { account in
            MethodColumns.all(of: account).map { (account: account.id.description, columns: $0) }
        }
        return accounts + [
            .texts(methods.map(\.account)), .numbers(methods.map { Int64($0.columns.place) }),
            .texts(methods.map(\.columns.kind)), .texts(methods.map(\.columns.provider)),
            .texts(methods.map(\.columns.issuer?.readable)), .texts(methods.map(\.columns.subject?.readable)),
            .texts(methods.map(\.columns.email)), .texts(methods.map(\.columns.phoneNumber)),
            .numbers(methods.map(\.columns.addedAt.milliseconds)), .flags(methods.map(\.columns.isSuspended)),
        ]
    }
}
#endif
