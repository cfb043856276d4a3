extension InMemoryTables {
    /// Writes the whole change, or returns the precondition that does not hold.
    mutating func commit(_ changes: ChangeSet) -> Store.CommitOutcome {
        if operations.contains(changes.operation) { return .duplicate }
        if let violated = violation(in: changes) { return .violated(violated) }
        operations.remember(changes.operation, at: changes.at)
        keyRule = keyRule ?? changes.keyRule
        for write in changes.accounts { apply(write) }
        for change in changes.keys where change.owner != change.expected { self[ownerOf: change.key] = change.owner }
        for change in changes.references { apply(change) }
        for change in changes.records { apply(change) }
        for change in changes.sessions { apply(change) }
        for record in changes.signIns { apply(record) }
        for event in changes.events { log.append(event) }
        for message in changes.messages { outbox.append(message) }
        return .committed
    }

    private func violation(in changes: ChangeSet) -> Store.Precondition? {
        if let keyRule, let wanted = changes.keyRule, wanted != keyRule { return .keyRule(keyRule) }
        for write in changes.accounts {
            switch write {
            case .create(let account):
                if row(of: account.id) != nil { return .absent(account.id) }
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

    private mutating func apply(_ write: Store.AccountWrite) {
        switch write {
        case .create(let account), .update(let account, _):
            // A closure that captures the account would copy it.
            let (id, reference) = (account.id, AccountReference(account))
            var old: Snapshot.Row?
            accounts.edit(id) { rows in
                old = rows.account
                rows.account = Snapshot.Row(reference, lastSignIn: old?.lastSignIn)
            }
            if old == nil { sortedIDs.insert(id) }
            dueAccounts.move(id, from: old?.reference.account.dueAt, to: reference.account.dueAt)
        case .remove(let id, _):
            sortedIDs.remove(id)
            dueAccounts.move(id, from: row(of: id)?.reference.account.dueAt, to: nil)
            accounts.edit(id) { $0.account = nil }
        }
    }

    private mutating func apply(_ record: Store.SignInRecord) {
        accounts.edit(record.account) { rows in
            rows.account = rows.account.map { Snapshot.Row($0.reference, lastSignIn: record.at) }
        }
    }

    private mutating func apply(_ change: Store.EmailReferenceChange) {
        let version = lastReferenceVersion + 1
        var isChanged = false
        referencing.edit(change.email) { isChanged = $0.apply(change, as: version) }
        if isChanged { lastReferenceVersion = version }
    }

    private mutating func apply(_ change: Store.SessionChange) {
        switch change {
        case .put(let session):
            // A closure that captures the session would copy it.
            let id = session.id
            accounts.edit(session.account) { $0.insert(id, .session) }
            dueSessions.move(session.id, from: nil, to: session.expiresAt)
            sessions[session.id] = .session(session)
        case .update(let session, _):
            guard let old = sessions[session.id]?.session else { return }
            dueSessions.move(session.id, from: old.expiresAt, to: session.expiresAt)
            sessions[session.id] = .session(session)
        case .end(let id): removeSession(id)
        case .endAll(let account, let kept):
            for id: SessionID in ids(of: account, .session) where id != kept { removeSession(id) }
        case .endUnused(let account, let limit, let kept):
            // Few accounts have so many that their rows must be read.
            guard accounts[account]?.hasMore(than: limit, .session) == true else { return }
            let all: [SessionID] = ids(of: account, .session)
            // By time and ID alone: with whole sessions, a sign-in that ends one took four times as long.
            let unused = all.filter { $0 != kept }.compactMap { Due(at: sessions[$0]?.session?.activeAt, $0) }
            for session in unused.sorted().prefix(all.count - limit) { removeSession(session.id) }
        }
    }

    mutating func removeSession(_ id: SessionID) {
        guard let session = sessions.removeValue(forKey: id)?.session else { return }
        dueSessions.move(id, from: session.expiresAt, to: nil)
        accounts.edit(session.account) { $0.remove(id, .session) }
    }

    private mutating func apply(_ change: OneTimeRecordChange) {
        switch change {
        case .put(let record): put(record)
        case .replace(let record):
            removeRecord(record.key)
            put(record)
        case .consume(let key), .revoke(let key): removeRecord(key)
        case .revokeAll(let account, let purposes):
            guard let rows = accounts[account] else { return }
            for id: OneTimeRecordID in purposes.flatMap({ rows.ids(.record($0)) }) { removeRecord(id) }
        }
    }

    private mutating func put(_ record: OneTimeRecord) {
        let (key, kind) = (record.key, AccountRows.Kind.record(record.purpose))
        if let account = record.account { accounts.edit(account) { $0.insert(key, kind) } }
        records[key] = RecordRow(record)
        dueRecords.move(record.key, from: nil, to: record.expiresAt)
        if record.purpose == .tombstone { tombstones += 1 }
    }

    mutating func removeRecord(_ key: OneTimeRecordID) {
        guard let record = records.removeValue(forKey: key)?.record else { return }
        let kind = AccountRows.Kind.record(record.purpose)
        if let account = record.account { accounts.edit(account) { $0.remove(key, kind) } }
        dueRecords.move(key, from: record.expiresAt, to: nil)
        if record.purpose == .tombstone { tombstones -= 1 }
    }
}
