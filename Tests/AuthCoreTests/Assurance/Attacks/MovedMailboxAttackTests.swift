@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S3, S13, S19 and S24: what a mailed link to an address may do where the account had another address before.
final class MovedMailboxAttackTests: LimitedTestCase {
    private var world = World(.standard)
    private let day = 86_400.0

    /// Moves the user's account to this address, and opens the link there outside of any session.
    private func move(_ user: User, to address: String) async throws {
        try await user.sendEmailVerification(beforeUpdatingTo: address)
        try await world.device("mail of \(address)").applyActionCode(world.code(.changeEmail, to: address))
    }

    func testS24_MailedLinksToAnAddressSetInAStolenSessionMoveNoIdentityAway() async throws {
        let ann = try await world.signInByMail("ann@example.com", "ann")
        try await ann.link(with: world.gitHub(.ann))
        world.clock.advance(by: .seconds(20 * day))
        let stolen = try await world.signInByMail("ann@example.com", "stolen")
        try await move(stolen, to: "eve@evil.example")
        try await world.signUp("eve@example.net", in: world.device("eve"))
        let source = try await world.side(world.mailedLink(to: "eve@evil.example", from: world.device("eve")))
        let target = try await world.passwordSide("eve@example.net")
        try await world.refusal(.invalidCredential, .credentialSignsInToNothing) {
            try await world.service.client(world.context).move(.gitHub, from: source, to: target)
        }
        let after = try await world.storedProviders(ann)
        XCTAssertTrue(after.contains(.gitHub), "a live session moved the owner's identity to the thief's account")
    }

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

    func testS19_TakingAnAddressBackLeavesTheOwnerItsMailedLinks() async throws {
        world.policy.disabledProviders = [.password]
        let ann = try await world.signInByMail("ann@example.com", "ann")
        world.clock.advance(by: .seconds(10 * day))
        let stolen = try await world.signInByMail("ann@example.com", "stolen")
        try await move(stolen, to: "eve@evil.example")
        world.clock.advance(by: .seconds(day))
        let eve = try await world.signInByMail("eve@evil.example", "eve")
        try await world.device("mail").applyActionCode(world.code(.recoverEmail, to: "ann@example.com"))
        let back = try await world.signInByMail("ann@example.com", "own")
        XCTAssertEqual(back.uid, ann.uid, "the owner is in her account again")
        try await world.refusal(.userTokenExpired, .sessionIsOver) { try await eve.reload() }
    }

    func testS19_NorDoesItSuspendThoseThatTheThiefPutInTheirPlace() async throws {
        world.policy.disabledProviders = [.password]
        let ann = try await world.signInByMail("ann@example.com", "ann")
        world.clock.advance(by: .seconds(10 * day))
        let stolen = world.device("stolen")
        let thief = try await world.signInByMail("ann@example.com", "stolen")
        try await thief.replace(.password, with: world.mailedLink(to: "eve@evil.example", from: stolen))
        try await thief.link(with: world.gitHub(.eve))
        world.clock.advance(by: .seconds(day))
        try await world.device("mail").applyActionCode(world.code(.recoverEmail, to: "ann@example.com"))
        let back = try await world.signInByMail("ann@example.com", "own")
        XCTAssertEqual(back.uid, ann.uid, "the owner is in her account again")
        try await world.refusal(.rejectedCredential, .methodIsSuspended) {
            try await world.device("eve").signIn(with: world.gitHub(.eve))
        }
    }

