/// The data of the in-memory store: one dictionary for each kind of row, and one for each index.
struct InMemoryTables {
    var accounts = ShardedDictionary<AccountID, AccountRows>()
    /// The owners of unique keys, by kind of key; in a single dictionary, every entry would be as big as the biggest.
    var identities = ShardedDictionary<Identity.Key, AccountID>()
    var phones = ShardedDictionary<PhoneNumber, AccountID>()
    var emails = ShardedDictionary<EmailAddress, AccountID>()
    /// The rule of the first change; a change that follows another is refused.
    var keyRule: KeyRule?
    /// The accounts that reference an address.
    var referencing = ShardedDictionary<EmailAddress, ReferenceList>()
    /// The version of the list of references that changed last.
    var lastReferenceVersion: UInt64 = 0
    /// The sessions as answers to lookups, by reference, so that neither a lookup nor a growing dictionary copies them.
    var sessions = ShardedDictionary<SessionID, Snapshot.Answer>()
    var records = ShardedDictionary<OneTimeRecordID, RecordRow>()
    /// How many tombstones there are: if there are none, no ID is hashed to look for one.
    var tombstones = 0
    /// The IDs of all accounts, for paging.
    var sortedIDs = SortedSet<AccountID>()
    /// When something is due: accounts to look at, records and sessions to remove.
    var dueAccounts = SortedSet<Due<AccountID>>()
    var dueRecords = SortedSet<Due<OneTimeRecordID>>()
    var dueSessions = SortedSet<Due<SessionID>>()
    var outbox = MessageQueue()
    var log: EventLog
    var operations = RecentOperations()

    init(eventLimit: Int) { log = EventLog(limit: eventLimit) }

    /// A one-time record by reference, so that a growing dictionary moves only one pointer.
    final class RecordRow: Sendable {
        let record: OneTimeRecord

        init(_ record: OneTimeRecord) { self.record = record }
    }

    /// A row and the time at which it is due; ordered by the time.
    struct Due<ID: Comparable & Sendable>: Comparable, Sendable {
        let at: Timestamp
        let id: ID

        /// Nil for a row that is never due.
        init?(at time: Timestamp?, _ id: ID) {
            guard let time else { return nil }
            at = time
            self.id = id
        }

        static func < (left: Due, right: Due) -> Bool { (left.at, left.id) < (right.at, right.id) }
    }
}

extension SortedSet {
    /// Moves what is due from one time to another; nil stands for never.
    mutating func move<ID>(_ id: ID, from old: Timestamp?, to new: Timestamp?) where Element == InMemoryTables.Due<ID> {
        if old == new { return }
        if let due = Element(at: old, id) { remove(due) }
        if let due = Element(at: new, id) { insert(due) }
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
            if let row = row(of: id) { return .account(row) }
            return tombstone(of: id).map { .gone($0) } ?? .nothing
        case .owner(let key):
            guard let owner = self[ownerOf: key], let row = row(of: owner) else { return .nothing }
            return .account(row)
        case .referencing(let email):
            guard let list = referencing[email] else { return .accounts([], version: 0) }
            return .accounts(list.found.compactMap { row(of: $0.account) }, version: list.version)
        case .session(let id): return sessions[id] ?? .nothing
        case .record(let key):
            guard let record = records[key]?.record else { return .nothing }
            return .record(record, record.account.flatMap { row(of: $0) })
        case .sessions(let reference):
            guard let account = account(of: reference) else { return .sessions([]) }
            return .sessions(sessions(of: account))
        case .records(let reference, let purpose):
            guard let account = account(of: reference) else { return .records([]) }
            return .records(records(of: account, purpose))
        }
    }

    func row(of account: AccountID) -> Snapshot.Row? { accounts[account]?.account }

    private func account(of reference: Lookup.Reference) -> AccountID? {
        switch reference {
        case .account(let id): id
        case .owner(let key): self[ownerOf: key]
        }
    }

    /// The IDs of the account's sessions, or of its one-time records of one purpose.
    func ids<ID: RandomIdentifier>(of account: AccountID, _ kind: AccountRows.Kind) -> [ID] {
        accounts[account]?.ids(kind) ?? []
    }

    func sessions(of account: AccountID) -> [Session] {
        ids(of: account, .session).compactMap { (id: SessionID) in sessions[id]?.session }
    }

    func records(of account: AccountID, _ purpose: OneTimeRecord.Purpose) -> [OneTimeRecord] {
        ids(of: account, .record(purpose)).compactMap { (id: OneTimeRecordID) in records[id]?.record }
    }

    func tombstone(of account: AccountID) -> OneTimeRecord? {
        tombstones == 0 ? nil : records[.tombstone(of: account)]?.record
    }

    func version(of account: AccountID) -> UInt64? { row(of: account)?.reference.account.version }

    /// The accounts after this ID, ordered by ID.
    func accounts(after: AccountID?, limit: Int) -> [Snapshot.Row] {
        sortedIDs.elements(after: after, limit: limit).compactMap { row(of: $0) }
    }

    /// The accounts for which something is due by this time, the longest due first.
    func accounts(dueBy now: Timestamp, after: Account?, limit: Int) -> [Snapshot.Row] {
        let last = after.flatMap { Due(at: $0.dueAt, $0.id) }
        return dueAccounts.elements(after: last, limit: limit).prefix { $0.at <= now }.compactMap { row(of: $0.id) }
    }

    /// Removes expired one-time records and sessions, up to the limit.
    mutating func sweep(at now: Timestamp, limit: Int) -> Store.SweepReport {
        var report = Store.SweepReport(isComplete: false)
        while report.records + report.sessions < limit {
            if let due = dueRecords.first, due.at <= now {
                removeRecord(due.id)
                report.records += 1
            } else if let due = dueSessions.first, due.at <= now {
                removeSession(due.id)
                report.sessions += 1
            } else {
                report.isComplete = true
                break
            }
        }
        return report
    }
}
