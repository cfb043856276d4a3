@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What a proof of an address gives, where before it was merely shown, typed or left.
final class FirstProofTests: FlowTestCase {
    private let shown = SimulatedToken(address: .verified)

    /// Ann with a GitHub account that shows her address without owning it.
    private func showAnn(in auth: Auth) async throws -> User {
        try await auth.signIn(with: .simulated(.gitHub, .ann, saying: shown, at: clock.now)).user
    }

    func testReauthenticatingByMailMakesAShownAddressTheAccountsOwn() async throws {
        startOver(.standard)
        let phone = seat()
        let ann = try await showAnn(in: phone)
        let elsewhere = try await showAnn(in: seat("desk"))
        let before = try await service.account(email: "ann@example.com")
        XCTAssertNil(before)
        try await ann.reauthenticate(with: try await mailedLink(to: "ann@example.com", from: phone))
        XCTAssertTrue(ann.isEmailVerified)
        let owner = try await service.account(email: "ann@example.com")
        XCTAssertEqual(owner?.id, ann.account.id)
        await assertThrows(.userTokenExpired) { try await elsewhere.reload() }
        await assertThrows(.emailAlreadyInUse) {
            try await self.seat("tablet").signUp(email: "ann@example.com", password: Self.password)
        }
    }

    func testTheOwnersMailReauthenticatesNobodyWhoOnlyShowsTheAddress() async throws {
        startOver(.standard)
        let phone = seat()
        let eve = try await showAnn(in: phone)
        try await signUpProvenAnn(seat("desk"))
        let link = try await mailedLink(to: "ann@example.com", from: phone)
        try await refusal(.userMismatch, .credentialIsOfAnother) { try await eve.reauthenticate(with: link) }
    }

    func testAnAddressThatWasLeftReauthenticatesNobody() async throws {
        startOver(.standard)
        let phone = seat()
        let ann = try await signUpProvenAnn(phone)
        try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        try await phone.applyActionCode(try newestCode(to: "new@example.com"))
        try await ann.reload()
        try await refusal(.userMismatch, .credentialIsOfAnother) {
            try await ann.reauthenticate(with: Self.annsPassword)
        }
        let link = try await mailedLink(to: "ann@example.com", from: phone)
        try await refusal(.userMismatch, .credentialIsOfAnother) { try await ann.reauthenticate(with: link) }
    }

    func testAPasswordThatWaitsForAnAddressGetsNoneThatIsMerelyShown() async throws {
        startOver(.standard)
        let ann = try await seat().signInAnonymously().user
        try await ann.updatePassword(to: Self.password)
        try await ann.link(with: .simulated(.gitHub, .ann, saying: shown, at: clock.now))
        XCTAssertNil(ann.email)
        XCTAssertEqual(ann.providerData.map(\.provider), [.gitHub])
        // What the provider proves is another matter.
        let ben = try await seat("desk").signInAnonymously().user
        try await ben.updatePassword(to: Self.password)
        try await ben.link(with: google(.ben.with(email: "ben@gmail.com")))
        XCTAssertEqual(ben.providerData.map(\.provider), [.password, .google])
        try await seat("tablet").signIn(with: .password(email: "ben@gmail.com", password: Self.password))
    }

    func testAnAddressThatWasLeftAndTakenAgainIsKeptFromOthers() async throws {
        startOver(.standard)
        let phone = seat()
        let link = try await mailedLink(to: "ann@example.com", from: phone)
        let ann = try await phone.signIn(with: link).user
        try await ann.replace(.password, with: try await digits(to: "+15550001111", from: phone))
        try await ann.link(with: Self.annsPassword)
        // The address is not proved now, and still hers for as long as she could take the change back.
        let desk = seat("desk")
        let ben = try await desk.signIn(with: gitHub(.ben)).user
        let mail = try await mailedLink(to: "ann@example.com", from: desk)
        try await refusal(.emailAlreadyInUse, .addressIsOwned) { try await ben.link(with: mail) }
    }

    func testTheFirstProofByAMailedLinkEndsWhateverWasOpenBefore() async throws {
        var mixed = AuthPolicy.standard
        mixed.unprovenEmailChange = .allowed
        startOver(mixed)
        let phone = seat()
        let ann = try await phone.signIn(with: try await mailedLink(to: "ann@example.com", from: phone)).user
        try await ann.updateEmail(to: "new@example.com")
        XCTAssertFalse(ann.isEmailVerified)
        let desk = seat("desk")
        let again = try await desk.signIn(with: try await mailedLink(to: "new@example.com", from: desk)).user
        XCTAssertEqual(again.uid, ann.uid)
        XCTAssertTrue(again.isEmailVerified)
        await assertThrows(.userTokenExpired) { try await ann.reload() }
        try await again.reload()
    }
}
