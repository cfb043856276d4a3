import AuthCore
/// An empty database that is tested, with two handles on it, and the violations found so far.
struct StoreProbe {
    let subject: StoreSubject
    var store: any IdentityStore
    let other: any IdentityStore
    private(set) var findings: [String] = []
    private var drawn: UInt64 = 0

    /// The first moment of 2026 in UTC.
    let now = Timestamp(seconds: 1_767_225_600)

    /// The time this many seconds later.
    func later(_ seconds: Double) -> Timestamp { now + .seconds(seconds) }

    init(subject: StoreSubject, store: any IdentityStore, other: any IdentityStore) {
        self.subject = subject
        self.store = store
        self.other = other
    }

    /// The same probe with the store in memory, which shows what the store under test must show.
    func model() -> StoreProbe {
        let store = InMemoryIdentityStore()
        var model = StoreProbe(subject: StoreSubject(store), store: store, other: store)
        model.drawn = drawn
        return model
    }

    // MARK: Findings

    mutating func report(_ finding: String) {
        findings.append(finding)
    }

    mutating func expect(_ holds: Bool, _ finding: @autoclosure () -> String) {
        if !holds { report(finding()) }
    }

    mutating func expect<Value: Equatable>(_ value: Value, is expected: Value, _ what: String) {
        if value != expected { report("\(what): \(value), not \(expected)") }
    }

    /// Throws that the clause cannot be checked if the log need not keep this many events.
    func requireLog(of count: Int) throws {
        if case .newest(let limit) = store.retention.events, limit < count { throw StoreClause.NotApplicable() }
    }

    // MARK: Names and changes

    /// A number that was not used before.
    mutating func draw() -> UInt128 {
        drawn += 1
        return UInt128(drawn) << 64 | UInt128(drawn)
    }

    /// Begins a change.
    mutating func transaction() -> Transaction {
        let fresh = FreshIdentifiers { draw() }
        return Transaction(DecisionContext(policy: .firebase, now: now, fresh: fresh, context: RequestContext()))
    }

    /// Commits what the body writes; reports a violation if it is not committed.
    mutating func commit(_ what: String, _ body: (inout Transaction) throws -> Void) async throws {
        var transaction = transaction()
        try body(&transaction)
        try await commit(what, transaction.changes)
    }

    /// Commits a change; reports a violation if it is not committed.
    mutating func commit(_ what: String, _ changes: ChangeSet) async throws {
        let outcome = try await store.commit(changes)
        expect(outcome == .committed, "\(what): \(outcome), not committed")
    }

    /// Commits a reference to an address, or the end of one.
    mutating func refer(
        to email: EmailAddress,
        by account: Account,
        _ strength: EmailReference.Strength = .own,
        isReferenced: Bool = true
    ) async throws {
        try await commit("a reference to \(email)") {
            $0.changes.references = [
                StoreScene.reference(to: email, by: account, strength, isReferenced: isReferenced)
            ]
        }
    }

    /// Commits what the body writes; reports a violation unless exactly this precondition is answered.
    mutating func refuse(
        _ what: String,
        _ precondition: Store.Precondition,
        _ body: (inout Transaction) throws -> Void
    ) async throws {
        var transaction = transaction()
        try body(&transaction)
        expect(try await store.commit(transaction.changes), is: .violated(precondition), what)
    }

    // MARK: Looking

    func load(_ lookups: Lookup...) async throws -> Snapshot { try await store.load(Lookups(lookups)) }

    func account(_ id: AccountID) async throws -> Account? { try await load(.account(id))[id] }

    func lastSignIn(of id: AccountID) async throws -> Timestamp? { try await load(.account(id)).lastSignIn(of: id) }

    func owner(of key: UniqueKey) async throws -> AccountID? { try await load(.owner(key)).owner(of: key)?.id }

    func referencing(of email: EmailAddress) async throws -> [AccountID] {
        try await load(.referencing(email)).accounts(referencing: email).map(\.id)
    }

    func referenceVersion(of email: EmailAddress) async throws -> UInt64 {
        try await load(.referencing(email)).referenceVersion(of: email)
    }

    func messageCount(on store: any IdentityStore) async throws -> Int {
        try await store.messages(.waiting, after: nil, limit: 1000).count
    }

    func record(_ key: OneTimeRecordID) async throws -> OneTimeRecord? { try await load(.record(key)).record(key) }

    /// The records about an account that are of this purpose, in the order of their IDs.
    func records(
        of account: AccountID,
        _ purpose: OneTimeRecord.Purpose = .usedAssertion
    ) async throws -> [OneTimeRecord] {
        let account = Lookup.Reference.account(account)
        return try await load(.records(of: account, purpose)).records(of: account, purpose).sorted { $0.key < $1.key }
    }

    func tombstone(of id: AccountID) async throws -> OneTimeRecord? { try await load(.account(id)).tombstone(of: id) }

    func session(_ id: SessionID) async throws -> Session? { try await load(.session(id)).session(id) }

    func sessions(of account: AccountID) async throws -> [SessionID] { try await rows(of: account).map(\.id) }

    func rows(of account: AccountID) async throws -> [Session] {
        let account = Lookup.Reference.account(account)
        return try await load(.sessions(of: account)).sessions(of: account).sorted { $0.id < $1.id }
    }
}
