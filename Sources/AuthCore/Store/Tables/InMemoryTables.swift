/// The tables of the in-memory store, with everything that reads them; what writes them is beside this file.
struct InMemoryTables {
    var accounts = Table<AccountRow>()
    var identities = Table<IdentityRow>()
    var phones = Table<PhoneRow>()
    var addresses = Table<AddressRow>()
    var sessions = Table<SessionRow>()
    var capabilities = Table<CapabilityRow>()
    /// How many of the one-time things record the end of an account; their keys cost a hash to find.
    var tombstones = 0
    /// The row that was found last: a change names one account several times.
    private var latest = RowNumber.none
    /// The ids in order, for paging; nil since an account came or went.
    var sortedIDs: [AccountID]?
    var outbox: [OutboxEntry] = []
    var log: EventLog
    var operations = RecentOperations()

    init(eventLimit: Int) {
        log = EventLog(limit: eventLimit)
    }

    func account(_ id: AccountID) -> StoredAccount? { accounts.row(id)?.stored }

    /// Where the account's row is, if it has one.
    mutating func row(_ id: AccountID) -> RowNumber? {
        if let row = accounts[latest], row.isNamed(id) { return latest }
        guard let found = accounts.find(id) else { return nil }
        latest = found
        return found
    }

    /// Where the account's row is; an empty one if there is none yet.
    mutating func makeRow(_ id: AccountID) -> RowNumber {
        if let found = row(id) { return found }
        latest = accounts.insert(AccountRow(id), under: id)
        return latest
    }

    /// Forgets a row in which nothing is left.
    mutating func tidy(_ number: RowNumber) {
        guard let row = accounts[number], row.isIdle else { return }
        accounts.remove(number, under: row.id)
    }

    /// Where the row of a key's owner is.
    func owner(of key: UniqueKey) -> RowNumber {
        switch key {
        case .identity(let identity): identities.row(identity)?.owner ?? .none
        case .phone(let number): phones.row(number)?.owner ?? .none
        case .primaryEmail(let email): addresses.row(email)?.owner ?? .none
        }
    }

    func capability(_ key: CapabilityKey) -> Capability? {
        guard let row = capabilities.row(key) else { return nil }
        return row.capability(about: accounts[row.account]?.id)
    }

    /// Fills in what the query names; in place, since a snapshot is many words to hand out of a lock.
    func load(_ query: SnapshotQuery, into snapshot: inout Snapshot) {
        if let id = query.account {
            if let row = accounts.row(id), let stored = row.stored {
                snapshot.account = stored
                snapshot.lastSignIn = row.lastSignIn
            } else if tombstones > 0 {
                snapshot.tombstone = capability(.tombstone(of: id))
            }
        }
        if let id = query.session, let session = sessions.row(id)?.session {
            snapshot.session = session
            if session.account == query.account {
                snapshot.sessionAccount = snapshot.account
            } else if let row = accounts.row(session.account), let stored = row.stored {
                snapshot.sessionAccount = stored
                if snapshot.account == nil { snapshot.lastSignIn = row.lastSignIn }
            }
        }
        if let id = query.otherAccount { snapshot.otherAccount = account(id) }
        if let key = query.identity { snapshot.identityOwner = stored(identities.row(key)?.owner) }
        if let key = query.otherIdentity { snapshot.otherIdentityOwner = stored(identities.row(key)?.owner) }
        if let number = query.phone { snapshot.phoneOwner = stored(phones.row(number)?.owner) }
        if let email = query.email { snapshot.emailOwner = stored(addresses.row(email)?.owner) }
        if let email = query.otherEmail { snapshot.otherEmailOwner = stored(addresses.row(email)?.owner) }
        if let email = query.twinEmail { snapshot.twinOwner = stored(addresses.row(email)?.owner) }
        if query.namesMany { loadMany(query, into: &snapshot) }
    }

    private func stored(_ number: RowNumber?) -> StoredAccount? { number.flatMap { accounts[$0]?.stored } }

    /// The parts of a query that find any number of things, which the frequent ones do not have.
    private func loadMany(_ query: SnapshotQuery, into snapshot: inout Snapshot) {
        if !query.identities.isEmpty {
            snapshot.identityOwners = query.identities.compactMap { stored(identities.row($0)?.owner) }
        }
        if let email = query.mentions {
            snapshot.mentioners = (addresses.row(email)?.mentioners ?? []).compactMap { stored($0) }
        }
        if !query.capabilities.isEmpty {
            snapshot.capabilities = query.capabilities.compactMap { capability($0) }
            if let id = snapshot.capabilities.first?.account { snapshot.capabilityAccount = account(id) }
        }
        if query.includesCodes, let id = (snapshot.account ?? snapshot.emailOwner)?.account.id,
            let row = accounts.row(id)
        {
            for first in [row[.others], row[.notices]] {
                var next = first
                while let row = capabilities[next] {
                    snapshot.codes.append(row.capability(about: id))
                    next = row.next
                }
            }
        }
        if let id = query.sessionsOf, let row = accounts.row(id) {
            var next = row.firstSession
            while let row = sessions[next] {
                snapshot.sessions.append(row.session)
                next = row.next
            }
            // The newest is the first of the list.
            snapshot.sessions.reverse()
        }
    }

    mutating func accounts(after: AccountID?, limit: Int) -> [StoredAccount] {
        let ids = sortedIDs ?? accounts.all.filter { $0.stored != nil }.map(\.id).sorted()
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
