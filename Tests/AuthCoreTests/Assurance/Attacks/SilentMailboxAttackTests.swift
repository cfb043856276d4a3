@testable import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

/// AT-30: mailboxes that accept a connection and then say nothing keep no other message back.
final class SilentMailboxAttackTests: DeliveryTestCase {
    /// A sender that waits for some mailboxes until it is canceled.
    private final class Tarpit: MessageSender {
        private let state = Mutex((isAway: false, sent: [Message](), held: 0, isReleased: false))
        /// When the message to another mailbox arrives.
        private let isReached: @Sendable () -> Bool

        init(reached isReached: @escaping @Sendable () -> Bool = { true }) { self.isReached = isReached }

        /// While it is away it answers at once.
        var isImmediate: Bool { isAway }
        var isAway: Bool {
            get { state.withLock { $0.isAway } }
            set { state.withLock { $0.isAway = newValue } }
        }
        var sent: [Message] { state.withLock { $0.sent } }
        var held: Int { state.withLock { $0.held } }
        var isReleased: Bool { state.withLock { $0.isReleased } }

        func send(_ message: Message) async throws {
            if isAway { throw Postman.Bounced() }
            if case .email(let email) = message.recipient, email.text.hasPrefix("tarpit") {
                state.withLock { $0.held += 1 }
                while !Task.isCancelled { await Task.yield() }
                state.withLock { $0.isReleased = true }
                throw CancellationError()
            }
            while !isReached() {
                try Task.checkCancellation()
                await Task.yield()
            }
            state.withLock { $0.sent.append(message) }
        }
    }

    /// Waiting that ends when a test says so, or when it is canceled.
    private final class Alarm: Sendable {
        private let state = Mutex((asleep: 0, hasRung: false))

        /// How many wait for it.
        var asleep: Int { state.withLock { $0.asleep } }

        func ring() { state.withLock { $0.hasRung = true } }

