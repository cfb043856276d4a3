@testable import AuthCore
import AuthCoreTesting
import XCTest

/// An address that an account left is kept for it, and how it comes to be its own again.
final class AddressReturnTests: LimitedTestCase {
    private var world = World(.standard)

    private let gmail = "ann@gmail.com"
    private let other = "ann@example.com"

    private func gmailIdentity() -> AuthCredential { world.google(.ann.with(email: gmail)) }

    func testAnAddressThatIsLeftTwiceIsKeptOnce() async throws {
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        try await ann.link(with: world.gitHub(.ben))
        try await ann.unlink(.password)
        let first = try await world.account(ann)
        XCTAssertNil(first.email)
        XCTAssertEqual(first.reservations.map(\.email.text), [other])
        world.clock.advance(by: .seconds(86400))
        try await auth.signIn(with: world.gitHub(.ben))
        let back = try XCTUnwrap(auth.currentUser)
        try await back.link(with: world.mailedLink(to: other, from: auth))
        let held = try await world.account(ann)
        XCTAssertEqual(held.email?.text, other)
        try await back.unlink(.password)
        let second = try await world.account(ann)
        XCTAssertNil(second.email)
        XCTAssertEqual(second.reservations.map(\.email.text), [other])
        XCTAssertEqual(second.reservations.first?.until, world.clock.timestamp + .seconds(14 * 86400))
    }

    func testAResetOfAnAddressThatIsKeptAndShownMakesItTheAccountsOwn() async throws {
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        try await ann.link(with: world.google(.ben, SimulatedToken(email: .absent)))
        try await ann.unlink(.password)
        try await ann.link(with: world.gitHub())
        let shown = try await world.account(ann)
        XCTAssertEqual(shown.email?.text, other)
        XCTAssertFalse(shown.reservesEmail)
        try await auth.sendPasswordReset(to: other)
        try await auth.confirmPasswordReset(code: world.newestCode(to: other), newPassword: "battery staple")
        let owned = try await world.account(ann)
        XCTAssertTrue(owned.reservesEmail)
        let user = try await world.device("x").signIn(with: .password(email: other, password: "battery staple")).user
        XCTAssertEqual(user.uid, ann.uid)
    }

    func testAnAddressThatIsKeptAndShownIsFreeOnceTheAccountIsGone() async throws {
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        try await ann.link(with: world.google(.ben, SimulatedToken(email: .absent)))
        try await ann.unlink(.password)
        try await ann.link(with: world.gitHub())
        try await world.refusal(.emailAlreadyInUse, .addressIsOwned) {
            try await world.device("eve").signUp(email: other, password: "battery staple")
        }
        try await ann.delete(permanently: true)
        try await world.device("eve").signUp(email: other, password: "battery staple")
    }

    func testAnAddressThatTheAccountLeavesForItsFormerOneIsNotKept() async throws {
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        for address in ["new@example.com", other] {
            try await ann.sendEmailVerification(beforeUpdatingTo: address)
            try await world.service.client(auth.client.context).applyActionCode(
                world.newestCode(to: address),
                openedIn: ann.handle
            )
            try await ann.reload()
        }
        let back = try await world.account(ann)
        XCTAssertEqual(back.email?.text, other)
        XCTAssertEqual(back.reservations.map(\.email.text), [other], "the one it left could take the account back")
    }

    func testTheSessionThatOpensALinkIsTheOneThatVerified() async throws {
        let phone = try await world.signUpAnn()
        let tablet = try await world.device("tablet").signIn(with: World.annsPassword).user
        try await phone.sendEmailVerification()
        try await world.service.client(RequestContext(device: "x")).applyActionCode(
            world.newestCode(to: other),
            openedIn: tablet.handle
        )
        try await tablet.reload()
        try await phone.reload()
        XCTAssertEqual(tablet.session.verified.map(\.subject), [.email(.ascii(other))], "what the tablet verified")
        XCTAssertEqual(phone.session.verified, [], "what the phone verified, which only asked")
        XCTAssertEqual(phone.session.verifiedOnRequest?.subject, .email(.ascii(other)), "what it asked for")
    }

    func testOnlySoManyCodesOfAKindLive() async throws {
        world.policy.liveMailCodes = 2
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        var resets: [String] = []
        var changes: [String] = []
        for number in 1...3 {
            world.clock.advance(by: .seconds(1))
            try await auth.sendPasswordReset(to: other)
            resets.append(try world.newestCode(to: other))
            try await ann.sendEmailVerification(beforeUpdatingTo: "new\(number)@example.com")
            changes.append(try world.newestCode(to: "new\(number)@example.com"))
        }
        try await world.refusal(.invalidActionCode, .codeIsUnknown) {
            try await auth.confirmPasswordReset(code: resets[0], newPassword: "battery staple")
        }
        try await world.refusal(.invalidActionCode, .codeIsUnknown) { try await auth.applyActionCode(changes[0]) }
        try await auth.applyActionCode(changes[1])
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "new2@example.com")
    }

    func testMailThatOnlyTheRemovedIdentityForwardsIsNoMethod() async throws {
        let relay = "ann@privaterelay.appleid.com"
        let auth = world.device()
        let apple = AuthCredential.simulated(.apple, .ann.with(email: relay), at: world.clock.now)
        let ann = try await auth.signIn(with: apple).user
        let link = try await world.mailedLink(to: relay, from: auth)
        try await world.refusal(.lastMethod, .methodIsTheLast) { try await ann.replace(.apple, with: link) }
    }

    func testAPasswordWhoseCostsRoseIsHashedAnewWhereItSignsIn() async throws {
        let world = World(.standard) { $0.passwordHasher = DearerHasher() }
        let ann = try await world.device().signUp(email: other, password: World.password).user
        let before = try await world.service.account(ann.account.id)
        try await world.device("x").signIn(with: World.annsPassword)
        let after = try await world.service.account(ann.account.id)
        XCTAssertNotEqual(before.methods.map(\.kind), after.methods.map(\.kind))
        XCTAssertEqual(before.methods.map(\.generation), after.methods.map(\.generation))
        try await world.device("y").signIn(with: World.annsPassword)
    }

    /// A reservation keeps an address from others; it does not sign in the person who has the mailbox now.
    func testAnAddressThatAnAccountLeftDoesNotSignInToIt() async throws {
        for preset in [AuthPolicy.firebase, .firebaseProtected] {
            var policy = preset
            policy.emailRecovery = .everyChange
            let world = World(policy)
            let phone = world.device("phone")
            let ann = try await world.signUp("ann@example.com", linking: world.credential(.gitHub), in: phone)
            try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.org")
            try await phone.applyActionCode(try XCTUnwrap(world.outbox.last(to: "new@example.org")?.code))
            let before = try await world.storedProviders(ann)
            let stranger = world.device("stranger")
            let link = try await world.mailedLink(to: "ann@example.com", from: stranger)
            for credential in [link, world.google(.ann, world.work)] {
                let error = await authError { try await stranger.signIn(with: credential) }
                XCTAssertEqual(error?.code, .accountExistsWithDifferentCredential, "\(credential)")
            }
            let after = try await world.storedProviders(ann)
            XCTAssertEqual(after, before, "the stranger removed sign-in methods")
        }
    }
}
