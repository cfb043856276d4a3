@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// Flaws that show where one change takes away what another rests on.
extension Flaw {
    static let meanwhile: [String: [Flaw]] = [
        "a key that a change expects of its owner is the owner's when it is written": [
            .checksAndForgets(.expectations)
        ],
        "a list of references that a change only reads is the same when it is written": [
            .checksAndForgets(.references), forgetsListsThatAreNotEmpty,
        ],
        "of parallel changes that read one list of references one wins": [forgetsListsThatAreNotEmpty],
        "an account is not created while it is removed and its tombstone written": [looksForTombstonesTooEarly],
        "a record that is replaced while it is used up stays used up": [.looksTooEarly(.recordReplacements)],
        "a sweep spares what is given more time meanwhile": sweepsWhatItSaw,
        "a commit that is canceled and answered as failed is not written": [callsCanceledCommitsFailed],
        "a record about a removed account goes to another in the same step": [removesRecordsWithTheirAccount],
        "a commit that is interrupted is written whole or not at all": [callsWrittenCommitsFailed],
        "what one commit writes is seen together": [readsListVersionsLater],
        "precondition: an update names the version it saw": [countsRefusalsInLists, failsMessagesOfRefusals],
    ]

    private static let forgetsListsThatAreNotEmpty = Flaw("checks and forgets lists that are not empty") { store in
        let careful = FlawedStore.checking(.references)
        store.onCommit = { changes, whole in
            for read in changes.referenceReads {
                let seen = try await whole.load([.referencing(read.email)])
                if seen.accounts(referencing: read.email).isEmpty { return try await whole.commit(changes) }
            }
            return try await careful(changes, whole)
        }
    }

    private static let looksForTombstonesTooEarly = Flaw.wraps("looks too early for a tombstone") { store in
        store.onCommit = { changes, whole in
            guard case .create(let account)? = changes.accounts.first,
                try await whole.load([.account(account.id)]).tombstone(of: account.id) == nil
            else { return try await whole.commit(changes) }
            await Flaw.pause()
            guard let stone = try await whole.load([.account(account.id)]).tombstone(of: account.id) else {
                return try await whole.commit(changes)
            }
            var careless = changes
            careless.records.append(.consume(stone.key))
            let outcome = try await whole.commit(careless)
            var rest = ChangeSet(operation: OperationID(bits: ~changes.operation.bits), at: changes.at)
            rest.records = [.put(stone)]
            _ = try await whole.commit(rest)
            return outcome
        }
    }

    /// Looks for what has expired, and removes it a moment later, whatever became of it.
    private static func sweepsWhatItSaw(
        _ what: String,
        _ remove: @escaping @Sendable (_ seen: PlainTables, _ now: Timestamp, inout PlainTables) -> Void
    ) -> Flaw {
        Flaw("sweeps \(what) that it saw a moment ago") {
            let plain = PlainStore()
            var store = FlawedStore(whole: plain)
            store.onSweep = { now, limit, whole in
                let seen = plain.tables.withLock { $0 }
                for _ in 0..<20 { await Task.yield() }
                plain.tables.withLock { remove(seen, now, &$0) }
                return try await whole.sweep(at: now, limit: limit)
            }
            return StoreSubject(store)
        }
    }

    private static let sweepsWhatItSaw: [Flaw] = [
        sweepsWhatItSaw("sessions") { seen, now, tables in
            tables.sessions = tables.sessions.filter { seen.sessions[$0.key]?.expiresAt.map { $0 > now } ?? true }
        },
        sweepsWhatItSaw("records") { seen, now, tables in
            tables.records = tables.records.filter { seen.records[$0.key]?.isLive(at: now) ?? true }
        },
    ]

    private static let callsCanceledCommitsFailed = Flaw.wraps("calls a commit failed once it is canceled") { store in
        store.onCommit = { changes, whole in
            let outcome = try await whole.commit(changes)
            for _ in 0..<10 { await Task.yield() }
            if Task.isCancelled { throw AuthError(.canceled) }
            return outcome
        }
    }

    private static let removesRecordsWithTheirAccount = Flaw.edits("removes records with their account") {
        before,
        changes,
        after in
        for case .remove(let id, _) in changes.accounts {
            after.records = after.records.filter { before.records[$0.key]?.account != id }
        }
    }

    private static let callsWrittenCommitsFailed = interrupts("calls a commit failed that was written") {
        changes,
        statements,
        whole in
        if statements > 7 { _ = try await whole.commit(changes) }
        throw AuthError(.storeUnavailable)
    }

    private static let readsListVersionsLater = Flaw.wraps("reads the version of a list after the list") { store in
        store.onLoad = { lookups, whole in
            let seen = try await whole.load(lookups)
            await Task.yield()
            let later = try await whole.load(lookups)
            return Snapshot(lookups) { lookup in
                guard case .referencing(let email) = lookup, case .accounts(let rows, _) = seen.answer(to: lookup)
                else {
                    return seen.answer(to: lookup)
                }
                return .accounts(rows, version: later.referenceVersion(of: email))
            }
        }
    }

    private static let countsRefusalsInLists = Flaw.wraps("counts refused changes in the versions of lists") { store in
        let refusals = Mutex<UInt64>(0)
        store.onCommit = { changes, whole in
            let outcome = try await whole.commit(changes)
            if case .violated = outcome { refusals.withLock { $0 += 1 } }
            return outcome
        }
        store.onLoad = { lookups, whole in
            let seen = try await whole.load(lookups)
            let count = refusals.withLock { $0 }
            return Snapshot(lookups) { lookup in
                guard case .accounts(let rows, let version) = seen.answer(to: lookup) else {
                    return seen.answer(to: lookup)
                }
                return .accounts(rows, version: version + count)
            }
        }
    }

    private static let failsMessagesOfRefusals = Flaw.wraps("gives up the messages of a refused change") { store in
        store.onCommit = { changes, whole in
            let outcome = try await whole.commit(changes)
            guard case .violated = outcome else { return outcome }
            var rest = ChangeSet(operation: OperationID(bits: ~changes.operation.bits), at: changes.at)
            rest.messages = changes.messages
            _ = try await whole.commit(rest)
            for message in changes.messages { try await whole.endLease(of: message.id, tries: 1, dueAt: nil) }
            return outcome
        }
    }
}
