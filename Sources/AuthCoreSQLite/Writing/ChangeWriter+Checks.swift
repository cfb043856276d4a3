#if SQLite
internal import AuthCore
internal import AuthCoreSQL

/// The preconditions, in the order that the contract of stores gives.
extension ChangeWriter {
    /// The first precondition that does not hold; nil if all do.
    func violation() throws -> Store.Precondition? {
        if let rule = try violatedKeyRule() { return .keyRule(rule) }
        for write in changes.accounts {
            switch write {
            case .create(let account): if try !isAbsent(account.id) { return .absent(account.id) }
            case .update(let account, let expected):
                if try version(of: account.id) != expected { return .version(account.id) }
            case .remove(let id, let expected): if try version(of: id) != expected { return .version(id) }
            }
        }
        for read in changes.reads where try version(of: read.id) != read.version { return .version(read.id) }
        for read in changes.referenceReads where try connection.referenceVersion(of: read.email) != read.version {
            return .references(read.email)
        }
        for change in changes.keys where try connection.owner(of: change.key) != change.expected {
            return .owner(change.key)
        }
        for change in changes.records { if let id = try violatedRecord(change) { return .record(id) } }
        for change in changes.sessions { if let id = try violatedSession(change) { return .session(id) } }
        return nil
    }

    private func violatedKeyRule() throws -> Store.KeyRule? {
        guard let wanted = changes.keyRule else { return nil }
        let name = try connection.first("SELECT key_rule FROM store") { $0.isNull(0) ? nil : $0.text(0) } ?? nil
        guard let name, name != wanted.rawValue else { return nil }
        // A rule of a newer library is another one, whatever it says.
        guard let found = Store.KeyRule(rawValue: name) else { throw Store.RecordError.malformed }
        return found
    }

    private func version(of id: AccountID) throws -> UInt64? {
        let sql = "SELECT version FROM accounts WHERE id = ?"
        return try connection.first(sql, .bytes(id.bytes)) { UInt64(clamping: $0.integer(0)) }
    }

    /// Whether there is neither the account nor a tombstone of it that stays.
    private func isAbsent(_ id: AccountID) throws -> Bool {
        if try version(of: id) != nil { return false }
        let tombstone = OneTimeRecordID.tombstone(of: id)
        return try changes.records.contains(.consume(tombstone)) || !exists(tombstone)
    }

    private func violatedRecord(_ change: Store.OneTimeRecordChange) throws -> OneTimeRecordID? {
        switch change {
        case .put(let record): try exists(record.key) ? record.key : nil
        case .replace(let record): try exists(record.key) ? nil : record.key
        case .consume(let id): try exists(id) ? nil : id
        case .revoke, .revokeAll: nil
        }
    }

    private func exists(_ record: OneTimeRecordID) throws -> Bool {
        try connection.exists("SELECT 1 FROM one_time_records WHERE id = ?", .bytes(record.bytes))
    }

    private func violatedSession(_ change: Store.SessionChange) throws -> SessionID? {
        switch change {
        case .put(let session): try refreshCount(of: session.id) == nil ? nil : session.id
        case .update(let session, let count):
            try refreshCount(of: session.id) == Int64(count) ? nil : session.id
        case .end, .endAll, .endUnused: nil
        }
    }

    private func refreshCount(of id: SessionID) throws -> Int64? {
        try connection.first("SELECT refresh_count FROM sessions WHERE id = ?", .bytes(id.bytes)) { $0.integer(0) }
    }
}
#endif