    func testS20_AVerificationOfAnAddressThatAThiefPutBackDoesNotMakeItYoung() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let since = try await world.account(ann).evidence.map(\.firstAt).min()
        world.clock.advance(by: .seconds(20 * day))
        let thief = try await world.device("eve").signIn(with: World.annsPassword).user
        try await move(thief, to: "eve@evil.example")
        world.clock.advance(by: .seconds(day))
        let again = try await world.device("eve").signIn(
            with: .password(email: "eve@evil.example", password: World.password)
        ).user
        try await move(again, to: "ann@example.com")
        let account = try await world.account(ann)
        let verified = account.evidence.first { $0.isFresh && $0.subject == .email(.ascii("ann@example.com")) }
        XCTAssertEqual(verified?.firstAt, since, "since when the address is verified")
    }

    func testS4_AReauthenticationTakesOverThatTheProviderChangedTheAddress() async throws {
        let phone = world.device()
        let google = world.google(.ann.with(email: "ann@gmail.com"))
        let ann = try await phone.signIn(with: google).user
        let before = try await world.account(ann)
        XCTAssertTrue(world.service.isEmailVerified(before))
        world.clock.advance(by: .seconds(day))
        try await ann.reauthenticate(with: world.google(.ann.with(email: "ann.new@gmail.com")))
        let after = try await world.account(ann)
        XCTAssertFalse(world.service.isEmailVerified(after), "the mailbox may be another person's by now")
        XCTAssertEqual(after.methods.first?.identity?.email?.text, "ann.new@gmail.com")
    }

    func testS2_AConfirmedIdentityVerifiesNoAddressThatAnotherAccountOwns() async throws {
        let phone = world.device()
        let google = world.google(.ann.with(email: "ann@gmail.com"))
        let ann = try await phone.signIn(with: world.digits(to: world.number, from: phone)).user
        try await ann.link(with: google)
        // As it is after the identity was reported and the address given to a separate account.
        let old = try await world.account(ann)
        var without = old
        without.dropEmail(at: old.createdAt)
        without.evidence = []
        without.methods[1].suspension = SignInMethod.Suspension(since: old.createdAt, reason: .ownerReportsChange)
        var transaction = Transaction(world.service.decisionContext())
        transaction.update(old, to: &without, by: .administrator)
        _ = try await world.service.store.commit(transaction.changes)
        try await world.signUp("ann@gmail.com")
        try await ann.link(with: google)
        let after = try await world.account(ann)
        XCTAssertTrue(after.methods.allSatisfy(\.isActive), "the identity is confirmed")
        XCTAssertFalse(world.service.isEmailVerified(after), "two accounts say that the address is verified")
    }

    func testS2_AConfirmedIdentityVerifiesNoAddressThatTheAccountOnlyDisplays() async throws {
        let phone = world.device()
        let person = SimulatedPerson.ann.with(email: "ann@gmail.com")
        let ann = try await phone.signIn(with: world.google(person)).user
        try await ann.link(with: world.mailedLink(to: "ann@example.com", from: phone))
        let reset = world.device("reset")
        try await reset.sendPasswordReset(to: "ann@example.com")
        let code = try world.code(.resetPassword, to: "ann@example.com")
        try await reset.confirmPasswordReset(code: code, newPassword: "another long one")
        // The new owner of the address that was left.
        world.clock.advance(by: .seconds(15 * day))
        _ = try await world.signInByMail("ann@gmail.com", "other")
        let password = AuthCredential.password(email: "ann@example.com", password: "another long one")
        let again = try await phone.signIn(with: password).user
        try await again.link(with: world.digits(to: world.number, from: phone))
        try await again.unlink(.password)
        var claim = SimulatedToken(subject: "7", email: .text("ann@gmail.com"))
        claim.address = .silent
        try await again.link(with: world.credential(.gitHub, saying: claim))
        XCTAssertEqual(again.email, "ann@gmail.com", "the test needs the address to be displayed")
        try await again.link(with: world.google(person))
        let after = try await world.account(again)
        XCTAssertTrue(after.methods.allSatisfy(\.isActive), "the identity is confirmed")
        XCTAssertFalse(world.service.isEmailVerified(after), "two accounts say that the address is verified")
    }

    func testS24_TakingAnAddressBackKeepsTheAgeOfMailedLinks() async throws {
        let ann = try await world.signInByMail("ann@example.com", "ann")
        world.clock.advance(by: .seconds(10 * day))
        let stolen = try await world.signInByMail("ann@example.com", "stolen")
        try await stolen.link(with: world.gitHub(.eve))
        try await move(stolen, to: "eve@evil.example")
        world.clock.advance(by: .seconds(day))
        try await world.device("mail").applyActionCode(world.code(.recoverEmail, to: "ann@example.com"))
        try await assertGitHubTakesNothing(of: ann)
        let own = try await world.signInByMail("ann@example.com", "own")
        try await own.unlink(.gitHub)
    }

    func testS24_NorIsWhatAThiefAddedOlderThanTheAddressWhereTheOwnersMethodIsGone() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(10 * day))
        let stolen = try await world.device("stolen").signIn(with: World.annsPassword).user
        try await stolen.link(with: world.gitHub(.eve))
        world.clock.advance(by: .seconds(60))
        try await stolen.unlink(.password)
        try await world.device("mail").applyActionCode(world.code(.recoverEmail, to: "ann@example.com"))
        try await assertGitHubTakesNothing(of: ann)
    }

    /// Expects that Eve's identity, which a thief added, can neither merge the account away nor delete it.
    private func assertGitHubTakesNothing(
        of user: User,
        file: StaticString = #filePath,
        line: UInt = #line
    ) async throws {
        let eve = world.device()
        try await eve.signIn(with: world.digits(to: world.evesNumber, from: eve))
        let source = try await world.side(world.gitHub(.eve))
        let target = try await world.side(world.digits(to: world.evesNumber, from: eve))
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior, file: file, line: line) {
            try await world.service.client(world.context).merge(source, into: target)
        }
        let thief = try await world.device("thief").signIn(with: world.gitHub(.eve)).user
        XCTAssertEqual(thief.uid, user.uid, "what was added before the change stays", file: file, line: line)
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior, file: file, line: line) {
            try await thief.delete(permanently: true)
        }
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

    func testS25_MailedLinksWhoseAddressWasTakenBackReturnToTheirAccount() async throws {
        let phone = world.device()
        try await phone.signIn(with: world.digits(to: world.number, from: phone))
        let ann = try await world.signInByMail("ann@example.com", "mail")
        let source = try await world.side(world.mailedLink(to: "ann@example.com", from: phone))
        let target = try await world.side(world.digits(to: world.number, from: phone))
        let merged = try await world.service.client(world.context).merge(source, into: target)
        world.clock.advance(by: .seconds(60))
        let thief = try await world.signInByMail("ann@example.com", "stolen")
        try await move(thief, to: "eve@evil.example")
        try await world.device("mail").applyActionCode(world.code(.recoverEmail, to: "ann@example.com"))
        let side = try await world.side(world.mailedLink(to: "ann@example.com", from: phone))
        try await world.service.client(world.context).undoMerge(merged.id, verifiedBy: side)
        let back = try await world.signInByMail("ann@example.com", "own")
        XCTAssertEqual(back.uid, ann.uid)
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

    func testS2_AReauthenticationVerifiesNoAddressThatTheAccountOnlyDisplays() async throws {
        let phone = world.device()
        let ann = try await phone.signIn(with: world.gitHub(.ann.with(email: "ann.new@gmail.com"))).user
        try await ann.link(with: world.google(.ann.with(email: "ann@gmail.com")))
        try await world.signUp("ann.new@gmail.com")
        try await ann.reauthenticate(with: world.google(.ann.with(email: "ann.new@gmail.com")))
        let after = try await world.account(ann)
        XCTAssertFalse(world.service.isEmailVerified(after), "another account owns the address")
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

    func testS24_AnAccountOfCustomTokensWithAVerifiedAddressIsStillMerged() async throws {
        let token = try await world.service.makeCustomToken(for: "server-1")
        let device = world.device()
        let ann = try await device.signIn(with: .customToken(token)).user
        let old = try await world.account(ann)
        var verified = old
        verified.email = .ascii("ann@example.com")
        verified.own(.ascii("ann@example.com"), at: old.createdAt)
        var transaction = Transaction(world.service.decisionContext())
        transaction.update(old, to: &verified, by: .administrator)
        _ = try await world.service.store.commit(transaction.changes)
        world.clock.advance(by: .seconds(day))
        try await device.signIn(with: world.digits(to: world.number, from: device))
        let shown = try await world.service.makeCustomToken(for: "server-1", authenticatedAt: world.clock.now)
        let source = try await world.side(.customToken(shown))
        let target = try await world.side(world.digits(to: world.number, from: device))
        try await world.service.client(world.context).merge(source, into: target)
        let left = try await world.storedAccount(ann)
        XCTAssertNil(left, "the account is not merged")
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
