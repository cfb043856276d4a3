@testable import AuthCore
import Foundation

/// A store before another, to which it hands on whatever it says nothing about itself.
protocol ForwardingStore: IdentityStore {
    var whole: any IdentityStore { get }
}

extension ForwardingStore {
    func load(_ lookups: Lookups) async throws -> Snapshot { try await whole.load(lookups) }

    func commit(_ changes: ChangeSet) async throws -> Store.CommitOutcome { try await whole.commit(changes) }

    func accounts(after: AccountID?, limit: Int) async throws -> [Account] {
        try await whole.accounts(after: after, limit: limit)
    }

    var retention: Store.Retention { whole.retention }

    func accounts(dueBy now: Timestamp, after: Account?, limit: Int) async throws -> [Account] {
        try await whole.accounts(dueBy: now, after: after, limit: limit)
    }

    func events(after position: IdentityEvent.Position, limit: Int) async throws -> Store.EventPage {
        try await whole.events(after: position, limit: limit)
    }

    var isDurable: Bool { whole.isDurable }

    func leaseMessages(at now: Timestamp, until end: Timestamp, limit: Int) async throws -> [Store.QueuedMessage] {
        try await whole.leaseMessages(at: now, until: end, limit: limit)
    }

    func endLease(of id: OperationID, tries: Int, dueAt: Timestamp?) async throws {
        try await whole.endLease(of: id, tries: tries, dueAt: dueAt)
    }

    func messages(
        _ status: Store.DeliveryStatus,
        after id: OperationID?,
        limit: Int
    ) async throws -> [Store.QueuedMessage] {
        try await whole.messages(status, after: id, limit: limit)
    }

    func settleMessages(_ ids: [OperationID]) async throws { try await whole.settleMessages(ids) }

    func sweep(at now: Timestamp, limit: Int) async throws -> Store.SweepReport {
        try await whole.sweep(at: now, limit: limit)
    }
}

extension IdentityStore {
    /// The messages that were not sent and not given up.
    func pendingMessages(limit: Int) async throws -> [OutboxEntry] {
        try await messages(.waiting, after: nil, limit: limit).map(\.entry)
    }
}
