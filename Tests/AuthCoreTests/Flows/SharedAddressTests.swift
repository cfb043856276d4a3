@testable import AuthCore
import AuthCoreTesting
import XCTest

/// A policy under which several accounts may have one address.
final class SharedAddressTests: FlowTestCase {
    override func setUp() async throws { policy.accountsPerEmail = .multiple }

    func testAnUnknownIdentityAlwaysGetsAnAccountOfItsOwn() async throws {
        let ann = try await signUpProvenAnn()
        for credential in [google(), gitHub(), facebook()] {
            let result = try await seat("\(credential)").signIn(with: credential)
            XCTAssertTrue(result.isNewUser, "\(credential)")
            XCTAssertNotEqual(result.user.uid, ann.uid)
            XCTAssertNil(result.user.email)
            XCTAssertFalse(result.user.isEmailVerified)
            XCTAssertEqual(result.user.providerData.map(\.email), ["ann@example.com"])
            let again = try await seat().signIn(with: credential)
            XCTAssertEqual(again.user.uid, result.user.uid)
        }
    }

    func testPasswordsAndMailedLinksStillShareOneAddress() async throws {
        let ann = try await signUpProvenAnn()
        try await refusal(.emailAlreadyInUse) { try await signUpAnn(seat("tablet")) }
        let byLink = try await seat().signIn(with: mailedLink(to: "ann@example.com", from: seat())).user
        XCTAssertEqual(byLink.uid, ann.uid)
    }

    func testAnIdentityWithTheAddressOfAnotherMayBeLinkedAndSetsNoAddress() async throws {
        try await seat("tablet").signUp(email: "ben@example.com", password: Self.password)
        let ann = try await signUpAnn()
        try await ann.link(with: google(.ben))
        XCTAssertEqual(ann.email, "ann@example.com")
        let guest = try await seat("third").signInAnonymously().user
        try await guest.link(with: google(.eve))
        XCTAssertNil(guest.email)
    }

    func testAProvisionalAccountLinksTheIdentityAndLeavesTheAddressToWhoHasIt() async throws {
        policy.concealsSignUp = true
        let owner = try await seat("tablet").signIn(with: mailedLink(to: "ann@example.com", from: seat("tablet"))).user
        let ann = try await signUpAnn()
        try await ann.link(with: google())
        XCTAssertTrue(ann.account.isProvisional)
        XCTAssertFalse(ann.account.reservesEmail)
        let found = try await service.account(email: "ann@example.com")
        XCTAssertEqual(found?.id.text, owner.uid)
    }

    func testAnIdentityHasOneOwnerAllTheSame() async throws {
        try await seat("tablet").signIn(with: google(.ben))
        let ann = try await signUpAnn()
        try await refusal(.credentialAlreadyInUse, .identityIsOwned) { try await ann.link(with: google(.ben)) }
    }

    func testOnlyTheMethodsOfTheMailboxAreListed() async throws {
        let ann = try await signUpAnn()
        try await ann.link(with: google())
        let own = try await seat().fetchSignInMethods(forEmail: "ann@example.com")
        XCTAssertEqual(own, ["password"])
        try await seat("tablet").signIn(with: google(.ben))
        let mentioned = try await seat().fetchSignInMethods(forEmail: "ben@example.com")
        XCTAssertEqual(mentioned, [])
    }
}
