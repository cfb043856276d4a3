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
        for record in changes.signIns { rows[record.account]?.lastSignIn = record.at }
        for event in changes.events { log.append(event) }
        if !changes.messages.isEmpty { outbox.append(contentsOf: changes.messages) }
        operations.remember(changes.operation, sequence: log.last)
        return .committed(sequence: log.last)
    }

    private func violation(in changes: ChangeSet) -> Precondition? {
        for write in changes.accounts {
            switch write {
            case .create(let account):
                if rows[account.id] != nil || capabilities[.tombstone(of: account.id)] != nil {
                    return .absent(account.id)
                }
            case .update(let account, let expected):
                if rows[account.id]?.stored.account.version != expected { return .version(account.id) }
            case .remove(let id, let expected):
                if rows[id]?.stored.account.version != expected { return .version(id) }
            }
        }
        for read in changes.reads where rows[read.id]?.stored.account.version != read.version {
            return .version(read.id)
        }
        for change in changes.keys where owner(of: change.key) != change.expected { return .owner(change.key) }
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
            rows[account.id] = Row(stored: StoredAccount(account), lastSignIn: nil, sessions: [])
            sortedIDs = nil
        case .update(let account, _):
            rows[account.id]?.stored = StoredAccount(account)
        case .remove(let id, _):
            rows[id] = nil
            sortedIDs = nil
        }
    }

    private mutating func apply(_ change: KeyChange) {
        guard change.owner != change.expected else { return }
        switch change.key {
        case .identity(let identity): identities[identity] = change.owner
        case .phone(let number): phones[number] = change.owner
        case .primaryEmail(let email): emails[email] = change.owner
        }
    }

    private mutating func apply(_ change: MentionChange) {
        if change.isMentioned {
            mentions[change.email, default: []].append(change.account)
        } else {
            mentions[change.email]?.removeAll { $0 == change.account }
            if mentions[change.email]?.isEmpty == true { mentions[change.email] = nil }
        }
    }

    private mutating func apply(_ change: CapabilityChange) {
        switch change {
        case .put(let capability):
            capabilities[capability.key] = capability
            if let account = capability.account { capabilitiesByAccount[account, default: []].append(capability.key) }
        case .replace(let capability):
            capabilities[capability.key] = capability
        case .consume(let key), .revoke(let key):
            drop(key)
        case .revokeAll(let account, let purposes):
            for key in capabilitiesByAccount[account] ?? [] {
                if let purpose = capabilities[key]?.purpose, purposes.contains(purpose) { drop(key) }
            }
        }
    }

    private mutating func drop(_ key: CapabilityKey) {
        guard let account = capabilities.removeValue(forKey: key)?.account else { return }
        capabilitiesByAccount[account]?.removeAll { $0 == key }
        if capabilitiesByAccount[account]?.isEmpty == true { capabilitiesByAccount[account] = nil }
    }

    private mutating func apply(_ change: SessionChange) {
        switch change {
        case .put(let session):
            sessions[session.id] = session
            rows[session.account]?.sessions.append(session.id)
        case .update(let session, _):
            sessions[session.id] = session
        case .end(let id):
            end(id)
        case .endAll(let account, let kept):
            let ids = rows[account]?.sessions ?? []
            for id in ids where id != kept { sessions[id] = nil }
            rows[account]?.sessions = kept.map { id in ids.contains(id) ? [id] : [] } ?? []
        }
    }

    private mutating func end(_ id: SessionID) {
        guard let session = sessions.removeValue(forKey: id) else { return }
        rows[session.account]?.sessions.removeAll { $0 == id }
    }

    /// Removes expired one-time things and sessions, at most so many.
    mutating func sweep(at now: Date, limit: Int) -> SweepReport {
        var report = SweepReport()
        let expired = capabilities.values.lazy.filter { !$0.isLive(at: now) }.map(\.key).prefix(max(0, limit))
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

extension SessionChange {
    fileprivate var endsAll: Bool {
        if case .endAll = self { true } else { false }
    }
}
