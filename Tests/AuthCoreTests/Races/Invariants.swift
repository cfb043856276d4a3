import AuthCore
import Foundation

/// What must hold of a store between any two operations, whatever happened before.
struct Invariants {
    let store: any IdentityStore
    let policy: AuthPolicy

    /// Everything that does not hold, in words; empty if all does.
    func violations() async throws -> [String] {
        let accounts = try await store.accounts(after: nil, limit: .max).map(\.account)
        let events = try await store.events(after: 0, limit: .max).events
        var found = soleOwners(accounts)
        for account in accounts {
            found += try await keys(of: account)
            found += waysIn(of: account)
            found += try await sessions(of: account)
        }
        found += history(events, accounts)
        found += try await graves(events, accounts)
        return found
    }

    /// I1 and I2: nothing has two owners.
    private func soleOwners(_ accounts: [Account]) -> [String] {
        var owners: [UniqueKey: AccountID] = [:]
        var found: [String] = []
        for account in accounts {
            for key in account.ownedKeys {
                if let other = owners.updateValue(account.id, forKey: key) {
                    found.append("\(key) is of \(other) and of \(account.id)")
                }
            }
        }
        return found
    }

    /// What the store says of a key is what the account says.
    private func keys(of account: Account) async throws -> [String] {
        var found: [String] = []
        for key in account.ownedKeys {
            let owner = try await owner(of: key)
            if owner != account.id {
                found.append("\(key) is of \(account.id), and the store says \(owner?.text ?? "-")")
            }
        }
        return found
    }

    private func owner(of key: UniqueKey) async throws -> AccountID? {
        var query = SnapshotQuery()
        switch key {
        case .identity(let identity): query.identity = identity
        case .phone(let number): query.phone = number
        case .primaryEmail(let address): query.email = address
        }
        let snapshot = try await store.load(query)
        return (snapshot.identityOwner ?? snapshot.phoneOwner ?? snapshot.emailOwner)?.account.id
    }

    /// I3: an account that is not anonymous can be entered; and no two methods have one number.
    private func waysIn(of account: Account) -> [String] {
        var found: [String] = []
        let isOpen = account.isAnonymous || account.acceptsCustomTokens || !account.usableMethods(under: policy).isEmpty
        if policy.lastMethod == .kept && !isOpen { found.append("nothing opens \(account.id)") }
        let generations = account.methods.map(\.generation) + account.factors.map(\.generation)
        if Set(generations).count != generations.count { found.append("\(account.id) counts a generation twice") }
        if generations.contains(where: { $0 >= account.nextGeneration }) {
            found.append("\(account.id) has a generation that is still to come")
        }
        return found
    }

    /// I6: a session of the account's epoch rests on a method that is there and can be used.
    private func sessions(of account: Account) async throws -> [String] {
        var query = SnapshotQuery()
        query.sessionsOf = account.id
        return try await store.load(query).sessions.compactMap { session in
            if session.account != account.id { return "\(session.id) is listed with \(account.id)" }
            if session.epoch > account.epoch { return "\(session.id) is of an epoch to come" }
            guard session.epoch == account.epoch, policy.removedMethod == .endsItsSessions else { return nil }
            guard let generation = session.basis.generation else { return nil }
            let rests = account.methods.contains { $0.generation == generation && $0.isActive }
            return rests ? nil : "\(session.id) rests on nothing"
        }
    }

    /// I10: each change of methods has one event, and each begins where the last one ended.
    private func history(_ events: [IdentityEvent], _ accounts: [Account]) -> [String] {
        var methods: [AccountID: [MethodSummary]] = [:]
        var found: [String] = []
        for event in events {
            guard let before = event.before, let after = event.after else { continue }
            if methods[event.account, default: []] != before {
                found.append("event \(event.sequence) of \(event.account) does not begin where the last one ended")
            }
            methods[event.account] = after
        }
        let present = Dictionary(uniqueKeysWithValues: accounts.map { ($0.id, $0.methodSummaries) })
        for (id, told) in methods where told != present[id] ?? [] {
            found.append("the events of \(id) end with other methods than it has")
        }
        return found
    }

    /// Who is gone has a tombstone, whose successor is there or has one; who is there has none.
    private func graves(_ events: [IdentityEvent], _ accounts: [Account]) async throws -> [String] {
        let present = Set(accounts.map(\.id))
        var found: [String] = []
        for id in Set(events.map(\.account)) {
            var query = SnapshotQuery()
            query.capabilities = [.tombstone(of: id)]
            let tombstone = try await store.load(query).capabilities.first
            if (tombstone == nil) != present.contains(id) { found.append("\(id) is neither here nor gone") }
            if case .tombstone(let successor?)? = tombstone?.content, !present.contains(successor) {
                query.capabilities = [.tombstone(of: successor)]
                if try await store.load(query).capabilities.isEmpty { found.append("\(id) went nowhere") }
            }
        }
        return found
    }
}
