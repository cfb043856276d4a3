import AuthCore
import Foundation
import Synchronization

/// A store that keeps every change it is asked to write, so that a test can look at it, or say that there was none.
final class WitnessStore: IdentityStore {
    private let store = InMemoryIdentityStore()
    private let kept = Mutex<[ChangeSet]>([])

    var changes: [ChangeSet] { kept.withLock { $0 } }

    func load(_ query: SnapshotQuery) async throws -> Snapshot { try await store.load(query) }

    func commit(_ changes: ChangeSet) async throws -> CommitOutcome {
        kept.withLock { $0.append(changes) }
        return try await store.commit(changes)
    }

    func accounts(after: AccountID?, limit: Int) async throws -> [StoredAccount] {
        try await store.accounts(after: after, limit: limit)
    }

    func events(after sequence: UInt64, limit: Int) async throws -> EventPage {
        try await store.events(after: sequence, limit: limit)
    }

    func pendingMessages(limit: Int) async throws -> [OutboxEntry] { try await store.pendingMessages(limit: limit) }

    func settleMessages(_ ids: [OperationID]) async throws { try await store.settleMessages(ids) }

    func sweep(at now: Date, limit: Int) async throws -> SweepReport { try await store.sweep(at: now, limit: limit) }
}
