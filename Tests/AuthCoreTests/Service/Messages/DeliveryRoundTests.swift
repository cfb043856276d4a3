import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

/// How one call sends the messages that are due: beside each other, and asking the store for no more than it may send.
final class DeliveryRoundTests: LimitedTestCase {
    /// A sender that fails while it is away, and holds messages to one mailbox until they are released.
    private final class Sender: MessageSender {
        private let state = Mutex((isAway: true, sent: [String](), held: 0, isReleased: false))

        /// While it is away it answers at once.
        var isImmediate: Bool { state.withLock { $0.isAway } }
        var sent: [String] { state.withLock { $0.sent } }
        var held: Int { state.withLock { $0.held } }

        func comeBack() { state.withLock { $0.isAway = false } }
        func release() { state.withLock { $0.isReleased = true } }

        func send(_ message: Message) async throws {
            guard case .email(let email) = message.recipient else { return }
            if isImmediate || email.text.hasPrefix("broken") { throw StoreFailure() }
            if email.text.hasPrefix("slow") {
                state.withLock { $0.held += 1 }
                while !state.withLock({ $0.isReleased }) {
                    try Task.checkCancellation()
                    await Task.yield()
                }
            }
            state.withLock { $0.sent.append(email.text) }
        }
    }

    /// Waits that end when the clock of the test has gone on, and how long they were to be.
    private final class Waits: Sendable {
        let all = Mutex<[Duration]>([])

