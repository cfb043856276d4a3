@testable import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

/// AT-30 and S37: messages that cannot be sent keep no other message back.
final class DeliveryAttackTests: LimitedTestCase {
    /// A sender that cannot reach some mailboxes, and for a time none at all.
    private final class Postman: MessageSender {
        struct Bounced: Error {}

        private let state = Mutex((isAway: false, sent: [Message](), tries: [String: Int]()))

        var isImmediate: Bool { true }
        var isAway: Bool {
            get { state.withLock { $0.isAway } }
            set { state.withLock { $0.isAway = newValue } }
        }
        var sent: [Message] { state.withLock { $0.sent } }

        func tries(to address: String) -> Int { state.withLock { $0.tries[address] ?? 0 } }

        func send(_ message: Message) async throws {
            guard case .email(let email) = message.recipient else { return }
            try state.withLock { state in
                state.tries[email.text, default: 0] += 1
                if state.isAway || email.text.hasPrefix("bouncing") { throw Bounced() }
                state.sent.append(message)
            }
        }
    }

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

    /// A sender that does something else besides, and fails the first time.
    private final class Distracted: MessageSender {
        private let state = Mutex<[Int]>([])
        private let besides: @Sendable () async throws -> Int

        init(_ besides: @escaping @Sendable () async throws -> Int) { self.besides = besides }

        var isImmediate: Bool { true }
        /// What it got for what it did during each message.
        var answers: [Int] { state.withLock { $0 } }

