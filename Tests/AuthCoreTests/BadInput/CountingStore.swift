import AuthCore
import Foundation
import Synchronization

/// A store that counts what is written, so that a test can say that nothing was.
final class CountingStore: IdentityStore {
    private let store = InMemoryIdentityStore()
    private let commits = Mutex(0)

    /// How many changes were written, or tried to be.
    var commitCount: Int { commits.withLock { $0 } }

    func load(_ query: SnapshotQuery) async throws -> Snapshot { try await store.load(query) }

    func commit(_ changes: ChangeSet) async throws -> CommitOutcome {
        commits.withLock { $0 += 1 }
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
