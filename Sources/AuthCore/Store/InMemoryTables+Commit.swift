#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension InMemoryTables {
    /// Writes the whole change, or names what stood against it.
    mutating func commit(_ changes: ChangeSet) -> CommitOutcome {
        if let sequence = operations.sequence(of: changes.operation) { return .duplicate(sequence: sequence) }
        if let violated = violation(in: changes) { return .violated(violated) }
        // Sessions are ended while the account that they are listed with is still there.
        for change in changes.sessions where change.endsAll { apply(change) }
        for write in changes.accounts { apply(write, at: changes.at) }
        for change in changes.keys { apply(change) }
        for change in changes.mentions { apply(change) }
        for change in changes.capabilities { apply(change) }
        for change in changes.sessions where !change.endsAll { apply(change) }
        for record in changes.signIns { row(record.account)?.lastSignIn = record.at }
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
                let tombstone = CapabilityKey.tombstone(of: account.id)
                if tombstones > 0, capabilities[tombstone] != nil, !changes.capabilities.contains(.consume(tombstone)) {
                    return .absent(account.id)
                }
            case .update(let account, let expected):
                if row(account.id)?.stored?.version != expected { return .version(account.id) }
            case .remove(let id, let expected):
                if row(id)?.stored?.version != expected { return .version(id) }
            }
        }
        for read in changes.reads where row(read.id)?.stored?.version != read.version {
            return .version(read.id)
        }
        for change in changes.keys where owner(of: change.key)?.id != change.expected { return .owner(change.key) }
        for change in changes.capabilities {
            switch change {
            case .put(let capability): if capabilities[capability.key] != nil { return .capability(capability.key) }
            case .replace(let capability): if capabilities[capability.key] == nil { return .capability(capability.key) }
            case .consume(let key): if capabilities[key] == nil { return .capability(key) }
            case .revoke, .revokeAll: break
            }
        }
        for change in changes.sessions {
            switch change {
            case .put(let session): if sessions[session.id] != nil { return .session(session.id) }
            case .update(let session, let count):
                if sessions[session.id]?.refreshCount != count { return .session(session.id) }
            case .end, .endAll: break
            }
        }
        return nil
    }

    private mutating func apply(_ write: AccountWrite, at now: Date) {
        switch write {
        case .create(let account):
            row(of: account.id).stored = StoredAccount(account)
            sortedIDs = nil
        case .update(let account, _):
            rows[account.id]?.stored = StoredAccount(account)
        case .remove(let id, _):
            removeRow(id)?.stored = nil
            sortedIDs = nil
        }
    }

    /// The account's row; an empty one if there is none yet.
    private mutating func row(of id: AccountID) -> AccountRow {
        if let row = row(id) { return row }
        let row = AccountRow(id)
        rows[id] = row
        return row
    }

    private mutating func apply(_ change: KeyChange) {
        guard change.owner != change.expected else { return }
        let owner = change.owner.map { row(of: $0) }
        switch change.key {
        case .identity(let identity): identities[identity] = owner
        case .phone(let number): phones[number] = owner
        case .primaryEmail(let email): edit(email) { $0.owner = owner }
        }
    }

    private mutating func apply(_ change: MentionChange) {
        let account = change.account
        let row = change.isMentioned ? row(of: account) : nil
        edit(change.email) { address in
            if let row { address.mentioners.append(row) } else { address.mentioners.removeAll { $0.id == account } }
        }
    }

    private mutating func edit(_ email: EmailAddress, _ change: (inout AddressRow) -> Void) {
        change(&addresses[email, default: AddressRow()])
        if addresses[email]?.isEmpty == true { addresses[email] = nil }
    }

    private mutating func apply(_ change: CapabilityChange) {
        switch change {
        case .put(let capability):
            capabilities[capability.key] = Boxed(capability)
            if capability.isTombstone { tombstones += 1 }
            if let account = capability.account { capabilitiesByAccount[account, default: []].append(capability.key) }
        case .replace(let capability):
            if capability.isTombstone { tombstones += 1 }
            if let old = capabilities.updateValue(Boxed(capability), forKey: capability.key), old.value.isTombstone {
                tombstones -= 1
            }
        case .consume(let key), .revoke(let key):
            drop(key)
        case .revokeAll(let account, let purposes):
            for key in capabilitiesByAccount[account] ?? [] {
                if let purpose = capabilities[key]?.value.purpose, purposes.contains(purpose) { drop(key) }
            }
        }
    }

    private mutating func drop(_ key: CapabilityKey) {
        guard let capability = capabilities.removeValue(forKey: key)?.value else { return }
        if capability.isTombstone { tombstones -= 1 }
        guard let account = capability.account else { return }
        capabilitiesByAccount[account]?.removeAll { $0 == key }
        if capabilitiesByAccount[account]?.isEmpty == true { capabilitiesByAccount[account] = nil }
    }

    private mutating func apply(_ change: SessionChange) {
        switch change {
        case .put(let session):
            sessions[session.id] = session
            row(session.account)?.sessions.append(session.id)
        case .update(let session, _):
            sessions[session.id] = session
        case .end(let id):
            end(id)
        case .endAll(let account, let kept):
            guard let row = row(account) else { return }
            for id in row.sessions.all where id != kept { sessions[id] = nil }
            row.sessions.removeAll { $0 != kept }
        }
    }

    private mutating func end(_ id: SessionID) {
        guard let session = sessions.removeValue(forKey: id) else { return }
        row(session.account)?.sessions.removeAll { $0 == id }
    }

    /// Removes expired one-time things and sessions, at most so many.
    mutating func sweep(at now: Date, limit: Int) -> SweepReport {
        var report = SweepReport()
        let expired = capabilities.values.lazy.map(\.value).filter { !$0.isLive(at: now) }.map(\.key).prefix(
            max(0, limit)
        )
        for key in Array(expired) {
            drop(key)
            report.capabilities += 1
        }
        let over = sessions.values.lazy.filter { session in session.expiresAt.map { now >= $0 } ?? false }.map(\.id)
        for id in Array(over.prefix(max(0, limit - report.capabilities))) {
            end(id)
            report.sessions += 1
        }
        report.isComplete = report.capabilities + report.sessions < limit
        return report
    }
}

extension Capability {
    fileprivate var isTombstone: Bool { purpose == .tombstone }
}

extension SessionChange {
    fileprivate var endsAll: Bool {
        if case .endAll = self { true } else { false }
    }
}