        func send(_ message: Message) async throws {
            let answer = try await besides()
            let isFirst = state.withLock { answers in
                answers.append(answer)
                return answers.count == 1
            }
            if isFirst { throw Postman.Bounced() }
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

    private let postman = Postman()
    private let store = InMemoryIdentityStore()
    private let clock = ManualClock()

    /// A service whose clock and waits are the test's.
    private func makeService(
        sending sender: any MessageSender,
        _ policy: AuthPolicy = .firebase,
        on store: any IdentityStore
    ) -> AuthService {
        AuthService(
            AuthConfiguration(
                store: store,
                policy: policy,
                passwordHasher: CheapPasswordHasher(),
                messageSender: sender,
                environment: .manual(clock)
            )
        )
    }

    private func makeService(
        _ policy: AuthPolicy = .firebase,
        sharingKeySending sender: (any MessageSender)? = nil
    ) -> AuthService {
        AuthService(
            AuthConfiguration(
                store: store,
                policy: policy,
                passwordHasher: CheapPasswordHasher(),
                messageSender: sender ?? postman,
                environment: AuthEnvironment(clock: { [clock] in clock.now }),
                // Several servers of one store share its key.
                secretKey: Array(repeating: 7, count: 32)
            )
        )
    }

    private func askForLink(_ service: AuthService, _ email: String) async throws {
        try await Auth(service: service, device: "phone").sendSignInLink(to: email)
    }

    func testAT30_AHundredBouncingMailsDelayNobodyElsesMail() async throws {
        let service = makeService()
        postman.isAway = true
        for number in 0..<100 { try await askForLink(service, "bouncing\(number)@example.com") }
        try await askForLink(service, "ann@example.com")
        postman.isAway = false
        clock.advance(by: .seconds(30))
        var passes = 0
        while postman.sent.isEmpty, passes < 3 {
            try await service.deliverPendingMessages(limit: 100)
            passes += 1
        }
        XCTAssertEqual(postman.sent.count, 1, "the victim's mail waits behind bouncing ones")
        XCTAssertLessThanOrEqual(passes, 2)
    }

    /// Its next try would come when its link does not work any more.
    func testAMessageWhoseNextTryWouldBeTooLateIsGivenUp() async throws {
        var policy = AuthPolicy.firebase
        policy.lifetimes.signInLink = .seconds(70)
        let service = makeService(policy)
        try await askForLink(service, "bouncing@example.com")
        var failed = try await service.failedMessages()
        XCTAssertEqual(failed, [], "the next try is in time")
        clock.advance(by: .seconds(60))
        try await service.deliverPendingMessages()
        failed = try await service.failedMessages()
        XCTAssertEqual(failed.count, 1, "after the last try that is in time")
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

    func testAMessageIsGivenUpAfterItsTriesOnlyHoweverLongAnotherTakes() async throws {
        /// Fails, and takes more than a lease for a sign-in link.
        struct Slow: MessageSender {
            let clock: ManualClock
            let postman: Postman
            var isImmediate: Bool { true }

            func send(_ message: Message) async throws {
                if message.kind == .signInLink { clock.advance(by: .seconds(61)) }
                try await postman.send(message)
            }
        }
        var policy = AuthPolicy.firebase
        policy.delivery.tries = 5
        policy.delivery.longestWait = .seconds(30)
        policy.lifetimes.signInLink = .days(1)
        let service = makeService(sending: Slow(clock: clock, postman: postman), policy, on: store)
        for _ in 0..<5 { try await askForLink(service, "bouncing@example.com") }
        try await Auth(service: service, device: "phone").sendSignInMethods(to: "bouncing@example.com")
        for _ in 0..<12 {
            clock.advance(by: .seconds(31))
            try await service.deliverPendingMessages()
        }
        let failed = try await service.failedMessages()
        XCTAssertEqual(failed.map(\.tries), Array(repeating: 5, count: 6))
        XCTAssertEqual(postman.tries(to: "bouncing@example.com"), 30, "it was leased, and not tried")
    }

    func testS37_TheWaitBetweenTwoTriesDoubles() async throws {
        let service = makeService(.firebase)
        try await askForLink(service, "bouncing@example.com")
        var tries: [Int] = []
        for _ in 0..<3 {
            clock.advance(by: .seconds(30))
            try await service.deliverPendingMessages()
            tries.append(postman.tries(to: "bouncing@example.com"))
        }
        XCTAssertEqual(tries, [2, 2, 3], "tries after 30, 60 and 90 s, where the first wait is 30 s")
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

    func testAT30_AHundredBouncingMailsToOneMailboxAreTriedEverLessOften() async throws {
        var policy = AuthPolicy.firebase
        policy.lifetimes.signInLink = .seconds(172_800)
        let service = makeService(policy)
        try await askForLink(service, "bouncing@example.com")
        var tries: [Int] = []
        for _ in 0..<4 {
            for _ in 0..<60 {
                clock.advance(by: .seconds(30))
                try await service.deliverPendingMessages()
            }
            tries.append(postman.tries(to: "bouncing@example.com"))
        }
        let further = zip(tries.dropFirst(), tries).map { $0 - $1 }
        XCTAssertGreaterThan(tries[0], 3)
        XCTAssertLessThanOrEqual(further.last ?? .max, 1, "half an hour later it is tried once an hour: \(tries)")
    }

    func testS37_AMessageIsGivenUpAfterItsTriesAndShowsUntilAnOperatorSettlesIt() async throws {
        var policy = AuthPolicy.firebase
        policy.delivery.tries = 3
        policy.lifetimes.signInLink = .seconds(172_800)
        let service = makeService(policy)
        try await askForLink(service, "bouncing@example.com")
        for _ in 0..<10 {
            clock.advance(by: .seconds(3600))
            try await service.deliverPendingMessages()
        }
        XCTAssertEqual(postman.tries(to: "bouncing@example.com"), 3)
        let failed = try await service.failedMessages()
        XCTAssertEqual(failed.map(\.tries), [3])
        XCTAssertEqual(failed.map(\.entry.kind), [.signInLink])
        try await service.settleMessages(failed.map(\.entry.id))
        let left = try await service.failedMessages()
        XCTAssertEqual(left, [])
    }

    func testS37_AMessageThatExpiresWhenItWouldBeTriedAgainIsGivenUp() async throws {
        for (seconds, count) in [(31, 0), (30, 1)] {
            var policy = AuthPolicy.firebase
            policy.lifetimes.signInLink = .seconds(seconds)
            let service = makeService(policy)
            try await askForLink(service, "bouncing@example.com")
            let failed = try await service.failedMessages()
            XCTAssertEqual(failed.count, count, "links for \(seconds) s, which would be tried again after 30 s")
        }
    }

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

    func testS37_AMessageIsNotSentOnceItIsOfNoUse() async throws {
        let service = makeService()
        postman.isAway = true
        try await askForLink(service, "ann@example.com")
        postman.isAway = false
        clock.advance(by: .seconds(3600))
        let sent = try await service.deliverPendingMessages()
        XCTAssertEqual(sent, 0, "the link in it has expired")
        let failed = try await service.failedMessages()
        XCTAssertEqual(failed.count, 1, "an operator sees that it was never sent")
        let waiting = try await store.messages(.waiting, after: nil, limit: 10)
        XCTAssertEqual(waiting, [])
    }

    func testS37_AMailWithoutCodeIsGivenUpAtThePolicysAge() async throws {
        var policy = AuthPolicy.firebase
        policy.delivery.age = .seconds(7200)
        policy.delivery.tries = 1000
        let service = makeService(policy)
        try await Auth(service: service, device: "phone").sendSignInMethods(to: "bouncing@example.com")
        for _ in 0..<20 {
            clock.advance(by: .seconds(600))
            try await service.deliverPendingMessages()
        }
        let failed = try await service.failedMessages()
        XCTAssertEqual(failed.map(\.entry.kind), [.signInMethods])
    }

    func testS37_WhatWaitsIsSentUnderAnyLease() async throws {
        for (index, lease) in [Duration.seconds(Int64.max), .seconds(1), .zero, .seconds(-60)].enumerated() {
            var policy = AuthPolicy.firebase
            policy.delivery.lease = lease
            let service = makeService(policy)
            postman.isAway = true
            try await askForLink(service, "ann\(index)@example.com")
            postman.isAway = false
            clock.advance(by: .seconds(30))
            try await service.deliverPendingMessages()
            XCTAssertEqual(
                postman.sent.count,
                index + 1,
                "a lease of \(lease) keeps a message back, and no one is told"
            )
        }
    }

    func testS37_AnyWaitCanBeDoubled() {
        var rule = AuthPolicy.Delivery()
        for first in [Duration.seconds(1_000_000_000_000), .seconds(Int64.max)] {
            rule.firstWait = first
            XCTAssertEqual(rule.wait(after: 40), rule.longestWait)
        }
        rule.firstWait = .seconds(30)
        XCTAssertEqual([1, 2, 7, 8].map { rule.wait(after: $0) }, [30, 60, 1920, 3600].map { .seconds($0) })
    }

    func testS37_AMessageThatWaitedTellsNoMethodsOfAnAccountThatHasLeftTheAddress() async throws {
        let postman = Postman()
        let world = World(.standard) { $0.messageSender = postman }
        let ann = try await world.device().signIn(with: world.google(.ann, world.work)).user
        postman.isAway = true
        try await world.device("eve").sendSignInMethods(to: "ann@example.com")
        postman.isAway = false
        let auth = world.device()
        try await auth.sendSignInLink(to: "new@example.com")
        let link = try XCTUnwrap(postman.sent.last { $0.kind == .signInLink }?.link)
        try await ann.link(with: .emailLink(email: "new@example.com", link: link))
        XCTAssertEqual(ann.email, "new@example.com")
        world.clock.advance(by: .seconds(3600))
        try await world.service.deliverPendingMessages()
        let told = try XCTUnwrap(postman.sent.last { $0.kind == .signInMethods })
        XCTAssertEqual(told.signInMethods, [])
    }

    func testS37_TwoServersDoNotSendOneMessageTwice() async throws {
        let (one, other) = (makeService(), makeService())
        postman.isAway = true
        for number in 0..<20 { try await askForLink(one, "person\(number)@example.com") }
        postman.isAway = false
        clock.advance(by: .seconds(30))
        async let first = one.deliverPendingMessages()
        async let second = other.deliverPendingMessages()
        let sent = try await first + second
        XCTAssertEqual(sent, 20)
        XCTAssertEqual(postman.sent.count, 20)
        XCTAssertEqual(Set(postman.sent.map(\.id)).count, 20)
    }

    func testS37_WhatIsBeingSentIsNotSentBesidesByAnotherServer() async throws {
        let other = makeService()
        // As long as a try may take.
        let sender = Distracted { [clock] in
            clock.advance(by: AuthPolicy.firebase.delivery.timeOfTry)
            return try await other.deliverPendingMessages()
        }
        let service = makeService(sharingKeySending: sender)
        try await askForLink(service, "ann@example.com")
        XCTAssertEqual(sender.answers, [0], "another server sent what was being sent for the first time")
        let early = try await other.deliverPendingMessages()
        XCTAssertEqual(early, 0, "the server that wrote it waits for its next try")
        clock.advance(by: .seconds(30))
        let sent = try await service.deliverPendingMessages()
        XCTAssertEqual(sent, 1, "what was due was not sent")
        XCTAssertEqual(sender.answers, [0, 0], "another server sent what was being sent again")
        XCTAssertEqual(postman.sent.count, 0, "what the other server sent")
    }

    func testS37_ARunningServiceSendsWhatIsDueUntilItIsCanceled() async throws {
        let service = makeService()
        postman.isAway = true
        try await askForLink(service, "ann@example.com")
        postman.isAway = false
        clock.advance(by: .seconds(30))
        let running = Task { try await service.run(every: .milliseconds(1)) }
        let limit = ContinuousClock.now + .seconds(30)
        while postman.sent.isEmpty, ContinuousClock.now < limit { await Task.yield() }
        running.cancel()
        try await running.value
        XCTAssertEqual(postman.sent.count, 1)
    }
}
