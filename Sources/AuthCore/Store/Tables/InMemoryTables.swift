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

    func account(_ id: AccountID) -> Account? { accounts.row(id)?.stored?.account }

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

    /// Finds what every lookup names.
    func load(_ lookups: Lookups) -> Snapshot { Snapshot(lookups, answering: answer) }

    private func answer(to lookup: Lookup) -> Snapshot.Answer {
        switch lookup {
        case .account(let id):
            if let found = found(accounts.row(id)) { return .account(found) }
            // Their ids cost a hash to find.
            if tombstones == 0 { return .nothing }
            return capability(.tombstone(of: id)).map { .gone($0) } ?? .nothing
        case .owner(let key):
            return found(accounts[owner(of: key)]).map { .account($0) } ?? .nothing
        case .referencing(let email):
            return .accounts((addresses.row(email)?.mentioners ?? []).compactMap { found(accounts[$0]) })
        case .session(let id):
            return (sessions.row(id)?.session).map { .session($0) } ?? .nothing
        case .record(let key):
            guard let row = capabilities.row(key) else { return .nothing }
            let account = accounts[row.account]
            return .record(row.capability(about: account?.id), found(account))
        case .sessions(let reference):
            return .sessions(sessions(of: row(of: reference)))
        case .records(let reference, let purpose):
            return .records(records(of: row(of: reference), purpose))
        }
    }

    private func found(_ row: AccountRow?) -> Snapshot.Row? {
        guard let row, let stored = row.stored else { return nil }
        return Snapshot.Row(stored, lastSignIn: row.lastSignIn)
    }

    private func row(of reference: Lookup.Reference) -> AccountRow? {
        switch reference {
        case .account(let id): accounts.row(id)
        case .owner(let key): accounts[owner(of: key)]
        }
    }

    private func sessions(of account: AccountRow?) -> [Session] {
        var found: [Session] = []
        var next = account?.firstSession ?? .none
        while let row = sessions[next] {
            found.append(row.session)
            next = row.next
        }
        // The newest is the first of the list.
        return found.reversed()
    }

    private func records(of account: AccountRow?, _ purpose: Capability.Purpose) -> [Capability] {
        guard let account else { return [] }
        var found: [Capability] = []
        var next = account[purpose == .notMe ? .notices : .others]
        while let row = capabilities[next] {
            if row.purpose == purpose { found.append(row.capability(about: account.id)) }
            next = row.next
        }
        return found
    }

    mutating func accounts(after: AccountID?, limit: Int) -> [Account] {
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
