#if PostgreSQL
internal import AuthCore
internal import AuthCoreSQL

/// The one statement of a load, and how its rows are read.
struct LoadCall {
    let statement: String
    let parameters: [Parameter]
    private let lookups: Store.Lookups

    init(_ lookups: Store.Lookups, _ schema: Schema) {
        self.lookups = lookups
        statement = "SELECT * FROM \(schema).load($1, $2, $3, $4, $5)"
        var arguments = LoadArguments()
        for lookup in lookups { arguments.append(lookup) }
        parameters = arguments.parameters
    }

    /// What the rows say.
    func snapshot(of rows: [Row], _ coder: RowCoder) throws(PostgresError) -> Store.Snapshot {
        var found: [Int: [Row]] = [:]
        for row in rows { found[Int(clamping: row.number(0) ?? -1), default: []].append(row) }
        // Several lookups may find one account, which is decoded once.
        var accounts: [String: Store.Snapshot.Row] = [:]
        var answers: [Store.Snapshot.Answer] = []
        for (place, lookup) in lookups.enumerated() {
            answers.append(try answer(to: lookup, found[place] ?? [], &accounts, coder))
        }
        var next = answers.makeIterator()
        return Store.Snapshot(lookups) { _ in next.next() ?? .nothing }
    }

    private func answer(
        to lookup: Store.Lookup,
        _ rows: [Row],
        _ accounts: inout [String: Store.Snapshot.Row],
        _ coder: RowCoder
    ) throws(PostgresError) -> Store.Snapshot.Answer {
        switch lookup {
        case .account, .owner:
            guard let row = rows.first else { return .nothing }
            if row.text(1) == "t" { return .gone(try coder.read(row[2])) }
            return .account(try account(row, &accounts, coder))
        case .referencing:
            guard let version = rows.first?.number(3) else { return .accounts([], version: 0) }
            var list: [Store.Snapshot.Row] = []
            for row in rows.dropFirst() { list.append(try account(row, &accounts, coder)) }
            return .accounts(list, version: UInt64(bitPattern: version))
        case .session:
            guard let row = rows.first else { return .nothing }
            return .session(try coder.read(row[2]))
        case .record:
            guard let row = rows.first else { return .nothing }
            return .record(try coder.read(row[2]), rows.count > 1 ? try account(rows[1], &accounts, coder) : nil)
        case .sessions:
            var sessions: [Session] = []
            for row in rows { sessions.append(try coder.read(row[2])) }
            return .sessions(sessions)
        case .records:
            var records: [Store.OneTimeRecord] = []
            for row in rows { records.append(try coder.read(row[2])) }
            return .records(records)
        }
    }

    private func account(
        _ row: Row,
        _ accounts: inout [String: Store.Snapshot.Row],
        _ coder: RowCoder
    ) throws(PostgresError) -> Store.Snapshot.Row {
        let id = row.text(4) ?? ""
        if let known = accounts[id] { return known }
        let decoded = Store.Snapshot.Row(
            try coder.read(row[2]),
            lastSignIn: row.number(3).map(Timestamp.init(milliseconds:))
        )
        accounts[id] = decoded
        return decoded
    }
}
#endif
