import Dispatch
import Foundation
import Synchronization
import XCTest

@testable import AuthCoreCrypto

/// A job holds its thread on a semaphore, as a slow hash would, until the test has seen what waits for it.
final class HashingPoolTests: LimitedTestCase {
    func testAJobIsPerformedOnceAndAnswers() async throws {
        try await inTime {
            let tally = Tally()
            let answer = try await HashingPool(workers: 1, places: 0).run {
                tally.begin()
                return 7
            }
            XCTAssertEqual(answer, 7, "what the job answers")
            XCTAssertEqual(tally.greatest, 1, "how often it was performed")
        }
    }

    func testNoMoreThanTheGivenNumberRunAtOnce() async throws {
        try await inTime {
            let pool = HashingPool(workers: 2, places: 10)
            let tally = Tally()
            let gate = DispatchSemaphore(value: 0)
            let tasks = (0..<6).map { number in
                Task {
                    try await pool.run {
                        tally.begin()
                        gate.wait()
                        tally.end()
                        return number
                    }
                }
            }
            await settle(pool, running: 2, waiting: 4)
            await waitAWhile { tally.greatest == 2 }
            for _ in tasks { gate.signal() }
            var results: [Int] = []
            for task in tasks { results.append(try await task.value) }
            XCTAssertEqual(results, Array(0..<6))
            XCTAssertEqual(tally.greatest, 2)
            await settle(pool, running: 0, waiting: 0)
        }
    }

    func testPasswordsAreHashedOnAsManyThreadsAsThereAreProcessors() async throws {
        try await inTime {
            let pool = PasswordHashing(scheme: .pbkdf2(iterations: 1)).pool
            let processors = ProcessInfo.processInfo.activeProcessorCount
            // Blocks the pool's own thread, as a hash does; a gate of tasks would leave the thread free.
            let gate = DispatchSemaphore(value: 0)
            let tasks = (0...processors).map { _ in Task { try await pool.run { gate.wait() } } }
            await settle(pool, running: processors, waiting: 1)
            for _ in tasks { gate.signal() }
            for task in tasks { try await task.value }
        }
    }

    func testWorkBeyondTheWaitingLineIsRefused() async throws {
        try await inTime {
            let pool = HashingPool(workers: 1, places: 1)
            let gate = DispatchSemaphore(value: 0)
            let first = Task { try await pool.run { gate.wait() } }
            await settle(pool, running: 1, waiting: 0)
            let second = Task { try await pool.run { gate.wait() } }
            await settle(pool, running: 1, waiting: 1)
            do {
                try await pool.run {}
                XCTFail("Work was accepted although nothing more may wait.")
            } catch {
                XCTAssertTrue(error is HashingPool.Overloaded, "\(error)")
            }
            gate.signal()
            gate.signal()
            try await first.value
            try await second.value
            let afterwards = try await pool.run { 7 }
            XCTAssertEqual(afterwards, 7)
        }
    }

    func testWhatWaitsIsDoneInTheOrderInWhichItCame() async throws {
        try await inTime {
            let pool = HashingPool(workers: 1, places: 3)
            // Jobs are synchronous and must hold their worker until the others have come, so a semaphore stops them.
            let gate = DispatchSemaphore(value: 0)
            let done = Mutex<[Int]>([])
            var tasks: [Task<Void, any Error>] = []
            for number in 0...3 {
                let job: @Sendable () -> Void = {
                    gate.wait()
                    done.withLock { $0.append(number) }
                }
                tasks.append(Task { try await pool.run(job) })
                await settle(pool, running: 1, waiting: number)
            }
            for _ in tasks { gate.signal() }
            for task in tasks { try await task.value }
            XCTAssertEqual(done.withLock { $0 }, [0, 1, 2, 3], "the order of the work")
        }
    }

