#if SQLite
import AuthCore
import Foundation
import Synchronization
import XCTest

@testable import AuthCoreSQLite
@testable import StoreInvariants

/// How long a store waits for a file that another process keeps, and what it answers then.
final class BusyFileTests: ChangeTestCase {
    func testAnotherProcessThatHoldsTheFileIsWaitedForAndThenNamed() async throws {
        let database = try TestDatabase()
        let store = try await database.open { $0.busyTimeout = .milliseconds(30) }
        _ = try await store.commit(change(1))
        let other = try SQLiteConnection(path: database.path, busyTimeout: .seconds(1))
        try other.execute("BEGIN IMMEDIATE")
        let error = await storeError("a commit while another process writes") { _ = try await store.commit(change(2)) }
        XCTAssertEqual(error?.message.hasPrefix("Another process kept the database locked"), true, error?.message ?? "")
        XCTAssertEqual((error?.cause as? SQLiteError)?.primaryCode, 5, "SQLITE_BUSY")
        let kept = try await count(store)
        XCTAssertEqual(kept, 1, "reading goes on meanwhile")
        try other.execute("COMMIT")
        let outcome = try await store.commit(change(2))
        XCTAssertEqual(outcome, .committed, "service did not go on")
    }

    func testAnotherProcessIsWaitedForAsLongAsTheOptionsSay() async throws {
        let database = try TestDatabase()
        let store = try await database.open { $0.busyTimeout = .milliseconds(200) }
        let other = try SQLiteConnection(path: database.path, busyTimeout: .seconds(1))
        try other.execute("BEGIN IMMEDIATE")
        let began = ContinuousClock.now
        let error = await storeError("a commit while another process writes") { _ = try await store.commit(change(1)) }
        XCTAssertGreaterThanOrEqual(ContinuousClock.now - began, .milliseconds(200))
        XCTAssertEqual((error?.cause as? SQLiteError)?.primaryCode, 5, "SQLITE_BUSY")
        try other.execute("COMMIT")
    }

    func testATimeoutWithoutAnEndOrBelowZeroCanBeAskedFor() async throws {
        for timeout in [Duration.seconds(Int64.max), .seconds(Int64.min), .zero] {
            let store = try await TestDatabase().open { $0.busyTimeout = timeout }
            let outcome = try await store.commit(change(1))
            XCTAssertEqual(outcome, .committed, "a commit with a time limit of \(timeout)")
        }
    }

    func testAnotherProcessThatWritesANewFileIsWaitedForAsLongAsTheOptionsSay() async throws {
        let database = try TestDatabase()
        PrivateFile.make(database.path)
        let other = try SQLiteConnection(path: database.path, busyTimeout: .seconds(1))
        try other.execute("BEGIN IMMEDIATE")
        let began = ContinuousClock.now
        let error = await storeError("opening while another process writes") {
            _ = try await database.open { $0.busyTimeout = .milliseconds(200) }
        }
        XCTAssertEqual((error?.cause as? SQLiteError)?.primaryCode, 5, "SQLITE_BUSY")
        XCTAssertGreaterThanOrEqual(ContinuousClock.now - began, .milliseconds(200))
        try other.execute("COMMIT")
    }

    func testOpeningBlocksNoThreadOfTasks() async throws {
        // More at once than there are threads for tasks; each waits until a task lets it go.
        let count = 2 + 2 * ProcessInfo.processInfo.activeProcessorCount
        // The work must block its thread, as SQLite does that waits for a lock, so a semaphore stops it.
        let gate = DispatchSemaphore(value: 0)
        let running = Mutex(0)
        let open = { @Sendable in
            try await Lane.opening {
                running.withLock { $0 += 1 }
                return gate.wait(timeout: .now() + 10)
            }
        }
        let openings = (0..<count).map { _ in Task { try await open() } }
        while running.withLock({ $0 }) < count { await Task.yield() }
        for _ in openings { gate.signal() }
        for opening in openings {
            let end = try await opening.value
            XCTAssertEqual(end, .success, "no task ran that lets others open their files")
        }
    }
}
#endif
