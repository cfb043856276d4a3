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

    /// The laptop asks, and the link is opened on the phone, which is signed in, too: both go on, and no other session.
    func testS17_TheSessionThatAskedAndTheOneThatOpensTheLinkGoOn() async throws {
        let laptop = try await world.signUpAnn(world.device("laptop"))
        let phone = try await world.device("phone").signIn(with: World.annsPassword).user
        let tablet = try await world.device("tablet").signIn(with: World.annsPassword).user
        try await laptop.sendEmailVerification()
        try await phone.applyActionCode(world.code(.verifyEmail, to: "ann@example.com"))
        for (name, user) in [("laptop", laptop), ("phone", phone)] {
            try await user.reload()
            let says = try await user.idTokenResult(forcingRefresh: true).claims["email_verified"]
            XCTAssertEqual(says, true, "what the token of the \(name) says")
        }
        try await world.refusal(.userTokenExpired, nil, "a session that had no part") { try await tablet.reload() }
        let left = try await phone.sessions().map(\.id)
        XCTAssertEqual(Set(left), [laptop.session.id, phone.session.id], "the sessions that are left")
    }

    /// The session in which a link is opened may have ended; the one that asked for it goes on all the same.
    func testS17_TheSessionThatAskedGoesOnIfTheOneThatOpensTheLinkHasEnded() async throws {
        let ann = try await world.signUpAnn(world.device("laptop"))
        let phone = try await world.device("phone").signIn(with: World.annsPassword).user
        world.clock.advance(by: .seconds(20 * 86_400))
        _ = try await ann.issueTokens()
        world.clock.advance(by: .seconds(11 * 86_400))
        try await ann.sendEmailVerification()
        try await phone.applyActionCode(world.code(.verifyEmail, to: "ann@example.com"))
        try await ann.reload()
        XCTAssertTrue(ann.isEmailVerified)
    }

    /// S17, PH-4: a first proof by a provider that names another address than before ends what is begun elsewhere.
    func testAFirstProofByTheNewAddressOfAKnownIdentityEndsOtherSessions() async throws {
        let ann = try await world.device("phone").signUp(email: "ann@example.com", password: World.password).user
        let before = SimulatedToken(email: .text("old@example.com"), hostedDomain: "example.com")
        try await ann.link(with: world.google(.ann, before))
        let other = try await world.device("thief").signIn(with: World.annsPassword).user
        try await other.sendEmailVerification(beforeUpdatingTo: "eve@example.net")
        let again = try await world.device("laptop").signIn(with: world.google(.ann, world.work)).user
        XCTAssertTrue(again.isEmailVerified, "the first proof")
        await assertThrows(.userTokenExpired) { try await other.reload() }
        let code = try world.code(.changeEmail, to: "eve@example.net")
        try await world.refusal(.invalidActionCode, .codeIsUnknown, "a change from before the first proof") {
            try await world.device("thief").applyActionCode(code)
        }
    }
}
