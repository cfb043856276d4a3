@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S3, S9 and S13: whom a mailed link signs in where the account had another address before.
final class MovedMailboxAttackTests: MovedMailboxTestCase {
    func testS3_WhoOpensTheLinkOfAStrangersChangeDoesNotSignInToTheStrangersAccount() async throws {
        let eve = try await world.signInByMail("eve@evil.example", "eve")
        try await eve.link(with: world.gitHub(.eve))
        try await move(eve, to: "ann@example.com")
        world.clock.advance(by: .seconds(day))
        try await world.refusal(.accountExistsWithDifferentCredential, .methodsAreNotCovered) {
            try await world.signInByMail("ann@example.com", "ann")
        }
    }

    func testS3_WhereMailedLinksAreTheOnlyMethodTheSessionsOfTheStrangerEnd() async throws {
        let eve = try await world.signInByMail("eve@evil.example", "eve")
        try await move(eve, to: "ann@example.com")
        let ann = try await world.signInByMail("ann@example.com", "ann")
        XCTAssertEqual(ann.uid, eve.uid)
        try await world.refusal(.userTokenExpired, .sessionIsOver) { try await eve.reload() }
        try await ann.reload()
    }

    func testS3_ALinkThatTheAskingSessionOpensKeepsMailedLinksSigningIn() async throws {
        let ann = try await world.signInByMail("ann@example.com", "ann")
        try await ann.link(with: world.gitHub(.ann))
        try await ann.sendEmailVerification(beforeUpdatingTo: "ann@example.org")
        try await ann.applyActionCode(world.code(.changeEmail, to: "ann@example.org"))
        let again = try await world.signInByMail("ann@example.org", "phone")
        XCTAssertEqual(again.uid, ann.uid)
        XCTAssertNil(again.account.methods.first { !$0.isActive }, "nothing is suspended")
        try await ann.reload()
    }

    func testS3_WhoChangesTheAddressInASessionOfAnotherMethodKeepsMailedLinks() async throws {
        let ann = try await world.signInByMail("ann@example.com", "ann")
        try await ann.link(with: world.gitHub(.ann))
        world.clock.advance(by: .seconds(day))
        let other = try await world.device("other").signIn(with: world.gitHub(.ann)).user
        world.clock.advance(by: .seconds(7 * day))
        try await other.reauthenticate(with: world.gitHub(.ann))
        try await other.sendEmailVerification(beforeUpdatingTo: "ann@example.org")
        try await other.applyActionCode(world.code(.changeEmail, to: "ann@example.org"))
        let again = try await world.signInByMail("ann@example.org", "phone")
        XCTAssertEqual(again.uid, ann.uid)
        try await other.reload()
    }

    func testS9_AnOwnerWhoOpenedTheLinkElsewhereSignsInWithAnotherMethodOnce() async throws {
        let ann = try await world.signInByMail("ann@example.com", "ann")
        try await ann.link(with: world.gitHub(.ann))
        try await move(ann, to: "ann@example.org")
        let phone = world.device("phone")
        let conflict = try await world.conflict {
            try await phone.signIn(with: world.mailedLink(to: "ann@example.org", from: phone))
        }
        let resolved = try await phone.resolve(conflict, signingInWith: world.gitHub(.ann)).user
        XCTAssertEqual(resolved.uid, ann.uid)
        let again = try await world.signInByMail("ann@example.org", "tablet")
        XCTAssertEqual(again.uid, ann.uid, "the mailbox is known now")
    }

    func testS3_AMethodThatIsDisabledDoesNotKeepTheOwnerOut() async throws {
        let ann = try await world.signInByMail("ann@example.com", "ann")
        try await ann.link(with: world.gitHub(.ann))
        try await move(ann, to: "ann@example.org")
        world.policy.disabledProviders = [.gitHub]
        let again = try await world.signInByMail("ann@example.org", "phone")
        XCTAssertEqual(again.uid, ann.uid)
        let gitHub = try await world.account(ann).methods.last
        XCTAssertEqual(gitHub?.isActive, false, "what may be a stranger's does not come back")
    }

    func testS3_MailedLinksThatAMergeMovesGoOnSigningIn() async throws {
        let phone = world.device()
        try await phone.signIn(with: world.digits(to: world.number, from: phone))
        try await world.signUpVerifiedAnn()
        _ = try await world.signInByMail("ann@example.com", "mail")
        let source = try await world.passwordSide("ann@example.com")
        let target = try await world.side(world.digits(to: world.number, from: phone))
        try await world.service.client(world.context).merge(source, into: target)
        let ann = try await phone.signIn(with: world.digits(to: world.number, from: phone)).user
        let again = try await world.signInByMail("ann@example.com", "tablet")
        XCTAssertEqual(again.uid, ann.uid)
    }

    func testS3_TheFirstMailedLinkAfterAnImportEndsNoSessions() async throws {
        let ann = try await world.signInByMail("ann@example.com", "ann")
        try await ann.link(with: world.gitHub(.ann))
        let old = try await world.account(ann)
        var imported = old
        imported.evidence = [Evidence(.email(.ascii("ann@example.com")), .administrator, at: old.createdAt)]
        for index in imported.methods.indices { imported.methods[index].coverage = [] }
        var transaction = Transaction(world.service.decisionContext())
        transaction.update(old, to: &imported, by: .administrator)
        _ = try await world.service.store.commit(transaction.changes)
        let again = try await world.signInByMail("ann@example.com", "phone")
        XCTAssertEqual(again.uid, ann.uid)
        try await ann.reload()
    }

    func testS13_AChangeBackKeepsTheAgeOfMailedLinks() async throws {
        let ann = try await world.signInByMail("ann@example.com", "ann")
        for (old, new) in [("ann@example.com", "ann@example.org"), ("ann@example.org", "ann@example.com")] {
            world.clock.advance(by: .seconds(8 * day))
            try await ann.reauthenticate(with: world.mailedLink(to: old, from: world.device("ann")))
            try await ann.sendEmailVerification(beforeUpdatingTo: new)
            try await ann.applyActionCode(world.code(.changeEmail, to: new))
        }
        let own = try await world.signInByMail("ann@example.com", "own")
        XCTAssertEqual(own.uid, ann.uid, "whom a mailed link signs in")
        try await own.sendEmailVerification(beforeUpdatingTo: "ann@example.net")
        XCTAssertNotNil(world.outbox.last(to: "ann@example.net", .changeEmail), "the mail that asks the new address")
    }

    func testS9_SoDoesAnOwnerWhoHasAPassword() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await move(ann, to: "ann@example.org")
        let phone = world.device()
        let conflict = try await world.conflict {
            try await phone.signIn(with: world.mailedLink(to: "ann@example.org", from: phone))
        }
        let password = AuthCredential.password(email: "ann@example.org", password: World.password)
        let resolved = try await phone.resolve(conflict, signingInWith: password).user
        XCTAssertEqual(resolved.uid, ann.uid)
        let again = try await world.signInByMail("ann@example.org", "tablet")
        XCTAssertEqual(again.uid, ann.uid)
    }
}
