@testable import AuthCore
import AuthCoreTesting
import XCTest

final class AnonymousTests: LimitedTestCase {
    private let world = World(.firebase)

    func testEveryAnonymousSignInMakesAnAccountThatOnlyTheClientHolds() async throws {
        let first = try await world.device().signInAnonymously()
        let second = try await world.device("tablet").signIn(with: .anonymous)
        XCTAssertNotEqual(first.user.uid, second.user.uid)
        for result in [first, second] {
            XCTAssertTrue(result.isNewUser)
            XCTAssertTrue(result.user.isAnonymous)
            XCTAssertNil(result.user.email)
            XCTAssertEqual(result.user.providerData, [])
            XCTAssertEqual(result.user.session.basis.kind, .anonymous)
        }
    }

    func testEveryLinkUpgradesTheGuestAndKeepsTheUid() async throws {
        let credentials: [(String, (Auth) async throws -> AuthCredential)] = [
            ("password", { _ in .password(email: "a@example.com", password: World.password) }),
            ("google", { _ in self.world.google(.ben) }),
            ("link", { try await self.world.mailedLink(to: "c@example.com", from: $0) }),
            ("phone", { try await self.world.digits(to: "+15550001234", from: $0) }),
        ]
        for (name, credential) in credentials {
            let auth = world.device(name)
            let guest = try await auth.signInAnonymously().user
            let uid = guest.uid
            let credential = try await credential(auth)
            let result = try await guest.link(with: credential)
            XCTAssertFalse(result.isNewUser, name)
            XCTAssertFalse(guest.isAnonymous, name)
            XCTAssertEqual(guest.uid, uid, name)
            XCTAssertEqual(guest.providerData.count, 1, name)
            XCTAssertTrue(auth.currentUser === guest, name)
        }
    }

    func testTheUpgradedGuestComesBackByTheLinkedMethod() async throws {
        let guest = try await world.device().signInAnonymously().user
        try await guest.link(with: World.annsPassword)
        let back = try await world.device("tablet").signIn(with: World.annsPassword).user
        XCTAssertEqual(back.uid, guest.uid)
    }

    func testAGuestWhoseUpgradeIsRefusedStaysAGuest() async throws {
        try await world.signUpAnn(world.device("tablet"))
        let guest = try await world.device().signInAnonymously().user
        try await world.refusal(.emailAlreadyInUse, .addressIsOwned) { try await guest.link(with: World.annsPassword) }
        XCTAssertTrue(guest.isAnonymous)
        try await guest.reload()
        XCTAssertTrue(guest.isAnonymous)
    }

    func testTheFirstMethodOfAGuestIsItsPassword() async throws {
        var world = World(.standard)
        world.policy.revokesSessionsOn = [.firstMethod]
        let phone = world.device("phone")
        let guest = try await phone.signInAnonymously().user
        let before = try await world.account(guest).sessionGeneration
        try await guest.link(with: World.annsPassword)
        let after = try await world.account(guest).sessionGeneration
        XCTAssertGreaterThan(after, before)
    }

    /// A password alone signs in to nothing.
    func testAGuestWhoSetsAPasswordWithoutAnAddressStaysAGuest() async throws {
        let guest = try await world.device().signInAnonymously().user
        try await guest.updatePassword(to: World.password)
        XCTAssertTrue(guest.isAnonymous, "a guest with a password and no address")
        XCTAssertEqual(guest.providerData, [], "what such a guest can sign in by")
        world.clock.advance(by: .seconds(3600))
        try await guest.delete()
    }

    func testAGuestWithAPasswordIsNoGuestAfterAnAddressIsAdded() async throws {
        let changes: [(String, (Auth, User) async throws -> Void)] = [
            ("a change of the address", { _, guest in try await guest.updateEmail(to: "a@example.com") }),
            (
                "a password with an address",
                { _, guest in
                    try await guest.link(with: .password(email: "b@example.com", password: World.password))
                }
            ), ("an identity", { _, guest in try await guest.link(with: self.world.google(.ben)) }),
            (
                "a mailed link",
                { auth, guest in
                    try await guest.link(with: self.world.mailedLink(to: "c@example.com", from: auth))
                }
            ),
        ]
        for (what, change) in changes {
            let auth = world.device(what)
            let guest = try await auth.signInAnonymously().user
            try await guest.updatePassword(to: World.password)
            try await change(auth, guest)
            XCTAssertFalse(guest.isAnonymous, "a guest with a password, after \(what)")
        }
    }

    func testAGuestWithAnAddressIsNoGuestAfterAPasswordIsSet() async throws {
        let guest = try await world.device().signInAnonymously().user
        try await guest.updateEmail(to: "ann@example.com")
        XCTAssertTrue(guest.isAnonymous, "a guest with an address and no password")
        try await guest.updatePassword(to: World.password)
        XCTAssertFalse(guest.isAnonymous, "a guest with an address and a password")
    }
}
