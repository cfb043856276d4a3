@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Credentials that are the person's own, or look like it, and renew nothing.
final class ReauthenticationRefusalTests: SecondFactorTestCase {
    override func setUp() {
        super.setUp()
        policy = .standard
    }

    func testAfterTooManyGuessesEvenTheRightPasswordWaits() async throws {
        let ann = try await signUpAnn()
        for word in 1...5 {
            try await refusal(.invalidCredential) {
                try await ann.reauthenticate(with: .password(email: "ann@example.com", password: "guess \(word)"))
            }
        }
        try await refusal(.tooManyRequests, .attemptsMustWait) {
            try await ann.reauthenticate(with: Self.annsPassword)
        }
    }

    func testWhatIsSuspendedRenewsNothing() async throws {
        let auth = seat()
        try await signUpProvenAnn()
        let first = try await auth.signIn(with: Self.annsPassword).user
        try await first.link(with: facebook(.ben))
        try await auth.sendPasswordReset(to: "ann@example.com")
        try await auth.confirmPasswordReset(
            code: newestCode(to: "ann@example.com"),
            newPassword: "battery staple"
        )
        let ann = try await auth.signIn(with: .password(email: "ann@example.com", password: "battery staple")).user
        try await refusal(.invalidCredential, .methodIsSuspended) {
            try await ann.reauthenticate(with: facebook(.ben))
        }
    }

    func testMailedLinksThatAreSuspendedRenewNothing() async throws {
        let auth = seat()
        let first = try await auth.signIn(with: google(.ann, work)).user
        try await first.link(with: mailedLink(to: "ann@example.com", from: auth))
        let notice = try XCTUnwrap(outbox.last(to: "ann@example.com", .methodAdded)).code
        try await auth.reportUnauthorizedChange(code: notice)
        let ann = try await auth.signIn(with: google(.ann, work)).user
        let link = try await mailedLink(to: "ann@example.com", from: auth)
        try await refusal(.invalidCredential, .methodIsSuspended) { try await ann.reauthenticate(with: link) }
    }

    func testTheServersWordRenewsNothingWhereItNeverSignedIn() async throws {
        let ann = try await signUpAnn()
        let token = try await service.makeCustomToken(for: ann.account.id, authenticatedAt: clock.now)
        try await refusal(.invalidCredential, .credentialIsWrong) {
            try await ann.reauthenticate(with: .customToken(token))
        }
    }

    func testAnAssertionRenewsNothingASecondTime() async throws {
        let once = google(.ann, SimulatedToken(rawNonce: "a nonce of this app"))
        let ann = try await seat().signIn(with: once).user
        try await refusal(.invalidCredential, .assertionWasUsed) { try await ann.reauthenticate(with: once) }
    }

    func testThePasswordOfAnAddressThatIsOnlyShownIsSomebodyElses() async throws {
        let ann = try await seat().signIn(with: gitHub()).user
        XCTAssertEqual(ann.email, "ann@example.com")
        try await seat("owner").signUp(email: "ann@example.com", password: Self.password)
        try await refusal(.userMismatch, .credentialIsOfAnother) {
            try await ann.reauthenticate(with: Self.annsPassword)
        }
    }

    func testAPersonWhoseAddressWaitsForItsProofRenewsByItsPassword() async throws {
        policy.concealsSignUp = true
        try await signUpProvenAnn(seat("owner"))
        let auth = seat("stranger")
        let word = "a word of my own"
        let user = try await auth.signUp(email: "ann@example.com", password: word).user
        clock.advance(by: 600)
        try await user.reauthenticate(with: .password(email: "ann@example.com", password: word))
        XCTAssertEqual(user.session.authenticatedAt, clock.timestamp)
    }
}
