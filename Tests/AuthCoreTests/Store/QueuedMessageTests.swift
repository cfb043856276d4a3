import AuthCore
import XCTest

final class QueuedMessageTests: LimitedTestCase {
    func testAMessageThatIsNeverDueAgainHasFailed() throws {
        let entry = try XCTUnwrap(RecordSamples.messages().first)
        let due = Store.QueuedMessage(entry, tries: 2, dueAt: entry.leasedUntil)
        XCTAssertEqual(due.status, .waiting, "a message with a next try")
        let givenUp = Store.QueuedMessage(entry, tries: 3, dueAt: nil)
        XCTAssertEqual(givenUp.status, .failed, "a message without a next try")
    }
}
