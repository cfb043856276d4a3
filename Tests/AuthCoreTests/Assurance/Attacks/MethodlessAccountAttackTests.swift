@testable import AuthCore
import AuthCoreTesting
import XCTest

/// An account without methods, whose address a stranger's mailbox verified, is not shared with that stranger.
final class MethodlessAccountAttackTests: LimitedTestCase {
    /// Eve as a guest names Ann's address, and Ann opens the link that verifies it, outside of any session.
    private func eveAsGuest(in world: World, _ email: String) async throws -> User {
        let eve = try await world.device("eve").signInAnonymously().user
        try await eve.updateEmail(to: email)
        try await eve.sendEmailVerification()
        try await world.device("mail").applyActionCode(world.code(.verifyEmail, to: email))
        return eve
    }

    func testAGuestsSessionSharesNoAccountThatTheOwnersGoogleJoins() async throws {
        for disclosure in [AuthPolicy.Disclosure.protected, .detailed] {
            let world = World(.weakened { $0.disclosure = disclosure })
            let eve = try await eveAsGuest(in: world, "ann@gmail.com")
            let ann = try await world.device("ann").signIn(with: world.google(.ann.with(email: "ann@gmail.com"))).user
            XCTAssertEqual(ann.uid, eve.uid)
            let isIn = await world.succeeds { try await eve.reload() }
            XCTAssertFalse(isIn, "Eve's session is in Ann's account, \(disclosure)")
        }
    }

    func testAGuestsSessionSharesNoAccountThatTheOwnersMailedLinkSignsInTo() async throws {
        let world = World(.weakened { $0.disclosure = .protected })
        let eve = try await eveAsGuest(in: world, "ann@example.com")
        let own = world.device("ann")
        let ann = try await own.signIn(with: world.mailedLink(to: "ann@example.com", from: own)).user
        XCTAssertEqual(ann.uid, eve.uid)
        let isIn = await world.succeeds { try await eve.reload() }
        XCTAssertFalse(isIn, "Eve's session is in Ann's account")
    }

    func testWhatTheAppsServerSignsInToIsNotJoinedByAnAddressThatWasVerifiedElsewhere() async throws {
        let world = World(.weakened { $0.disclosure = .protected })
        let device = world.device("eve")
        let token = try await world.service.makeCustomToken(for: "employee-7", authenticatedAt: world.clock.now)
        let eve = try await device.signIn(with: .customToken(token)).user
        try await eve.updateEmail(to: "ann@gmail.com")
        try await eve.sendEmailVerification()
        try await world.device("mail").applyActionCode(world.code(.verifyEmail, to: "ann@gmail.com"))
        try await world.refusal(.accountExistsWithDifferentCredential, .methodsAreNotCovered) {
            try await world.device("ann").signIn(with: world.google(.ann.with(email: "ann@gmail.com")))
        }
        let own = world.device("own")
        let link = try await world.mailedLink(to: "ann@gmail.com", from: own)
        try await world.refusal(.accountExistsWithDifferentCredential, .methodsAreNotCovered) {
            try await own.signIn(with: link)
        }
    }

    func testASuspendedMethodLetsNoAddressCoverAnAccountOfTheServers() {
        let email = EmailAddress.ascii("ann@gmail.com")
        let account = Account.person(at: email).verified().adding(.emailLink).suspended(.password)
            .changing { $0.acceptsCustomTokens = true }
        XCTAssertFalse(account.isCovered(by: email, under: .standard), "an identity of the address joins")
        XCTAssertFalse(account.isCovered(by: email, under: .standard, ignoringDisabled: true), "a mailed link signs in")
    }

    func testAnAccountOfTheServersMayLoseItsOtherMethods() async throws {
        let world = World(.standard)
        let now = world.clock.now
        let token = try await world.service.makeCustomToken(for: "employee-7", authenticatedAt: now)
        let user = try await world.device("phone").signIn(with: .customToken(token)).user
        try await user.link(with: world.google(.ann))
        try await user.unlink(.google)
        let again = try await world.service.makeCustomToken(for: "employee-7", authenticatedAt: now)
        let back = try await world.device("phone").signIn(with: .customToken(again)).user
        XCTAssertEqual(back.uid, user.uid)
    }
}
