extension InMemoryTables {
    /// Writes the whole change, or returns the precondition that does not hold.
    mutating func commit(_ changes: ChangeSet) -> CommitOutcome {
        if let sequence = operations.sequence(of: changes.operation) { return .duplicate(sequence: sequence) }
        if let violated = violation(in: changes) { return .violated(violated) }
        keyRule = keyRule ?? changes.keyRule
        for write in changes.accounts { apply(write) }
        for change in changes.keys where change.owner != change.expected { self[ownerOf: change.key] = change.owner }
        for change in changes.references { apply(change) }
        for change in changes.records { apply(change) }
        // Changes that end all sessions come first, so that they do not end a session that this change set inserts.
        for change in changes.sessions where change.endsAll { apply(change) }
        for change in changes.sessions where !change.endsAll { apply(change) }
        for record in changes.signIns { apply(record) }
        for event in changes.events { log.append(event) }
        for message in changes.messages { outbox.append(message) }
        operations.remember(changes.operation, sequence: log.last)
        return .committed(sequence: log.last)
    }

    private func violation(in changes: ChangeSet) -> Precondition? {
        if let keyRule, let wanted = changes.keyRule, wanted != keyRule { return .keyRule(keyRule) }
        for write in changes.accounts {
            switch write {
            case .create(let account):
                if accounts[account.id] != nil { return .absent(account.id) }
                if let tombstone = tombstone(of: account.id), !changes.records.contains(.consume(tombstone.key)) {
                    return .absent(account.id)
                }
            case .update(let account, let expected):
                if version(of: account.id) != expected { return .version(account.id) }
            case .remove(let id, let expected):
                if version(of: id) != expected { return .version(id) }
            }
        }
        for read in changes.reads where version(of: read.id) != read.version { return .version(read.id) }
        for change in changes.keys where self[ownerOf: change.key] != change.expected { return .owner(change.key) }
        for change in changes.records {
            switch change {
            case .put(let new): if records[new.key] != nil { return .record(new.key) }
            case .replace(let new): if records[new.key] == nil { return .record(new.key) }
            case .consume(let key): if records[key] == nil { return .record(key) }
            case .revoke, .revokeAll: break
            }
        }
        for change in changes.sessions {
            switch change {
            case .put(let new): if sessions[new.id] != nil { return .session(new.id) }
            case .update(let new, let count):
                if sessions[new.id]?.session.refreshCount != count { return .session(new.id) }
            case .end, .endAll, .endUnused: break
            }
        }
        return nil
    }

    private mutating func apply(_ write: AccountWrite) {
        switch write {
        case .create(let account):
            accounts[account.id] = Snapshot.Row(account)
            sortedIDs = nil
        case .update(let account, _):
            guard let index = accounts.index(forKey: account.id) else { return }
            accounts.values[index] = Snapshot.Row(account, lastSignIn: accounts.values[index].lastSignIn)
        case .remove(let id, _):
            accounts[id] = nil
            sortedIDs = nil
        }
    }

    private mutating func apply(_ record: SignInRecord) {
        guard let index = accounts.index(forKey: record.account) else { return }
        accounts.values[index] = Snapshot.Row(accounts.values[index].reference, lastSignIn: record.at)
    }

    private mutating func apply(_ change: EmailReferenceChange) {
        if change.isReferenced {
            referencing[change.email, default: []].append(change.account)
        } else {
            referencing.remove(change.account, under: change.email)
        }
    }

    private mutating func apply(_ change: SessionChange) {
        switch change {
        case .put(let session):
            sessionsOf[session.account, default: []].append(session.id)
            sessions[session.id] = SessionRow(session)
        case .update(let session, _):
            sessions[session.id] = SessionRow(session)
        case .end(let id):
            removeSession(id)
        case .endAll(let account, let kept):
            let ids = sessionsOf.removeValue(forKey: account) ?? []
            for id in ids where id != kept { sessions[id] = nil }
            if let kept, ids.contains(kept) { sessionsOf[account] = [kept] }
        case .endUnused(let account, let limit, let kept):
            guard let ids = sessionsOf[account], ids.count > limit else { return }
            let unused = ids.filter { $0 != kept }.compactMap { sessions[$0]?.session }
                .sorted { ($0.activeAt, $0.id) < ($1.activeAt, $1.id) }
            for session in unused.prefix(ids.count - limit) { removeSession(session.id) }
        }
    }

    mutating func removeSession(_ id: SessionID) {
        guard let session = sessions.removeValue(forKey: id)?.session else { return }
        sessionsOf.remove(id, under: session.account)
    }

    private mutating func apply(_ change: OneTimeRecordChange) {
        switch change {
        case .put(let record):
            put(record)
        case .replace(let record):
            removeRecord(record.key)
            put(record)
        case .consume(let key), .revoke(let key):
            removeRecord(key)
        case .revokeAll(let account, let purposes):
            for purpose in purposes {
                let keys = recordsOf.removeValue(forKey: Subject(account: account, purpose: purpose)) ?? []
                for key in keys { records[key] = nil }
                if purpose == .tombstone { tombstones -= keys.count }
            }
        }
    }

    private mutating func put(_ record: OneTimeRecord) {
        records[record.key] = RecordRow(record)
        if let subject = record.subject { recordsOf[subject, default: []].append(record.key) }
        if record.purpose == .tombstone { tombstones += 1 }
    }

    mutating func removeRecord(_ key: OneTimeRecordID) {
        guard let record = records.removeValue(forKey: key)?.record else { return }
        if let subject = record.subject { recordsOf.remove(key, under: subject) }
        if record.purpose == .tombstone { tombstones -= 1 }
    }
}

extension OneTimeRecord {
    fileprivate var subject: InMemoryTables.Subject? {
        account.map { InMemoryTables.Subject(account: $0, purpose: purpose) }
    }
}

extension Dictionary {
    /// Removes an element from the list of a key, and the key when its list is empty.
    fileprivate mutating func remove<Element: Equatable>(_ element: Element, under key: Key) where Value == [Element] {
        self[key]?.removeAll { $0 == element }
        if self[key]?.isEmpty == true { self[key] = nil }
    }
}

extension SessionChange {
    fileprivate var endsAll: Bool {
        if case .endAll = self { true } else { false }
    }
}
