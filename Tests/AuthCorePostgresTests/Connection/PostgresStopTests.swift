#if PostgreSQL
import AuthCore
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// When the server is asked to stop a statement, and how often; each request is a connection of its own.
final class PostgresStopTests: LimitedTestCase {
    /// A link through a proxy that counts requests, and what stops statements on it.
    private struct Stopped: ~Copyable {
        let proxy: LoopbackProxy
        let link: Link
        let requests: StopRequests
        let canceler = Canceler()

        init() throws {
            let proxy = try LoopbackProxy(to: try TestDatabase.server())
            let link = try Link(Settings(connection: proxy.connection, options: PostgresStore.Options()))
            self.proxy = proxy
            requests = link.stopRequests()
            self.link = link
            canceler.use(requests)
        }

        deinit { proxy.close() }

        /// How many requests came while the body ran, and until they had ended.
        func requests(_ body: () -> Void) -> Int {
            let before = proxy.requestsToStop
            body()
            XCTAssertTrue(requests.wait(), "a request has not ended")
            return proxy.requestsToStop - before
        }
    }

    func testAStatementThatIsStillWantedIsNotStopped() throws {
        let stopped = try Stopped()
        stopped.canceler.begin()
        XCTAssertTrue(stopped.canceler.send(), "a statement that is wanted may be sent")
        for pause in 1...4 {
            XCTAssertEqual(stopped.requests { stopped.canceler.askAgain() }, 0, "a request after pause \(pause)")
        }
    }

    func testTheServerIsAskedAtOnceAndAgainAfterOneTwoFourAndEightPauses() throws {
        let stopped = try Stopped()
        for statement in ["the first statement", "the next one"] {
            stopped.canceler.begin()
            XCTAssertTrue(stopped.canceler.send(), "\(statement) may be sent")
            XCTAssertEqual(stopped.requests { stopped.canceler.cancel() }, 1, "\(statement) is not wanted any more")
            let counts = (1...9).map { _ in stopped.requests { stopped.canceler.askAgain() } }
            XCTAssertEqual(counts, [1, 1, 0, 1, 0, 0, 0, 1, 0], "the requests after each pause, \(statement)")
            XCTAssertTrue(stopped.canceler.end(), "another statement may begin")
        }
    }

    func testWhatIsCanceledBeforeItIsSentIsNotSentAndTheServerIsNotAsked() throws {
        let stopped = try Stopped()
        stopped.canceler.begin()
        XCTAssertEqual(stopped.requests { stopped.canceler.cancel() }, 0, "nothing was sent yet")
        XCTAssertFalse(stopped.canceler.send(), "a statement that is not wanted may not be sent")
        XCTAssertEqual(stopped.requests { stopped.canceler.askAgain() }, 0, "nothing was sent")
    }

    func testAStatementThatHasEndedIsNotStopped() throws {
        let stopped = try Stopped()
        stopped.canceler.begin()
        XCTAssertTrue(stopped.canceler.send(), "a statement that is wanted may be sent")
        XCTAssertTrue(stopped.canceler.end(), "no request is under way")
        XCTAssertEqual(stopped.requests { stopped.canceler.cancel() }, 0, "a request would meet another statement")
    }

    func testOnlyOneRequestIsUnderWayAtATime() throws {
        let stopped = try Stopped()
        stopped.proxy.holdRequestsToStop()
        for _ in 0..<3 { stopped.requests.send() }
        while stopped.proxy.requestsToStop == 0 { sched_yield() }
        stopped.proxy.cutAll()
        XCTAssertTrue(stopped.requests.wait(), "another request was sent beside the one that was held up")
        XCTAssertEqual(stopped.proxy.requestsToStop, 1, "the requests that came")
    }

    /// A lock, which keeps a statement waiting that takes it too.
    private struct HeldLock: ~Copyable {
        static let statement = "SELECT pg_advisory_xact_lock($1)"
        let number: Int64
        private var link: Link

        init(_ number: Int64) throws {
            var link = try Link(Settings(connection: try TestDatabase.server(), options: PostgresStore.Options()))
            try link.run(text: "SELECT pg_advisory_lock(\(number))", until: .now + .seconds(10))
            self.number = number
            self.link = link
        }

        mutating func release() throws {
            try link.run(text: "SELECT pg_advisory_unlock(\(number))", until: .now + .seconds(10))
        }
    }

    func testRequestsThatAreLostAreRepeatedMoreAndMoreRarely() async throws {
        for (number, isPrepared) in [(7001, true), (7002, false)] as [(Int64, Bool)] {
            let proxy = try LoopbackProxy(to: try TestDatabase.server())
            defer { proxy.close() }
            let store = try await TestDatabase(proxy.connection) { $0.connections = 1 }.open()
            if isPrepared { _ = try await store.run(HeldLock.statement, [.number(0)]) }
            var lock = try HeldLock(number)
            proxy.loseRequestsToStop(.max)
            let task = Task { try await store.run(HeldLock.statement, [.number(number)]) }
            try await TestDatabase().open().waitUntilRunning(HeldLock.statement)
            let canceled = ContinuousClock.now
            task.cancel()
            // At once, and after one pause, two, four and eight of a tenth of a second.
            while proxy.requestsToStop < 5, ContinuousClock.now < canceled + .seconds(8) { await Task.yield() }
            let kind = isPrepared ? "a statement that was prepared" : "a statement that was not prepared"
            XCTAssertGreaterThanOrEqual(proxy.requestsToStop, 5, "requests were not repeated for \(kind)")
            XCTAssertGreaterThan(ContinuousClock.now - canceled, .milliseconds(600), "no pause was made for \(kind)")
            try lock.release()
            _ = await task.result
        }
    }

    func testARequestThatIsStillUnderWayDoesNotMeetTheNextStatement() async throws {
        for (number, isPrepared) in [(7003, false), (7004, true)] as [(Int64, Bool)] {
            let proxy = try LoopbackProxy(to: try TestDatabase.server())
            defer { proxy.close() }
            let store = try await TestDatabase(proxy.connection) { $0.connections = 1 }.open()
            func session() async throws -> Int64? {
                try await store.run("SELECT pg_backend_pid()::bigint", []).first?.number(0)
            }
            if isPrepared { _ = try await store.run(HeldLock.statement, [.number(0)]) }
            let (first, second) = (try await session(), try await session())
            XCTAssertEqual(first, second, "statements without a request share a connection")
            var lock = try HeldLock(number)
            proxy.holdRequestsToStop()
            let task = Task { try await store.run(HeldLock.statement, [.number(number)]) }
            try await TestDatabase().open().waitUntilRunning(HeldLock.statement)
            task.cancel()
            while proxy.requestsToStop == 0 { await Task.yield() }
            try lock.release()
            let rows = try await task.value
            XCTAssertEqual(rows.count, 1, "the statement ended by itself")
            let next = try await session()
            let kind = isPrepared ? "after a statement that was prepared" : "after one that was not prepared"
            XCTAssertNotEqual(next, first, "the request could still stop the next statement, \(kind)")
        }
    }
}
#endif
