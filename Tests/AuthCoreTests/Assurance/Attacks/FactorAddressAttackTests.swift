@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What takes the address away by which lost factors are recovered, and how a recovery ends.
final class FactorAddressAttackTests: LimitedTestCase {
    private var world = World(.standard)

    /// Where no links are mailed, lost factors are not recovered by the address, and a factor keeps no method.
    func testWithoutMailedLinksAFactorKeepsNoMethodOfTheAddress() async throws {
        world.policy.disabledProviders = [.emailLink]
        let relayed = SimulatedPerson.ann.with(email: "x7@privaterelay.appleid.com")
        let ann = try await world.device("phone").signIn(with: world.credential(.apple, relayed)).user
        try await ann.link(with: world.gitHub(.ben))
        try await world.enrollTOTP(ann)
        try await ann.unlink(.apple)
        XCTAssertEqual(ann.providerData.map(\.provider), [.gitHub])
    }

    func testS21_NoMoveTakesTheAppleIdentityOfARelayAddressFromAFactor() async throws {
        let relayed = SimulatedPerson.ann.with(email: "x7@privaterelay.appleid.com")
        let ann = try await world.device("phone").signIn(with: world.credential(.apple, relayed)).user
        try await ann.link(with: world.gitHub(.ben))
        let enrollment = try await world.enrollTOTP(ann)
        try await world.refusal(.unverifiedEmail, .factorNeedsAddress) { try await ann.unlink(.apple) }
        try await world.signUp("other@example.com", in: world.device("other"))
        world.clock.advance(by: .seconds(3600))
        let client = world.service.client(world.context)
        let source = try await world.side(world.credential(.apple, relayed))
        let error = try await world.refusal(.secondFactorRequired) {
            try await client.move(.apple, from: source, to: world.passwordSide("other@example.com"))
        }
        let challenge = try XCTUnwrap(error.secondFactor)
        try await world.refusal(.unverifiedEmail, .factorNeedsAddress) {
            try await client.move(
                .apple,
                from: .answering(challenge, .totp(world.totp(enrollment))),
                to: world.passwordSide("other@example.com")
            )
        }
    }

    func testS21_NoFactorIsEnrolledUnderARelayAddressThatForwardsNothing() async throws {
        let relayed = SimulatedPerson.ann.with(email: "x7@privaterelay.appleid.com")
        let ann = try await world.device("phone").signIn(with: world.credential(.apple, relayed)).user
        try await ann.link(with: world.gitHub(.ben))
        try await ann.unlink(.apple)
        let other = try await world.device("tablet").signIn(with: world.gitHub(.ben)).user
        try await world.refusal(.unverifiedEmail, .addressIsNotVerified) { try await world.enrollTOTP(other) }
    }

    func testS33_TheEndOfARecoveryHasItsEventWhateverEndedIt() async throws {
        let acts: [(String, (User) async throws -> Void)] = [
            ("disabling", { try await self.world.service.setDisabled(true, account: $0.accountID) }),
            ("a deletion", { try await $0.delete() }),
            ("an administrator", { try await self.world.service.removeFactors(of: $0.accountID) }),
        ]
        for (name, act) in acts {
            world.startOver(.standard)
            let ann = try await world.signUpVerifiedAnn()
            try await world.enrollTOTP(ann)
            let thief = world.device("thief")
            _ = try await thief.recoverFromLostFactors(
                with: world.mailedLink(to: "ann@example.com", from: thief).mailed
            )
            let before = try await world.eventKinds()
            XCTAssertFalse(before.contains(.factorRecoveryEnded), "before \(name) ended it")
            try await act(ann)
            let after = try await world.eventKinds()
            XCTAssertEqual(after.count { $0 == .factorRecoveryEnded }, 1, "after \(name) ended it")
        }
    }

    func testS21_NoReplacementByAnotherAppleIdentityStrandsAFactor() async throws {
        let relayed = SimulatedPerson.ann.with(email: "x7@privaterelay.appleid.com")
        let other = SimulatedPerson.ben.with(email: "y8@privaterelay.appleid.com")
        let ann = try await world.device("phone").signIn(with: world.credential(.apple, relayed)).user
        try await world.enrollTOTP(ann)
        try await world.refusal(.unverifiedEmail, .factorNeedsAddress) {
            try await ann.replace(.apple, with: world.credential(.apple, other))
        }
    }

