@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S21: how somebody who lost all factors comes back in, and nobody else.
final class LostFactorTests: LimitedTestCase {
    private var world = World(.standard)

    private func ann() async throws -> User {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(60))
        try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(86400))
        return ann
    }

    func testTheMailboxAndAnOlderMethodTakeTheFactorsOffAtOnce() async throws {
        let ann = try await ann()
        let auth = world.device("new phone")
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        let answer = try await auth.recoverFromLostFactors(with: link.mailed, and: World.annsPassword)
        XCTAssertEqual(answer, .removed)
        let back = try await auth.signIn(with: World.annsPassword)
        XCTAssertEqual(back.user.uid, ann.uid)
        try await world.refusal(.userTokenExpired) { try await ann.reload() }
    }

    func testARecoveryForgetsTheWrongPasswordsOfStrangers() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.gitHub())
        world.clock.advance(by: .seconds(60))
        try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(86400))
        for guess in 0..<12 {
            let wrong = AuthCredential.password(email: "ann@example.com", password: "guess \(guess)")
            let isRight = await world.succeeds { try await world.stranger().signIn(with: wrong) }
            XCTAssertFalse(isRight, "guess \(guess)")
        }
        let auth = world.device("new phone")
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        let answer = try await auth.recoverFromLostFactors(with: link.mailed, and: world.gitHub())
        XCTAssertEqual(answer, .removed)
        let back = try await auth.signIn(with: World.annsPassword)
        XCTAssertEqual(back.user.uid, ann.uid, "who signs in with the right password")
    }

    func testAPasswordThatWasResetByMailIsNotOlder() async throws {
        _ = try await ann()
        let thief = world.device("thief of the mailbox")
        try await thief.sendPasswordReset(to: "ann@example.com")
        try await thief.confirmPasswordReset(
            code: try world.newestCode(to: "ann@example.com"),
            newPassword: "the thief's word"
        )
        let link = try await world.mailedLink(to: "ann@example.com", from: thief)
        let answer = try await world.service.client().recoverFromLostFactors(
            with: link.mailed,
            and: .password(email: "ann@example.com", password: "the thief's word")
        )
        XCTAssertEqual(answer, .waiting(until: world.clock.now + 72 * 3600))
        try await world.refusal(.secondFactorRequired) {
            try await thief.signIn(with: .password(email: "ann@example.com", password: "the thief's word"))
        }
    }

    func testTheMailboxAloneWaitsThreeDays() async throws {
        _ = try await ann()
        let auth = world.device("new phone")
        let first = try await world.mailedLink(to: "ann@example.com", from: auth)
        let until = world.clock.now + 72 * 3600
        let begun = try await world.service.client().recoverFromLostFactors(with: first.mailed)
        XCTAssertEqual(begun, .waiting(until: until))
        world.clock.advance(by: .seconds(72 * 3600 - 1))
        let early = try await world.mailedLink(to: "ann@example.com", from: auth)
        let waiting = try await world.service.client().recoverFromLostFactors(with: early.mailed)
        XCTAssertEqual(waiting, .waiting(until: until))
        world.clock.advance(by: .seconds(1))
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        let answer = try await world.service.client().recoverFromLostFactors(with: link.mailed)
        XCTAssertEqual(answer, .removed)
        try await auth.signIn(with: World.annsPassword)
    }

    func testWhoComesTooLateWaitsOnceMore() async throws {
        _ = try await ann()
        let auth = world.device("new phone")
        try await world.service.client().recoverFromLostFactors(
            with: try await world.mailedLink(to: "ann@example.com", from: auth).mailed
        )
        world.clock.advance(by: .seconds(2 * 72 * 3600))
        let late = try await world.mailedLink(to: "ann@example.com", from: auth)
        let answer = try await world.service.client().recoverFromLostFactors(with: late.mailed)
        XCTAssertEqual(answer, .waiting(until: world.clock.now + 72 * 3600))
        world.clock.advance(by: .seconds(72 * 3600))
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        let removed = try await world.service.client().recoverFromLostFactors(with: link.mailed)
        XCTAssertEqual(removed, .removed)
    }

    func testASessionThatHoldsTheFactorEndsTheWaiting() async throws {
        let ann = try await ann()
        let thief = world.device("thief of the mailbox")
        let first = try await world.mailedLink(to: "ann@example.com", from: thief)
        try await world.service.client().recoverFromLostFactors(with: first.mailed)
        try await ann.multiFactor.cancelRecovery()
        world.clock.advance(by: .seconds(72 * 3600))
        let link = try await world.mailedLink(to: "ann@example.com", from: thief)
        let answer = try await world.service.client().recoverFromLostFactors(with: link.mailed)
        XCTAssertEqual(answer, .waiting(until: world.clock.now + 72 * 3600))
        let kinds = try await world.eventKinds()
        XCTAssertTrue(kinds.contains(.factorRecoveryBegun))
        XCTAssertTrue(kinds.contains(.factorRecoveryEnded))
        let ended = try await world.service.events(limit: .max).events.first { $0.kind == .factorRecoveryEnded }
        XCTAssertEqual(ended?.reasons, [.personChangesFactors], "why it ended")
    }

    func testAnObjectionHoldsAgainstARemovalThatIsUnderWay() async throws {
        let ann = try await ann()
        let thief = world.device("thief of the mailbox")
        let first = try await world.mailedLink(to: "ann@example.com", from: thief)
        try await thief.recoverFromLostFactors(with: first.mailed)
        world.clock.advance(by: .seconds(72 * 3600))
        let mailed = try await world.mailedLink(to: "ann@example.com", from: thief).mailed
        let gate = Gate()
        world.store.script(.commit, .waitsBefore(gate))
        async let late = thief.recoverFromLostFactors(with: mailed)
        await gate.waitForArrivals()
        try await ann.multiFactor.cancelRecovery()
        gate.open()
        let answer = try await late
        XCTAssertEqual(answer, .waiting(until: world.clock.now + 72 * 3600))
    }

    func testAFactorThatIsEnrolledDuringTheWaitIsProtectedForAWholeWait() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(60))
        let first = try await world.enrollTOTP(ann)
        let thief = world.device("thief of the mailbox")
        let link = try await world.mailedLink(to: "ann@example.com", from: thief)
        try await thief.recoverFromLostFactors(with: link.mailed)
        world.clock.advance(by: .seconds(71 * 3600))
        let tablet = world.device("tablet")
        let challenge = try await world.passwordChallenge(in: tablet)
        let user = try await tablet.resolve(challenge, with: .totp(world.totp(first))).user
        try await world.enrollPhone(user)
        try await user.multiFactor.unenroll(try XCTUnwrap(user.multiFactor.enrolledFactors.first?.id))
        world.clock.advance(by: .seconds(3600))
        let other = try await world.mailedLink(to: "ann@example.com", from: thief)
        let answer = try await thief.recoverFromLostFactors(with: other.mailed)
        XCTAssertEqual(answer, .waiting(until: world.clock.now + 72 * 3600))
        try await user.reload()
        XCTAssertEqual(user.multiFactor.enrolledFactors.map(\.kind), [.phone])
    }

    func testAnotherPersonsCredentialIsOfNoUse() async throws {
        _ = try await ann()
        try await world.device("ben").signIn(with: world.google(.ben))
        let link = try await world.mailedLink(to: "ann@example.com", from: world.device("x"))
        try await world.refusal(.invalidCredential, .credentialIsOfAnother) {
            try await world.service.client().recoverFromLostFactors(with: link.mailed, and: world.google(.ben))
        }
    }

    func testFirebasesPolicyLeavesItToAdministrators() async throws {
        world.startOver(.firebase)
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollTOTP(ann)
        let link = try await world.mailedLink(to: "ann@example.com", from: world.device("x"))
        try await world.refusal(.operationNotAllowed, .lostFactorsAreForAdministrators) {
            try await world.service.client().recoverFromLostFactors(with: link.mailed, and: World.annsPassword)
        }
    }

    func testANoticeTakesAFactorOffOnlyAsLongAsTheMailboxWouldHaveToWait() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollTOTP(ann)
        let notice = try XCTUnwrap(world.outbox.last(to: "ann@example.com", .factorAdded)).code
        world.clock.advance(by: .seconds(72 * 3600))
        try await world.device("x").reportUnauthorizedChange(code: notice)
        let after = try await world.account(ann)
        XCTAssertEqual(after.factors.map { $0.suspension == nil }, [true])
    }

    func testANumberThatWasVerifiedLongAgoIsNotOlder() async throws {
        for (wait, removes) in [(89 * 86400.0, true), (91 * 86400.0, false)] {
            world.startOver(.standard)
            let ann = try await world.signUpVerifiedAnn()
            try await ann.link(with: world.digits(to: "+15550002222", from: world.device()))
            world.clock.advance(by: .seconds(60))
            try await world.enrollTOTP(ann)
            world.clock.advance(by: .seconds(wait))
            let auth = world.device("new phone")
            let answer = try await world.service.client(RequestContext(device: "new phone")).recoverFromLostFactors(
                with: world.mailedLink(to: "ann@example.com", from: auth).mailed,
                and: world.digits(to: "+15550002222", from: auth)
            )
            XCTAssertEqual(answer == .removed, removes, "\(wait)")
        }
    }
}
