@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S19, S20, S24 and S25: what a thief gets by changing the address, and what the owner has who takes it back.
final class StolenMailboxAttackTests: MovedMailboxTestCase {
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
}
