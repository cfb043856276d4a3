@testable import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

/// When a stream of events ends: with its reader, who reads no further, and with the service.
final class EventStreamEndTests: LimitedTestCase {
    func testACanceledSubscriberLeaves() async throws {
        try await inTime {
            let world = World()
            let stream = try await world.service.eventStream()
            let reader = Task {
                var count = 0
                for await _ in stream { count += 1 }
                return count
            }
            reader.cancel()
            let count = await reader.value
            XCTAssertEqual(count, 0)
            var iterator = stream.makeAsyncIterator()
            let after = try await iterator.next()
            XCTAssertNil(after)
        }
    }

    func testACanceledReaderOfTheLogReadsNoFurther() async throws {
        try await inTime {
            let world = World()
            _ = try await world.service.client().signInAnonymously()
            let stream = try await world.service.eventStream(after: .number(0))
            let reader = Task {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                var iterator = stream.makeAsyncIterator()
                return try await iterator.next()
            }
            let update = try await reader.value
            XCTAssertNil(update)
        }
    }

    func testAReaderOfEventsThatIsCanceledListensNoLonger() async throws {
        try await inTime {
            let news = Signal()
            let store = InMemoryIdentityStore()
            let sequence = NewsSequence(start: EventPlace(.start), news: news.listen()) {
                try? await $0.next(in: store)
            }
            XCTAssertTrue(news.isHeard, "a reader listens")
            let reader = Task { for await _ in sequence { XCTFail("something was told") } }
            reader.cancel()
            await reader.value
            XCTAssertFalse(news.isHeard, "the reader that was canceled still listens")
            // Without the sequence, there would be nothing to listen to.
            withExtendedLifetime(sequence) {}
        }
    }

    func testASubscriberWhoLeavesWhileItReadsReadsNoFurther() async throws {
        try await inTime {
            let store = LeavingStore()
            let world = World { $0.store = store }
            let stream = try await world.service.eventStream()
            let reader = Task {
                var count = 0
                for await _ in stream { count += 1 }
                return count
            }
            store.leave { reader.cancel() }
            _ = try await world.service.client().signInAnonymously()
            let count = await reader.value
            XCTAssertEqual(count, 0)
            XCTAssertEqual(store.reads, 1)
        }
    }

    func testASubscriberWhoLeavesWhileItReadsLeavesNoFailure() async throws {
        try await inTime {
            let store = FaultyStore()
            let world = World { $0.store = store }
            let stream = try await world.service.eventStream(after: .start)
            let other = try await world.service.eventStream(after: .start)
            let gate = Gate()
            store.script(.events, .waitsBefore(gate, observesCancellation: true))
            let reader = Task {
                var iterator = stream.makeAsyncIterator()
                return try await iterator.next()
            }
            await gate.waitForArrivals()
            reader.cancel()
            gate.open()
            let update = try await reader.value
            XCTAssertNil(update, "what a reader hears that left")
            let failure = world.service.streamFailure.withLock(\.self)
            XCTAssertNil(failure, "the failure that a reader leaves behind")
            try await world.service.publishEvents()
            withExtendedLifetime(other) {}
        }
    }

    func testTheStreamEndsWithTheService() async throws {
        try await inTime {
            var service: AuthService? = AuthService(AuthConfiguration())
            let stream = try await service?.eventStream()
            service = nil
            var iterator = stream?.makeAsyncIterator()
            let update = try await iterator?.next()
            XCTAssertNil(update)
        }
    }

    func testAReaderThatWaitsIsToldThatTheServiceEnded() async throws {
        try await inTime {
            var service: AuthService? = AuthService(AuthConfiguration())
            let stream = try await XCTUnwrap(service).eventStream()
            let reader = Task {
                var iterator = stream.makeAsyncIterator()
                return try await iterator.next()
            }
            while service?.eventNews.isHeard == false { await Task.yield() }
            service = nil
            let update = try await reader.value
            XCTAssertNil(update, "what a reader hears of a service that is gone")
        }
    }
}

/// A store whose reader leaves while the log is read.
private final class LeavingStore: ForwardingStore {
    let whole: any IdentityStore = InMemoryIdentityStore()
    private let state = Mutex((leave: (@Sendable () async throws -> Void)?.none, reads: 0))

    /// How often the log was read since it was said who leaves.
    var reads: Int { state.withLock { $0.reads } }

    func leave(_ leave: @escaping @Sendable () async throws -> Void) { state.withLock { $0 = (leave, 0) } }

    func events(after position: IdentityEvent.Position, limit: Int) async throws -> Store.EventPage {
        let leave = state.withLock { state in
            state.reads += 1
            return state.leave
        }
        try await leave?()
        return try await whole.events(after: position, limit: limit)
    }
}
