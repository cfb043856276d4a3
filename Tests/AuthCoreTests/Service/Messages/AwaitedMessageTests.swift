@testable import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

/// Who learns that a message could not be sent: only a person in a session who asked for it, and only if it tells them
/// nothing of other accounts.
final class AwaitedMessageTests: LimitedTestCase {
    /// Puts messages into the outbox until it is told to fail.
    private final class Failing: MessageSender {
        private let outbox = Mutex<Message.Outbox?>(nil)

        var isImmediate: Bool { true }

        func send(to outbox: Message.Outbox?) { self.outbox.withLock { $0 = outbox } }

        func send(_ message: Message) async throws {
            guard let outbox = outbox.withLock({ $0 }) else { throw StoreFailure() }
            try await outbox.send(message)
        }
    }

    private let sender = Failing()

    private func world(_ policy: AuthPolicy = .standard) -> World {
        let world = World(policy) { $0.messageSender = sender }
        sender.send(to: world.outbox)
        return world
    }

    func testAPersonInASessionLearnsThatTheMailTheyAskedForWasNotSent() async throws {
        let world = world()
        let ann = try await world.signUpAnn()
        sender.send(to: nil)
        await assertThrows(.messageNotSent, "a mail that verifies the address") {
            try await ann.sendEmailVerification()
        }
        await assertThrows(.messageNotSent, "a mail that verifies another address") {
            try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        }
    }

