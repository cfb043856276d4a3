@testable import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

/// S37: what is due is sent once, and only while it is of use.
final class DueMessageTests: DeliveryTestCase {
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
}
