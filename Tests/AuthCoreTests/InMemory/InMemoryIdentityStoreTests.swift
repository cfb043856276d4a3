import AuthCoreTesting
import Synchronization
import XCTest

@testable import AuthCore

/// What the store in memory does in steps, between which others get its lock, is what one step would do.
final class InMemoryIdentityStoreTests: LimitedTestCase {
    private let now = Timestamp(seconds: 1_767_268_800)
    private let store = InMemoryIdentityStore()

    private func addMessages(_ count: Int) async throws -> [Store.OperationID] {
        let mail = try XCTUnwrap(EmailAddress("ann@example.com"))
        var changes = ChangeSet(operation: OperationID(bits: 1), at: now)
        changes.messages = (1...count).map { number in
            OutboxEntry(
                id: OperationID(bits: UInt128(number) << 64 | UInt128(number)),
                kind: .verifyEmail,
                recipient: .email(mail),
                record: OneTimeRecordID(bits: UInt128(number)),
                account: nil,
                settings: nil,
                createdAt: now,
                leasedUntil: now,
                expiresAt: now + .hours(1)
            )
        }
        let outcome = try await store.commit(changes)
        XCTAssertEqual(outcome, .committed, "the messages")
        return changes.messages.map(\.id)
    }

    func testALeaseEndsWithTheLastMessageThatWasWanted() async throws {
        let ids = try await addMessages(3)
        try await inTime { [store, now] in
            let leased = try await store.leaseMessages(at: now, until: now + .minutes(1), limit: 2)
            XCTAssertEqual(leased.map(\.entry.id), Array(ids[..<2]), "the messages of a lease of two")
            let page = try await store.messages(.waiting, after: nil, limit: 2)
            XCTAssertEqual(page.map(\.entry.id), Array(ids[..<2]), "the messages of a page of two")
        }
    }

    func testEachWalkOverTheStoreEnds() async throws {
        let ids = try await addMessages(1)
        try await addExpiredRecords(1)
        var changes = ChangeSet(operation: OperationID(bits: 4), at: now)
        changes.accounts = [.create(Account(id: "ann", createdAt: now))]
        changes.events = [IdentityEvent(.signedIn, at: now, account: "ann", actor: .unauthenticated, reasons: [])]
        let outcome = try await store.commit(changes)
        XCTAssertEqual(outcome, .committed, "an account and an event")
        try await inTime { [store, now] in
            let accounts = try await store.accounts(after: nil, limit: 2)
            XCTAssertEqual(accounts.map(\.id), ["ann"], "the accounts")
            let page = try await store.events(after: .start, limit: 2)
            XCTAssertEqual(page.events.map(\.kind), [.signedIn], "the events")
            let messages = try await store.messages(.waiting, after: nil, limit: 2)
            XCTAssertEqual(messages.map(\.entry.id), ids, "the messages that wait")
            let leased = try await store.leaseMessages(at: now, until: now + .minutes(1), limit: 2)
            XCTAssertEqual(leased.map(\.entry.id), ids, "the messages that are due")
            let report = try await store.sweep(at: now, limit: 2)
            XCTAssertEqual(report, Store.SweepReport(records: 1, isComplete: true), "a sweep")
        }
    }

    func testMoreMessagesThanOneStepAreLeasedEachOnceAndInOrder() async throws {
        let ids = try await addMessages(200)
        let first = try await store.leaseMessages(at: now, until: now + .minutes(1), limit: 150)
        XCTAssertEqual(first.map(\.entry.id), Array(ids[..<150]), "the messages of the first lease")
        let rest = try await store.leaseMessages(at: now, until: now + .minutes(1), limit: 150)
        XCTAssertEqual(rest.map(\.entry.id), Array(ids[150...]), "the messages that were left")
        XCTAssertEqual(Set((first + rest).map(\.tries)), [2], "each message was handed out once")
    }

    func testALeaseThatIsOverAtOnceHandsOutNoMessageTwice() async throws {
        let ids = try await addMessages(100)
        let leased = try await store.leaseMessages(at: now, until: now, limit: 1000).map(\.entry.id)
        XCTAssertFalse(leased.isEmpty, "no message was handed out")
        XCTAssertEqual(leased, Array(ids.prefix(leased.count)), "the messages")
        XCTAssertEqual(Set(leased).count, leased.count, "how many of them are different")
    }

