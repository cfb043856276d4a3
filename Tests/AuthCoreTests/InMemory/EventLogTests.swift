@testable import AuthCore
import XCTest

final class EventLogTests: XCTestCase {
    private func makeStore(limit: Int, events: Int) async throws -> InMemoryIdentityStore {
        let store = InMemoryIdentityStore(eventLimit: limit)
        for number in 0..<events {
            var changes = ChangeSet(operation: OperationID(bits: UInt128(number)), at: RecordSamples.noon)
            changes.events = [
                IdentityEvent(.signedIn, at: RecordSamples.noon, account: "ann", actor: .unauthenticated, reasons: [])
            ]
            let outcome = try await store.commit(changes)
            XCTAssertEqual(outcome, .committed(sequence: UInt64(number) + 1))
        }
        return store
    }

    func testALogThatOverflowsKeepsTheNewestEventsAndSaysWhichIsOldest() async throws {
        let store = try await makeStore(limit: 4, events: 11)
        let page = try await store.events(after: 2, limit: 3)
        XCTAssertEqual(page.oldest, 8)
        XCTAssertEqual(page.events.map(\.sequence), [8, 9, 10])
        let rest = try await store.events(after: 10, limit: 3)
        XCTAssertEqual(rest.events.map(\.sequence), [11])
    }

    func testAPlaceBeyondTheEndHasNoEventsAfterIt() async throws {
        for events in [0, 1, 5] {
            let store = try await makeStore(limit: 4, events: events)
            for place in [UInt64(events), UInt64(events) + 1, .max - 1, .max] {
                let page = try await store.events(after: place, limit: .max)
                XCTAssertEqual(page.events, [])
            }
            let all = try await store.events(after: 0, limit: .max)
            XCTAssertEqual(all.events.count, min(4, events))
        }
    }
}