    /// The account waits for its address, so its person must not learn of other mailboxes either.
    func testAPersonWhoseAddressIsConcealedDoesNotLearnWhetherAMailWasSent() async throws {
        var world = world()
        world.policy.concealsSignUp = true
        world.restart()
        let token = try await world.signUpAnn().idToken()
        world.policy.concealsSignUp = false
        world.restart()
        let ann = try await world.service.client().user(forIDToken: token)
        XCTAssertTrue(ann.account.isProvisional, "the test needs an account that waits for its address")
        sender.send(to: nil)
        let error = await outcome { try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com") }
        XCTAssertNil(error, "the error tells whether the mail was sent")
    }

    func testTheErrorOfAMailThatWasNotSentHasThatOfTheSenderAsItsCause() async throws {
        let world = world()
        let ann = try await world.signUpAnn()
        sender.send(to: nil)
        let error = await authError { try await ann.sendEmailVerification() }
        XCTAssertEqual(error?.code, .messageNotSent)
        XCTAssertTrue(error?.cause is StoreFailure, "the cause is \(String(describing: error?.cause))")
    }

    func testWhoOwesAFactorLearnsThatTheDigitsWereNotSent() async throws {
        let world = world()
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollPhone(ann)
        let auth = world.device("tablet")
        let challenge = try await world.challenge { try await auth.signIn(with: World.annsPassword) }
        let hint = try XCTUnwrap(challenge.hints.first)
        sender.send(to: nil)
        await assertThrows(.messageNotSent) { try await auth.sendPhoneCode(for: challenge, factor: hint.id) }
    }

    func testWhoEnrollsANumberLearnsThatTheDigitsWereNotSent() async throws {
        let world = world()
        let ann = try await world.signUpVerifiedAnn()
        sender.send(to: nil)
        await assertThrows(.messageNotSent, "though the text was not sent") {
            try await ann.multiFactor.sendPhoneCode(to: world.number)
        }
    }

    /// A message without a use must not be leased again and again, and must not count as sent each time.
    func testAMessageWhoseDigitsWereUsedLeavesTheOutbox() async throws {
        let world = world()
        sender.send(to: world.outbox)
        world.store.script(.settleMessages, .failsBefore())
        let device = world.device()
        try await device.signIn(with: world.digits(to: world.number, from: device))
        let waiting = try await world.store.pendingMessages(limit: 10)
        XCTAssertEqual(waiting.map(\.kind), [.phoneCode], "the message is not in the outbox after the failure")
        world.clock.advance(by: .seconds(60))
        try await world.service.deliverPendingMessages()
        let left = try await world.store.pendingMessages(limit: 10)
        XCTAssertEqual(left, [], "a message without digits is never removed")
        XCTAssertEqual(world.outbox.messages.count, 1, "digits that were used are sent")
    }

    /// The person was told to wait for it.
    func testAMailThatCouldNotBeRemovedArrivesWithACodeThatWorks() async throws {
        let world = world()
        let ann = try await world.signUpAnn()
        sender.send(to: nil)
        world.store.script(.settleMessages, .failsBefore())
        await assertThrows(.outcomeUnknown, "the message stays in the outbox") { try await ann.sendEmailVerification() }
        sender.send(to: world.outbox)
        world.clock.advance(by: .seconds(60))
        try await world.service.deliverPendingMessages()
        try await world.device().applyActionCode(world.newestCode(to: "ann@example.com"))
        try await ann.reload()
        XCTAssertTrue(ann.isEmailVerified, "by the code in the mail")
    }

    /// What the sender failed to send may have been sent; its code was not revoked.
    func testIfTheCodeOfAMailThatFailedIsNotRevokedTheOutcomeIsUnknown() async throws {
        let world = world()
        let ann = try await world.signUpAnn()
        sender.send(to: nil)
        world.store.script(.commit, .succeeds, .failsBefore())
        await assertThrows(.outcomeUnknown, "the code was not revoked") { try await ann.sendEmailVerification() }
        let person = Store.Lookup.Reference.account(ann.account.id)
        let seen = try await world.store.load([.records(of: person, .verifyEmail)])
        XCTAssertEqual(seen.records(of: person, .verifyEmail).count, 1, "the codes that work")
        let left = try await world.store.pendingMessages(limit: 10)
        XCTAssertEqual(left, [], "the messages that are sent later")
    }

    /// An address that cannot receive mail would differ from one that has an account.
    func testWhoMustNotLearnOfOtherAccountsDoesNotLearnWhatCouldBeSent() async throws {
        let concealing = AuthPolicy.weakened { $0.concealsSignUp = true }
        let world = world(concealing)
        let ben = try await world.device().signIn(with: world.google(.ben)).user
        sender.send(to: nil)
        try await ben.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        try await assertWaiting([.changeEmail], in: world)
    }

    func testAStrangerDoesNotLearnThatAMailToAnAccountWasNotSent() async throws {
        let world = world()
        try await world.signUpVerifiedAnn(world.device("ann's"))
        sender.send(to: nil)
        try await world.device("stranger").sendPasswordReset(to: "ann@example.com")
        try await assertWaiting([.resetPassword], in: world)
        try await world.device("stranger").sendSignInLink(to: "ann@example.com")
        try await assertWaiting([.resetPassword, .signInLink], in: world)
    }

    /// The change is made, whatever becomes of the mail about it.
    func testAMailThatNobodyAskedForKeepsNoChangeFromBeingMade() async throws {
        let world = world()
        let ann = try await world.signUpVerifiedAnn()
        sender.send(to: nil)
        try await ann.link(with: world.gitHub())
        let providers = try await world.providers(ann)
        XCTAssertEqual(providers, [.password, .gitHub], "the change is not made")
        try await assertWaiting([.methodAdded], in: world)
    }

    func testAMailThatTakesAChangeBackKeepsNoChangeFromBeingMade() async throws {
        let world = world(.firebase)
        let ann = try await world.signUpVerifiedAnn()
        sender.send(to: nil)
        try await ann.updateEmail(to: "new@example.com")
        XCTAssertEqual(ann.email, "new@example.com", "the change is not made")
        try await assertWaiting([.recoverEmail], in: world)
    }

    /// The messages that the sender was given, did not send, and is given again.
    private func assertWaiting(_ kinds: Set<Message.Kind>, in world: World, line: UInt = #line) async throws {
        let waiting = try await world.store.pendingMessages(limit: 10)
        XCTAssertEqual(Set(waiting.map(\.kind)), kinds, "the messages that wait to be sent", line: line)
        XCTAssertEqual(waiting.count, kinds.count, "how many messages wait", line: line)
    }
}
