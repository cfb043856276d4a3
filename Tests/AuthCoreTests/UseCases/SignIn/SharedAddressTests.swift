@testable import AuthCore
import AuthCoreTesting
import XCTest

/// A policy under which several accounts may have one address.
final class SharedAddressTests: LimitedTestCase {
    private var world = World(.firebase)

    override func setUp() async throws { world.policy.accountsPerEmail = .multiple }

    func testAnUnknownIdentityAlwaysGetsAnAccountOfItsOwn() async throws {
        let ann = try await world.signUpVerifiedAnn()
        for credential in [world.google(), world.gitHub(), world.facebook()] {
            let result = try await world.device("\(credential)").signIn(with: credential)
            XCTAssertTrue(result.isNewUser, "\(credential)")
            XCTAssertNotEqual(result.user.uid, ann.uid)
            XCTAssertNil(result.user.email)
            XCTAssertFalse(result.user.isEmailVerified)
            XCTAssertEqual(result.user.providerData.map(\.email), ["ann@example.com"])
            let again = try await world.device().signIn(with: credential)
            XCTAssertEqual(again.user.uid, result.user.uid)
        }
    }

    func testPasswordsAndMailedLinksStillShareOneAddress() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await world.refusal(.emailAlreadyInUse) { try await world.signUpAnn(world.device("tablet")) }
        let byLink = try await world.device().signIn(
            with: world.mailedLink(to: "ann@example.com", from: world.device())
        )
        .user
        XCTAssertEqual(byLink.uid, ann.uid)
    }

    func testAnIdentityWithTheAddressOfAnotherMayBeLinkedAndSetsNoAddress() async throws {
        try await world.device("tablet").signUp(email: "ben@example.com", password: World.password)
        let ann = try await world.signUpAnn()
        try await ann.link(with: world.google(.ben))
        XCTAssertEqual(ann.email, "ann@example.com")
        let guest = try await world.device("third").signInAnonymously().user
        try await guest.link(with: world.google(.eve))
        XCTAssertNil(guest.email)
    }

    func testAProvisionalAccountLinksTheIdentityAndLeavesTheAddressToWhoHasIt() async throws {
        world.policy.concealsSignUp = true
        let owner = try await world.device("tablet").signIn(
            with: world.mailedLink(to: "ann@example.com", from: world.device("tablet"))
        ).user
        let ann = try await world.signUpAnn()
        try await ann.link(with: world.google())
        XCTAssertTrue(ann.account.isProvisional)
        XCTAssertFalse(ann.account.reservesEmail)
        let found = try await world.service.account(email: "ann@example.com")
        XCTAssertEqual(found?.id.text, owner.uid)
    }

    func testAnIdentityHasOneOwnerAllTheSame() async throws {
        try await world.device("tablet").signIn(with: world.google(.ben))
        let ann = try await world.signUpAnn()
        try await world.refusal(.credentialAlreadyInUse, .identityIsOwned) {
            try await ann.link(with: world.google(.ben))
        }
    }

    func testOnlyTheMethodsOfTheMailboxAreListed() async throws {
        let ann = try await world.signUpAnn()
        try await ann.link(with: world.google())
        let own = try await world.device().fetchSignInMethods(forEmail: "ann@example.com")
        XCTAssertEqual(own, ["password"])
        try await world.device("tablet").signIn(with: world.google(.ben))
        let mentioned = try await world.device().fetchSignInMethods(forEmail: "ben@example.com")
        XCTAssertEqual(mentioned, [])
    }
}
