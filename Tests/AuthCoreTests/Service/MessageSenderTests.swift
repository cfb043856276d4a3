import AuthCore
import XCTest

final class MessageSenderTests: XCTestCase {
    private struct Slow: MessageSender {
        func send(_ message: Message) async throws {}
    }

    func testASenderThatSaysNothingIsNotWaitedFor() {
        XCTAssertFalse(
            Slow().isImmediate,
            "an answer would wait for a server that accepts mail, and so tell what is sent"
        )
        XCTAssertTrue(Message.Outbox().isImmediate, "messages that are kept in memory are there with the answer")
    }
}
