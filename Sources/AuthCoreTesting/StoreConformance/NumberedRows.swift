import AuthCore

/// Changes that each give every row the number of the change.
///
/// So a snapshot shows whether it is of one moment.
struct NumberedRows {
    let ann: AccountID
    let ben: AccountID
    /// An address that the first account references after every other change.
    let shared: EmailAddress
    /// An address that the first account references, and a key that it owns, all the time.
    let lasting: EmailAddress
    let lastingKey: UniqueKey
    /// The rows that each change brings; those that it ends are not numbered.
    private(set) var keys: [UniqueKey] = []
    private(set) var sessions: [SessionID] = []
    private(set) var codes: [OneTimeRecordID] = []
    private(set) var changes: [ChangeSet] = []
    private let start: Timestamp

    /// Writes the accounts, and prepares this many changes.
    static func stage(_ count: Int, in probe: inout StoreProbe) async throws -> NumberedRows {
        var accounts = try ["ann", "ben"].map { try StoreScene.bareAccount($0, probe) }
        let written = accounts
        var rows = NumberedRows(
            ann: accounts[0].id,
            ben: accounts[1].id,
            shared: try StoreScene.email("shared@example.com"),
            lasting: try StoreScene.email("lasting@example.com"),
            lastingKey: .identity(StoreScene.identity("lasting")),
            start: probe.now
        )
        let staged = rows
        try await probe.commit("two accounts") { transaction in
            transaction.changes.accounts = written.map { .create($0) }
            transaction.changes.keys = [KeyChange(staged.lastingKey, from: nil, to: staged.ann)]
            transaction.changes.references = [StoreScene.reference(to: staged.lasting, by: written[0])]
            transaction.changes.signIns = [Store.SignInRecord(account: staged.ann, at: staged.start)]
        }
        for number in 1...count {
            let key = UniqueKey.identity(StoreScene.identity("\(number)"))
            let (session, code) = (
                StoreScene.session(of: rows.ann, &probe), StoreScene.code(about: rows.ann, &probe)
            )
            var change = ChangeSet(operation: OperationID(bits: probe.draw()), at: probe.now)
            for place in accounts.indices {
                accounts[place].version += 1
                change.accounts.append(.update(accounts[place], expected: UInt64(number - 1)))
            }
            change.keys = [KeyChange(key, from: nil, to: rows.ann)]
            change.references = [
                StoreScene.reference(to: rows.shared, by: accounts[0], isReferenced: number % 2 == 1)
            ]
            change.records = [.revokeAll(rows.ann, [.usedAssertion]), .put(code)]
            change.sessions = [.endAll(rows.ann, except: nil), .put(session)]
            change.signIns = [Store.SignInRecord(account: rows.ann, at: rows.start + .seconds(number))]
            rows.keys.append(key)
            rows.sessions.append(session.id)
            rows.codes.append(code.key)
            rows.changes.append(change)
        }
        return rows
    }

    /// The number of the change that wrote this account; that of none where it is not there.
    func number(of account: Account?) -> Int {
        min(Int(clamping: account?.version ?? 0), changes.count)
    }

    /// The rows that the next changes bring, for a reader who has just seen this number.
    private func window(around number: Int) -> Range<Int> { max(0, number - 1)..<min(number + 5, changes.count) }

    private var names: [Lookup.Reference] { [.account(ann), .owner(lastingKey)] }

    /// Every kind of lookup, more than twenty-five in all: a store may look up only so many at once.
    func lookups(around number: Int) -> Lookups {
        var lookups: Lookups = [.account(ann), .referencing(shared), .owner(lastingKey)]
        for place in window(around: number) {
            lookups.insert(.owner(keys[place]))
            lookups.insert(.session(sessions[place]))
            lookups.insert(.record(codes[place]))
        }
        for name in names {
            lookups.insert(.sessions(of: name))
            lookups.insert(.records(of: name, .usedAssertion))
        }
        lookups.insert(.referencing(lasting))
        lookups.insert(.account(ben))
        return lookups
    }

    /// The rows that a snapshot shows as they were at another moment than the first account.
    func rowsOfAnotherMoment(in seen: Snapshot, around before: Int) -> [String] {
        let number = number(of: seen[ann])
        var rows: [(name: String, isOfThisMoment: Bool)] = [
            ("another account", self.number(of: seen[ben]) == number),
            ("an owner", self.number(of: seen.owner(of: lastingKey)) == number),
            ("an account of a reference", self.number(of: seen.accounts(referencing: lasting).first) == number),
            ("references", seen.accounts(referencing: shared).isEmpty == (number % 2 == 0)),
            ("a sign-in", seen.lastSignIn(of: ann) == start + .seconds(number)),
        ]
        for name in names {
            let (sessions, codes) = (seen.sessions(of: name), seen.records(of: name, .usedAssertion))
            rows.append(("sessions", sessions.map(\.id).elementsEqual(self.sessions[..<number].suffix(1))))
            rows.append(("records", codes.map(\.key).elementsEqual(self.codes[..<number].suffix(1))))
        }
        for place in window(around: before) {
            let isNewest = place == number - 1
            rows.append(("keys", (seen.owner(of: keys[place]) != nil) == (place < number)))
            rows.append(("a session", (seen.session(sessions[place]) != nil) == isNewest))
            rows.append(("a record", (seen.record(codes[place]) != nil) == isNewest))
            if isNewest {
                rows.append(("an account of a record", self.number(of: seen.account(of: codes[place])) == number))
            }
        }
        return rows.filter { !$0.isOfThisMoment }.map(\.name)
    }
}
