@testable import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

/// The event log as a stream: in order, without gaps, and with a word about what did not arrive.
final class EventStreamTests: LimitedTestCase {
    func testASubscriberGetsWhatIsCommittedAfterItSubscribedInOrder() async throws {
        try await inTime {
            let world = World()
            let device = world.device()
            _ = try await device.signInAnonymously()
            let stream = try await world.service.eventStream()
            let ann = try await device.signUp(email: "ann@example.com", password: "correct horse").user
            try await ann.signOut()
            var updates: [IdentityEvent.Update] = []
            for await update in stream {
                updates.append(update)
                if updates.count == 3 { break }
            }
            XCTAssertEqual(places(updates), [3, 4, 5])
            let page = try await world.service.events(after: .number(2))
            XCTAssertEqual(updates, page.events.map { .event($0) })
        }
    }

    func testASubscriberFromAPlaceGetsTheLogFirst() async throws {
        try await inTime {
            let world = World()
            for _ in 0..<200 { _ = try await world.device().signInAnonymously() }
            let stream = try await world.service.eventStream(after: .number(7))
            let second = try await world.service.eventStream(after: .number(400))
            _ = try await world.device().signInAnonymously()
            var iterator = stream.makeAsyncIterator()
            var updates: [IdentityEvent.Update] = []
            for _ in 8...401 { updates.append(try await unwrap(iterator.next())) }
            XCTAssertEqual(places(updates), Array(8...401))
            var other = second.makeAsyncIterator()
            let first = try await unwrap(other.next())
            XCTAssertEqual(places([first]), [401])
        }
    }

    func testASubscriberWhoFallsBehindReadsTheRestFromTheLog() async throws {
        try await inTime {
            let world = World()
            let stream = try await world.service.eventStream()
            for _ in 0..<400 { _ = try await world.device().signInAnonymously() }
            var iterator = stream.makeAsyncIterator()
            var updates: [IdentityEvent.Update] = []
            for _ in 1...800 { updates.append(try await unwrap(iterator.next())) }
            XCTAssertEqual(places(updates), Array(1...800))
            _ = try await world.device().signInAnonymously()
            let next = try await unwrap(iterator.next())
            XCTAssertEqual(places([next]), [801])
        }
    }

    func testASubscriberWhoFallsBehindWhatTheLogHoldsIsToldWhereAndGoesOn() async throws {
        try await inTime {
            let world = World { $0.store = InMemoryIdentityStore(eventLimit: 4) }
            let stream = try await world.service.eventStream()
            for _ in 0..<4 { _ = try await world.device().signInAnonymously() }
            var iterator = stream.makeAsyncIterator()
            let first = try await unwrap(iterator.next())
            XCTAssertEqual(first, .missed(through: .number(4)))
            var updates: [IdentityEvent.Update] = []
            for _ in 0..<4 { updates.append(try await unwrap(iterator.next())) }
            XCTAssertEqual(places(updates), [5, 6, 7, 8])
            _ = try await world.device().signInAnonymously()
            let next = try await unwrap(iterator.next())
            XCTAssertEqual(places([next]), [9])
        }
    }

    func testWhatTheLogNoLongerHoldsIsMissed() async throws {
        try await inTime {
            let store = InMemoryIdentityStore(eventLimit: 4)
            let world = World { $0.store = store }
            for _ in 0..<5 { _ = try await world.device().signInAnonymously() }
            var iterator = try await world.service.eventStream(after: .number(2)).makeAsyncIterator()
            let first = try await unwrap(iterator.next())
            XCTAssertEqual(first, .missed(through: .number(6)))
            let second = try await unwrap(iterator.next())
            XCTAssertEqual(places([second]), [7])
        }
    }

    func testWhatAnotherServiceCommittedIsToldOnceSomebodyLooks() async throws {
        try await inTime {
            let world = World()
            let other = AuthService(world.service.configuration)
            for _ in 0..<3 { _ = try await other.client().signInAnonymously() }
            var iterator = try await world.service.eventStream().makeAsyncIterator()
            _ = try await other.client().signInAnonymously()
            try await world.service.publishEvents()
            let update = try await unwrap(iterator.next())
            XCTAssertEqual(places([update]), [7])
        }
    }

