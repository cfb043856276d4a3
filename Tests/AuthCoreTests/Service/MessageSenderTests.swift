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

    func testAnOutboxMayKeepAnyNumberOfMessages() async throws {
        let outbox = Message.Outbox(limit: .max)
        let world = World(.standard) { $0.messageSender = outbox }
        try await world.device().sendSignInLink(to: "ann@example.com")
        XCTAssertEqual(outbox.messages.count, 1)
    }
}
