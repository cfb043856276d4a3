@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Credentials that are the person's own, or look like it, and renew nothing.
final class ReauthenticationRefusalTests: LimitedTestCase {
    private var world = World(.standard)

    func testAfterTooManyGuessesEvenTheRightPasswordWaits() async throws {
        let ann = try await world.signUpAnn()
        for word in 1...10 {
            try await world.refusal(.invalidCredential) {
                try await ann.reauthenticate(with: .password(email: "ann@example.com", password: "guess \(word)"))
            }
        }
        try await world.refusal(.tooManyRequests, .attemptsMustWait) {
            try await ann.reauthenticate(with: World.annsPassword)
        }
    }

    func testWhatIsSuspendedRenewsNothing() async throws {
        let auth = world.device()
        try await world.signUpVerifiedAnn()
        let first = try await auth.signIn(with: World.annsPassword).user
        try await first.link(with: world.facebook(.ben))
        try await auth.sendPasswordReset(to: "ann@example.com")
        try await auth.confirmPasswordReset(
            code: world.newestCode(to: "ann@example.com"),
            newPassword: "battery staple"
        )
        let ann = try await auth.signIn(with: .password(email: "ann@example.com", password: "battery staple")).user
        try await world.refusal(.invalidCredential, .methodIsSuspended) {
            try await ann.reauthenticate(with: world.facebook(.ben))
        }
    }

    func testMailedLinksThatAreSuspendedRenewNothing() async throws {
        let auth = world.device()
        let first = try await auth.signIn(with: world.google(.ann, world.work)).user
        try await first.link(with: world.mailedLink(to: "ann@example.com", from: auth))
        let notice = try XCTUnwrap(world.outbox.last(to: "ann@example.com", .methodAdded)).code
        try await auth.reportUnauthorizedChange(code: notice)
        let ann = try await auth.signIn(with: world.google(.ann, world.work)).user
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        try await world.refusal(.invalidCredential, .methodIsSuspended) { try await ann.reauthenticate(with: link) }
    }

    func testTheServersWordRenewsNothingWhereItNeverSignedIn() async throws {
        let ann = try await world.signUpAnn()
        let token = try await world.service.makeCustomToken(for: ann.account.id, authenticatedAt: world.clock.now)
        try await world.refusal(.invalidCredential, .credentialIsWrong) {
            try await ann.reauthenticate(with: .customToken(token))
        }
    }

    func testAnAssertionRenewsNothingASecondTime() async throws {
        let once = world.google(.ann, SimulatedToken(nonce: "a nonce of this app"))
        let ann = try await world.device().signIn(with: once).user
        try await world.refusal(.invalidCredential, .assertionWasUsed) { try await ann.reauthenticate(with: once) }
    }

    func testThePasswordOfAnAddressThatIsOnlyShownIsSomebodyElses() async throws {
        let ann = try await world.device().signIn(with: world.gitHub()).user
        XCTAssertEqual(ann.email, "ann@example.com")
        try await world.device("owner").signUp(email: "ann@example.com", password: World.password)
        try await world.refusal(.userMismatch, .credentialIsOfAnother) {
            try await ann.reauthenticate(with: World.annsPassword)
        }
    }

    func testAPersonWhoseAddressWaitsForItsProofRenewsByItsPassword() async throws {
        world.policy.concealsSignUp = true
        try await world.signUpVerifiedAnn(world.device("owner"))
        let auth = world.device("stranger")
        let word = "a word of my own"
        let user = try await auth.signUp(email: "ann@example.com", password: word).user
        world.clock.advance(by: .seconds(600))
        try await user.reauthenticate(with: .password(email: "ann@example.com", password: word))
        XCTAssertEqual(user.session.authenticatedAt, world.clock.timestamp)
    }
}