    func testAMessageThatIsSettledTakesNoPlaceInThePages() async throws {
        let ids = try await addMessages(4)
        _ = try await store.leaseMessages(at: now, until: now + .minutes(1), limit: 2)
        for id in ids[..<2] { try await store.endLease(of: id, tries: 2, dueAt: nil) }
        let failed = try await store.messages(.failed, after: nil, limit: 10)
        XCTAssertEqual(failed.map(\.entry.id), Array(ids[..<2]), "messages that are tried no more")
        try await store.settleMessages([ids[0], ids[2]])
        let page = try await store.messages(.failed, after: nil, limit: 1)
        XCTAssertEqual(page.map(\.entry.id), [ids[1]], "a page of failed messages, after one was settled")
        let waiting = try await store.messages(.waiting, after: nil, limit: 1)
        XCTAssertEqual(waiting.map(\.entry.id), [ids[3]], "a page of waiting messages, after one was settled")
    }

    private func addExpiredRecords(_ count: Int) async throws {
        var changes = ChangeSet(operation: OperationID(bits: 2), at: now)
        changes.records = (1...count).map { number in
            let key = OneTimeRecordID(bits: UInt128(number) << 64 | UInt128(number))
            return .put(OneTimeRecord(key: key, account: nil, createdAt: now, expiresAt: now, content: .usedAssertion))
        }
        let outcome = try await store.commit(changes)
        XCTAssertEqual(outcome, .committed, "the records")
    }

    func testASweepIsCompleteWhenNothingIsLeftAndNotBefore() async throws {
        try await addExpiredRecords(20)
        let tables = store.tables.withLock { $0.sweep(at: now, limit: 5) }
        XCTAssertEqual(tables, Store.SweepReport(records: 5, isComplete: false), "one step")
        try await inTime { [store, now] in
            let first = try await store.sweep(at: now, limit: 10)
            XCTAssertEqual(first, Store.SweepReport(records: 10, isComplete: false), "a sweep of ten of fifteen")
            let second = try await store.sweep(at: now, limit: 100)
            XCTAssertEqual(second, Store.SweepReport(records: 5, isComplete: true), "a sweep of what is left")
        }
    }

    func testAPageOfEventsIsAsLongAsWasAskedFor() async throws {
        var changes = ChangeSet(operation: OperationID(bits: 3), at: now)
        changes.events = (0..<100).map { _ in
            IdentityEvent(.signedIn, at: now, account: "ann", actor: .unauthenticated, reasons: [])
        }
        let outcome = try await store.commit(changes)
        XCTAssertEqual(outcome, .committed, "the events")
        let page = try await store.events(after: .start, limit: 100)
        XCTAssertEqual(page.events.map(\.position.number), Array(1...100), "the events of one page of two steps")
        XCTAssertEqual(page.end, .number(100), "the end of the log")
    }

    /// If events are dropped while a page is read, it begins behind them, so that a reader who goes on from its end
    /// misses none without learning of it.
    func testAPageOfALogThatDropsEventsMeanwhileHasNoHole() async throws {
        let (log, now) = (InMemoryIdentityStore(eventLimit: 640), now)
        let isWritten = Mutex(false)
        async let written: Void = {
            defer { isWritten.withLock { $0 = true } }
            let event = IdentityEvent(.signedIn, at: now, account: "ann", actor: .unauthenticated, reasons: [])
            for number in 0..<2000 {
                var changes = ChangeSet(operation: OperationID(bits: UInt128(number)), at: now)
                changes.events = Array(repeating: event, count: 128)
                _ = try await log.commit(changes)
            }
        }()
        var holes: [UInt64] = []
        var skipped: [Store.EventPage] = []
        while !isWritten.withLock({ $0 }) {
            let page = try await log.events(after: .start, limit: 1000)
            holes += zip(page.events, page.events.dropFirst()).filter { $1.number != $0.number + 1 }.map(\.1.number)
            if page.events.count < 1000, let last = page.events.last, last.position != page.end { skipped.append(page) }
        }
        try await written
        XCTAssertEqual(holes.prefix(3), [], "the first events after a hole")
        XCTAssertEqual(skipped.map(\.end).prefix(3), [], "the ends of pages that end before them")
    }
}
