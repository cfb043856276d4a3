@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What ends with a password, a factor or an address, and what goes on until its own time is over.
final class OutlivedCodeAttackTests: LimitedTestCase {
    private var world = World(.standard)
    private let day = 86_400.0
    private let word = "anns own word"

    func testS21_RecoveryCodesEndWithTheFactorsThatTheyStandFor() async throws {
        let codes = try await codesOfAReportedFactor()
        let own = world.device("own")
        let ann = try await own.signIn(with: .password(email: "ann@example.com", password: word)).user
        world.clock.advance(by: .seconds(60))
        try await world.enrollTOTP(ann)
        let stored = try await world.account(ann)
        XCTAssertEqual(stored.activeFactors.count, 1)
        XCTAssertEqual(stored.recoveryCodes.count, 0, "a thief's recovery codes stand for the owner's factor")
        let thief = world.device("thief")
        let challenge = try await world.challenge {
            try await thief.signIn(with: .password(email: "ann@example.com", password: word))
        }
        try await world.refusal(.invalidVerificationCode, .codeIsWrong, "a thief's recovery code") {
            try await thief.resolve(challenge, with: .recoveryCode(codes[0]))
        }
    }

    func testS21_RecoveryCodesDoNotStandForAFactorThatAMergeBrings() async throws {
        _ = try await codesOfAReportedFactor()
        let other = try await world.signUp("other@example.com", in: world.device("other"))
        let enrollment = try await world.enrollTOTP(other)
        world.clock.advance(by: .seconds(30 * day))
        let client = world.service.client(world.context)
        let source = try await world.passwordSide("other@example.com")
        let target = try await world.side(.password(email: "ann@example.com", password: word))
        let owed = try await world.refusal(.secondFactorRequired) { try await client.merge(source, into: target) }
        let merged = try await client.merge(
            .answering(XCTUnwrap(owed.secondFactor), .totp(world.totp(enrollment))),
            into: target
        )
        let stored = try await world.account(merged.result.user)
        XCTAssertEqual(stored.activeFactors.count, 1)
        XCTAssertEqual(stored.recoveryCodes.count, 0, "a thief's recovery codes stand for the factor of the merge")
    }

    /// The recovery codes that a thief made beside a factor, which Ann reported before she set a password of her own.
    private func codesOfAReportedFactor() async throws -> [String] {
        try await world.signUpVerifiedAnn(world.device("phone"))
        world.clock.advance(by: .seconds(day))
        let stolen = try await world.device("stolen").signIn(with: World.annsPassword).user
        try await world.enrollTOTP(stolen)
        let codes = try await stolen.multiFactor.makeRecoveryCodes()
        try await world.device("mail").reportUnauthorizedChange(code: world.code(.factorAdded, to: "ann@example.com"))
        try await world.reset(to: word)
        return codes
    }

    func testS17_AReplacedPasswordEndsTheCodesForAnother() async throws {
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        try await world.device("mail").sendPasswordReset(to: "ann@example.com")
        let code = try world.code(.resetPassword, to: "ann@example.com")
        try await ann.replace(.password, with: .password(email: "ann@example.com", password: "a new word of hers"))
        try await world.refusal(.invalidActionCode, .codeIsUnknown) {
            try await world.device("mail").confirmPasswordReset(code: code, newPassword: "thiefs own word")
        }
    }

    func testS17_ALinkedPasswordEndsTheCodesForAnother() async throws {
        let phone = world.device("phone")
        let ann = try await phone.signIn(with: world.google(.ann.with(email: "ann@gmail.com"))).user
        try await world.device("mail").sendPasswordReset(to: "ann@gmail.com")
        let code = try world.code(.resetPassword, to: "ann@gmail.com")
        try await ann.link(with: .password(email: "ann@gmail.com", password: "a new word of hers"))
        try await world.refusal(.invalidActionCode, .codeIsUnknown) {
            try await world.device("mail").confirmPasswordReset(code: code, newPassword: "thiefs own word")
        }
    }

    func testS19_ADeletionDoesNotEndTheRecoveryOfTheAddress() async throws {
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        world.clock.advance(by: .seconds(30 * day))
        let stolen = try await world.device("stolen").signIn(with: World.annsPassword).user
        XCTAssertEqual(stolen.uid, ann.uid)
        try await stolen.sendEmailVerification(beforeUpdatingTo: "eve@example.net")
        try await world.device("eve").applyActionCode(world.code(.changeEmail, to: "eve@example.net"))
        try await stolen.delete()
        world.clock.advance(by: .seconds(8 * day))
        try await world.device("mail").applyActionCode(world.code(.recoverEmail, to: "ann@example.com"))
        let stored = try await world.storedAccount(ann)
        XCTAssertEqual(stored?.email?.text, "ann@example.com")
    }

    func testAT7_ANumberVerifiesASideWhereTheFactorIsSuspended() async throws {
        world.policy.phoneWithFactors = .refused
        let phone = world.device("phone")
        let ann = try await world.signUpVerifiedAnn(phone)
        try await ann.link(with: world.digits(to: world.evesNumber, from: phone))
        world.clock.advance(by: .seconds(30 * day))
        let again = try await phone.signIn(with: World.annsPassword).user
        try await world.enrollTOTP(again)
        try await world.device("mail").reportUnauthorizedChange(code: world.code(.factorAdded, to: "ann@example.com"))
        let own = world.device("own")
        let back = try await own.signIn(with: world.digits(to: world.evesNumber, from: own)).user
        try await back.reauthenticate(with: world.digits(to: world.evesNumber, from: own))
        try await world.signUp("ben@example.com", in: world.device("ben"))
        world.clock.advance(by: .seconds(10 * day))
        let client = world.service.client(world.context)
        let device = world.device("phone")
        let digits = try await world.digits(to: world.evesNumber, from: device)
        let merged = try await client.merge(world.side(digits), into: world.passwordSide("ben@example.com"))
        XCTAssertEqual(merged.result.user.email, "ben@example.com", "the merge that the number verified")
    }
}
