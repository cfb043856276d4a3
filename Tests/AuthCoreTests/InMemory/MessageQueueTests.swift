@testable import AuthCore
import XCTest

/// The order in which messages that wait are handed out.
final class MessageQueueTests: LimitedTestCase {
    func testOfMessagesThatAreDueAtOneTimeTheOneThatWasWrittenFirstComesFirst() throws {
        var queue = MessageQueue()
        let sample = try XCTUnwrap(RecordSamples.messages().first)
        let ids = [3, 1, 2].map { OperationID(bits: $0) }
        for id in ids {
            queue.append(
                OutboxEntry(
                    id: id,
                    kind: sample.kind,
                    recipient: sample.recipient,
                    record: sample.record,
                    account: sample.account,
                    settings: nil,
                    createdAt: sample.createdAt,
                    leasedUntil: sample.createdAt,
                    expiresAt: sample.expiresAt
                )
            )
        }
        let leased = queue.lease(at: sample.createdAt, until: sample.createdAt + .seconds(60), limit: 3)
        XCTAssertEqual(leased.map(\.entry.id), ids, "the order in which they were written")
    }
}
