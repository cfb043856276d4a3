#if PostgreSQL
public import AuthCore
internal import AuthCoreSQL

extension PostgresStore: IdentityStore {
    /// All events, and the operations of a day.
    public var retention: Store.Retention { Store.Retention(events: .all, operations: .seconds(86_400)) }

    /// Returns what every lookup finds, all at the same moment.
    public func load(_ lookups: Store.Lookups) async throws -> Store.Snapshot {
        if lookups.isEmpty { return Store.Snapshot(lookups) { _ in .nothing } }
        var arguments = LoadArguments()
        for lookup in lookups { arguments.append(lookup) }
        let rows = try await run(
            "load",
            "SELECT * FROM \(schema.name).load($1, $2, $3, $4, $5)",
            arguments.parameters
        )
        var found: [Int: [Rows.Row]] = [:]
        for row in rows { found[Int(clamping: row.number(0) ?? -1), default: []].append(row) }
        // Several lookups may find one account, which is decoded once.
        var accounts: [String: Store.Snapshot.Row] = [:]
        var place = -1
        return try Store.Snapshot(lookups) { lookup in
            place += 1
            return try answer(to: lookup, found[place] ?? [], &accounts)
        }
    }

    private func answer(
        to lookup: Store.Lookup,
        _ rows: [Rows.Row],
        _ accounts: inout [String: Store.Snapshot.Row]
    ) throws(AuthError) -> Store.Snapshot.Answer {
        switch lookup {
        case .account, .owner:
            guard let row = rows.first else { return .nothing }
            if row.text(1) == "t" { return .gone(try decode(row[2])) }
            return .account(try account(row, &accounts))
        case .referencing:
            guard let version = rows.first?.number(3) else { return .accounts([], version: 0) }
            var list: [Store.Snapshot.Row] = []
            for row in rows.dropFirst() { list.append(try account(row, &accounts)) }
            return .accounts(list, version: UInt64(bitPattern: version))
        case .session:
            guard let row = rows.first else { return .nothing }
            return .session(try decode(row[2]))
        case .record:
            guard let row = rows.first else { return .nothing }
            return .record(try decode(row[2]), rows.count > 1 ? try account(rows[1], &accounts) : nil)
        case .sessions:
            var sessions: [Session] = []
            for row in rows { sessions.append(try decode(row[2])) }
            return .sessions(sessions)
        case .records:
            var records: [Store.OneTimeRecord] = []
            for row in rows { records.append(try decode(row[2])) }
            return .records(records)
        }
    }

    private func account(
        _ row: Rows.Row,
        _ accounts: inout [String: Store.Snapshot.Row]
    ) throws(AuthError) -> Store.Snapshot.Row {
        let id = row.text(4) ?? ""
        if let known = accounts[id] { return known }
        let decoded = Store.Snapshot.Row(
            try decode(row[2]),
            lastSignIn: row.number(3).map(Timestamp.init(milliseconds:))
        )
        accounts[id] = decoded
        return decoded
    }
}

/// The arguments of the function that answers lookups: one element of each list for each lookup.
private struct LoadArguments {
    private var kinds = ""
    private var names: [String?] = []
    private var ids: [[UInt8]?] = []
    private var keys: [[UInt8]?] = []
    private var purposes: [String?] = []

    mutating func append(_ lookup: Store.Lookup) {
        switch lookup {
        case .account(let id): append("a", name: id.description, id: OneTimeRecordID.tombstone(of: id).bytes)
        case .owner(let key): append("o", key: key.rowBytes)
        case .referencing(let email): append("m", name: email.description)
        case .session(let id): append("s", id: id.bytes)
        case .record(let id): append("r", id: id.bytes)
        case .sessions(let reference): append("S", reference)
        case .records(let reference, let purpose): append("R", reference, purpose: purpose.rawValue)
        }
    }

    private mutating func append(_ kind: String, _ reference: Store.Lookup.Reference, purpose: String? = nil) {
        switch reference {
        case .account(let id): append(kind, name: id.description, purpose: purpose)
        case .owner(let key): append(kind, key: key.rowBytes, purpose: purpose)
        }
    }

    private mutating func append(
        _ kind: String,
        name: String? = nil,
        id: [UInt8]? = nil,
        key: [UInt8]? = nil,
        purpose: String? = nil
    ) {
        kinds += kind
        names.append(name)
        ids.append(id)
        keys.append(key)
        purposes.append(purpose)
    }

    var parameters: [Parameter] {
        [.text(kinds), .texts(names), .ids(ids), .byteStrings(keys), .texts(purposes)]
    }
}
#endif
