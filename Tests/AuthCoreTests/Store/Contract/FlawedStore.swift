@testable import AuthCore
import AuthCoreTesting
import Foundation
import Synchronization

/// A store that does something wrong, and everything else as the store behind it.
struct FlawedStore: IdentityStore {
    let whole: any IdentityStore
    var isDurable = true
    var onLoad: @Sendable (Lookups, any IdentityStore) async throws -> Snapshot = { try await $1.load($0) }
    var onCommit: @Sendable (ChangeSet, any IdentityStore) async throws -> Store.CommitOutcome = {
        try await $1.commit($0)
    }
    var onAccounts: @Sendable (AccountID?, Int, any IdentityStore) async throws -> [Account] = {
        try await $2.accounts(after: $0, limit: $1)
    }
    var onDue: @Sendable (Timestamp, Account?, Int, any IdentityStore) async throws -> [Account] = {
        try await $3.accounts(dueBy: $0, after: $1, limit: $2)
    }
    var onEvents: @Sendable (IdentityEvent.Position, Int, any IdentityStore) async throws -> Store.EventPage = {
        try await $2.events(after: $0, limit: $1)
    }
    var onLease: @Sendable (Timestamp, Timestamp, Int, any IdentityStore) async throws -> [Store.QueuedMessage] = {
        try await $3.leaseMessages(at: $0, until: $1, limit: $2)
    }
    var onEndLease: @Sendable (OperationID, Int, Timestamp?, any IdentityStore) async throws -> Void = {
        try await $3.endLease(of: $0, tries: $1, dueAt: $2)
    }
    var onMessages:
        @Sendable (Store.DeliveryStatus, OperationID?, Int, any IdentityStore) async throws -> [Store.QueuedMessage] = {
            try await $3.messages($0, after: $1, limit: $2)
        }
    var onSettle: @Sendable ([OperationID], any IdentityStore) async throws -> Void = {
        try await $1.settleMessages($0)
    }
    var onSweep: @Sendable (Timestamp, Int, any IdentityStore) async throws -> Store.SweepReport = {
        try await $2.sweep(at: $0, limit: $1)
    }

    func load(_ lookups: Lookups) async throws -> Snapshot { try await onLoad(lookups, whole) }
    func commit(_ changes: ChangeSet) async throws -> Store.CommitOutcome { try await onCommit(changes, whole) }

    func accounts(after: AccountID?, limit: Int) async throws -> [Account] {
        try await onAccounts(after, limit, whole)
    }

    var retention: Store.Retention { whole.retention }

    func accounts(dueBy now: Timestamp, after: Account?, limit: Int) async throws -> [Account] {
        try await onDue(now, after, limit, whole)
    }

    func events(after position: IdentityEvent.Position, limit: Int) async throws -> Store.EventPage {
        try await onEvents(position, limit, whole)
    }

    func leaseMessages(at now: Timestamp, until end: Timestamp, limit: Int) async throws -> [Store.QueuedMessage] {
        try await onLease(now, end, limit, whole)
    }

    func endLease(of id: OperationID, tries: Int, dueAt: Timestamp?) async throws {
        try await onEndLease(id, tries, dueAt, whole)
    }

    func messages(
        _ status: Store.DeliveryStatus,
        after id: OperationID?,
        limit: Int
    ) async throws -> [Store.QueuedMessage] {
        try await onMessages(status, id, limit, whole)
    }

    func settleMessages(_ ids: [OperationID]) async throws { try await onSettle(ids, whole) }
    func sweep(at now: Timestamp, limit: Int) async throws -> Store.SweepReport { try await onSweep(now, limit, whole) }
}

/// Something that a store may do wrong.
struct Flaw: Sendable {
    let name: String
    let make: @Sendable () -> StoreSubject

    /// A flaw of the database that this makes.
    init(_ name: String, making make: @escaping @Sendable () -> StoreSubject) {
        self.name = name
        self.make = make
    }

    /// A flaw of the store that the body spoils; the body is called for every new store.
    init(_ name: String, _ spoil: @escaping @Sendable (inout FlawedStore) -> Void) {
        self.init(name) {
            var store = FlawedStore(whole: InMemoryIdentityStore(eventLimit: 1000))
            spoil(&store)
            return StoreSubject(store)
        }
    }

    /// Waits as long as, for other tasks in memory, another statement of a database lasts.
    static func pause() async { for _ in 0..<50 { await Task.yield() } }

    /// The accounts that a change removes.
    static func removed(_ changes: ChangeSet) -> [AccountID] {
        changes.accounts.compactMap { if case .remove(let id, _) = $0 { id } else { nil } }
    }

    /// Each handle is spoiled by itself, over one database.
    static func handles(
        _ name: String,
        _ spoil: @escaping @Sendable (inout FlawedStore) -> Void
    ) -> Flaw {
        Flaw(name) {
            let whole = InMemoryIdentityStore(eventLimit: 1000)
            return StoreSubject(open: {
                var store = FlawedStore(whole: whole)
                spoil(&store)
                return store
            })
        }
    }

    /// Shows snapshots whose answers the body spoils.
    static func shows(
        _ name: String,
        _ spoil: @escaping @Sendable (Lookup, Snapshot.Answer) -> Snapshot.Answer
    ) -> Flaw {
        Flaw(name) { store in
            store.onLoad = { lookups, whole in
                let seen = try await whole.load(lookups)
                return Snapshot(lookups) { spoil($0, seen.answer(to: $0)) }
            }
        }
    }

    /// Finds nothing by some lookups.
    static func findsNothing(_ name: String, _ isLost: @escaping @Sendable (Lookup) -> Bool) -> Flaw {
        .shows(name) { lookup, answer in isLost(lookup) ? .nothing : answer }
    }

    /// Writes changes that the body spoils.
    static func writes(_ name: String, _ spoil: @escaping @Sendable (inout ChangeSet) -> Void) -> Flaw {
        Flaw(name) { store in
            store.onCommit = { changes, whole in
                var changes = changes
                spoil(&changes)
                return try await whole.commit(changes)
            }
        }
    }
}

extension StoreSubject {
    /// A subject whose handles differ; they are counted from 1 in the order in which they are opened.
    static func counted(_ open: @escaping @Sendable (Int) -> FlawedStore) -> StoreSubject {
        let handles = Mutex(0)
        return StoreSubject(open: {
            let number = handles.withLock { number in
                number += 1
                return number
            }
            return open(number)
        })
    }
}
