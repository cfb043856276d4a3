import AuthCoreTesting
import XCTest

@testable import AuthCore

/// An answer to a challenge of the current user's that arrives after another change of who is signed in.
final class LateAnswerTests: LimitedTestCase {
    private let world = World(.standard)

    /// Answers the challenge of a reauthentication, and does this before the store says that the answer is written.
    private func answer(in auth: Auth, after meanwhile: () async throws -> Void) async throws {
        let user = try await auth.signIn(with: world.google(.ann, world.work)).user
        let app = try await world.enrollTOTP(user)
        world.clock.advance(by: .seconds(600))
        let challenge = try await world.challenge {
            try await user.reauthenticate(with: world.google(.ann, world.work))
        }
        let (digits, gate) = (try world.totp(app), Gate())
        world.store.script(.commit, .waitsAfterwards(gate))
        let answering = Task { try await auth.resolve(challenge, with: .totp(digits)).user }
        await gate.waitForArrivals()
        try await meanwhile()
        gate.open()
        let answered = try await answering.value
        XCTAssertIdentical(answered, user, "the user of the answer")
    }

    func testAnAnswerAfterTheSignOutSignsNoUserIn() async throws {
        let auth = world.device("phone")
        try await answer(in: auth) { try await auth.signOut() }
        XCTAssertNil(auth.currentUser, "the user who signed out before the answer arrived")
    }

    func testAnAnswerAfterAnotherPersonsSignInKeepsThatPerson() async throws {
        let (auth, ben) = (world.device("phone"), world.google(.ben))
        try await answer(in: auth) { try await auth.signIn(with: ben) }
        XCTAssertEqual(auth.currentUser?.email, SimulatedPerson.ben.email, "who signed in before the answer arrived")
    }

    func testATokenThatWasAskedForEarlierTakesNoPlaceOfALaterOne() async throws {
        let user = try await world.signUpVerifiedAnn()
        // No token is kept after a change.
        try await user.updateProfile(displayName: .set("Ann"))
        let gate = Gate()
        world.store.script(.load, .waitsAfterwards(gate))
        let asking = Task { try await user.idTokenResult() }
        await gate.waitForArrivals()
        try await world.service.setCustomClaims(["role": "captain"], account: user.accountID)
        let forced = try await user.idTokenResult(forcingRefresh: true)
        XCTAssertEqual(forced.claims["role"], "captain", "what the forced token says")
        gate.open()
        _ = try await asking.value
        let kept = try await user.idTokenResult()
        XCTAssertEqual(kept.claims["role"], "captain", "what the kept token says")
    }

    func testADeletionByAnOlderSignInOfThePersonEndsTheCurrentOne() async throws {
        let auth = world.device("phone")
        let first = try await auth.signIn(with: world.google(.ann, world.work)).user
        let second = try await auth.signIn(with: world.google(.ann, world.work)).user
        XCTAssertIdentical(auth.currentUser, second, "the test needs two sign-ins")
        try await first.delete(permanently: true)
        XCTAssertNil(auth.currentUser, "the account of the current user is gone")
    }
}
