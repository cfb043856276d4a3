#if SQLite
import AuthCore

@testable import AuthCoreSQLite
@testable import StoreInvariants

/// Tests that write changes of about a kilobyte, and count those that were written.
class ChangeTestCase: LimitedTestCase {
    /// A change that writes a record of about a kilobyte.
    func change(_ number: Int) -> Store.ChangeSet {
        var changes = Store.ChangeSet(
            operation: Store.OperationID(bits: UInt128(number) << 64 | 0xA5),
            at: Timestamp(seconds: 1_800_000_000)
        )
        changes.records = [
            .put(
                Store.OneTimeRecord(
                    key: OneTimeRecordID(bits: UInt128(number) << 64),
                    account: nil,
                    createdAt: changes.at,
                    expiresAt: nil,
                    content: .totpSeed(Array(repeating: 77, count: 300))
                )
            )
        ]
        return changes
    }

    func count(_ store: SQLiteStore) async throws -> Int {
        Int(try await store.column("SELECT count(*) FROM one_time_records")[0]) ?? -1
    }
}
#endif
