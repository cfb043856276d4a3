@testable import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

/// A log that cannot be read: the next drain says so, and readers look again.
final class EventStreamFailureTests: LimitedTestCase {
    func testALogThatCannotBeReadIsReadAgainAtTheNextNews() async throws {
        try await inTime {
            let store = FaultyStore()
            let world = World { $0.store = store }
            _ = try await world.service.client().signInAnonymously()
            var iterator = try await world.service.eventStream(after: .number(0)).makeAsyncIterator()
            _ = try await world.service.client().signInAnonymously()
            store.script(.events, .failsBefore())
            var updates: [IdentityEvent.Update] = []
            for _ in 0..<4 { updates.append(try await unwrap(iterator.next())) }
            XCTAssertEqual(places(updates), [1, 2, 3, 4])
        }
    }

    func testADrainThatReportsAFailureWakesTheReadersThatWait() async throws {
        try await inTime {
            let store = FaultyStore()
            let world = World { $0.store = store }
            let other = AuthService(world.service.configuration)
            let stream = try await world.service.eventStream(after: .start)
            let reads = store.calls(of: .events)
            let reader = Task {
                var iterator = stream.makeAsyncIterator()
                return try await iterator.next()
            }
            while store.calls(of: .events) == reads { await Task.yield() }
            // It has found nothing, and waits.
            for _ in 0..<100 { await Task.yield() }
            _ = try await other.client().signInAnonymously()
            world.service.streamFailure.withLock { $0 = AuthError(.storeUnavailable) }
            await assertThrows(.storeUnavailable) { try await world.service.publishEvents() }
            let update = try await unwrap(reader.value)
            XCTAssertEqual(places([update]), [1], "what the reader reads when it was told to look again")
        }
    }

    func testAnEventThatAStreamCannotReadIsReportedByTheNextDrain() async throws {
        try await inTime {
            let store = FaultyStore()
            let world = World { $0.store = store }
            let stream = try await world.service.eventStream(after: .start)
            _ = try await world.service.client().signInAnonymously()
            store.script(.events, .failsBefore())
            let reader = Task {
                var iterator = stream.makeAsyncIterator()
                return try await iterator.next()
            }
            while world.service.streamFailure.withLock({ $0 == nil }) { await Task.yield() }
            await assertThrows(.storeUnavailable, "the drain after a failed read") {
                try await world.service.publishEvents()
            }
            let update = try await unwrap(reader.value)
            XCTAssertEqual(places([update]), [1], "what the stream reads when it was told to look again")
            // The failure is told once.
            try await world.service.publishEvents()
            withExtendedLifetime(stream) {}
        }
    }
}
