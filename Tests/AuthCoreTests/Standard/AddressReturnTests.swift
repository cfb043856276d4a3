@testable import AuthCore
import AuthCoreTesting
import XCTest

/// An address that an account left is kept for it, and how it comes to be its own again.
final class AddressReturnTests: SecondFactorTestCase {
    override func setUp() {
        super.setUp()
        policy = .standard
    }

    private let gmail = "ann@gmail.com"
    private let other = "ann@example.com"

    private func gmailIdentity() -> AuthCredential { google(.ann.with(email: gmail)) }

    func testAnAddressThatIsLeftTwiceIsKeptOnce() async throws {
        let auth = seat()
        let ann = try await signUpProvenAnn(auth)
        try await ann.link(with: gitHub(.ben))
        try await ann.unlink(.password)
        let first = try await account(ann)
        XCTAssertNil(first.email)
        XCTAssertEqual(first.reservations.map(\.email.text), [other])
        clock.advance(by: 86400)
        try await auth.signIn(with: gitHub(.ben))
        let back = try XCTUnwrap(auth.currentUser)
        try await back.link(with: mailedLink(to: other, from: auth))
        let held = try await account(ann)
        XCTAssertEqual(held.email?.text, other)
        try await back.unlink(.password)
        let second = try await account(ann)
        XCTAssertNil(second.email)
        XCTAssertEqual(second.reservations.map(\.email.text), [other])
        XCTAssertEqual(second.reservations.first?.until, clock.timestamp + .seconds(14 * 86400))
    }

    func testAResetOfAnAddressThatIsKeptAndShownMakesItTheAccountsOwn() async throws {
        let auth = seat()
        let ann = try await signUpProvenAnn(auth)
        try await ann.link(with: google(.ben, SimulatedToken(email: .absent)))
        try await ann.unlink(.password)
        try await ann.link(with: gitHub())
        let shown = try await account(ann)
        XCTAssertEqual(shown.email?.text, other)
        XCTAssertFalse(shown.reservesEmail)
        try await auth.sendPasswordReset(to: other)
        try await auth.confirmPasswordReset(code: newestCode(to: other), newPassword: "battery staple")
        let owned = try await account(ann)
        XCTAssertTrue(owned.reservesEmail)
        let user = try await seat("x").signIn(with: .password(email: other, password: "battery staple")).user
        XCTAssertEqual(user.uid, ann.uid)
    }

    func testAnAddressThatIsKeptAndShownIsFreeOnceTheAccountIsGone() async throws {
        let auth = seat()
        let ann = try await signUpProvenAnn(auth)
        try await ann.link(with: google(.ben, SimulatedToken(email: .absent)))
        try await ann.unlink(.password)
        try await ann.link(with: gitHub())
        try await refusal(.emailAlreadyInUse, .addressIsOwned) {
            try await seat("eve").signUp(email: other, password: "battery staple")
        }
        try await ann.delete(permanently: true)
        try await seat("eve").signUp(email: other, password: "battery staple")
    }

    func testAnAddressToWhichTheAccountCameBackIsKeptNoLonger() async throws {
        let auth = seat()
        let ann = try await signUpProvenAnn(auth)
        for address in ["new@example.com", other] {
            try await ann.sendEmailVerification(beforeUpdatingTo: address)
            try await service.client(auth.client.context).applyActionCode(
                newestCode(to: address),
                openedIn: ann.session.id
            )
            try await ann.reload()
        }
        let back = try await account(ann)
        XCTAssertEqual(back.email?.text, other)
        XCTAssertEqual(back.reservations.map(\.email.text), ["new@example.com"])
    }

    func testTheSessionThatOpensALinkIsTheOneThatProved() async throws {
        let phone = try await signUpAnn()
        let tablet = try await seat("tablet").signIn(with: Self.annsPassword).user
        try await phone.sendEmailVerification()
        try await service.client(RequestContext(seat: "x")).applyActionCode(
            newestCode(to: other),
            openedIn: tablet.session.id
        )
        try await tablet.reload()
        try await refusal(.userTokenExpired) { try await phone.reload() }
    }

    func testOnlySoManyCodesOfAKindLive() async throws {
        policy.liveMailCodes = 2
        let auth = seat()
        let ann = try await signUpProvenAnn(auth)
        var resets: [String] = []
        var changes: [String] = []
        for number in 1...3 {
            clock.advance(by: 1)
            try await auth.sendPasswordReset(to: other)
            resets.append(try newestCode(to: other))
            try await ann.sendEmailVerification(beforeUpdatingTo: "new\(number)@example.com")
            changes.append(try newestCode(to: "new\(number)@example.com"))
        }
        try await refusal(.invalidActionCode, .codeIsUnknown) {
            try await auth.confirmPasswordReset(code: resets[0], newPassword: "battery staple")
        }
        try await refusal(.invalidActionCode, .codeIsUnknown) { try await auth.applyActionCode(changes[0]) }
        try await auth.applyActionCode(changes[1])
        let after = try await account(ann)
        XCTAssertEqual(after.email?.text, "new2@example.com")
    }

    func testMailThatOnlyTheRemovedIdentityForwardsIsNoWayIn() async throws {
        let relay = "ann@privaterelay.appleid.com"
        let auth = seat()
        let apple = AuthCredential.simulated(.apple, .ann.with(email: relay), at: clock.now)
        let ann = try await auth.signIn(with: apple).user
        let link = try await mailedLink(to: relay, from: auth)
        try await refusal(.lastMethod, .methodIsTheLast) { try await ann.replace(.apple, with: link) }
    }

    func testAPasswordWhoseCostsRoseIsHashedAnewWhereItSignsIn() async throws {
        let world = World(.standard) { $0.passwordHasher = DearerHasher() }
        let ann = try await world.seat().signUp(email: other, password: Self.password).user
        let before = try await world.service.account(ann.account.id)
        try await world.seat("x").signIn(with: Self.annsPassword)
        let after = try await world.service.account(ann.account.id)
        XCTAssertNotEqual(before.methods.map(\.kind), after.methods.map(\.kind))
        XCTAssertEqual(before.methods.map(\.generation), after.methods.map(\.generation))
        try await world.seat("y").signIn(with: Self.annsPassword)
    }
}

/// A hasher whose costs have risen since every hash was made.
private struct DearerHasher: PasswordHasher {
    private let hasher = CheapPasswordHasher()

    var placeholder: PasswordHash { hasher.placeholder }

    func hash(_ password: Secret) async throws -> PasswordHash { try await hasher.hash(password) }

    func check(_ password: Secret, against hash: PasswordHash) async throws -> PasswordCheck {
        let check = try await hasher.check(password, against: hash)
        if case .matches = check { return .matches(needsRehash: true) }
        return check
    }
}
