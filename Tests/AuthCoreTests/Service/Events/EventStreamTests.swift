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

private func unwrap(_ update: IdentityEvent.Update?) throws -> IdentityEvent.Update {
    try XCTUnwrap(update, "the stream ended")
}

private func places(_ updates: [IdentityEvent.Update]) -> [UInt64] {
    updates.compactMap { update in
        guard case .event(let event) = update else { return nil }
        return event.number
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
