@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S17 and S34: what the first verification of an address ends, and what goes on.
final class FirstProofAttackTests: LimitedTestCase {
    private let world = World(.standard)

    /// An attacker who has older tokens of the session must not gain by the proof, however it comes into the session.
    func testS34_AFirstProofOpenedInTheSessionOutdatesItsTokens() async throws {
        let ann = try await world.signUpAnn()
        let before = try await ann.issueTokens()
        try await ann.sendEmailVerification()
        try await ann.applyActionCode(world.code(.verifyEmail, to: "ann@example.com"))
        let client = world.service.client(for: nil, origin: .local)
        try await world.refusal(.userTokenExpired, .tokenIsOutdated) {
            try await client.user(forIDToken: before.idToken.token)
        }
        try await world.refusal(.userTokenExpired, .tokenIsOutdated) { try await client.refresh(before.refreshToken) }
        let now = try await ann.issueTokens()
        let bearer = try await client.user(forIDToken: now.idToken.token)
        XCTAssertTrue(bearer.isEmailVerified)
    }

    /// A server's user, which is made from a token, goes on with the session that it got.
    func testS34_TheBearerWhoOpensTheCodeGoesOn() async throws {
        let ann = try await world.signUpAnn()
        let tokens = try await ann.issueTokens()
        let bearer = try await world.service.client(for: nil, origin: .local).user(forIDToken: tokens.idToken.token)
        try await bearer.sendEmailVerification()
        try await bearer.applyActionCode(world.code(.verifyEmail, to: "ann@example.com"))
        XCTAssertTrue(bearer.isEmailVerified)
        try await bearer.reload()
    }

    /// The session in which a link is opened may have ended; the one that asked for it goes on all the same.
    func testS17_TheSessionThatAskedGoesOnIfTheOneThatOpensTheLinkHasEnded() async throws {
        let ann = try await world.signUpAnn(world.device("laptop"))
        let phone = try await world.device("phone").signIn(with: World.annsPassword).user
        world.clock.advance(by: 20 * 86_400)
        _ = try await ann.issueTokens()
        world.clock.advance(by: 11 * 86_400)
        try await ann.sendEmailVerification()
        try await phone.applyActionCode(world.code(.verifyEmail, to: "ann@example.com"))
        try await ann.reload()
        XCTAssertTrue(ann.isEmailVerified)
    }
}
