@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Second factors across merges, changes of the policy, and rare values of it.
final class FactorGapAttackTests: LimitedTestCase {
    /// Another policy may have let one number be the sign-in number and a factor.
    func testANumberIsNotBothFactorsAfterAChangeOfThePolicy() async throws {
        var world = World(.standard)
        world.policy.phoneWithFactors = .refused
        let phone = world.device("phone")
        let ann = try await world.signUpVerifiedAnn(phone)
        try await ann.link(with: world.digits(to: world.number, from: phone))
        try await world.enrollPhone(ann, world.number)
        // Where a number may be a first factor, the factor must be another number.
        world.policy.phoneWithFactors = .asksForFactor
        let thief = world.device("thief")
        let digits = try await world.digits(to: world.number, from: thief)
        try await world.refusal(.unsupportedFirstFactor, .phoneIsNoFirstFactorHere, "who has the number alone") {
            try await thief.signIn(with: digits)
        }
    }

    /// A suspended factor of the target protects nothing, so the active one of the source takes its place.
    func testAMergeKeepsAFactorThatTheTargetHasSuspendedOnly() async throws {
        let world = World(.standard)
        let target = try await world.signUp("ann@example.com", in: world.device("one"))
        try await world.enrollPhone(target)
        try await world.device("mail").reportUnauthorizedChange(code: world.code(.factorAdded, to: "ann@example.com"))
        let source = try await world.signUp("other@example.net", in: world.device("two"))
        try await world.enrollPhone(source)
        world.clock.advance(by: .seconds(3600))
        try await mergeWithFactor(world)
        try await world.refusal(.secondFactorRequired, .secondFactorIsRequired, "the password of the target alone") {
            try await world.device("thief").signIn(with: World.annsPassword)
        }
    }

    /// The same where the target has the number as a sign-in method that is suspended, so that it does not sign in.
    func testAMergeKeepsAFactorWhoseNumberDoesNotSignIn() async throws {
        let world = World(.standard)
        let one = world.device("one")
        let target = try await world.signUp("ann@example.com", in: one)
        try await target.link(with: world.digits(to: world.number, from: one))
        try await world.device("mail").reportUnauthorizedChange(code: world.code(.methodAdded, to: "ann@example.com"))
        let number = try await world.account(target).phoneMethod
        XCTAssertEqual(number?.isActive, false)
        let source = try await world.signUp("other@example.net", in: world.device("two"))
        try await world.enrollPhone(source)
        world.clock.advance(by: .seconds(3600))
        let user = try await mergeWithFactor(world)
        let other = try await world.digits(to: world.evesNumber, from: world.device("phone"))
        await assertThrows(.secondFactorRequired, "another number can take the place of the suspended one") {
            try await user.link(with: other)
        }
    }

    /// Where there is room for one factor, the active one moves.
    func testASuspendedFactorDoesNotTakeThePlaceOfAnActiveOne() async throws {
        var world = World(.standard)
        try await world.signUp("ann@example.com", in: world.device("one"))
        let source = try await world.signUp("other@example.net", in: world.device("two"))
        try await world.enrollPhone(source, world.evesNumber)
        try await world.device("mail").reportUnauthorizedChange(code: world.code(.factorAdded, to: "other@example.net"))
        let two = world.device("two")
        let again = try await two.signIn(with: .password(email: "other@example.net", password: World.password)).user
        try await world.enrollPhone(again)
        world.clock.advance(by: .seconds(3600))
        world.policy.factorLimit = 1
        try await mergeWithFactor(world)
    }

    /// The same where the suspended factor is the target's.
    func testASuspendedFactorOfTheTargetLeavesRoomForAnActiveOne() async throws {
        var world = World(.standard)
        let target = try await world.signUp("ann@example.com", in: world.device("one"))
        try await world.enrollPhone(target, world.evesNumber)
        try await world.device("mail").reportUnauthorizedChange(code: world.code(.factorAdded, to: "ann@example.com"))
        let source = try await world.signUp("other@example.net", in: world.device("two"))
        try await world.enrollPhone(source)
        world.clock.advance(by: .seconds(3600))
        world.policy.factorLimit = 1
        try await mergeWithFactor(world)
    }

    /// Without a wait, the second link ends the recovery.
    func testARecoveryWithoutAWaitEnds() async throws {
        var world = World(.standard)
        world.policy.factorRecoveryWait = .zero
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(60))
        try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(86_400))
        let own = world.device("own")
        var answers: [SecondFactor.Recovery] = []
        for _ in 0..<3 {
            let link = try await world.mailedLink(to: "ann@example.com", from: own)
            answers.append(try await own.recoverFromLostFactors(with: link.mailed))
            if answers.last == .removed { break }
            world.clock.advance(by: .seconds(3600))
        }
        XCTAssertEqual(answers.last, .removed, "the person waits for ever: \(answers)")
    }

    /// A link that was mailed before they were disabled signs in no more, and takes no factor off.
    func testDisabledLinksTakeNoFactorOff() async throws {
        var world = World(.standard)
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.gitHub(.ben))
        world.clock.advance(by: .seconds(60))
        try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(86_400))
        let thief = world.device("thief")
        let link = try await world.mailedLink(to: "ann@example.com", from: thief)
        world.policy.disabledProviders = [.emailLink]
        let other = world.device("thief")
        await assertThrows(.operationNotAllowed, "signing in by it") { try await other.signIn(with: link) }
        await assertThrows(.operationNotAllowed, "taking factors off by it") {
            try await other.recoverFromLostFactors(with: link.mailed, and: world.gitHub(.ben))
        }
    }

    /// Merges the source, whose phone is its factor, into Ann's account, which must be protected by it afterwards.
    @discardableResult
    private func mergeWithFactor(_ world: World) async throws -> User {
        let client = world.service.client(world.context)
        let into = try await world.passwordSide("ann@example.com")
        let from = try await world.passwordSide("other@example.net")
        let challenge = try await challenge { () async throws(AuthError) in try await client.merge(from, into: into) }
        let asked = try XCTUnwrap(challenge)
        let answer = try await world.phoneAnswer(asked, from: world.device("phone"))
        let merged = try await client.merge(.answering(asked, answer), into: into)
        let after = try await world.account(merged.result.user)
        XCTAssertEqual(after.activeFactors.count, 1, "no factor protects what was protected: \(merged.plan)")
        return merged.result.user
    }

    /// The challenge that this meets; nil if it goes through.
    private func challenge(
        _ act: () async throws(AuthError) -> some Any
    ) async throws(AuthError) -> SecondFactor.Challenge? {
        do throws(AuthError) {
            _ = try await act()
            return nil
        } catch {
            guard let challenge = error.secondFactor else { throw error }
            return challenge
        }
    }
}
