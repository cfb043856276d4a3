@testable import AuthCore
import AuthCoreTesting

/// What a careless store does not look at.
enum Carelessness: Sendable {
    case keyRule, updates, removals, reads, creations, identities, phones, emails, expectations, references
    case recordPuts, recordReplacements, recordUses, sessionPuts, sessionUpdates, exchanges

    /// The change with everything expected that is the case, so that nothing stands against it.
    func loosen(_ changes: ChangeSet, in store: any IdentityStore) async throws -> ChangeSet {
        var changes = changes
        switch self {
        case .keyRule: changes.keyRule = nil
        case .updates, .removals, .creations:
            for (index, write) in changes.accounts.enumerated() {
                changes.accounts[index] = try await loosen(write, in: store)
            }
        case .reads: changes.reads = []
        case .identities, .phones, .emails:
            for (index, change) in changes.keys.enumerated() where isAbout(change.key) {
                changes.keys[index] = KeyChange(
                    change.key,
                    from: try await owner(of: change.key, in: store),
                    to: change.owner
                )
            }
        case .references: changes.referenceReads = []
        case .expectations: changes.keys.removeAll { $0.expected == $0.owner }
        case .recordPuts, .recordReplacements, .recordUses:
            for (index, change) in changes.records.enumerated() {
                changes.records[index] = try await loosen(change, in: store)
            }
        case .sessionPuts, .sessionUpdates, .exchanges:
            for (index, change) in changes.sessions.enumerated() {
                changes.sessions[index] = try await loosen(change, in: store)
            }
        }
        return changes
    }

    private func loosen(_ write: Store.AccountWrite, in store: any IdentityStore) async throws -> Store.AccountWrite {
        guard let version = try await store.load([.account(write.id)])[write.id]?.version else { return write }
        return switch (self, write) {
        case (.updates, .update(let account, _)): .update(account, expected: version)
        case (.removals, .remove(let id, _)): .remove(id, expected: version)
        case (.creations, .create(let account)): .update(account, expected: version)
        default: write
        }
    }

    private func isAbout(_ key: UniqueKey) -> Bool {
        switch (self, key) {
        case (.identities, .identity), (.phones, .phone), (.emails, .primaryEmail): true
        default: false
        }
    }

    private func owner(of key: UniqueKey, in store: any IdentityStore) async throws -> AccountID? {
        try await store.load([.owner(key)]).owner(of: key)?.id
    }

    private func loosen(_ change: OneTimeRecordChange, in store: any IdentityStore) async throws -> OneTimeRecordChange
    {
        func isThere(_ key: OneTimeRecordID) async throws -> Bool {
            try await store.load([.record(key)]).record(key) != nil
        }
        switch (self, change) {
        case (.recordPuts, .put(let new)): return try await isThere(new.key) ? .replace(new) : change
        case (.recordReplacements, .replace(let new)): return try await isThere(new.key) ? change : .put(new)
        case (.recordUses, .consume(let key)): return .revoke(key)
        default: return change
        }
    }

    private func loosen(_ change: Store.SessionChange, in store: any IdentityStore) async throws -> Store.SessionChange
    {
        func row(_ id: SessionID) async throws -> Session? {
            try await store.load([.session(id)]).session(id)
        }
        switch (self, change) {
        case (.sessionPuts, .put(let new)):
            return try await row(new.id).map { .update(new, refreshCount: $0.refreshCount) } ?? change
        case (.sessionUpdates, .update(let new, _)):
            return try await row(new.id) == nil ? .put(new) : change
        case (.exchanges, .update(let new, _)):
            return try await row(new.id).map { .update(new, refreshCount: $0.refreshCount) } ?? change
        default: return change
        }
    }
}

extension Flaw {
    /// Does not look at one kind of precondition.
    static func ignores(_ carelessness: Carelessness) -> Flaw {
        Flaw("ignores \(carelessness)") { store in
            store.onCommit = { changes, whole in
                try await whole.commit(try await carelessness.loosen(changes, in: whole))
            }
        }
    }

    /// Looks first and writes a moment later, whatever has happened meanwhile.
    static func looksTooEarly(_ carelessness: Carelessness) -> Flaw {
        Flaw("looks too early at \(carelessness)") { store in
            store.onCommit = { changes, whole in
                let dry = try await carelessness.loosen(changes, in: whole)
                let differs = dry != changes && carelessness != .recordUses
                if differs { return try await whole.commit(changes) }
                await Flaw.pause()
                return try await whole.commit(try await carelessness.loosen(changes, in: whole))
            }
        }
    }

    /// Checks what was only read, and no longer knows of it when it writes a moment later.
    static func checksAndForgets(_ carelessness: Carelessness) -> Flaw {
        Flaw("checks and forgets \(carelessness)") { $0.onCommit = FlawedStore.checking(carelessness) }
    }

    /// Refuses, and writes a part of the change all the same.
    static func writesHalf(_ name: String, _ keep: @escaping @Sendable (ChangeSet, inout ChangeSet) -> Void) -> Flaw {
        Flaw("writes half: \(name)") { store in
            store.onCommit = { changes, whole in
                let outcome = try await whole.commit(changes)
                guard case .violated = outcome else { return outcome }
                var half = ChangeSet(operation: OperationID(bits: ~changes.operation.bits), at: changes.at)
                keep(changes, &half)
                _ = try await whole.commit(half)
                return outcome
            }
        }
    }

    /// All ways to write a half that can be seen.
    static let halves: [Flaw] = [
        .writesHalf("accounts") { $1.accounts = $0.accounts.dropLast($0.accounts.count - 1) },
        .writesHalf("keys") { $1.keys = Array($0.keys.prefix(1)) },
        .writesHalf("references") { $1.references = $0.references },
        .writesHalf("records put") { $1.records = Array($0.records.prefix(1)) },
        .writesHalf("records revoked") { $1.records = Array($0.records.suffix(1)) },
        .writesHalf("sessions put") { $1.sessions = Array($0.sessions.prefix(1)) },
        .writesHalf("sessions ended") { $1.sessions = Array($0.sessions.suffix(1)) },
        .writesHalf("sign-ins") { $1.signIns = $0.signIns },
        .writesHalf("events") { $1.events = $0.events },
        .writesHalf("messages") { $1.messages = $0.messages },
    ]
}

extension FlawedStore {
    /// Commits after checking what was only read, and without knowing of it any more.
    static func checking(
        _ carelessness: Carelessness
    ) -> @Sendable (ChangeSet, any IdentityStore) async throws -> Store.CommitOutcome {
        { changes, whole in
            let loose = try await carelessness.loosen(changes, in: whole)
            if loose == changes { return try await whole.commit(changes) }
            var dry = ChangeSet(operation: OperationID(bits: ~changes.operation.bits), at: changes.at)
            (dry.reads, dry.referenceReads) = (changes.reads, changes.referenceReads)
            dry.keys = changes.keys.filter { $0.expected == $0.owner }
            guard try await whole.commit(dry) == .committed else { return try await whole.commit(changes) }
            await Flaw.pause()
            return try await whole.commit(loose)
        }
    }
}
