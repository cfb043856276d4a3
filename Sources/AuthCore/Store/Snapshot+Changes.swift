extension Snapshot {
    /// The snapshot after the updates of accounts and the removals in these changes.
    func applying(_ changes: ChangeSet) -> Snapshot {
        Snapshot(asked) { lookup in
            switch answer(to: lookup) {
            case .account(let row):
                if case .owner(let key) = lookup, changes.releases(key) { return .nothing }
                if let row = changes.row(row) { return .account(row) }
                return changes.tombstone(of: row.account.id).map { .gone($0) } ?? .nothing
            case .accounts(let rows, let version): return .accounts(rows.compactMap(changes.row), version: version)
            case .record(let record, let row):
                return changes.removes(record) ? .nothing : .record(record, row.flatMap(changes.row))
            case .records(let records): return .records(records.filter { !changes.removes($0) })
            case .session(let session): return changes.ends(session) ? .nothing : .session(session)
            case .sessions(let sessions): return .sessions(sessions.filter { !changes.ends($0) })
            case .nothing: return .nothing
            case .gone(let tombstone): return .gone(tombstone)
            }
        }
    }
}

extension ChangeSet {
    /// The row after the changes; nil if its account is removed.
    fileprivate func row(_ row: Snapshot.Row) -> Snapshot.Row? {
        switch accounts.first(where: { $0.id == row.account.id }) {
        case nil: row
        case .create(let account)?, .update(let account, _)?: Snapshot.Row(account, lastSignIn: row.lastSignIn)
        case .remove?: nil
        }
    }

    fileprivate func releases(_ key: UniqueKey) -> Bool {
        keys.contains { $0.key == key && $0.owner == nil && $0.expected != nil }
    }

    fileprivate func tombstone(of account: AccountID) -> OneTimeRecord? {
        for case .put(let record) in records where record.key == .tombstone(of: account) { return record }
        return nil
    }

    fileprivate func removes(_ record: OneTimeRecord) -> Bool {
        records.contains { change in
            switch change {
            case .put, .replace: false
            case .consume(let key), .revoke(let key): key == record.key
            case .revokeAll(let account, let purposes): account == record.account && purposes.contains(record.purpose)
            }
        }
    }

    fileprivate func ends(_ session: Session) -> Bool {
        sessions.contains { change in
            switch change {
            case .put, .update, .endUnused: false
            case .end(let id): id == session.id
            case .endAll(let account, let kept): account == session.account && session.id != kept
            }
        }
    }
}
