#if PostgreSQL
internal import AuthCore
internal import AuthCoreSQL

/// The one-time records of a commit, in the order of its changes where that matters, and otherwise in that of the IDs.
struct RecordArguments {
    private struct Step {
        let kind: Character
        var id: OneTimeRecordID?
        var account: AccountID?
        var purpose: Store.OneTimeRecord.Purpose?
        var record: (value: Store.OneTimeRecord, bytes: [UInt8])?

        /// The record, or the list that is revoked.
        var place: (UInt128, String, String) {
            if let id { return (id.bits, "", "") }
            return (0, account?.description ?? "", purpose?.rawValue ?? "")
        }
    }

    private var steps: [Step] = []

    /// Adds all changes; those of single records that follow each other are in the order that every commit has, and so
    /// are those of lists.
    mutating func append(_ changes: [Store.OneTimeRecordChange], _ coder: RowCoder) throws(Store.RecordError) {
        for change in changes { try append(change, coder) }
        steps = steps.sorted(within: { ($0.id == nil) == ($1.id == nil) }, by: { $0.place < $1.place })
    }

    private mutating func append(_ change: Store.OneTimeRecordChange, _ coder: RowCoder) throws(Store.RecordError) {
        switch change {
        case .put(let record): steps.append(try Self.step("p", record, coder))
        case .replace(let record): steps.append(try Self.step("r", record, coder))
        case .consume(let id): steps.append(Step(kind: "c", id: id))
        case .revoke(let id): steps.append(Step(kind: "v", id: id))
        case .revokeAll(let account, let purposes):
            steps += purposes.map { Step(kind: "a", account: account, purpose: $0) }
        }
    }

    private static func step(
        _ kind: Character,
        _ record: Store.OneTimeRecord,
        _ coder: RowCoder
    ) throws(Store.RecordError) -> Step {
        Step(
            kind: kind,
            id: record.key,
            account: record.account,
            purpose: record.purpose,
            record: (record, try coder.encode(record))
        )
    }

    /// The records in the order of the steps.
    var ids: [OneTimeRecordID?] { steps.map(\.id) }

    /// The arguments in the order of the function.
    var parameters: [Parameter] {
        [
            .text(String(steps.map(\.kind))), .ids(steps.map(\.id?.bytes)), .texts(steps.map(\.account?.description)),
            .texts(steps.map(\.purpose?.rawValue)), .numbers(steps.map(\.record?.value.createdAt.milliseconds)),
            .numbers(steps.map(\.record?.value.expiresAt?.milliseconds)), .encoded(steps.map(\.record?.bytes)),
        ]
    }
}
#endif
