@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S3, S4, S20: what stale evidence covered once counts no more, also where the address is verified anew.
final class StaleCoverageAttackTests: LimitedTestCase {
    private var world = World(.standard)
    private let day = 86_400.0
    private let work = SimulatedToken(email: .text("staff@example.com"), hostedDomain: "example.com")

    /// Eve had staff@example.com and linked GitHub; then her provider gave her another address, and Carol this one.
    private func formerHolder() async throws -> User {
        let eve = try await world.device("eve").signIn(with: world.google(.eve, work)).user
        try await eve.link(with: world.gitHub(.eve))
        world.clock.advance(by: .seconds(40 * day))
        let renamed = SimulatedToken(email: .text("eve2@example.com"), hostedDomain: "example.com")
        let again = try await world.device("eve").signIn(with: world.google(.eve, renamed)).user
        let account = try await world.account(again)
        XCTAssertEqual(account.email?.text, "staff@example.com")
        XCTAssertFalse(world.service.isEmailVerified(account))
        return again
    }

    private func reset(_ email: String) async throws -> ActionCode.RecoveryReport {
        let carol = world.device("carol")
        try await carol.sendPasswordReset(to: email)
        let code = try world.code(.resetPassword, to: email)
        return try await carol.confirmPasswordReset(code: code, newPassword: "carols own word")
    }

    private func assertCarolsLinkIsAConflict(_ email: String) async throws {
        let carol = world.device("carol")
        let link = try await world.mailedLink(to: email, from: carol)
        try await world.refusal(.accountExistsWithDifferentCredential, .methodsAreNotCovered) {
            try await carol.signIn(with: link)
        }
    }

    func testALinkThatIsOpenedElsewhereRevivesNoCoverage() async throws {
        try await formerHolder().sendEmailVerification()
        try await world.device("carol").applyActionCode(world.code(.verifyEmail, to: "staff@example.com"))
        try await assertCarolsLinkIsAConflict("staff@example.com")
    }

    /// AT-39: the token of a session by a method that is not covered says nothing of the mailbox.
    func testNoTokenOfTheFormerHolderSaysThatTheAddressIsVerified() async throws {
        let eve = try await formerHolder()
        try await eve.sendEmailVerification()
        try await world.device("carol").applyActionCode(world.code(.verifyEmail, to: "staff@example.com"))
        let again = try await world.device("tablet").signIn(with: world.gitHub(.eve)).user
        let account = try await world.account(again)
        XCTAssertTrue(world.service.isEmailVerified(account))
        let says = try await again.idTokenResult(forcingRefresh: true).claims["email_verified"]
        XCTAssertEqual(says, false)
    }

    /// Servers whose clocks differ a little: the second one links a method in the session of the first.
    func testAMethodIsCoveredByAVerificationOfAClockThatIsAhead() async throws {
        let carol = try await world.device("carol").signIn(with: world.google(.eve, work)).user
        world.clock.advance(by: .seconds(-2))
        try await carol.link(with: world.gitHub(.eve))
        world.clock.advance(by: .seconds(60))
        let account = try await world.account(carol)
        let gitHub = try XCTUnwrap(account.method(of: .gitHub))
        let mailbox = Evidence.Subject.email(try XCTUnwrap(account.email))
        let isCovered = account.evidence.support(gitHub.coverage, of: mailbox)
        XCTAssertTrue(isCovered, "GitHub is covered by nothing: \(gitHub.coverage)")
    }

    func testAResetSuspendsWhatStaleEvidenceCovered() async throws {
        _ = try await formerHolder()
        let report = try await reset("staff@example.com")
        XCTAssertEqual(Set(report.suspended.map(\.provider)), [.google, .gitHub])
        try await world.refusal(.rejectedCredential, .methodIsSuspended, "Eve's identity after Carol's reset") {
            try await world.device("eve").signIn(with: world.gitHub(.eve))
        }
    }

    func testCoverageByAProviderThatIsBelievedNoMoreDoesNotCount() async throws {
        let eve = try await world.device("eve").signIn(with: world.google(.eve, work)).user
        try await eve.link(with: world.gitHub(.eve))
        world.policy.addressTrust = .authorities(AuthPolicy.AddressAuthorities())
        let again = try await world.device("eve").signIn(with: world.gitHub(.eve)).user
        world.clock.advance(by: .seconds(day))
        try await again.reload()
        try await again.sendEmailVerification()
        try await world.device("carol").applyActionCode(world.code(.verifyEmail, to: "staff@example.com"))
        try await assertCarolsLinkIsAConflict("staff@example.com")
    }

    /// Eve left the address, and brings it back by a merge when the mailbox is Carol's.
    func testAnAddressThatAMergeBringsRevivesNoCoverage() async throws {
        let eve = world.device("eve")
        let user = try await eve.signIn(with: world.mailedLink(to: "sales@example.com", from: eve)).user
        try await user.link(with: world.gitHub(.eve))
        try await user.unlink(.password)
        world.clock.advance(by: .seconds(40 * day))
        try await world.service.sweep()
        try await world.device("eve2").signUp(email: "sales@example.com", password: world.evesPassword)
        let source = AuthCredential.password(email: "sales@example.com", password: world.evesPassword)
        let client = world.service.client(world.context)
        let merged = try await client.merge(world.side(source), into: world.side(.gitHub, .eve))
        XCTAssertFalse(merged.result.user.isEmailVerified)
        world.clock.advance(by: .seconds(8 * day))
        let report = try await reset("sales@example.com")
        XCTAssertEqual(report.suspended.map(\.provider), [.gitHub])
    }

    func testAFreshVerificationTakesThePlaceOfAStaleOne() async throws {
        let eve = try await formerHolder()
        // In a session of the account, so that it covers the method of that session.
        try await eve.sendEmailVerification()
        try await eve.applyActionCode(world.code(.verifyEmail, to: "staff@example.com"))
        let account = try await world.account(eve)
        let google = try XCTUnwrap(account.methods.first { $0.kind.provider == .google })
        let address = try XCTUnwrap(EmailAddress("staff@example.com"))
        XCTAssertTrue(account.covers(google, by: address, under: .standard), "\(google.coverage)")
        XCTAssertEqual(google.coverage.count { $0.subject.text == "staff@example.com" }, 1, "once")
    }
}
