#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The tables of the in-memory store, with everything that reads them; what writes them is beside this file.
struct InMemoryTables {
    var rows: [AccountID: AccountRow] = [:]
    var identities: [IdentityKey: AccountRow] = [:]
    var phones: [PhoneNumber: AccountRow] = [:]
    var addresses: [EmailAddress: AddressRow] = [:]
    var sessions: [SessionID: Session] = [:]
    var capabilities: [CapabilityKey: Boxed<Capability>] = [:]
    var capabilitiesByAccount: [AccountID: [CapabilityKey]] = [:]
    /// How many of the one-time things record the end of an account; their keys cost a hash to find.
    var tombstones = 0
    /// The row that was found last: a change names one account several times.
    private var latest: AccountRow?
    /// The ids in order, for paging; nil since an account came or went.
    var sortedIDs: [AccountID]?
    var outbox: [OutboxEntry] = []
    var log: EventLog
    var operations = RecentOperations()

    init(eventLimit: Int) {
        log = EventLog(limit: eventLimit)
    }

    func account(_ id: AccountID) -> StoredAccount? { rows[id]?.stored }

    /// The account's row, if it has one.
    mutating func row(_ id: AccountID) -> AccountRow? {
        if let latest, latest.id == id { return latest }
        guard let row = rows[id] else { return nil }
        latest = row
        return row
    }

    mutating func removeRow(_ id: AccountID) -> AccountRow? {
        latest = nil
        return rows.removeValue(forKey: id)
    }

    func owner(of key: UniqueKey) -> AccountRow? {
        switch key {
        case .identity(let identity): identities[identity]
        case .phone(let number): phones[number]
        case .primaryEmail(let email): addresses[email]?.owner
        }
    }

    func load(_ query: SnapshotQuery) -> Snapshot {
        var snapshot = Snapshot()
        if let id = query.account {
            if let row = rows[id], let stored = row.stored {
                snapshot.account = stored
                snapshot.lastSignIn = row.lastSignIn
            } else if tombstones > 0 {
                snapshot.tombstone = capabilities[.tombstone(of: id)]?.value
            }
        }
        if let id = query.session, let session = sessions[id] {
            snapshot.session = session
            if session.account == query.account {
                snapshot.sessionAccount = snapshot.account
            } else if let row = rows[session.account], let stored = row.stored {
                snapshot.sessionAccount = stored
                if snapshot.account == nil { snapshot.lastSignIn = row.lastSignIn }
            }
        }
        if let id = query.otherAccount { snapshot.otherAccount = account(id) }
        if let key = query.identity { snapshot.identityOwner = identities[key]?.stored }
        if let key = query.otherIdentity { snapshot.otherIdentityOwner = identities[key]?.stored }
        if let number = query.phone { snapshot.phoneOwner = phones[number]?.stored }
        if let email = query.email { snapshot.emailOwner = addresses[email]?.owner?.stored }
        if let email = query.otherEmail { snapshot.otherEmailOwner = addresses[email]?.owner?.stored }
        if let email = query.twinEmail { snapshot.twinOwner = addresses[email]?.owner?.stored }
        if query.namesMany { loadMany(query, into: &snapshot) }
        return snapshot
    }

    /// The parts of a query that find any number of things, which the frequent ones do not have.
    private func loadMany(_ query: SnapshotQuery, into snapshot: inout Snapshot) {
        if !query.identities.isEmpty {
            snapshot.identityOwners = query.identities.compactMap { identities[$0]?.stored }
        }
        if let email = query.mentions {
            snapshot.mentioners = addresses[email]?.mentioners.all.compactMap(\.stored) ?? []
        }
        if !query.capabilities.isEmpty {
            snapshot.capabilities = query.capabilities.compactMap { capabilities[$0]?.value }
            if let id = snapshot.capabilities.first?.account { snapshot.capabilityAccount = account(id) }
        }
        if query.includesCodes, let found = (snapshot.account ?? snapshot.emailOwner)?.account.id {
            snapshot.codes = (capabilitiesByAccount[found] ?? []).compactMap { capabilities[$0]?.value }
        }
        if let id = query.sessionsOf, let row = rows[id] {
            snapshot.sessions = row.sessions.all.compactMap { sessions[$0] }
        }
    }

    mutating func accounts(after: AccountID?, limit: Int) -> [StoredAccount] {
        let ids = sortedIDs ?? rows.keys.sorted()
        sortedIDs = ids
        var low = 0
        var high = ids.count
        while let after, low < high {
            let middle = (low + high) / 2
            if ids[middle] <= after { low = middle + 1 } else { high = middle }
        }
        return ids[low...].prefix(max(0, limit)).compactMap { account($0) }
    }
}

extension SnapshotQuery {
    fileprivate var namesMany: Bool {
        !identities.isEmpty || mentions != nil || !capabilities.isEmpty || includesCodes || sessionsOf != nil
    }
}
