#if PostgreSQL
import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// What is canceled is stopped at the server, or never sent.
final class PostgresCancellationTests: LimitedTestCase {
    /// Cancels a statement that takes long, and expects that it did not end by itself.
    private func assertIsCanceled(_ task: Task<Void, any Error>, line: UInt = #line) async throws {
        task.cancel()
        do {
            try await task.value
            XCTFail("the statement ended by itself", line: line)
        } catch let error as AuthError {
            XCTAssertEqual(error.code, .canceled, line: line)
        }
    }

    func testCancelingReachesTheServer() async throws {
        let database = try TestDatabase { $0.connections = 1 }
        let store = try await database.open()
        let watch = try await TestDatabase().open()
        let started = ContinuousClock.now
        let task = Task { try await store.execute("SELECT pg_sleep(8)") }
        try await watch.waitUntilRunning("SELECT pg_sleep(8)")
        try await assertIsCanceled(task)
        // The same connection serves the next call.
        let outcome = try await store.commit(Samples.creation("ann"))
        XCTAssertEqual(outcome, .committed)
        XCTAssertLessThan(ContinuousClock.now - started, .seconds(8), "the server went on with the statement")
    }

    func testWhatIsCanceledWhileItConnectsIsNotSent() async throws {
        let proxy = try LoopbackProxy(to: try TestDatabase.server())
        defer { proxy.close() }
        let store = try await TestDatabase(proxy.connection) { $0.connections = 1 }.open()
        proxy.cutAll()
        let task = Mutex<Task<Store.CommitOutcome, any Error>?>(nil)
        // The connection waits until the task is there, and so it is canceled while it connects.
        proxy.onConnection { task.withLock { $0?.cancel() } }
        task.withLock { task in
            task = Task { try await store.commit(Samples.creation("ann")) }
        }
        do {
            let outcome = try await task.withLock({ $0 })?.value
            XCTFail("it was sent: \(String(describing: outcome))")
        } catch {
            XCTAssertEqual((error as? AuthError)?.code, .canceled, "\(error)")
        }
        proxy.onConnection {}
        let accounts = try await store.accounts(after: nil, limit: 1)
        XCTAssertEqual(accounts.map(\.id), [], "what was canceled was written")
    }

    func testARequestToStopThatIsLostIsRepeated() async throws {
        let proxy = try LoopbackProxy(to: try TestDatabase.server())
        defer { proxy.close() }
        let store = try await TestDatabase(proxy.connection) { $0.connections = 1 }.open()
        let watch = try await TestDatabase().open()
        let started = ContinuousClock.now
        proxy.loseRequestsToStop()
        let task = Task { try await store.execute("SELECT pg_sleep(9)") }
        try await watch.waitUntilRunning("SELECT pg_sleep(9)")
        try await assertIsCanceled(task)
        XCTAssertTrue(proxy.hasLostRequest, "no request was sent")
        XCTAssertLessThan(ContinuousClock.now - started, .seconds(8), "the server went on with the statement")
        let outcome = try await store.commit(Samples.creation("ann"))
        XCTAssertEqual(outcome, .committed, "the next statement of the same connection")
    }
}
#endif
