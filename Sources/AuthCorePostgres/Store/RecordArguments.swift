#if PostgreSQL
internal import AuthCore
internal import AuthCoreSQL

/// The one-time records of a commit, in the order of its changes.
struct RecordArguments {
    private struct Step {
        let kind: Character
        var id: OneTimeRecordID?
        var account: AccountID?
        var purpose: Store.OneTimeRecord.Purpose?
        var record: (value: Store.OneTimeRecord, bytes: [UInt8])?
    }

    private var steps: [Step] = []

    mutating func append(_ change: Store.OneTimeRecordChange, _ coder: RowCoder) throws(Store.RecordError) {
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
