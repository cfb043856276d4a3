import AuthCore
/// An empty store under examination, and what was found so far.
struct StoreProbe {
    let store: any IdentityStore
    private(set) var findings: [String] = []
    private var drawn: UInt64 = 0

    /// The first moment of 2026 in UTC.
    let now = Timestamp(seconds: 1_767_225_600)

    /// The moment this many seconds later.
    func later(_ seconds: Double) -> Timestamp { now + .seconds(seconds) }

    init(store: any IdentityStore) {
        self.store = store
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

    // MARK: Names and changes

    /// A number that was not drawn before.
    mutating func draw() -> UInt128 {
        drawn += 1
        return UInt128(drawn) << 64 | UInt128(drawn)
    }

    /// The beginning of a change.
    mutating func draft() -> Draft {
        let fresh = FreshIdentifiers(
            operation: draw(),
            account: draw(),
            session: draw(),
            capability: draw(),
            message: draw()
        )
        return Draft(Ruling(policy: .firebase, now: now, fresh: fresh, context: RequestContext()))
    }

    /// Commits what the body writes; a finding if it is not committed.
    @discardableResult
    mutating func commit(_ what: String, _ body: (inout Draft) throws -> Void) async throws -> UInt64 {
        var draft = draft()
        try body(&draft)
        return try await commit(what, draft.changes)
    }

    /// Commits a change; a finding if it is not committed.
    @discardableResult
    mutating func commit(_ what: String, _ changes: ChangeSet) async throws -> UInt64 {
        let outcome = try await store.commit(changes)
        guard case .committed(let sequence) = outcome else {
            report("\(what): \(outcome), not committed")
            return 0
        }
        return sequence
    }

    /// Commits what the body writes; a finding unless exactly this precondition is named.
    mutating func refuse(
        _ what: String,
        _ precondition: Precondition,
        _ body: (inout Draft) throws -> Void
    ) async throws {
        var draft = draft()
        try body(&draft)
        expect(try await store.commit(draft.changes), is: .violated(precondition), what)
    }

    // MARK: Looking

    func load(_ body: (inout SnapshotQuery) -> Void) async throws -> Snapshot {
        var query = SnapshotQuery()
        body(&query)
        return try await store.load(query)
    }

    func account(_ id: AccountID) async throws -> Account? {
        try await load { $0.account = id }.account?.account
    }

    func owner(of key: UniqueKey) async throws -> AccountID? {
        let found = try await load { query in
            switch key {
            case .identity(let identity): query.identity = identity
            case .phone(let number): query.phone = number
            case .primaryEmail(let email): query.email = email
            }
        }
        return (found.identityOwner ?? found.phoneOwner ?? found.emailOwner)?.account.id
    }

    func mentioners(of email: EmailAddress) async throws -> [AccountID] {
        try await load { $0.mentions = email }.mentioners.map(\.account.id).sorted()
    }

    func capability(_ key: CapabilityKey) async throws -> Capability? {
        try await load { $0.capabilities = [key] }.capability(key)
    }

    func session(_ id: SessionID) async throws -> Session? {
        try await load { $0.session = id }.session
    }

    func sessions(of account: AccountID) async throws -> [SessionID] {
        try await load { $0.sessionsOf = account }.sessions.map(\.id).sorted()
    }
}
