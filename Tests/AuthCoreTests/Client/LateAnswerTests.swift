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
}
