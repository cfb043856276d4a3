extension InMemoryTables {
    /// Writes the whole change, or returns the precondition that does not hold.
    mutating func commit(_ changes: ChangeSet) -> CommitOutcome {
        if let violated = violation(in: changes) {
            return operations.contains(changes.operation) ? .duplicate : .violated(violated)
        }
        if !operations.remember(changes.operation, at: changes.at) { return .duplicate }
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
        return .committed
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
            case .update(_, let expected), .remove(_, let expected):
                if version(of: write.id) != expected { return .version(write.id) }
            }
        }
        for read in changes.reads where version(of: read.id) != read.version { return .version(read.id) }
        for read in changes.referenceReads where referencing[read.email]?.version ?? 0 != read.version {
            return .references(read.email)
        }
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
                if sessions[new.id]?.session?.refreshCount != count { return .session(new.id) }
            case .end, .endAll, .endUnused: break
            }
        }
        return nil
    }

    private mutating func apply(_ write: AccountWrite) {
        switch write {
        case .create(let account):
            accounts[account.id] = Snapshot.Row(account)
            sortedIDs.insert(account.id)
            dueAccounts.move(account.id, from: nil, to: account.dueAt)
        case .update(let account, _):
            let reference = AccountReference(account)
            var due: Timestamp?
            accounts.replaceValue(forKey: reference.account.id) { row in
                due = row.reference.account.dueAt
                return Snapshot.Row(reference, lastSignIn: row.lastSignIn)
            }
            dueAccounts.move(reference.account.id, from: due, to: reference.account.dueAt)
        case .remove(let id, _):
            let old = accounts.removeValue(forKey: id)
            sortedIDs.remove(id)
            dueAccounts.move(id, from: old?.reference.account.dueAt, to: nil)
        }
    }

    private mutating func apply(_ record: SignInRecord) {
        accounts.replaceValue(forKey: record.account) { Snapshot.Row($0.reference, lastSignIn: record.at) }
    }

    private mutating func apply(_ change: EmailReferenceChange) {
        let version = lastReferenceVersion + 1
        if referencing[change.email, default: ReferenceList()].apply(change, as: version) {
            lastReferenceVersion = version
        }
        if !change.isReferenced, referencing[change.email]?.isEmpty == true { referencing[change.email] = nil }
    }

    private mutating func apply(_ change: SessionChange) {
        switch change {
        case .put(let session):
            sessionsOf.insert(Owned(owner: session.account.text.digest, id: session.id))
            dueSessions.move(session.id, from: nil, to: session.expiresAt)
            sessions[session.id] = .session(session)
        case .update(let session, _):
            dueSessions.move(session.id, from: sessions[session.id]?.session?.expiresAt, to: session.expiresAt)
            sessions[session.id] = .session(session)
        case .end(let id):
            removeSession(id)
        case .endAll(let account, let kept):
            for id in sessionsOf.ids(of: account.text.digest)
            where id != kept && sessions[id]?.session?.account == account { removeSession(id) }
        case .endUnused(let account, let limit, let kept):
            // Few accounts have so many that their rows must be read.
            guard sessionsOf.hasMore(than: limit, of: account.text.digest) else { return }
            let all = sessions(of: account)
            let unused = all.filter { $0.id != kept }.sorted { ($0.activeAt, $0.id) < ($1.activeAt, $1.id) }
            for session in unused.prefix(max(0, all.count - limit)) { removeSession(session.id) }
        }
    }

    mutating func removeSession(_ id: SessionID) {
        guard let session = sessions.removeValue(forKey: id)?.session else { return }
        dueSessions.move(id, from: session.expiresAt, to: nil)
        sessionsOf.remove(Owned(owner: session.account.text.digest, id: id))
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
                for record in records(of: account, purpose) { removeRecord(record.key) }
            }
        }
    }

    private mutating func put(_ record: OneTimeRecord) {
        records[record.key] = RecordRow(record)
        if let account = record.account {
            recordsOf.insert(Owned(owner: account.digest(with: record.purpose), id: record.key))
        }
        dueRecords.move(record.key, from: nil, to: record.expiresAt)
        if record.purpose == .tombstone { tombstones += 1 }
    }

    mutating func removeRecord(_ key: OneTimeRecordID) {
        guard let record = records.removeValue(forKey: key)?.record else { return }
        if let account = record.account {
            recordsOf.remove(Owned(owner: account.digest(with: record.purpose), id: key))
        }
        dueRecords.move(key, from: record.expiresAt, to: nil)
        if record.purpose == .tombstone { tombstones -= 1 }
    }
}

extension SessionChange {
    fileprivate var endsAll: Bool {
        if case .endAll = self { true } else { false }
    }
}