    func testS21_NoMergePutsFactorsUnderARelayAddressThatForwardsNothing() async throws {
        let relayed = SimulatedPerson.ann.with(email: "x7@privaterelay.appleid.com")
        let ann = try await world.device("phone").signIn(with: world.credential(.apple, relayed)).user
        try await ann.link(with: world.gitHub(.ben))
        try await ann.unlink(.apple)
        let other = try await world.signUp("other@example.com", in: world.device("other"))
        let enrollment = try await world.enrollTOTP(other)
        world.clock.advance(by: .seconds(3600))
        let client = world.service.client(world.context)
        let side = try await world.passwordSide("other@example.com")
        let target = try await world.side(world.gitHub(.ben))
        let error = try await world.refusal(.secondFactorRequired) { try await client.merge(side, into: target) }
        let challenge = try XCTUnwrap(error.secondFactor)
        try await world.refusal(.unverifiedEmail, .addressIsNotVerified) {
            try await client.merge(
                .answering(challenge, .totp(world.totp(enrollment))),
                into: world.side(world.gitHub(.ben))
            )
        }
    }

    func testS21_NoMergeReplacesTheAppleIdentityOfARelayAddressUnderAFactor() async throws {
        let relayed = SimulatedPerson.ann.with(email: "x7@privaterelay.appleid.com")
        let other = SimulatedPerson.ben.with(email: "y8@privaterelay.appleid.com")
        let ann = try await world.device("phone").signIn(with: world.credential(.apple, relayed)).user
        try await ann.link(with: world.gitHub(.ann))
        let enrollment = try await world.enrollTOTP(ann)
        try await world.device("other").signIn(with: world.credential(.apple, other))
        world.clock.advance(by: .seconds(3600))
        let client = world.service.client(world.context)
        let source = try await world.side(world.credential(.apple, other))
        let target = try await world.side(world.gitHub(.ann))
        let error = try await world.refusal(.secondFactorRequired) {
            try await client.merge(source, into: target, choices: [.apple])
        }
        let challenge = try XCTUnwrap(error.secondFactor)
        try await world.refusal(.unverifiedEmail, .addressIsNotVerified) {
            try await client.merge(
                source,
                into: .answering(challenge, .totp(world.totp(enrollment))),
                choices: [.apple]
            )
        }
    }

    func testS21_ARecoveryFromLostFactorsEndsWithTheAddressThatBeganIt() async throws {
        let phone = world.device("phone")
        let ann = try await world.signUpVerifiedAnn(phone)
        try await world.enrollTOTP(ann)
        // A thief in the open session, with the factor shown, moves the address and begins the recovery there.
        try await ann.sendEmailVerification(beforeUpdatingTo: "eve@example.net")
        try await world.device("eve").applyActionCode(world.code(.changeEmail, to: "eve@example.net"))
        let eve = world.device("eve")
        let begun = try await eve.recoverFromLostFactors(
            with: world.mailedLink(to: "eve@example.net", from: eve).mailed
        )
        XCTAssertNotEqual(begun, .removed)
        world.clock.advance(by: .seconds(3600))
        try await world.device("mail").applyActionCode(world.code(.recoverEmail, to: "ann@example.com"))
        try await assertWaitBegins(at: "ann@example.com")
    }

    func testS21_OrWithTheAddressThatTheOwnerLeaves() async throws {
        let phone = world.device("phone")
        let ann = try await world.signUpVerifiedAnn(phone)
        try await world.enrollTOTP(ann)
        let eve = world.device("eve")
        _ = try await eve.recoverFromLostFactors(with: world.mailedLink(to: "ann@example.com", from: eve).mailed)
        world.clock.advance(by: .seconds(60))
        try await ann.sendEmailVerification(beforeUpdatingTo: "ann@example.net")
        try await world.device("mail").applyActionCode(world.code(.changeEmail, to: "ann@example.net"))
        try await assertWaitBegins(at: "ann@example.net")
    }

    /// Expects that the mailbox alone takes no factor off, though more than the wait is over since another began one.
    private func assertWaitBegins(at email: String, line: UInt = #line) async throws {
        world.clock.advance(by: .seconds(73 * 3600))
        let own = world.device("own")
        let answer = try await own.recoverFromLostFactors(with: world.mailedLink(to: email, from: own).mailed)
        XCTAssertNotEqual(answer, .removed, "a wait that another mailbox began counts for this one", line: line)
    }
}