        func sleep() async throws {
            state.withLock { $0.asleep += 1 }
            defer { state.withLock { $0.asleep -= 1 } }
            while !state.withLock({ $0.hasRung }) {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }

    /// The server of an attacker's mailbox accepts a connection and then says nothing.
    func testAT30_AMailboxThatNeverAnswersDelaysNobodyElsesMail() async throws {
        let alarm = Alarm()
        // The other message is sent when each of the two has its limit of time beside it, and the delivery its pause.
        let sender = Tarpit(reached: { alarm.asleep == 3 })
        let service = AuthService(
            AuthConfiguration(
                store: store,
                policy: .standard,
                passwordHasher: CheapPasswordHasher(),
                messageSender: sender,
                environment: AuthEnvironment(clock: { [clock] in clock.now }, sleep: { _ in try await alarm.sleep() })
            )
        )
        sender.isAway = true
        for email in ["tarpit@example.com", "ann@example.com"] { try await askForLink(service, email) }
        sender.isAway = false
        clock.advance(by: .seconds(61))
        let delivery = Task { try await service.deliverPendingMessages() }
        await wait(for: "the message to the other mailbox is sent") { !sender.sent.isEmpty }
        await wait(for: "the limit of a message that was sent ends with it") {
            sender.held == 1 && alarm.asleep == 2
        }
        XCTAssertFalse(sender.isReleased, "a mailbox has a quarter of the lease to answer")
        // The time of a try ends while the mailbox is silent.
        clock.advance(by: .seconds(15))
        alarm.ring()
        await wait(for: "a message that no mailbox accepts is sent for ever, and nothing is sent after it") {
            sender.isReleased
        }
        if !sender.isReleased { delivery.cancel() }
        let sent = try await delivery.value
        XCTAssertEqual(sent, 1, "messages that were sent")
        let failed = try await store.messages(.waiting, after: nil, limit: 10)
        XCTAssertEqual(failed.map(\.tries), [2], "it is tried again later")
    }

    func testSixtyMailboxesThatNeverAnswerDelayAnothersMailByTheirTurnsOnly() async throws {
        let sender = Tarpit()
        let service = makeService(sending: sender, on: store)
        sender.isAway = true
        for number in 0..<60 { try await askForLink(service, "tarpit\(number)@example.com") }
        try await askForLink(service, "ann@example.com")
        sender.isAway = false
        clock.advance(by: .seconds(61))
        let delivery = Task { try await service.deliverPendingMessages(limit: 61) }
        for held in [16, 32, 48, 60] {
            await wait(for: "\(held) messages are tried") {
                sender.held == held && (held < 60 || !sender.sent.isEmpty)
            }
            clock.advance(by: .seconds(15))
        }
        if sender.held < 60 { delivery.cancel() }
        let sent = try await delivery.value
        XCTAssertEqual(sent, 1, "messages that were sent")
    }

    func testAMailboxThatNeverAnswersDelaysNoOtherWorkOfARunningService() async throws {
        let (sender, store) = (Tarpit(), FaultyStore())
        let service = makeService(sending: sender, on: store)
        sender.isAway = true
        try await askForLink(service, "tarpit@example.com")
        clock.advance(by: .seconds(5))
        for number in 0..<120 { try await askForLink(service, "person\(number)@example.com") }
        sender.isAway = false
        clock.advance(by: .seconds(25))
        let running = Task { try await service.run() }
        await wait(for: "the mailbox is tried") { sender.held == 1 }
        clock.advance(by: .seconds(5))
        await wait(for: "what becomes due while it is silent is sent") { sender.sent.count == 120 }
        let sweeps = store.calls(of: .sweep)
        await wait(for: "the service sweeps meanwhile") { store.calls(of: .sweep) > sweeps }
        XCTAssertFalse(sender.isReleased)
        running.cancel()
        try await running.value
    }

    func testAMessageThatWasSentIsNotWaitedForAnyLonger() async throws {
        let sender = Tarpit()
        let isDone = Atomic(false)
        let service = AuthService(
            AuthConfiguration(
                store: store,
                passwordHasher: CheapPasswordHasher(),
                messageSender: sender,
                environment: .manual(clock)
            )
        )
        sender.isAway = true
        try await askForLink(service, "ann@example.com")
        sender.isAway = false
        clock.advance(by: .seconds(61))
        let delivery = Task {
            let sent = try await service.deliverPendingMessages()
            isDone.store(true, ordering: .sequentiallyConsistent)
            return sent
        }
        await wait(for: "the delivery ends with what was sent, and not with its lease") {
            isDone.load(ordering: .sequentiallyConsistent)
        }
        clock.advance(by: .seconds(61))
        let sent = try await delivery.value
        XCTAssertEqual(sent, 1, "messages that were sent")
    }

    /// Remembers how many messages it was sending at once.
    private final class Crowd: MessageSender {
        private let state = Mutex((now: 0, most: 0, isAway: true))
        let isImmediate = true
        var most: Int { state.withLock { $0.most } }

        func comeBack() { state.withLock { $0.isAway = false } }

        func send(_ message: Message) async throws {
            if state.withLock({ $0.isAway }) { throw Postman.Bounced() }
            state.withLock { state in
                state.now += 1
                state.most = max(state.most, state.now)
            }
            // On a busy machine the others come late.
            let patience = ContinuousClock.now + .seconds(60)
            while most < 16, ContinuousClock.now < patience { await Task.yield() }
            for _ in 0..<200 { await Task.yield() }
            state.withLock { $0.now -= 1 }
        }
    }

    func testNoMoreThanSixteenMessagesAreSentAtOnce() async throws {
        let sender = Crowd()
        let service = makeService(sending: sender, on: store)
        for number in 0..<40 { try await askForLink(service, "person\(number)@example.com") }
        sender.comeBack()
        clock.advance(by: .seconds(61))
        let sent = try await service.deliverPendingMessages()
        XCTAssertEqual(sent, 40, "messages that were sent")
        XCTAssertEqual(sender.most, 16, "messages that were being sent at once")
    }
}
