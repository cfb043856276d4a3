@testable import AuthCore

/// What must hold of a store between any two operations, whatever happened before.
///
/// The checks see only what the store shows, and compare everything with everything: no index of their own can be
/// wrong.
struct Invariants {
    let store: any IdentityStore
    let policy: AuthPolicy
    /// Whether the store numbers events without gaps; a database that many write to need not.
    var hasNoGaps = true
    /// Whether rows of ended sessions may stay: where two sessions outlive the others, a store ends none by itself.
    var mayKeepEndedRows = false

    /// Everything that does not hold, in words; empty if all does.
    func violations() async throws -> [String] { try await violations(in: try await StoreView(of: store)) }

    /// Everything that does not hold in what was just seen of the store.
    func violations(in view: StoreView) async throws -> [String] {
        var found = accounts(view)
        found += try await lookUps(view)
        found += sessions(view)
        found += history(view)
        found += try await graves(view)
        return found
    }

    /// What accounts are in themselves and beside each other.
    func accounts(_ view: StoreView) -> [String] {
        soleOwners(view) + view.accounts.flatMap { waysIn(of: $0, in: view) + soundness(of: $0) }
    }

    /// I1 and I2: nothing has two owners.
    private func soleOwners(_ view: StoreView) -> [String] {
        var owners: [(key: UniqueKey, account: AccountID)] = []
        var found: [String] = []
        for account in view.accounts {
            for key in account.claims(under: policy) {
                if let other = owners.first(where: { $0.key == key }) {
                    found.append("\(key) is of \(other.account) and of \(account.id)")
                }
                owners.append((key, account.id))
            }
        }
        return found
    }

    /// The store finds exactly the owners that its accounts tell, of what anybody has and of what anybody ever had.
    private func lookUps(_ view: StoreView) async throws -> [String] {
        var found: [String] = []
        for key in view.keysEver(under: policy) {
            let owner = view.accounts.first { $0.claims(under: policy).contains(key) }?.id
            let answer = try await self.owner(of: key)
            if answer != owner {
                found.append("\(key) is of \(owner?.text ?? "-"), and the store says \(answer?.text ?? "-")")
            }
        }
        for address in view.addressesEver(under: policy.keyRule) {
            let seen = try await store.load([.referencing(address)])
            let answer = seen.accounts(referencing: address).map(\.id)
            let rule = policy.keyRule
            let referencing = view.accounts
                .compactMap { account in account.emailReferences(under: rule).first { $0.email == address }?.reference }
                .sorted().prefix(EmailReference.lookupLimit).map(\.account)
            if answer != referencing {
                found.append("\(address) is mentioned by \(referencing), and the store says \(answer)")
            }
        }
        return found
    }

    private func owner(of key: UniqueKey) async throws -> AccountID? {
        try await store.load([.owner(key)]).owner(of: key)?.id
    }

    /// I6 and I5: a session is of its account's session generation, rests on a method that is there and can be used,
    /// and claims no factor that could not have been shown.
    func sessions(_ view: StoreView) -> [String] {
        var found: [String] = []
        for session in view.sessions {
            guard let account = view.account(session.account) else {
                found.append("\(session.id) is nobody's")
                continue
            }
            if mayKeepEndedRows, session.sessionGeneration < account.sessionGeneration { continue }
            if session.sessionGeneration != account.sessionGeneration {
                found.append("\(session.id) is of another sessionGeneration than its account")
            }
            if session.factor != nil, view.count(of: .factorsChanged, account.id) == 0 {
                found.append("\(session.id) claims a factor, and the account never had one")
            }
            guard let generation = session.basis.generation else { continue }
            let rests = account.methods.contains { $0.generation == generation && $0.isActive }
            if policy.removedMethod == .endsItsSessions && !rests { found.append("\(session.id) rests on nothing") }
            if generation >= account.nextGeneration { found.append("\(session.id) rests on a method to come") }
        }
        let ids = view.sessions.map(\.id)
        if Set(ids).count != ids.count { found.append("a session is listed twice") }
        return found
    }

    /// I10: each change of methods has one event with a cause, and each begins where the last one ended.
    func history(_ view: StoreView) -> [String] {
        guard view.removedEvents == .start else { return [] }
        var found: [String] = []
        for id in Set(view.events.map(\.account) + view.accounts.map(\.id)) {
            let history = SignInMethod.History(of: id, events: view.events)
            for gap in history.gaps { found.append("event \(gap) of \(id) does not begin where the last one ended") }
            if history.methods != view.account(id)?.methodSummaries ?? [] {
                found.append("the events of \(id) end with other methods than it has")
            }
        }
        for event in view.events where event.kind == .methodsChanged {
            if event.before == event.after { found.append("event \(event.number) changes nothing") }
            if event.reasons.isEmpty { found.append("event \(event.number) has no cause") }
        }
        if hasNoGaps, view.events.map(\.number) != view.events.indices.map({ UInt64($0) + 1 }) {
            found.append("the log has holes")
        }
        return found
    }

    /// Who is gone has a tombstone, whose successor is there or has one; who is there has none.
    private func graves(_ view: StoreView) async throws -> [String] {
        let present = Set(view.accounts.map(\.id))
        var found: [String] = []
        for id in Set(view.events.map(\.account)) {
            let tombstone = try await record(.tombstone(of: id))
            if (tombstone == nil) != present.contains(id) { found.append("\(id) is neither here nor gone") }
            if case .tombstone(let successor?)? = tombstone?.content, !present.contains(successor) {
                if try await record(.tombstone(of: successor)) == nil { found.append("\(id) went nowhere") }
            }
        }
        return found
    }

    private func record(_ key: OneTimeRecordID) async throws -> OneTimeRecord? {
        try await store.load([.record(key)]).record(key)
    }
}