        func wait(for duration: Duration, on clock: ManualClock) async throws {
            let end = clock.now + duration / .seconds(1)
            all.withLock { $0.append(duration) }
            while clock.now < end {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }

    private let (sender, waits, clock) = (Sender(), Waits(), ManualClock())

    private func world() -> World {
        World(.standard) { [sender, waits, clock] in
            $0.messageSender = sender
            $0.environment = AuthEnvironment(clock: { clock.now }, randomness: SeededGenerator(seed: 1)) {
                try await waits.wait(for: $0, on: clock)
            }
        }
    }

    /// Sends what is due, and returns how many messages were sent.
    private func deliver(in world: World, limit: Int = 100) async throws -> Int {
        let hasEnded = Mutex(false)
        let delivery = Task {
            defer { hasEnded.withLock { $0 = true } }
            return try await world.service.deliverPendingMessages(limit: limit)
        }
        await wait(for: "a delivery ends with its last message, and not when its wait is over") {
            hasEnded.withLock { $0 }
        }
        // Only a test that fails still waits.
        delivery.cancel()
        return try await delivery.value
    }

    func testADeliveryAsksForNothingWhenAllIsSent() async throws {
        let world = world()
        for email in ["ann@example.com", "ben@example.com"] { try await world.device().sendSignInLink(to: email) }
        sender.comeBack()
        clock.advance(by: .seconds(60))
        let sent = try await deliver(in: world)
        XCTAssertEqual(sent, 2, "messages that were sent")
        XCTAssertEqual(world.store.calls(of: .leaseMessages), 1, "fewer messages than may be sent are all that are due")
    }

    func testADeliveryAsksForNoMoreThanItMaySend() async throws {
        let world = world()
        try await world.device().sendSignInLink(to: "ann@example.com")
        sender.comeBack()
        clock.advance(by: .seconds(60))
        let sent = try await deliver(in: world, limit: 1)
        XCTAssertEqual(sent, 1, "messages that were sent")
        XCTAssertEqual(world.store.calls(of: .leaseMessages), 1, "the store was asked for no message at all")
    }

    func testWhatBecomesDueIsSentBesideAMessageThatTakesLong() async throws {
        let world = world()
        try await world.device().sendSignInLink(to: "slow@example.com")
        clock.advance(by: .seconds(1))
        try await world.device().sendSignInLink(to: "ann@example.com")
        sender.comeBack()
        clock.advance(by: .seconds(29))
        let delivery = Task { try await world.service.deliverPendingMessages() }
        await wait(for: "the message that takes long is sent first") { self.sender.held == 1 }
        await wait(for: "it looks for others each second") { self.waits.all.withLock { $0.contains(.seconds(1)) } }
        XCTAssertEqual(sender.sent, [], "a message is sent before it is due")
        clock.advance(by: .seconds(1))
        await wait(for: "a message that is due waits for another one") { self.sender.sent == ["ann@example.com"] }
        sender.release()
        let sent = try await delivery.value
        XCTAssertEqual(sent, 2, "messages that were sent")
        let looks = waits.all.withLock { $0.filter { $0 == .seconds(1) } }
        XCTAssertEqual(looks.count, 2, "one wait at a time: \(waits.all.withLock { $0 })")
        XCTAssertEqual(world.store.calls(of: .leaseMessages), 2, "it asks once a second")
    }

    func testAMessageThatIsBeingSentIsLeasedForAsLongAsThePolicySays() async throws {
        let world = world()
        try await world.device().sendSignInLink(to: "slow@example.com")
        sender.comeBack()
        clock.advance(by: .seconds(30))
        let delivery = Task { try await world.service.deliverPendingMessages() }
        await wait(for: "the message is sent") { self.sender.held == 1 }
        let leased = try await world.store.whole.messages(.waiting, after: nil, limit: 10).map(\.dueAt)
        XCTAssertEqual(leased, [clock.timestamp + world.policy.delivery.lease], "when others may send it")
        sender.release()
        _ = try await delivery.value
    }

    func testAStoreThatCannotEndALeaseStopsNoMessageThatIsBeingSent() async throws {
        let world = world()
        for email in ["slow@example.com", "broken@example.com"] { try await world.device().sendSignInLink(to: email) }
        sender.comeBack()
        clock.advance(by: .seconds(30))
        let before = world.store.calls(of: .endLease)
        world.store.script(.endLease, .failsBefore())
        try await assertTheSlowMessageIsSent(by: world) { world.store.calls(of: .endLease) > before }
    }

    func testAStoreThatLeasesNothingStopsNoMessageThatIsBeingSent() async throws {
        let world = world()
        try await world.device().sendSignInLink(to: "slow@example.com")
        sender.comeBack()
        clock.advance(by: .seconds(30))
        world.store.script(.leaseMessages, .succeeds, .failsBefore())
        var isAdvanced = false
        try await assertTheSlowMessageIsSent(by: world) {
            // Once only: a try of a message ends after fifteen seconds.
            if !isAdvanced, self.waits.all.withLock({ $0.contains(.seconds(1)) }) {
                self.clock.advance(by: .seconds(1))
                isAdvanced = true
            }
            return world.store.calls(of: .leaseMessages) == 2
        }
    }

    /// Asserts that a message which is being sent when the store fails is sent, and not again.
    private func assertTheSlowMessageIsSent(by world: World, when hasFailed: () -> Bool) async throws {
        let delivery = Task { try await world.service.deliverPendingMessages() }
        await wait(for: "the message that takes long is being sent") { self.sender.held == 1 }
        await wait(for: "the store fails", until: hasFailed)
        // What would be stopped by the failure has the time to stop.
        for _ in 0..<100 { await Task.yield() }
        sender.release()
        await assertThrows(.storeUnavailable, "the failure of the store") { try await delivery.value }
        XCTAssertEqual(sender.sent, ["slow@example.com"], "what was sent")
        let left = try await world.store.whole.messages(.waiting, after: nil, limit: 10).map { "\($0.entry.recipient)" }
        XCTAssertFalse(left.contains { $0.contains("slow") }, "the message that was sent waits to be sent again")
    }

    func testADeliverySendsNoMoreThanItsLimit() async throws {
        let world = world()
        for name in ["ann", "ben", "eve"] { try await world.device().sendSignInLink(to: "\(name)@example.com") }
        sender.comeBack()
        clock.advance(by: .seconds(60))
        let sent = try await deliver(in: world, limit: 2)
        XCTAssertEqual(sent, 2, "messages that were sent")
        XCTAssertEqual(sender.sent.count, 2, "messages that reached a mailbox")
    }

    func testAStoreThatFailsIsAskedForNoFurtherMessages() async throws {
        let world = world()
        for number in 0..<20 { try await world.device().sendSignInLink(to: "person\(number)@example.com") }
        sender.comeBack()
        clock.advance(by: .seconds(60))
        world.store.script(.settleMessages, [], then: .failsBefore())
        await assertThrows(.storeUnavailable, "the failure of the store") { try await deliver(in: world) }
        XCTAssertEqual(sender.sent.count, 16, "messages that were being sent when the store failed")
        XCTAssertEqual(world.store.calls(of: .leaseMessages), 1, "how often the store is asked for messages")
    }
}
