@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S37: the messages that were given up, which operators read and sweeps remove.
final class FailedMessageTests: DeliveryTestCase {
    func testS37_FailedMessagesAreReadInPages() async throws {
        var policy = AuthPolicy.firebase
        policy.delivery.tries = 1
        let service = makeService(policy)
        for number in 0..<3 { try await askForLink(service, "bouncing\(number)@example.com") }
        let all = try await service.failedMessages()
        XCTAssertEqual(all.count, 3, "messages that were given up")
        let first = try await service.failedMessages(limit: 2)
        let second = try await service.failedMessages(after: first.last?.entry.id, limit: 2)
        XCTAssertEqual([first, second], [Array(all.prefix(2)), Array(all.suffix(1))], "two pages")
    }

    /// A sweep reads the first of them only, so those must be the oldest.
    func testFailedMessagesAreInTheOrderOfTheirTimes() async throws {
        var policy = AuthPolicy.firebase
        policy.delivery.tries = 1
        let service = makeService(policy)
        postman.isAway = true
        for number in 0..<8 {
            try await askForLink(service, "bouncing\(number)@example.com")
            clock.advance(by: .seconds(1))
        }
        let times = try await service.failedMessages().map(\.entry.createdAt)
        XCTAssertEqual(times.count, 8, "mails that were given up")
        XCTAssertEqual(times, times.sorted(), "the times of messages in the order of their IDs")
    }

    func testS37_AFailedMessageThatNoOperatorSettlesIsRemovedAfterThePolicysTime() async throws {
        var policy = AuthPolicy.firebase
        policy.delivery.tries = 1
        policy.delivery.kept = .seconds(7 * 86_400)
        let service = makeService(policy)
        try await askForLink(service, "bouncing@example.com")
        for day in 0..<7 {
            try await service.sweep()
            let failed = try await service.failedMessages()
            XCTAssertEqual(failed.count, 1, "after \(day) days")
            clock.advance(by: .seconds(86_400))
        }
        try await askForLink(service, "bouncing@example.com")
        try await service.sweep()
        let failed = try await service.failedMessages()
        XCTAssertEqual(failed.count, 1, "the message of a moment ago is kept, and the old one is not")
        XCTAssertEqual(failed.first?.entry.createdAt, clock.timestamp)
    }

    func testASweepReadsAThousandFailedMessagesAndRemovesAllThatAreOld() async throws {
        let store = FaultyStore()
        let world = World(.standard) { $0.store = store }
        let email = EmailAddress.ascii("ann@example.com")
        var seed = SplitMix(state: 1)
        var changes = ChangeSet(operation: OperationID(bits: 1), at: clock.timestamp)
        for _ in 0..<2500 {
            changes.messages.append(
                OutboxEntry(
                    id: OperationID(bits: UInt128(seed.next()) << 64),
                    kind: .methodAdded,
                    recipient: .email(email),
                    record: OneTimeRecordID(bits: UInt128(seed.next())),
                    account: nil,
                    settings: nil,
                    createdAt: clock.timestamp,
                    leasedUntil: clock.timestamp,
                    expiresAt: nil
                )
            )
        }
        _ = try await store.whole.commit(changes)
        for message in changes.messages { try await store.whole.endLease(of: message.id, tries: 1, dueAt: nil) }
        try await world.service.sweep()
        XCTAssertEqual(store.calls(of: .messages), 1, "pages that a sweep reads")
        world.clock.advance(by: .seconds(30 * 86_400))
        for left in [1500, 500, 0] {
            try await world.service.sweep()
            let found = try await world.service.failedMessages(limit: 5000)
            XCTAssertEqual(found.count, left, "old messages that are left")
        }
    }
}
