@testable import AuthCore
import XCTest

final class EventLogTests: LimitedTestCase {
    private func makeStore(limit: Int, events: Int) async throws -> InMemoryIdentityStore {
        let store = InMemoryIdentityStore(eventLimit: limit)
        for number in 0..<events {
            var changes = ChangeSet(operation: OperationID(bits: UInt128(number)), at: RecordSamples.noon)
            changes.events = [
                IdentityEvent(.signedIn, at: RecordSamples.noon, account: "ann", actor: .unauthenticated, reasons: [])
            ]
            let outcome = try await store.commit(changes)
            XCTAssertEqual(outcome, .committed)
        }
        return store
    }

    func testALogThatOverflowsKeepsTheNewestEventsAndSaysWhichIsOldest() async throws {
        let store = try await makeStore(limit: 4, events: 11)
        let page = try await store.events(after: .number(2), limit: 3)
        XCTAssertEqual(page.removed, .number(7))
        XCTAssertEqual(page.end, .number(11))
        XCTAssertEqual(page.events.map(\.number), [8, 9, 10])
        let rest = try await store.events(after: .number(10), limit: 3)
        XCTAssertEqual(rest.events.map(\.number), [11])
    }

    func testAPositionOfAnotherLogIsBehindAllEvents() async throws {
        let store = try await makeStore(limit: 4, events: 3)
        for position in [
            IdentityEvent.Position(incarnation: 1, number: 0), IdentityEvent.Position(transaction: 1, number: 0),
        ] {
            let page = try await store.events(after: position, limit: 10)
            XCTAssertEqual(page.events, [], "events after \(position)")
            XCTAssertEqual(page.end, .number(3), "the end of the log after \(position)")
        }
    }

    func testALogOfManyChunksKeepsAtLeastTheNewestAndNoMoreThanOneChunkBesides() async throws {
        let store = try await makeStore(limit: 300, events: 1000)
        let page = try await store.events(after: .start, limit: .max)
        XCTAssertEqual(page.removed, .number(700))
        XCTAssertEqual(page.events.map(\.number), Array(701...1000))
        var log = EventLog(limit: 300)
        for event in page.events { log.append(event) }
        XCTAssertEqual(log.page(after: .number(255), limit: 2).events.map(\.number), [256, 257])
    }

    func testNoMoreThanOneChunkIsKeptBesidesTheNewest() throws {
        for limit in [1, 256, 300, 512] {
            var log = EventLog(limit: limit)
            for number in 1...2000 {
                log.append(
                    IdentityEvent(
                        .signedIn,
                        at: RecordSamples.noon,
                        account: "ann",
                        actor: .unauthenticated,
                        reasons: []
                    )
                )
                if number % 64 != 0 { continue }
                let chunks = try XCTUnwrap(Mirror(reflecting: log).descendant("chunks") as? [[IdentityEvent]])
                let kept = chunks.reduce(0) { $0 + $1.count }
                XCTAssertLessThan(kept, limit + 2 * 256, "events kept by a log of \(limit), of \(number)")
            }
        }
    }

    func testAPageIsReadInStepsAndHasEveryEvent() async throws {
        let store = try await makeStore(limit: 1000, events: 200)
        try await inTime {
            let page = try await store.events(after: .start, limit: .max)
            XCTAssertEqual(page.events.count, 200)
            XCTAssertEqual(page.events.last?.position, .number(200))
        }
    }

    func testAPlaceBeyondTheEndHasNoEventsAfterIt() async throws {
        for events in [0, 1, 5] {
            let store = try await makeStore(limit: 4, events: events)
            for place in [UInt64(events), UInt64(events) + 1, .max - 1, .max] {
                let page = try await store.events(after: .number(place), limit: .max)
                XCTAssertEqual(page.events, [])
            }
            let all = try await store.events(after: .number(0), limit: .max)
            XCTAssertEqual(all.events.count, min(4, events))
        }
    }
}