    func testAReaderThatWaitsIsToldOfWhatAnotherServiceCommitted() async throws {
        try await inTime {
            let world = World()
            let other = AuthService(world.service.configuration)
            let stream = try await world.service.eventStream(after: .start)
            let reads = world.store.calls(of: .events)
            let reader = Task {
                var iterator = stream.makeAsyncIterator()
                return try await iterator.next()
            }
            while world.store.calls(of: .events) == reads { await Task.yield() }
            // It has found nothing before the other one commits.
            for _ in 0..<100 { await Task.yield() }
            _ = try await other.client().signInAnonymously()
            try await world.service.publishEvents()
            let update = try await unwrap(reader.value)
            XCTAssertEqual(places([update]), [1], "what a reader hears that waits")
        }
    }

    func testWhatOthersCommitBetweenIsToldInItsPlace() async throws {
        try await inTime {
            let world = World()
            let other = AuthService(world.service.configuration)
            var iterator = try await world.service.eventStream().makeAsyncIterator()
            _ = try await other.client().signInAnonymously()
            _ = try await world.service.client().signInAnonymously()
            var updates: [IdentityEvent.Update] = []
            for _ in 0..<4 { updates.append(try await unwrap(iterator.next())) }
            XCTAssertEqual(places(updates), [1, 2, 3, 4])
        }
    }

    func testWithoutASubscriberTheLogIsNotRead() async throws {
        let world = World()
        _ = try await world.service.client().signInAnonymously()
        try await world.service.publishEvents()
        XCTAssertEqual(world.store.calls(of: .events), 0, "reads of the log, without a subscriber")
    }

    func testManySubscribersAllGetEverythingWhileManyCommit() async throws {
        try await inTime {
            let world = World()
            let service = world.service
            let count = 40
            try await withThrowingTaskGroup(of: [UInt64].self) { group in
                for _ in 0..<5 {
                    let stream = try await service.eventStream()
                    group.addTask {
                        var places: [UInt64] = []
                        for await case .event(let event) in stream {
                            places.append(event.number)
                            if places.count == 2 * count { break }
                        }
                        return places
                    }
                }
                await withTaskGroup { commits in
                    for _ in 0..<count { commits.addTask { _ = try? await service.client().signInAnonymously() } }
                }
                for try await places in group { XCTAssertEqual(places, Array(1...UInt64(2 * count))) }
            }
        }
    }

    func testReadersAreToldOfAnAccountThatExpires() async throws {
        let world = World(.standard)
        let auth = world.device()
        try await world.signUpAnn(auth)
        try await auth.signOut()
        world.clock.advance(by: .seconds(30 * 86_400))
        let news = world.service.eventNews.listen()
        try await world.service.sweep()
        world.service.eventNews.finish()
        var count = 0
        for await _ in news { count += 1 }
        XCTAssertEqual(count, 1, "what a reader hears of the account that a sweep removed")
    }

    func testAReaderIsToldOfAnEventAfterItIsCommitted() async throws {
        try await inTime {
            let store = SeamStore()
            let world = World { $0.store = store }
            let stream = try await world.service.eventStream(after: .start)
            let reads = store.reads
            let reader = Task {
                var iterator = stream.makeAsyncIterator()
                return try await iterator.next()
            }
            while store.reads == reads { await Task.yield() }
            for _ in 0..<100 { await Task.yield() }
            let before = store.reads
            store.beforeCommit {
                // A reader who was told too early looks, and finds nothing.
                for _ in 0..<1000 where store.reads == before { await Task.yield() }
            }
            _ = try await world.service.client().signInAnonymously()
            let update = try await unwrap(reader.value)
            XCTAssertEqual(places([update]), [1])
        }
    }
}

/// Counts its reads, and lets a test act before a change is written.
private final class SeamStore: ForwardingStore {
    let whole: any IdentityStore = InMemoryIdentityStore()
    private let count = Mutex(0)
    private let act = Mutex<(@Sendable () async -> Void)?>(nil)

    /// How often the log was read.
    var reads: Int { count.withLock { $0 } }

    func beforeCommit(_ act: @escaping @Sendable () async -> Void) { self.act.withLock { $0 = act } }

    func events(after position: IdentityEvent.Position, limit: Int) async throws -> Store.EventPage {
        let page = try await whole.events(after: position, limit: limit)
        count.withLock { $0 += 1 }
        return page
    }

    func commit(_ changes: ChangeSet) async throws -> Store.CommitOutcome {
        await act.withLock(\.self)?()
        return try await whole.commit(changes)
    }
}
