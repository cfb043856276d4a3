@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What a proof of an address gives, where before it was merely shown, typed or left.
final class FirstProofTests: XCTestCase {
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

    func testAPasswordThatWaitsForAnAddressGetsNoneThatIsMerelyShown() async throws {
        world.startOver(.standard)
        let ann = try await world.device().signInAnonymously().user
        try await ann.updatePassword(to: World.password)
        try await ann.link(with: .simulated(.gitHub, .ann, saying: shown, at: world.clock.now))
        XCTAssertNil(ann.email)
        XCTAssertEqual(ann.providerData.map(\.provider), [.gitHub])
        // What the provider proves is another matter.
        let ben = try await world.device("desk").signInAnonymously().user
        try await ben.updatePassword(to: World.password)
        try await ben.link(with: world.google(.ben.with(email: "ben@gmail.com")))
        XCTAssertEqual(ben.providerData.map(\.provider), [.password, .google])
        try await world.device("tablet").signIn(with: .password(email: "ben@gmail.com", password: World.password))
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
