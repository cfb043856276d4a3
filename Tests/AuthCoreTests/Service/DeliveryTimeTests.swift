import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

/// How long one try to send a message may take: after its lease, another process may send it as well.
final class DeliveryTimeTests: XCTestCase {
    /// A sender that fails at first, then takes most of a lease for one message, and then answers nothing.
    private final class Slow: MessageSender {
        private let clock: ManualClock
        private let state = Mutex((isAway: true, sent: 0, isHeld: false, isReleased: false))

        init(clock: ManualClock) { self.clock = clock }

        var isHeld: Bool { state.withLock { $0.isHeld } }
        var isReleased: Bool { state.withLock { $0.isReleased } }

        func comeBack() { state.withLock { $0.isAway = false } }

        func send(_ message: Message) async throws {
            let (isAway, sent) = state.withLock { state in
                if !state.isAway { state.sent += 1 }
                return (state.isAway, state.sent)
            }
            if isAway { throw StoreFailure() }
            if sent == 1, case .email = message.recipient { return clock.advance(by: 55) }
            state.withLock { $0.isHeld = true }
            while !Task.isCancelled { await Task.yield() }
            state.withLock { $0.isReleased = true }
            throw CancellationError()
        }
    }

    private let clock = ManualClock()

    private func letGo(_ sender: Slow, _ work: Task<Void, any Error>, _ seconds: Double, _ message: String) async {
        while !sender.isHeld { await Task.yield() }
        clock.advance(by: seconds)
        for _ in 0..<20_000 where !sender.isReleased { await Task.yield() }
        XCTAssertTrue(sender.isReleased, message)
        work.cancel()
        _ = await work.result
    }

    private func world(_ sender: Slow) -> World {
        World(.standard) { [clock] in
            $0.messageSender = sender
            $0.environment = .manual(clock)
        }
    }

    func testATextThatACallerWaitsForIsGivenUpAfterItsLease() async throws {
        let sender = Slow(clock: clock)
        let world = world(sender)
        sender.comeBack()
        let work = Task { _ = try await world.device().sendPhoneCode(to: "+15550001111") }
        await letGo(sender, work, 61, "the caller waits for ever, and another process sends the text again")
    }

    func testASecondMessageToOneRecipientIsGivenUpWithTheLeaseOfBoth() async throws {
        let sender = Slow(clock: clock)
        let world = world(sender)
        for _ in 0..<3 { try await world.device().sendSignInLink(to: "ann@example.com") }
        for _ in 0..<1000 { await Task.yield() }
        sender.comeBack()
        clock.advance(by: 120)
        let work = Task { _ = try await world.service.deliverPendingMessages() }
        await letGo(sender, work, 10, "another process sends the message as well")
    }
}
