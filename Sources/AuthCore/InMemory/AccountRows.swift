/// What is stored of one account: the account, and the IDs of its sessions and one-time records.
///
/// A one-time record can be there without the account.
struct AccountRows: Sendable, EmptyValue {
    var account: Snapshot.Row?
    var sessions = SortedSet<SessionID>()
    /// The one-time records by purpose; a purpose without records has no entry.
    private(set) var records: [OneTimeRecord.Purpose: SortedSet<OneTimeRecordID>] = [:]

    var isEmpty: Bool { account == nil && sessions.isEmpty && records.isEmpty }

    mutating func insert(_ record: OneTimeRecordID, _ purpose: OneTimeRecord.Purpose) {
        records[purpose, default: SortedSet()].insert(record)
    }

    mutating func remove(_ record: OneTimeRecordID, _ purpose: OneTimeRecord.Purpose) {
        records[purpose]?.remove(record)
        if records[purpose]?.isEmpty == true { records[purpose] = nil }
    }
}
