@testable import AuthCore

extension ChangeSet {
    /// The change that stores this many one-time records, which expired long ago.
    static func expiredRecords(_ count: Int) -> ChangeSet {
        var changes = ChangeSet(operation: OperationID(bits: 1), at: Timestamp(seconds: 1))
        changes.records = (0..<count).map { number in
            .put(
                OneTimeRecord(
                    key: OneTimeRecordID(bits: UInt128(number)),
                    account: nil,
                    createdAt: Timestamp(seconds: 1),
                    expiresAt: Timestamp(seconds: 2),
                    content: .usedAssertion
                )
            )
        }
        return changes
    }
}
