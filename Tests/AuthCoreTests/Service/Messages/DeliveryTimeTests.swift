import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

/// How long one try to send a message may take: it ends long before another process may send it as well.
final class DeliveryTimeTests: LimitedTestCase {
    /// A sender that fails at first, and then never answers.
    private final class Slow: MessageSender {
        private let state = Mutex((isAway: true, isHeld: false, isReleased: false))

        var isHeld: Bool { state.withLock { $0.isHeld } }
        var isReleased: Bool { state.withLock { $0.isReleased } }

        func comeBack() { state.withLock { $0.isAway = false } }

        func send(_ message: Message) async throws {
            if state.withLock({ $0.isAway }) { throw StoreFailure() }
            state.withLock { $0.isHeld = true }
            while !Task.isCancelled { await Task.yield() }
            state.withLock { $0.isReleased = true }
            throw CancellationError()
        }
    }

    private let clock = ManualClock()

    private func letGo(_ sender: Slow, _ work: Task<Void, any Error>) async {
        await wait(for: "the message is with the sender") { sender.isHeld }
        clock.advance(by: .seconds(14))
        for _ in 0..<2000 { await Task.yield() }
        XCTAssertFalse(sender.isReleased, "a try has a quarter of the lease")
        clock.advance(by: .seconds(1))
        await wait(for: "it goes on, and another process sends the message as well") { sender.isReleased }
        work.cancel()
        _ = await work.result
    }

    private func world(_ sender: Slow) -> World {
        World(.standard) { [clock] in
            $0.messageSender = sender
            $0.environment = .manual(clock)
        }
    }

    func testATextThatACallerWaitsForIsGivenUpAfterTheTimeOfATry() async throws {
        let sender = Slow()
        let world = world(sender)
        sender.comeBack()
        let work = Task { _ = try await world.device().sendPhoneCode(to: "+15550001111") }
        await letGo(sender, work)
    }

    func testAMessageThatIsTriedAgainIsGivenUpAfterTheTimeOfATry() async throws {
        let sender = Slow()
        let world = world(sender)
        try await world.device().sendSignInLink(to: "ann@example.com")
        await wait(for: "the first try ends") { world.store.calls(of: .endLease) > 0 }
        sender.comeBack()
        clock.advance(by: .seconds(120))
        let work = Task { _ = try await world.service.deliverPendingMessages() }
        await letGo(sender, work)
    }

    func testAMessageThatIsSentLateTellsWhenItWasAskedFor() async throws {
        let sender = AwaySender()
        let world = World(.standard) { $0.messageSender = sender }
        let asked = world.clock.now
        try await world.device().sendSignInLink(to: "ann@example.com")
        sender.comeBack()
        world.clock.advance(by: .seconds(120))
        try await world.service.deliverPendingMessages()
        XCTAssertEqual(sender.sent.map(\.createdAt), [asked], "when the messages say that they were asked for")
    }
}

/// A sender that fails until it comes back.
private final class AwaySender: MessageSender {
    private let state = Mutex((isAway: true, sent: [Message]()))

    var isImmediate: Bool { true }
    var sent: [Message] { state.withLock { $0.sent } }

    func comeBack() { state.withLock { $0.isAway = false } }

    func send(_ message: Message) async throws {
        try state.withLock { state in
            if state.isAway { throw StoreFailure() }
            state.sent.append(message)
        }
    }
}
