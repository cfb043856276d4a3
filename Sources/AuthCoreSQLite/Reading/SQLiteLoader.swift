#if SQLite
internal import AuthCore
internal import AuthCoreSQL

/// Answers lookups from one moment of the database, and decodes each account and each session once.
struct SQLiteLoader {
    let connection: SQLiteConnection
    let coder: RowCoder
    /// The accounts that were decoded; nil for those that do not exist.
    private var rows: [AccountID: Store.Snapshot.Row?] = [:]
    /// The sessions that were decoded, by the bytes of their IDs.
    private var sessions: [[UInt8]: Session] = [:]

    init(_ connection: SQLiteConnection, _ coder: RowCoder) {
        self.connection = connection
        self.coder = coder
    }

    mutating func answer(to lookup: Store.Lookup) throws -> Store.Snapshot.Answer {
        switch lookup {
        case .account(let id):
            if let row = try row(of: id) { return .account(row) }
            return try record(.tombstone(of: id)).map { .gone($0) } ?? .nothing
        case .owner(let key):
            guard let owner = try owner(of: key), let row = try row(of: owner) else { return .nothing }
            return .account(row)
        case .referencing(let email):
            let found = try connection.referencing(email).compactMap { try row(of: $0) }
            return .accounts(found, version: try connection.referenceVersion(of: email))
        case .session(let id):
            let sql = "SELECT record FROM sessions WHERE id = ?"
            let record = try connection.first(sql, .bytes(id.bytes)) { $0.bytes(0) }
            return try record.map { .session(try session(id.bytes, $0)) } ?? .nothing
        case .record(let id):
            guard let record = try record(id) else { return .nothing }
            return .record(record, try record.account.flatMap { try row(of: $0) })
        case .sessions(let reference):
            guard let account = try account(of: reference) else { return .sessions([]) }
            let sql = "SELECT id, record FROM sessions WHERE account = ?"
            let found = try connection.all(sql, .bytes(account.bytes)) { ($0.bytes(0), $0.bytes(1)) }
            return .sessions(try found.map { try session($0, $1) })
        case .records(let reference, let purpose):
            guard let account = try account(of: reference) else { return .records([]) }
            let sql = "SELECT record FROM one_time_records WHERE account = ? AND purpose = ?"
            let found = try connection.all(sql, .bytes(account.bytes), .text(purpose.rawValue)) { $0.bytes(0) }
            return .records(try found.map { try coder.decode(from: $0) })
        }
    }

    private func account(of reference: Store.Lookup.Reference) throws -> AccountID? {
        switch reference {
        case .account(let id): id
        case .owner(let key): try owner(of: key)
        }
    }

    private func owner(of key: Store.UniqueKey) throws -> AccountID? { try connection.owner(of: key) }

    private func record(_ id: OneTimeRecordID) throws -> Store.OneTimeRecord? {
        let sql = "SELECT record FROM one_time_records WHERE id = ?"
        return try connection.first(sql, .bytes(id.bytes)) { $0.bytes(0) }.map { try coder.decode(from: $0) }
    }

    private mutating func session(_ id: [UInt8], _ record: [UInt8]) throws -> Session {
        if let session = sessions[id] { return session }
        let session: Session = try coder.decode(from: record)
        sessions[id] = session
        return session
    }

    private mutating func row(of id: AccountID) throws -> Store.Snapshot.Row? {
        if let row = rows[id] { return row }
        let sql = "SELECT record, last_sign_in FROM accounts WHERE id = ?"
        let row = try connection.first(sql, .bytes(id.bytes)) { ($0.bytes(0), $0.time(1)) }.map { bytes, lastSignIn in
            Store.Snapshot.Row(try coder.decode(from: bytes), lastSignIn: lastSignIn)
        }
        rows[id] = .some(row)
        return row
    }
}

/// What a load and a commit both read.
extension SQLiteConnection {
    func owner(of key: Store.UniqueKey) throws(SQLiteError) -> AccountID? {
        try first("SELECT account FROM unique_keys WHERE key = ?", .bytes(key.bytes)) { AccountID(bytes: $0.bytes(0)) }
            ?? nil
    }

    /// The accounts that reference the address: the strongest references first, then the oldest account.
    func referencing(_ email: EmailAddress) throws(SQLiteError) -> [AccountID] {
        try references(to: email).map(\.account)
    }

    /// The references that a lookup finds, with their strengths.
    func references(to email: EmailAddress) throws(SQLiteError) -> [FoundReference] {
        let sql = """
            SELECT account, strength FROM email_references WHERE email = ? \
            ORDER BY strength DESC, created_at, account LIMIT \(Store.EmailReference.lookupLimit)
            """
        return try all(sql, .bytes(email.bytes)) { row in
            AccountID(bytes: row.bytes(0)).map { FoundReference(account: $0, strength: row.integer(1)) }
        }
        .compactMap(\.self)
    }

    func referenceVersion(of email: EmailAddress) throws(SQLiteError) -> UInt64 {
        let sql = "SELECT version FROM email_lists WHERE email = ?"
        return try first(sql, .bytes(email.bytes)) { UInt64(clamping: $0.integer(0)) } ?? 0
    }
}

/// One entry of the list of accounts that reference an address.
struct FoundReference: Equatable {
    let account: AccountID
    let strength: Int64
}
#endif
