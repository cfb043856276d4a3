@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S3: what was verified of a mailbox counts no more once the account has left it.
final class MailboxCoverageAttackTests: MovedMailboxTestCase {
    func testS3_TheCoverageOfAMailboxEndsWithIt() async throws {
        let bob = try await world.signInByMail("sales@example.com", "bob")
        try await bob.link(with: world.gitHub(.ben))
        try await bob.sendEmailVerification(beforeUpdatingTo: "bob@example.org")
        try await bob.applyActionCode(world.code(.changeEmail, to: "bob@example.org"))
        world.clock.advance(by: .seconds(20 * day))
        try await bob.reauthenticate(with: world.gitHub(.ben))
        try await move(bob, to: "sales@example.com")
        try await world.refusal(.accountExistsWithDifferentCredential, .methodsAreNotCovered) {
            try await world.signInByMail("sales@example.com", "carol")
        }
    }

    func testS3_ASessionDoesNotCoverByWhatItVerifiedBeforeTheAccountLeftTheMailbox() async throws {
        let bob = try await world.signInByMail("sales@example.com", "bob")
        try await bob.link(with: world.gitHub(.ben))
        try await move(bob, to: "bob@example.org")
        world.clock.advance(by: .seconds(20 * day))
        let other = try await world.device("other").signIn(with: world.gitHub(.ben)).user
        try await move(other, to: "sales@example.com")
        world.clock.advance(by: .seconds(day))
        try await bob.reauthenticate(with: world.gitHub(.ben))
        try await bob.updatePassword(to: World.password)
        let covered = try await world.account(bob).methods.filter { !$0.coverage.isEmpty }
        XCTAssertEqual(covered, [], "the former holder of the mailbox covers methods by it")
        try await world.refusal(.accountExistsWithDifferentCredential, .methodsAreNotCovered) {
            try await world.signInByMail("sales@example.com", "carol")
        }
    }

    func testS3_NorDoItsTokensSayThatTheMailboxIsVerified() async throws {
        func tokenSaysVerified(_ user: User) async throws -> ClaimValue? {
            try await user.idTokenResult(forcingRefresh: true).claims["email_verified"]
        }
        let bob = try await world.signInByMail("sales@example.com", "bob")
        try await bob.link(with: world.gitHub(.ben))
        let opener = try await tokenSaysVerified(bob)
        XCTAssertEqual(opener, true, "the session in which the mailbox was verified")
        let asker = try await world.device("asker").signIn(with: world.gitHub(.ben)).user
        try await move(asker, to: "bob@example.org")
        let asked = try await tokenSaysVerified(asker)
        XCTAssertEqual(asked, true, "the session at whose request the mailbox was verified")
        world.clock.advance(by: .seconds(20 * day))
        let other = try await world.device("other").signIn(with: world.gitHub(.ben)).user
        try await move(other, to: "sales@example.com")
        let openerAgain = try await tokenSaysVerified(bob)
        XCTAssertEqual(openerAgain, false, "the mailbox was verified again, by its present owner")
        try await asker.reload()
        world.clock.advance(by: .seconds(20 * day))
        try await other.reauthenticate(with: world.gitHub(.ben))
        try await move(other, to: "bob@example.org")
        let askedAgain = try await tokenSaysVerified(asker)
        XCTAssertEqual(askedAgain, false, "the mailbox was verified again at another session's request")
    }
}
