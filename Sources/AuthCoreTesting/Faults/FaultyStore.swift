public import AuthCore
internal import Synchronization

/// A store that fails, waits or answers wrongly when a test says so, and otherwise does what the store behind it does.
///
/// ```swift
/// // The first commit is written and reports a failure.
/// let store = FaultyStore()
/// store.script(.commit, .failsAfterwards(), .succeeds)
/// ```
public final class FaultyStore: IdentityStore {
    private struct Script {
        var next: ArraySlice<StoreFault> = []
        var rest = StoreFault.succeeds
        var calls = 0
    }

    /// The store behind this one, which a test can use without faults.
    public let whole: any IdentityStore
    private let scripts: Mutex<[StoreCall: Script]> = Mutex([:])

    /// What the store behind this one says.
    public var retention: Store.Retention { whole.retention }

    /// Creates a store without faults; a script adds them.
    public init(_ whole: any IdentityStore = InMemoryIdentityStore()) {
        self.whole = whole
    }

    /// Sets what the next calls of this kind do, in order; this replaces an earlier script.
    public func script(_ call: StoreCall, _ faults: StoreFault...) {
        script(call, faults)
    }

    /// Sets what the next calls of this kind do, in order, and what all later calls do.
    public func script(_ call: StoreCall, _ faults: [StoreFault], then rest: StoreFault = .succeeds) {
        scripts.withLock { scripts in
            scripts[call, default: Script()].next = faults[...]
            scripts[call, default: Script()].rest = rest
        }
    }

    /// How many calls of this kind were made.
    public func calls(of call: StoreCall) -> Int {
        scripts.withLock { $0[call]?.calls ?? 0 }
    }

    private func nextFault(of call: StoreCall) -> StoreFault {
        scripts.withLock { scripts in
            var script = scripts[call] ?? Script()
            defer { scripts[call] = script }
            script.calls += 1
            return script.next.popFirst() ?? script.rest
        }
    }

    private func perform<Answer: Sendable>(
        _ call: StoreCall,
        violated: (Store.Precondition) -> Answer? = { _ in nil },
        _ work: () async throws -> Answer
    ) async throws -> Answer {
        switch nextFault(of: call) {
        case .succeeds:
            return try await work()
        case .failsBefore(let error):
            throw error
        case .failsAfterwards(let error):
            _ = try await work()
            throw error
        case .violates(let precondition):
            if let answer = violated(precondition) { return answer }
            return try await work()
        case .waitsBefore(let gate, let observesCancellation):
            await gate.pass()
            if observesCancellation { try Task.checkCancellation() }
            return try await work()
        case .waitsAfterwards(let gate, let observesCancellation):
            let answer = try await work()
            await gate.pass()
            if observesCancellation { try Task.checkCancellation() }
            return answer
        }
    }
}

extension FaultyStore {
    /// Reads from the store behind this one, or does what the script says.
    public func load(_ lookups: Store.Lookups) async throws -> Store.Snapshot {
        try await perform(.load) { try await whole.load(lookups) }
    }

    /// Writes to the store behind this one, or does what the script says.
    public func commit(_ changes: Store.ChangeSet) async throws -> Store.CommitOutcome {
        try await perform(.commit, violated: { .violated($0) }, { try await whole.commit(changes) })
    }

    /// Reads from the store behind this one, or does what the script says.
    public func accounts(after: AccountID?, limit: Int) async throws -> [Account] {
        try await perform(.accounts) { try await whole.accounts(after: after, limit: limit) }
    }

    /// Reads from the store behind this one, or does what the script says.
    public func accounts(dueBy now: Timestamp, after: Account?, limit: Int) async throws -> [Account] {
        try await perform(.accounts) { try await whole.accounts(dueBy: now, after: after, limit: limit) }
    }

    /// Reads from the store behind this one, or does what the script says.
    public func events(after position: IdentityEvent.Position, limit: Int) async throws -> Store.EventPage {
        try await perform(.events) { try await whole.events(after: position, limit: limit) }
    }

    /// Whether the store behind this one is durable.
    public var isDurable: Bool { whole.isDurable }

    /// Leases from the store behind this one, or does what the script says.
    public func leaseMessages(
        at now: Timestamp,
        until end: Timestamp,
        limit: Int
    ) async throws -> [Store.QueuedMessage] {
        try await perform(.leaseMessages) { try await whole.leaseMessages(at: now, until: end, limit: limit) }
    }

    /// Writes to the store behind this one, or does what the script says.
    public func endLease(of id: Store.OperationID, tries: Int, dueAt: Timestamp?) async throws {
        try await perform(.endLease) { try await whole.endLease(of: id, tries: tries, dueAt: dueAt) }
    }

    /// Reads from the store behind this one, or does what the script says.
    public func messages(
        _ status: Store.DeliveryStatus,
        after id: Store.OperationID?,
        limit: Int
    ) async throws -> [Store.QueuedMessage] {
        try await perform(.messages) { try await whole.messages(status, after: id, limit: limit) }
    }

    /// Writes to the store behind this one, or does what the script says.
    public func settleMessages(_ ids: [Store.OperationID]) async throws {
        try await perform(.settleMessages) { try await whole.settleMessages(ids) }
    }

    /// Sweeps the store behind this one, or does what the script says.
    public func sweep(at now: Timestamp, limit: Int) async throws -> Store.SweepReport {
        try await perform(.sweep) { try await whole.sweep(at: now, limit: limit) }
    }
}
