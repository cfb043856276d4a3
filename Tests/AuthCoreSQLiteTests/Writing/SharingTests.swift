#if SQLite
import AuthCore
import AuthCoreTesting
import XCTest

@testable import AuthCoreSQLite
@testable import StoreInvariants

/// Several processes on one file: they sweep, send and write beside each other, and nothing happens twice.
final class SharingTests: LimitedTestCase {
    private let now = Timestamp(seconds: 1_800_000_000)

    private func change(_ number: Int, _ body: (inout Store.ChangeSet) -> Void) -> Store.ChangeSet {
        var changes = Store.ChangeSet(operation: Store.OperationID(bits: UInt128(number)), at: now)
        body(&changes)
        return changes
    }

    func testAMessageThatCannotBeReadHoldsUpNoOther() async throws {
        let store = try await TestDatabase().open()
        for number in 1...2 {
            let message = try message(number)
            _ = try await store.commit(change(number) { $0.messages = [message] })
        }
        try await store.execute("UPDATE messages SET record = '{}' WHERE id = (SELECT min(id) FROM messages)")
        let leased = try await store.leaseMessages(at: now, until: now + .seconds(60), limit: 10)
        XCTAssertEqual(leased.map(\.entry.id), [Store.OperationID(bits: 2)], "the message that can be read")
        try await store.settleMessages(leased.map(\.entry.id))
        do {
            let none = try await store.leaseMessages(at: now + .seconds(60), until: now + .seconds(90), limit: 10)
            XCTFail("what cannot be read was answered with \(none)")
        } catch {
            XCTAssertEqual((error as? AuthError)?.code, .storeUnavailable, "\(error)")
        }
    }

    func testMessagesThatCannotBeReadHoldUpNoneBehindThem() async throws {
        let store = try await TestDatabase().open()
        for number in 1...20 {
            let message = try message(number)
            _ = try await store.commit(change(number) { $0.messages = [message] })
        }
        try await store.execute("UPDATE messages SET record = '{}' WHERE number < (SELECT max(number) FROM messages)")
        var leased: [Store.OperationID] = []
        for _ in 0..<3 {
            let messages = try? await store.leaseMessages(at: now, until: now + .seconds(60), limit: 16)
            leased += (messages ?? []).map(\.entry.id)
        }
        XCTAssertEqual(leased, [Store.OperationID(bits: 20)], "the message behind those that cannot be read")
    }

    func testTwoSweepsRemoveEachRowOnce() async throws {
        let database = try TestDatabase()
        let stores = [try await database.open(), try await database.open()]
        for number in 0..<20 {
            let changes = change(number) { changes in
                changes.records = (0..<20).map { place in
                    .put(
                        Store.OneTimeRecord(
                            key: OneTimeRecordID(bits: UInt128(number * 20 + place)),
                            account: nil,
                            createdAt: now,
                            expiresAt: now,
                            content: .usedAssertion
                        )
                    )
                }
            }
            _ = try await stores[number % 2].commit(changes)
        }
        let later = now
        let removed = try await withThrowingTaskGroup(of: Int.self) { group in
            for store in stores { group.addTask { try await store.sweep(at: later, limit: 1000).records } }
            return try await group.reduce(0, +)
        }
        XCTAssertEqual(removed, 400, "rows were counted twice, or left")
    }

    private func message(_ number: Int) throws -> Store.OutboxEntry {
        Store.OutboxEntry(
            id: Store.OperationID(bits: UInt128(number)),
            kind: .verifyEmail,
            recipient: .email(try XCTUnwrap(EmailAddress("ann@example.com"))),
            record: OneTimeRecordID(bits: UInt128(number)),
            account: nil,
            settings: nil,
            createdAt: now,
            leasedUntil: now,
            expiresAt: nil
        )
    }

    func testTwoSendersLeaseEachMessageOnce() async throws {
        let database = try TestDatabase()
        let stores = [try await database.open(), try await database.open()]
        for number in 0..<60 {
            let message = try message(number)
            _ = try await stores[number % 2].commit(change(number) { $0.messages = [message] })
        }
        let (start, end) = (now, now + .seconds(60))
        let leased = try await withThrowingTaskGroup(of: [Store.OperationID].self) { group in
            for task in 0..<12 {
                let store = stores[task % 2]
                group.addTask { try await store.leaseMessages(at: start, until: end, limit: 7).map(\.entry.id) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        XCTAssertEqual(leased.count, 60, "messages that were leased")
        XCTAssertEqual(Set(leased).count, 60, "a message was leased twice")
    }

    func testTheSameOperationOnTwoHandlesIsWrittenOnce() async throws {
        let database = try TestDatabase()
        let stores = [try await database.open(), try await database.open()]
        let changes = change(1) { changes in
            changes.events = [IdentityEvent(.signedIn, at: now, account: "ann", actor: .system, reasons: [])]
        }
        let outcomes = try await withThrowingTaskGroup(of: Store.CommitOutcome.self) { group in
            for task in 0..<20 {
                let store = stores[task % 2]
                group.addTask { try await store.commit(changes) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        XCTAssertEqual(outcomes.count { $0 == .committed }, 1)
        let events = try await stores[0].events(after: .start, limit: 100).events
        XCTAssertEqual(events.count, 1, "an event was written twice")
    }
}
#endif
