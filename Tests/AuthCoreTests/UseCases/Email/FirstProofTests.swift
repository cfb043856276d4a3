@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What a proof of an address gives, where before it was merely shown, typed or left.
final class FirstProofTests: LimitedTestCase {
    private var world = World(.firebase)

    private let shown = SimulatedToken(address: .verified)

    /// Ann with a GitHub account that shows her address without owning it.
    private func showAnn(in auth: Auth) async throws -> User {
        try await auth.signIn(with: .simulated(.gitHub, .ann, saying: shown, at: world.clock.now)).user
    }

    func testReauthenticatingByMailMakesAShownAddressTheAccountsOwn() async throws {
        world.startOver(.standard)
        let phone = world.device()
        let ann = try await showAnn(in: phone)
        let elsewhere = try await showAnn(in: world.device("desk"))
        let before = try await world.service.account(email: "ann@example.com")
        XCTAssertNil(before)
        try await ann.reauthenticate(with: try await world.mailedLink(to: "ann@example.com", from: phone))
        XCTAssertTrue(ann.isEmailVerified)
        let owner = try await world.service.account(email: "ann@example.com")
        XCTAssertEqual(owner?.id, ann.account.id)
        await assertThrows(.userTokenExpired) { try await elsewhere.reload() }
        await assertThrows(.emailAlreadyInUse) {
            try await self.world.device("tablet").signUp(email: "ann@example.com", password: World.password)
        }
    }

    func testTheOwnersMailReauthenticatesNobodyWhoOnlyShowsTheAddress() async throws {
        world.startOver(.standard)
        let phone = world.device()
        let eve = try await showAnn(in: phone)
        try await world.signUpVerifiedAnn(world.device("desk"))
        let link = try await world.mailedLink(to: "ann@example.com", from: phone)
        try await world.refusal(.userMismatch, .credentialIsOfAnother) { try await eve.reauthenticate(with: link) }
    }

    func testAnAddressThatWasLeftReauthenticatesNobody() async throws {
        world.startOver(.standard)
        let phone = world.device()
        let ann = try await world.signUpVerifiedAnn(phone)
        try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        try await phone.applyActionCode(try world.newestCode(to: "new@example.com"))
        try await ann.reload()
        try await world.refusal(.userMismatch, .credentialIsOfAnother) {
            try await ann.reauthenticate(with: World.annsPassword)
        }
        let link = try await world.mailedLink(to: "ann@example.com", from: phone)
        try await world.refusal(.userMismatch, .credentialIsOfAnother) { try await ann.reauthenticate(with: link) }
    }

    /// A file may bring one.
    func testAPasswordThatWaitsForAnAddressGetsNoneThatIsMerelyShown() async throws {
        for email in [nil, "ann@example.com"] {
            world.startOver(.standard)
            var account = Account(id: try XCTUnwrap(AccountID("brought")), createdAt: world.clock.timestamp)
            _ = account.setPassword(PasswordHash(tagged: "$cheap$AAAA$BBBB"), at: world.clock.timestamp)
            _ = account.setPhone(try XCTUnwrap(PhoneNumber(world.number)), at: world.clock.timestamp)
            _ = try await world.service.bring(account, lastSignIn: nil, trustedForJoin: false)
            let phone = world.device()
            let ann = try await phone.signIn(with: world.digits(to: world.number, from: phone)).user
            try await ann.link(with: email == nil ? world.gitHub(.ann) : world.google(.ann, world.work))
            XCTAssertEqual(ann.email, email, "an address that the provider \(email == nil ? "claims" : "verifies")")
        }
    }

    func testEveryFirstVerificationHasItsEvent() async throws {
        func has(_ id: AccountID, _ what: String) async throws {
            let events = try await world.service.events(limit: .max).events
            XCTAssertTrue(events.contains { $0.account == id && $0.kind == .emailVerified }, what)
        }
        world.startOver(.standard)
        let gmail = SimulatedPerson.ann.with(email: "ann@gmail.com")
        var eve = try await world.squat("ann@gmail.com")
        let adopted = try await world.device("a").signIn(with: world.google(gmail)).user
        XCTAssertEqual(adopted.uid, eve.uid)
        try await has(eve.accountID, "adopted by an identity")
        world.startOver()
        eve = try await world.squat()
        let phone = world.device("phone")
        let linked = try await phone.signIn(with: world.mailedLink(to: "ann@example.com", from: phone)).user
        XCTAssertEqual(linked.uid, eve.uid)
        try await has(eve.accountID, "adopted by a mailed link")
        world.startOver()
        eve = try await world.squat()
        let conflict = try await world.conflict { try await world.device("phone").signIn(with: world.facebook()) }
        let again = world.device("phone")
        let claimed = try await again.resolve(
            conflict,
            signingInWith: world.mailedLink(to: "ann@example.com", from: again)
        ).user
        XCTAssertEqual(claimed.uid, eve.uid)
        try await has(eve.accountID, "claimed by a mailed link")
        world.startOver()
        let ann = try await world.signUpAnn(world.device("phone"))
        try await ann.link(with: world.google(.ann, world.work))
        try await ann.reload()
        XCTAssertTrue(ann.isEmailVerified)
        try await has(ann.accountID, "linked an authoritative identity")
    }

    func testAnAddressThatWasLeftAndTakenAgainIsKeptFromOthers() async throws {
        world.startOver(.standard)
        let phone = world.device()
        let link = try await world.mailedLink(to: "ann@example.com", from: phone)
        let ann = try await phone.signIn(with: link).user
        try await ann.replace(.password, with: try await world.digits(to: "+15550001111", from: phone))
        try await ann.link(with: World.annsPassword)
        // The address is not verified now, and still hers for as long as she could take the change back.
        let desk = world.device("desk")
        let ben = try await desk.signIn(with: world.gitHub(.ben)).user
        let mail = try await world.mailedLink(to: "ann@example.com", from: desk)
        try await world.refusal(.emailAlreadyInUse, .addressIsOwned) { try await ben.link(with: mail) }
    }

    func testTheFirstProofByAMailedLinkEndsWhateverWasOpenBefore() async throws {
        var mixed = AuthPolicy.standard
        mixed.unverifiedEmailChange = .allowed
        world.startOver(mixed)
        let phone = world.device()
        let ann = try await phone.signIn(with: try await world.mailedLink(to: "ann@example.com", from: phone)).user
        try await ann.updateEmail(to: "new@example.com")
        XCTAssertFalse(ann.isEmailVerified)
        let desk = world.device("desk")
        let again = try await desk.signIn(with: try await world.mailedLink(to: "new@example.com", from: desk)).user
        XCTAssertEqual(again.uid, ann.uid)
        XCTAssertTrue(again.isEmailVerified)
        await assertThrows(.userTokenExpired) { try await ann.reload() }
        try await again.reload()
    }
}
