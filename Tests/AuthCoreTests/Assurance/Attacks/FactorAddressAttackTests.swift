@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What takes the address away by which lost factors are recovered, and how a recovery ends.
final class FactorAddressAttackTests: XCTestCase {
    private var world = World(.standard)

    func testS21_NoMoveTakesTheAppleIdentityOfARelayAddressFromAFactor() async throws {
        let relayed = SimulatedPerson.ann.with(email: "x7@privaterelay.appleid.com")
        let ann = try await world.device("phone").signIn(with: world.credential(.apple, relayed)).user
        try await ann.link(with: world.gitHub(.ben))
        let enrollment = try await world.enrollTOTP(ann)
        try await world.refusal(.unverifiedEmail, .addressIsNotVerified) { try await ann.unlink(.apple) }
        try await world.signUp("other@example.com", in: world.device("other"))
        world.clock.advance(by: 3600)
        let client = world.service.client(world.context)
        let source = try await world.side(world.credential(.apple, relayed))
        let error = try await world.refusal(.secondFactorRequired) {
            try await client.move(.apple, from: source, to: world.passwordSide("other@example.com"))
        }
        let challenge = try XCTUnwrap(error.secondFactor)
        try await world.refusal(.unverifiedEmail, .addressIsNotVerified) {
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
}
