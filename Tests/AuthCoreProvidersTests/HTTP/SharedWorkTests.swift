import AuthCore
import Synchronization
import XCTest

@testable import AuthCoreProviders

/// Work whose result all who wait for it get, and the deadline of a request: what would go on for ever is a failure
/// here.
final class SharedWorkTests: LimitedTestCase {
    /// Opens once.
    private final class Door: Sendable {
        private let (steps, opening) = AsyncStream<Void>.makeStream()

        func open() { opening.finish() }

        func wait() async { for await _ in steps {} }
    }

    /// The result of the work, which is a failure of the test if it does not come in time.
    private func inTime<Value: Sendable>(
        _ what: String,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let ended = expectation(description: what)
        let task = Task {
            defer { ended.fulfill() }
            return try await work()
        }
        await fulfillment(of: [ended], timeout: 30)
        task.cancel()
        return try await task.value
    }

    func testWorkIsDoneOnceForAllWhoWaitAndAgainForALaterCall() async throws {
        let shared = SharedWork<Int>()
        let runs = Mutex(0)
        let door = Door()
        let work: @Sendable () async throws -> Int = {
            let run = runs.withLock { runs in
                runs += 1
                return runs
            }
            await door.wait()
            return run
        }
        XCTAssertFalse(shared.isUnderWay, "nothing was begun")
        let first = Task { try await shared.result(work) }
        while !shared.isUnderWay { await Task.yield() }
        let second = Task { try await shared.result(work) }
        while shared.waiters < 2 { await Task.yield() }
        door.open()
        let results = try await inTime("both who wait get the result") {
            [try await first.value, try await second.value]
        }
        XCTAssertEqual(results, [1, 1], "the work was done once")
        XCTAssertFalse(shared.isUnderWay, "the work is over")
        let later = try await inTime("the next one begins anew") { try await shared.result(work) }
        XCTAssertEqual(later, 2, "the work was done again")
    }

    func testAnErrorIsEveryonesWhoWaits() async throws {
        struct Failure: Error {}
        let shared = SharedWork<Int>()
        do {
            _ = try await inTime("work that fails ends") { try await shared.result { throw Failure() } }
            XCTFail("work that failed has a result")
        } catch {
            XCTAssertTrue(error is Failure, "\(error)")
        }
        XCTAssertFalse(shared.isUnderWay, "the work is over")
    }

    func testWorkGoesOnUntilTheLastWhoWaitsIsCanceled() async throws {
        let shared = SharedWork<Int>()
        let isCancelled = expectation(description: "work that no one waits for is canceled")
        let work: @Sendable () async throws -> Int = {
            do {
                // A limit and not a wait: the test cancels it long before.
                try await Task.sleep(for: .seconds(60))
            } catch {
                isCancelled.fulfill()
                throw error
            }
            return 1
        }
        let first = Task { try await shared.result(work) }
        while !shared.isUnderWay { await Task.yield() }
        let second = Task { try await shared.result(work) }
        while shared.waiters < 2 { await Task.yield() }
        first.cancel()
        do {
            _ = try await inTime("one who is canceled waits no longer") { try await first.value }
            XCTFail("one who was canceled has a result")
        } catch {
            XCTAssertTrue(error is CancellationError, "\(error)")
        }
        XCTAssertTrue(shared.isUnderWay, "another one waits for it")
        second.cancel()
        await fulfillment(of: [isCancelled], timeout: 30)
        XCTAssertFalse(shared.isUnderWay, "no one waits for it")
    }

    func testOneWhoWasCanceledBeforehandDoesNotWait() async throws {
        let shared = SharedWork<Int>()
        let door = Door()
        let ended = expectation(description: "one who was canceled does not wait")
        let early = Task {
            defer { ended.fulfill() }
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await shared.result {
                await Task { await door.wait() }.value
                return 1
            }
        }
        await fulfillment(of: [ended], timeout: 30)
        door.open()
        do {
            _ = try await early.value
            XCTFail("one who was canceled has a result")
        } catch {
            XCTAssertTrue(error is CancellationError, "\(error)")
        }
        XCTAssertFalse(shared.isUnderWay, "no one waits for it")
    }

    func testTheLateEndOfWorkThatAllHaveLeftIsNotTheResultOfTheNext() async throws {
        let shared = SharedWork<Int>()
        let (first, second) = (Door(), Door())
        // In a task of its own, since a canceled one does not wait at a door.
        let left = Task {
            try await shared.result {
                await Task { await first.wait() }.value
                return 1
            }
        }
        while !shared.isUnderWay { await Task.yield() }
        left.cancel()
        _ = await left.result
        let next = Task {
            try await shared.result {
                await second.wait()
                return 2
            }
        }
        while shared.waiters < 1 { await Task.yield() }
        first.open()
        // No one is told of that end, so nothing says when it has come: it has many turns.
        for _ in 0..<1000 { await Task.yield() }
        second.open()
        let result = try await inTime("the next work ends") { try await next.value }
        XCTAssertEqual(result, 2, "the result of the work that is waited for")
    }

    func testWorkThatIsKeptGoesOnWithoutAnyoneWhoWaits() async throws {
        let shared = SharedWork<Int>()
        let door = Door()
        let work: @Sendable () async throws -> Int = {
            await door.wait()
            return Task.isCancelled ? 0 : 1
        }
        let first = Task { try await shared.result(isKept: true, work) }
        while !shared.isUnderWay { await Task.yield() }
        let second = Task { try await shared.result(work) }
        while shared.waiters < 2 { await Task.yield() }
        first.cancel()
        second.cancel()
        for waiter in [first, second] { _ = await waiter.result }
        XCTAssertTrue(shared.isUnderWay, "the work ended with those who waited for it")
        let third = Task { try await shared.result { 2 } }
        while shared.waiters < 1, shared.isUnderWay { await Task.yield() }
        door.open()
        let result = try await inTime("the work ends") { try await third.value }
        XCTAssertEqual(result, 1, "the result of the work that was kept, and not canceled")
    }

    func testWorkAfterWorkThatWasKeptIsNotKept() async throws {
        let shared = SharedWork<Int>()
        _ = try await inTime("the kept work ends") { try await shared.result(isKept: true) { 1 } }
        let door = Door()
        let next = Task {
            try await shared.result {
                await door.wait()
                return 2
            }
        }
        while shared.waiters < 1 { await Task.yield() }
        next.cancel()
        _ = await next.result
        XCTAssertFalse(shared.isUnderWay, "no one waits for it, and no one wanted it to be kept")
        door.open()
    }

    func testAnAnswerIsNotHeldUpByItsDeadline() async throws {
        let transport = ScriptedTransport()
        transport.answer("/a", ["b": 1])
        let url = try XCTUnwrap(URL(string: "https://a.example/a"))
        let response = try await inTime("a request ends with its answer, and not with its deadline") {
            try await ProviderConnection(transport: transport).send(
                ProviderRequest(.get, url, timeLimit: .seconds(600))
            )
        }
        XCTAssertEqual(response.status, 200)
    }
}
