import AuthCore
import XCTest

final class MessageSenderTests: LimitedTestCase {
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
        for (limit, count) in [(Int.max, 2), (1, 1), (0, 0), (-1, 0), (.min, 0)] {
            let outbox = Message.Outbox(limit: limit)
            let world = World(.standard) { $0.messageSender = outbox }
            for email in ["ann@example.com", "ben@example.com"] {
                try await world.device().sendSignInLink(to: email)
            }
            XCTAssertEqual(outbox.messages.count, count, "of two messages, with the limit \(limit)")
        }
    }
}
