/// The data of the in-memory store: one dictionary for each kind of row, and one for each index.
struct InMemoryTables {
    var accounts: [AccountID: Snapshot.Row] = [:]
    /// The owners of unique keys, by kind of key; in a single dictionary, every entry would be as big as the biggest.
    var identities: [Identity.Key: AccountID] = [:]
    var phones: [PhoneNumber: AccountID] = [:]
    var emails: [EmailAddress: AccountID] = [:]
    /// The rule of the first change; a change that follows another is refused.
    var keyRule: KeyRule?
    /// The accounts that reference an address.
    var referencing: [EmailAddress: [AccountID]] = [:]
    var sessions: [SessionID: SessionRow] = [:]
    /// The sessions of an account, oldest first.
    var sessionsOf: [AccountID: [SessionID]] = [:]
    var records: [OneTimeRecordID: RecordRow] = [:]
    /// The one-time records of one purpose about an account.
    var recordsOf: [Subject: [OneTimeRecordID]] = [:]
    /// How many tombstones there are: if there are none, no ID is hashed to look for one.
    var tombstones = 0
    /// The IDs in order, for paging; nil after an account was added or removed.
    var sortedIDs: [AccountID]?
    var outbox = MessageQueue()
    var log: EventLog
    var operations = RecentOperations()

    init(eventLimit: Int) { log = EventLog(limit: eventLimit) }

    /// A session by reference, so that a growing dictionary moves only one pointer.
    final class SessionRow: Sendable {
        let session: Session

        init(_ session: Session) { self.session = session }
    }

    /// A one-time record by reference, for the same reason.
    final class RecordRow: Sendable {
        let record: OneTimeRecord

        init(_ record: OneTimeRecord) { self.record = record }
    }

    /// The account and purpose that several one-time records share.
    struct Subject: Hashable {
        let account: AccountID
        let purpose: OneTimeRecord.Purpose
    }
}

extension InMemoryTables {
    /// The owner of a unique key.
    subscript(ownerOf key: UniqueKey) -> AccountID? {
        get {
            switch key {
            case .identity(let key): identities[key]
            case .phone(let number): phones[number]
            case .primaryEmail(let email): emails[email]
            }
        }
        set {
            switch key {
            case .identity(let key): identities[key] = newValue
            case .phone(let number): phones[number] = newValue
            case .primaryEmail(let email): emails[email] = newValue
            }
        }
    }

    /// Returns what every lookup finds.
    func load(_ lookups: Lookups) -> Snapshot { Snapshot(lookups) { answer(to: $0) } }

    private func answer(to lookup: Lookup) -> Snapshot.Answer {
        switch lookup {
        case .account(let id):
            if let row = accounts[id] { return .account(row) }
            return tombstone(of: id).map { .gone($0) } ?? .nothing
        case .owner(let key):
            guard let owner = self[ownerOf: key], let row = accounts[owner] else { return .nothing }
            return .account(row)
        case .referencing(let email):
            return .accounts(referencing[email, default: []].compactMap { accounts[$0] })
        case .session(let id):
            return sessions[id].map { .session($0.session) } ?? .nothing
        case .record(let key):
            guard let record = records[key]?.record else { return .nothing }
            return .record(record, record.account.flatMap { accounts[$0] })
        case .sessions(let reference):
            guard let account = account(of: reference), let ids = sessionsOf[account] else { return .sessions([]) }
            return .sessions(ids.compactMap { sessions[$0]?.session })
        case .records(let reference, let purpose):
            guard let account = account(of: reference),
                let keys = recordsOf[Subject(account: account, purpose: purpose)]
            else { return .records([]) }
            return .records(keys.compactMap { records[$0]?.record })
        }
    }

    private func account(of reference: Lookup.Reference) -> AccountID? {
        switch reference {
        case .account(let id): id
        case .owner(let key): self[ownerOf: key]
        }
    }

    func tombstone(of account: AccountID) -> OneTimeRecord? {
        tombstones == 0 ? nil : records[.tombstone(of: account)]?.record
    }

    func version(of account: AccountID) -> UInt64? { accounts[account]?.reference.account.version }

    /// The accounts after this ID, ordered by ID.
    mutating func accounts(after: AccountID?, limit: Int) -> [Account] {
        let ids = sortedIDs ?? accounts.keys.sorted()
        sortedIDs = ids
        var low = 0
        var high = ids.count
        while let after, low < high {
            let middle = (low + high) / 2
            if ids[middle] <= after { low = middle + 1 } else { high = middle }
        }
        return ids[low...].prefix(max(0, limit)).compactMap { accounts[$0]?.account }
    }

    /// Removes expired one-time records and sessions, up to the limit.
    mutating func sweep(at now: Timestamp, limit: Int) -> SweepReport {
        let expired = records.values.lazy.map(\.record).filter { !$0.isLive(at: now) }.map(\.key)
        let keys = Array(expired.prefix(max(0, limit)))
        for key in keys { removeRecord(key) }
        let over = sessions.values.lazy.map(\.session).filter { $0.expiresAt.map { now >= $0 } ?? false }.map(\.id)
        let ids = Array(over.prefix(max(0, limit - keys.count)))
        for id in ids { removeSession(id) }
        return SweepReport(records: keys.count, sessions: ids.count, isComplete: keys.count + ids.count < limit)
    }
}
