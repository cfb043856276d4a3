@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What one operation asks, another that does the same in another way asks too.
final class SiblingRuleAttackTests: LimitedTestCase {
    private var world = World(.standard)
    private let day = 86_400.0

    /// A stranger's account may show the person's address; a link to it signs in to no such account, and merges none.
    func testALinkThatSignsInToNoAccountIsNoSideOfAMerge() async throws {
        for isVerified in [true, false] {
            world = World(.standard)
            let eve = try await world.signInByMail("eve@evil.example", "eve")
            try await eve.link(with: world.gitHub(.eve))
            if isVerified {
                try await eve.sendEmailVerification(beforeUpdatingTo: "ann@example.com")
                try await world.device("mail").applyActionCode(world.code(.changeEmail, to: "ann@example.com"))
            } else {
                try await eve.unlink(.password)
                try await eve.link(with: .password(email: "ann@example.com", password: World.password))
            }
            world.clock.advance(by: .seconds(8 * day))
            let ann = world.device("ann")
            try await ann.signInAnonymously()
            let link = try await world.mailedLink(to: "ann@example.com", from: ann)
            let side = Merge.Side.verified(try await ann.verify(link))
            try await world.refusal(.invalidCredential, .credentialSignsInToNothing, "verified: \(isVerified)") {
                try await ann.mergeCurrentUser(into: side)
            }
            XCTAssertNotEqual(ann.currentUser?.uid, eve.uid, "the person is in the stranger's account")
        }
    }

    /// A code that is mailed while its session is being ended is revoked with the others.
    func testAChangeOfTheAddressThatIsAskedForJustBeforeItsSessionEndsIsRevoked() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let thief = try await world.device("eve").signIn(with: World.annsPassword).user
        let gate = Gate()
        world.store.script(.commit, .waitsBefore(gate))
        async let ended: Void = ann.revokeSession(thief.session.id)
        await gate.waitForArrivals()
        try await thief.sendEmailVerification(beforeUpdatingTo: "eve@evil.example")
        gate.open()
        try await ended
        let code = try world.code(.changeEmail, to: "eve@evil.example")
        try await world.refusal(.invalidActionCode) { try await world.device("eve").applyActionCode(code) }
    }

    /// Notices that the creator of an account collected report nothing after the owner of the mailbox came.
    func testAMailedLinkThatVerifiesTheAddressFirstEndsTheNoticesOfBefore() async throws {
        let eve = try await world.device("eve").signIn(with: world.google(.eve.with(email: "eve@gmail.com"))).user
        let auth = world.device("eve")
        try await eve.link(with: world.mailedLink(to: "eve@gmail.com", from: auth))
        let notice = try world.code(.methodAdded, to: "eve@gmail.com")
        world.clock.advance(by: .seconds(day))
        let moved = try await world.device("eve").signIn(with: world.google(.eve.with(email: "eve2@gmail.com"))).user
        _ = try? await moved.updateEmail(to: "ann@example.com")
        let before = try await world.account(moved)
        guard before.email?.text == "ann@example.com" else { return XCTFail("the address is \(before.email as Any)") }
        try await moved.unlink(.google)
        let ann = try await world.signInByMail("ann@example.com", "ann")
        XCTAssertEqual(ann.uid, eve.uid)
        try await world.refusal(.invalidActionCode) {
            try await world.device("eve").reportUnauthorizedChange(code: notice)
        }
        try await ann.reload()
    }

    /// A number that was verified long ago is no method that is left, whichever operation takes the others.
    func testASeparateAccountLeavesNoAccountWithAnOldNumberOnly() async throws {
        let phone = world.device("phone")
        let ann = try await phone.signIn(with: world.digits(to: world.number, from: phone)).user
        try await ann.link(with: .password(email: "ann@example.com", password: World.password))
        try await ann.sendEmailVerification()
        try await phone.applyActionCode(world.code(.verifyEmail, to: "ann@example.com"))
        world.clock.advance(by: .seconds(91 * day))
        let other = world.device("other")
        let conflict = try await world.conflict { try await other.signIn(with: world.gitHub(.ann)) }
        let link = try await world.mailedLink(to: "ann@example.com", from: other)
        try await world.refusal(.lastMethod, .methodIsTheLast) {
            try await other.createSeparateAccount(from: conflict, verifying: link.mailed)
        }
    }

    /// Where custom tokens sign in, no method has to stay.
    func testASeparateAccountTakesTheLastMethodOfAnAccountOfTheAppsServer() async throws {
        let phone = world.device("phone")
        let token = try await world.service.makeCustomToken(for: "ann", authenticatedAt: world.clock.now)
        let ann = try await phone.signIn(with: .customToken(token)).user
        try await ann.link(with: .password(email: "ann@example.com", password: World.password))
        try await ann.sendEmailVerification()
        try await phone.applyActionCode(world.code(.verifyEmail, to: "ann@example.com"))
        let other = world.device("other")
        let conflict = try await world.conflict { try await other.signIn(with: world.gitHub(.ann)) }
        let link = try await world.mailedLink(to: "ann@example.com", from: other)
        let next = try await other.createSeparateAccount(from: conflict, verifying: link.mailed).user
        XCTAssertNotEqual(next.uid, ann.uid)
    }

    /// A reported method does not stand in the way of the owner who has no other.
    func testASuspendedMethodKeepsNoOneFromChangingAnAccountOfTheAppsServer() async throws {
        let phone = world.device("phone")
        func signIn() async throws -> User {
            let token = try await world.service.makeCustomToken(for: "ann", authenticatedAt: world.clock.now)
            return try await phone.signIn(with: .customToken(token)).user
        }
        let ann = try await signIn()
        try await ann.link(with: world.mailedLink(to: "ann@example.com", from: phone))
        try await ann.link(with: world.gitHub(.eve))
        try await world.device("mail").reportUnauthorizedChange(code: world.code(.methodAdded, to: "ann@example.com"))
        let again = try await world.signInByMail("ann@example.com", "phone")
        try await again.unlink(.password)
        world.clock.advance(by: .seconds(day))
        let later = try await signIn()
        let methods = try await world.account(later).methods
        XCTAssertEqual(methods.map(\.isActive), [false])
        try await later.unlink(.gitHub)
        try await later.delete()
    }

    /// An identity that no verifier can check does not sign in, so mailed links may.
    func testAnIdentityWithoutAVerifierKeepsNoMailedLinkOut() async throws {
        world.policy.disabledProviders = [.password]
        let ann = try await world.signInByMail("ann@example.com", "ann")
        try await ann.link(with: world.gitHub(.ann))
        try await ann.sendEmailVerification(beforeUpdatingTo: "ann@example.org")
        try await world.device("mail").applyActionCode(world.code(.changeEmail, to: "ann@example.org"))
        let (store, policy) = (world.store, world.policy)
        let left = World(policy, providers: .empty) { $0.store = store }
        let auth = left.device("phone")
        try await auth.sendSignInLink(to: "ann@example.org")
        let link = try XCTUnwrap(left.outbox.last(to: "ann@example.org", .signInLink)?.link)
        let back = try await auth.signIn(with: .emailLink(email: "ann@example.org", link: link)).user
        XCTAssertEqual(back.uid, ann.uid)
    }
}
