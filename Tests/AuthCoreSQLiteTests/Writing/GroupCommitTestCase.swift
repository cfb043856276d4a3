#if SQLite
import AuthCore
import Dispatch
import Synchronization
import XCTest

@testable import AuthCoreSQLite
@testable import StoreInvariants

/// Tests that commit changes in one transaction, on a disk that can be made to fail.
class GroupCommitTestCase: LimitedTestCase {
    override func setUp() { FailingDisk.install() }

    override func tearDown() { FailingDisk.mend() }

    static let now = Timestamp(seconds: 1_800_000_000)

    static func change(_ number: Int) -> Store.ChangeSet {
        var changes = Store.ChangeSet(operation: Store.OperationID(bits: UInt128(number)), at: Self.now)
        changes.events = [
            IdentityEvent(
                .signedIn,
                at: Self.now,
                account: AccountID("person\(number)") ?? "person",
                actor: .system,
                reasons: []
            )
        ]
        return changes
    }

    /// Commits all changes in one transaction, in their order.
    static func commitTogether(
        _ changes: [Store.ChangeSet],
        on store: SQLiteStore
    ) async throws -> [Result<Store.CommitOutcome, any Error>] {
        try await together(changes.map { change in { try await store.commit(change) } }, on: store)
    }

    /// Makes all calls while the connection that writes is busy, in their order.
    static func together<Answer: Sendable>(
        _ calls: [@Sendable () async throws -> Answer],
        on store: SQLiteStore
    ) async throws -> [Result<Answer, any Error>] {
        // The connection is busy until all of them wait for it. Its work blocks a thread of its own, so a semaphore
        // stops it.
        let gate = DispatchSemaphore(value: 0)
        await withCheckedContinuation { isBusy in
            Task {
                try await store.writer.run { _ in
                    isBusy.resume()
                    gate.wait()
                }
            }
        }
        var tasks: [Task<Answer, any Error>] = []
        for (place, call) in calls.enumerated() {
            tasks.append(Task { try await call() })
            while store.writer.queue.withLock({ $0.jobs.count }) <= place { await Task.yield() }
        }
        gate.signal()
        var results: [Result<Answer, any Error>] = []
        for task in tasks { results.append(await task.result) }
        return results
    }

    func accounts(inLogOf store: SQLiteStore) async throws -> [String] {
        try await store.events(after: .start, limit: 100).events.map(\.account.text)
    }
}
#endif