    /// Where workers shared threads with tasks, each of these would wait a second or more for one: far over the bound.
    func testBlockedWorkersDoNotStallOtherTasks() async throws {
        let blockers = ProcessInfo.processInfo.activeProcessorCount + 8
        let pool = HashingPool(workers: blockers, places: 0)
        let gate = DispatchSemaphore(value: 0)
        let tally = Tally()
        let start = ContinuousClock.now
        let tasks = (0..<blockers).map { _ in
            Task {
                try await pool.run {
                    tally.begin()
                    gate.wait()
                }
            }
        }
        await waitAWhile { tally.greatest == blockers }
        for priority in [TaskPriority.high, .medium, .low] {
            let answer = await Task.detached(priority: priority) { 7 }.value
            XCTAssertEqual(answer, 7)
        }
        XCTAssertLessThan(ContinuousClock.now - start, .seconds(4))
        for _ in tasks { gate.signal() }
        for task in tasks { try await task.value }
    }

    func testACanceledTaskLeavesTheLine() async throws {
        try await inTime {
            let pool = HashingPool(workers: 1, places: 1)
            let gate = DispatchSemaphore(value: 0)
            let first = Task { try await pool.run { gate.wait() } }
            await settle(pool, running: 1, waiting: 0)
            let second = Task { try await pool.run { XCTFail("This was canceled while it waited.") } }
            await settle(pool, running: 1, waiting: 1)
            second.cancel()
            let outcome = await second.result
            XCTAssertThrowsError(try outcome.get()) { XCTAssertTrue($0 is CancellationError) }
            XCTAssertEqual(pool.load.waiting, 0)
            gate.signal()
            try await first.value
        }
    }

    func testOnlyTheTaskThatWasCanceledLeavesTheLine() async throws {
        try await inTime {
            let pool = HashingPool(workers: 1, places: 2)
            // A job is synchronous and must hold the only worker until two others wait, so a semaphore stops it.
            let gate = DispatchSemaphore(value: 0)
            let first = Task { try await pool.run { gate.wait() } }
            await settle(pool, running: 1, waiting: 0)
            let second = Task { try await pool.run { 2 } }
            await settle(pool, running: 1, waiting: 1)
            let third = Task { try await pool.run { 3 } }
            await settle(pool, running: 1, waiting: 2)
            third.cancel()
            let outcome = await third.result
            XCTAssertThrowsError(try outcome.get()) { XCTAssertTrue($0 is CancellationError) }
            gate.signal()
            try await first.value
            let answer = try await second.value
            XCTAssertEqual(answer, 2, "the work of the task that waits on")
        }
    }

    func testATaskThatWasCanceledBeforehandDoesNoWork() async {
        let pool = HashingPool(workers: 1, places: 1)
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await pool.run { XCTFail("This was canceled before it began.") }
        }
        let outcome = await task.result
        XCTAssertThrowsError(try outcome.get()) { XCTAssertTrue($0 is CancellationError) }
    }

    func testAnErrorOfTheWorkComesBack() async {
        struct Failure: Error {}
        let pool = HashingPool(workers: 0, places: -1)
        do {
            try await pool.run { throw Failure() }
            XCTFail("Nothing was thrown.")
        } catch {
            XCTAssertTrue(error is Failure, "\(error)")
        }
    }
}

private func settle(_ pool: HashingPool, running: Int, waiting: Int) async {
    await waitAWhile { pool.load == (running, waiting) }
    XCTAssertTrue(pool.load == (running, waiting), "\(pool.load) instead of \(running) running, \(waiting) waiting")
}

/// Waits for half a minute at most, so that a pool that stands still fails its test.
private func waitAWhile(until isDone: () -> Bool) async {
    let limit = ContinuousClock.now + .seconds(30)
    while !isDone(), ContinuousClock.now < limit { await Task.yield() }
}

/// Counts how many are under way, and the most there ever were.
private final class Tally: Sendable {
    private let counts = Mutex((current: 0, greatest: 0))

    var greatest: Int { counts.withLock(\.greatest) }

    func begin() {
        counts.withLock { counts in
            counts.current += 1
            counts.greatest = max(counts.greatest, counts.current)
        }
    }

    func end() { counts.withLock { $0.current -= 1 } }
}
