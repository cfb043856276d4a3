extension InMemoryTables {
    /// Writes the whole change, or names what stood against it.
    mutating func commit(_ changes: ChangeSet) -> CommitOutcome {
        if let sequence = operations.sequence(of: changes.operation) { return .duplicate(sequence: sequence) }
        if let violated = violation(in: changes) { return .violated(violated) }
        // Sessions are ended while the account that they are listed with is still there.
        for change in changes.sessions where change.endsAll { apply(change) }
        for write in changes.accounts { apply(write) }
        for change in changes.keys { apply(change) }
        for change in changes.mentions { apply(change) }
        for change in changes.capabilities { apply(change) }
        for change in changes.sessions where !change.endsAll { apply(change) }
        for record in changes.signIns {
            if let row = row(record.account) { accounts[row]?.lastSignIn = record.at }
        }
        for event in changes.events { log.append(event) }
        if !changes.messages.isEmpty { outbox.append(contentsOf: changes.messages) }
        operations.remember(changes.operation, sequence: log.last)
        return .committed(sequence: log.last)
    }

    private mutating func violation(in changes: ChangeSet) -> Precondition? {
        for write in changes.accounts {
            switch write {
            case .create(let account):
                if self.account(account.id) != nil { return .absent(account.id) }
                if tombstones == 0 { continue }
                let tombstone = CapabilityKey.tombstone(of: account.id)
                if capabilities.find(tombstone) != nil, !changes.capabilities.contains(.consume(tombstone)) {
                    return .absent(account.id)
                }
            case .update(let account, let expected):
                if version(of: account.id) != expected { return .version(account.id) }
            case .remove(let id, let expected):
                if version(of: id) != expected { return .version(id) }
            }
        }
        for read in changes.reads where version(of: read.id) != read.version { return .version(read.id) }
        for change in changes.keys where accounts[owner(of: change.key)]?.id != change.expected {
            return .owner(change.key)
        }
        for change in changes.capabilities {
            switch change {
            case .put(let capability):
                if capabilities.find(capability.key) != nil { return .capability(capability.key) }
            case .replace(let capability):
                if capabilities.find(capability.key) == nil { return .capability(capability.key) }
            case .consume(let key): if capabilities.find(key) == nil { return .capability(key) }
            case .revoke, .revokeAll: break
            }
        }
        for change in changes.sessions {
            switch change {
            case .put(let session): if sessions.find(session.id) != nil { return .session(session.id) }
            case .update(let session, let count):
                if sessions.row(session.id)?.session.refreshCount != count { return .session(session.id) }
            case .end, .endAll: break
            }
        }
        return nil
    }

    private mutating func version(of id: AccountID) -> UInt64? {
        row(id).flatMap { accounts[$0]?.stored?.account.version }
    }

    private mutating func apply(_ write: AccountWrite) {
        switch write {
        case .create(let account):
            let row = makeRow(account.id)
            accounts[row]?.stored = AccountReference(account)
            sortedIDs = nil
        case .update(let account, _):
            if let row = row(account.id) { accounts[row]?.stored = AccountReference(account) }
        case .remove(let id, _):
            guard let row = row(id) else { return }
            accounts[row]?.stored = nil
            tidy(row)
            sortedIDs = nil
        }
    }

    /// Gives a key another owner.
    private mutating func apply(_ change: KeyChange) {
        guard change.owner != change.expected else { return }
        let new = change.owner.map { makeRow($0) } ?? .none
        var old = RowNumber.none
        switch change.key {
        case .identity(let key):
            // Nobody owns what nobody was expected to own: that was looked up before anything is written.
            if change.expected != nil, let taken = identities.take(key) { old = taken.owner }
            let account = accounts[new]?.stored?.account
            if new != .none { _ = identities.insert(IdentityRow(key, of: account, new), under: key) }
        case .phone(let number):
            if change.expected != nil, let taken = phones.take(number) { old = taken.owner }
            if new != .none { _ = phones.insert(PhoneRow(number: number, owner: new), under: number) }
        case .primaryEmail(let email):
            edit(email) { address in
                old = address.owner
                address.owner = new
            }
        }
        accounts[new]?.names += 1
        drop(names: 1, of: old)
    }

    private mutating func drop(names count: Int, of row: RowNumber) {
        if count == 0 || row == .none { return }
        accounts[row]?.names -= UInt32(count)
        tidy(row)
    }

    private mutating func apply(_ change: MentionChange) {
        if change.isMentioned {
            let row = makeRow(change.account)
            edit(change.email) { $0.mention(by: row) }
            accounts[row]?.names += 1
        } else if let row = row(change.account) {
            var gone = 0
            edit(change.email) { gone = $0.forget(row) }
            drop(names: gone, of: row)
        }
    }

    private mutating func edit(_ email: EmailAddress, _ change: (inout AddressRow) -> Void) {
        let found = addresses.find(email)
        var address = found.flatMap { addresses[$0] } ?? AddressRow(email)
        change(&address)
        switch (found, address.isEmpty) {
        case (let found?, false): addresses[found] = address
        case (let found?, true): addresses.remove(found, under: email)
        case (nil, false): _ = addresses.insert(address, under: email)
        case (nil, true): break
        }
    }
}

extension SessionChange {
    fileprivate var endsAll: Bool {
        if case .endAll = self { true } else { false }
    }
}
