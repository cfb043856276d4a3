#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The tables of the in-memory store, with everything that reads them; what writes them is beside this file.
struct InMemoryTables {
    /// One account with what changes too often to be part of its value.
    struct Row {
        var stored: StoredAccount
        var lastSignIn: Date?
        var sessions: [SessionID]
    }

    var rows: [AccountID: Row] = [:]
    var identities: [IdentityKey: AccountID] = [:]
    var phones: [PhoneNumber: AccountID] = [:]
    var emails: [EmailAddress: AccountID] = [:]
    /// The accounts that mention an address; an account that owns the address as its primary one is not repeated here.
    var mentions: [EmailAddress: [AccountID]] = [:]
    var sessions: [SessionID: Session] = [:]
    var capabilities: [CapabilityKey: Capability] = [:]
    var capabilitiesByAccount: [AccountID: [CapabilityKey]] = [:]
    /// The ids in order, for paging; nil since an account came or went.
    var sortedIDs: [AccountID]?
    var outbox: [OutboxEntry] = []
    var log: EventLog
    var operations = RecentOperations()

    init(eventLimit: Int) {
        log = EventLog(limit: eventLimit)
    }

    func owner(of key: UniqueKey) -> AccountID? {
        switch key {
        case .identity(let identity): identities[identity]
        case .phone(let number): phones[number]
        case .primaryEmail(let email): emails[email]
        }
    }

    func load(_ query: SnapshotQuery) -> Snapshot {
        var snapshot = Snapshot()
        if let id = query.session {
            snapshot.session = sessions[id]
            if let account = snapshot.session?.account, account != query.account, let row = rows[account] {
                snapshot.sessionAccount = row.stored
                snapshot.lastSignIn = row.lastSignIn
            }
        }
        if let id = query.account {
            if let row = rows[id] {
                snapshot.account = row.stored
                snapshot.lastSignIn = row.lastSignIn
                if snapshot.session?.account == id { snapshot.sessionAccount = row.stored }
            } else {
                snapshot.tombstone = capabilities[.tombstone(of: id)]
            }
        }
        if let id = query.otherAccount { snapshot.otherAccount = rows[id]?.stored }
        if let key = query.identity, let owner = identities[key] { snapshot.identityOwner = rows[owner]?.stored }
        if let key = query.otherIdentity, let owner = identities[key] {
            snapshot.otherIdentityOwner = rows[owner]?.stored
        }
        if let number = query.phone, let owner = phones[number] { snapshot.phoneOwner = rows[owner]?.stored }
        if let email = query.email, let owner = emails[email] { snapshot.emailOwner = rows[owner]?.stored }
        if let email = query.otherEmail, let owner = emails[email] { snapshot.otherEmailOwner = rows[owner]?.stored }
        if let email = query.twinEmail, let owner = emails[email] { snapshot.twinOwner = rows[owner]?.stored }
        if let email = query.mentions {
            snapshot.mentioners = (mentions[email] ?? []).compactMap { rows[$0]?.stored }
        }
        if !query.capabilities.isEmpty {
            snapshot.capabilities = query.capabilities.compactMap { capabilities[$0] }
            if let account = snapshot.capabilities.first?.account { snapshot.capabilityAccount = rows[account]?.stored }
        }
        if query.includesCodes, let found = (snapshot.account ?? snapshot.emailOwner)?.account.id {
            snapshot.codes = (capabilitiesByAccount[found] ?? []).compactMap { capabilities[$0] }
        }
        if let id = query.sessionsOf, let row = rows[id] {
            snapshot.sessions = row.sessions.compactMap { sessions[$0] }
        }
        return snapshot
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
        return ids[low...].prefix(max(0, limit)).compactMap { rows[$0]?.stored }
    }
}
