@testable import AuthCore
import AuthCoreTesting
import XCTest

/// AT-30 and S37: mails that bounce keep no other message back, are tried ever less often, and are given up.
final class BouncingMailAttackTests: DeliveryTestCase {
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

    func testS37_AnyWaitCanBeDoubled() {
        var rule = AuthPolicy.Delivery()
        for first in [Duration.seconds(1_000_000_000_000), .seconds(Int64.max)] {
            rule.firstWait = first
            XCTAssertEqual(rule.wait(after: 40), rule.longestWait)
        }
        rule.firstWait = .seconds(30)
        XCTAssertEqual([1, 2, 7, 8].map { rule.wait(after: $0) }, [30, 60, 1920, 3600].map { .seconds($0) })
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
}
