internal import AuthCore
internal import Synchronization

/// What a service asked of its store, to be done again by hand.
struct StoreStep: Sendable {
    enum Kind: Sendable {
        case load(Lookups)
        case commit(ChangeSet)
        case settle([OperationID])
    }

    let kind: Kind
    /// Which of the tasks at once asked for it; its steps follow one another.
    let task: Int
}

/// A store that notes what is asked of it while the bench measures.
final class RecordingStore: IdentityStore {
    /// The number of the task that acts.
    @TaskLocal static var task = 0

    private let whole: any IdentityStore
    private let steps = Mutex<[StoreStep]?>(nil)

    init(_ whole: any IdentityStore) { self.whole = whole }

    /// Returns what was asked while the work was done, in the order of the answers.
    func recording(_ work: () async throws -> Void) async throws -> [StoreStep] {
        steps.withLock { $0 = [] }
        do {
            try await work()
        } catch {
            steps.withLock { $0 = nil }
            throw error
        }
        return steps.withLock { steps in
            defer { steps = nil }
            return steps ?? []
        }
    }

    private func note(_ kind: StoreStep.Kind) {
        let step = StoreStep(kind: kind, task: Self.task)
        steps.withLock { $0?.append(step) }
    }

    var retention: Store.Retention { whole.retention }
    var isDurable: Bool { whole.isDurable }

    func load(_ lookups: Lookups) async throws -> Snapshot {
        note(.load(lookups))
        return try await whole.load(lookups)
    }

    func commit(_ changes: ChangeSet) async throws -> Store.CommitOutcome {
        let outcome = try await whole.commit(changes)
        note(.commit(changes))
        return outcome
    }

    func settleMessages(_ ids: [OperationID]) async throws {
        try await whole.settleMessages(ids)
        note(.settle(ids))
    }

    func accounts(after: AccountID?, limit: Int) async throws -> [Account] {
        try await whole.accounts(after: after, limit: limit)
    }

    func accounts(dueBy now: Timestamp, after: Account?, limit: Int) async throws -> [Account] {
        try await whole.accounts(dueBy: now, after: after, limit: limit)
    }

    func events(after position: IdentityEvent.Position, limit: Int) async throws -> Store.EventPage {
        try await whole.events(after: position, limit: limit)
    }

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

    func sweep(at now: Timestamp, limit: Int) async throws -> Store.SweepReport {
        try await whole.sweep(at: now, limit: limit)
    }
}
