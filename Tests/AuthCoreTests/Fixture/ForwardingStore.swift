@testable import AuthCore
import Foundation

/// A store before another, to which it hands on whatever it says nothing about itself.
protocol ForwardingStore: IdentityStore {
    var whole: any IdentityStore { get }
}

extension ForwardingStore {
    func load(_ lookups: Lookups) async throws -> Snapshot { try await whole.load(lookups) }

    func commit(_ changes: ChangeSet) async throws -> CommitOutcome { try await whole.commit(changes) }

    func accounts(after: AccountID?, limit: Int) async throws -> [Account] {
        try await whole.accounts(after: after, limit: limit)
    }

    var retention: Store.Retention { whole.retention }

    func accounts(dueBy now: Timestamp, after: Account?, limit: Int) async throws -> [Account] {
        try await whole.accounts(dueBy: now, after: after, limit: limit)
    }

    func events(after position: IdentityEvent.Position, limit: Int) async throws -> EventPage {
        try await whole.events(after: position, limit: limit)
    }

    func pendingMessages(limit: Int) async throws -> [OutboxEntry] { try await whole.pendingMessages(limit: limit) }

    func settleMessages(_ ids: [OperationID]) async throws { try await whole.settleMessages(ids) }

    func sweep(at now: Timestamp, limit: Int) async throws -> SweepReport {
        try await whole.sweep(at: now, limit: limit)
    }
}
