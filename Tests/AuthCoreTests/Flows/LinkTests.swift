@testable import AuthCore
import AuthCoreTesting
import XCTest

final class LinkTests: FlowTestCase {
    // MARK: Providers

    func testALinkedIdentityOpensTheAccountAndCopiesNoProfile() async throws {
        let ann = try await signUpAnn()
        let result = try await ann.link(with: google())
        XCTAssertFalse(result.isNewUser)
        XCTAssertTrue(result.user === ann)
        XCTAssertEqual(ann.providerData.map(\.provider), [.password, .google])
        XCTAssertNil(ann.displayName)
        XCTAssertTrue(ann.isEmailVerified, "the provider vouches for the account's own address")
        let again = try await seat("tablet").signIn(with: google()).user
        XCTAssertEqual(again.uid, ann.uid)
        try await seat("tablet").signIn(with: Self.annsPassword)
    }

    func testAnAccountWithoutAnAddressTakesTheProviders() async throws {
        let auth = seat()
        let user = try await auth.signIn(with: digits(to: "+15550001234", from: auth)).user
        try await user.link(with: facebook())
        XCTAssertEqual(user.email, "ann@example.com")
        XCTAssertFalse(user.isEmailVerified)
        try await refusal(.emailAlreadyInUse) { try await signUpAnn(seat("tablet")) }
    }

    func testAnAccountWithAnAddressKeepsIt() async throws {
        let ann = try await signUpAnn()
        try await ann.link(with: google(.ben))
        XCTAssertEqual(ann.email, "ann@example.com")
        XCTAssertFalse(ann.isEmailVerified)
        XCTAssertEqual(ann.providerData.map(\.email), ["ann@example.com", "ben@example.com"])
        // An address that stands only in an entry is still free.
        try await seat("tablet").signUp(email: "ben@example.com", password: Self.password)
    }

    func testOneIdentityOfAProviderIsEnough() async throws {
        let ann = try await seat().signIn(with: google()).user
        for person in [SimulatedPerson.ann, .ben] {
            try await refusal(.providerAlreadyLinked, .providerIsLinked) { try await ann.link(with: google(person)) }
        }
    }

    func testAnIdentityOfAnotherAccountIsInUse() async throws {
        try await seat("tablet").signIn(with: facebook(.ben))
        let ann = try await seat().signIn(with: google()).user
        let error = try await refusal(.credentialAlreadyInUse, .identityIsOwned) {
            try await ann.link(with: facebook(.ben))
        }
        XCTAssertEqual(error.conflict?.provider, .facebook)
        XCTAssertEqual(error.conflict?.existingProviders, [.facebook])
    }

    func testAnIdentityWithTheAddressOfAnotherAccountIsAConflict() async throws {
        try await seat("tablet").signUp(email: "ben@example.com", password: Self.password)
        let ann = try await signUpAnn()
        for credential in [google(.ben), gitHub(.ben)] {
            let error = try await refusal(.emailAlreadyInUse, .addressIsOwned) { try await ann.link(with: credential) }
            XCTAssertEqual(error.conflict?.email, "ben@example.com")
        }
    }

    /// Every address is reserved here, but the provider's word is too weak to meet a conflict by.
    func testAnAddressThatAProviderOnlyRepeatsIsShownWhereAnotherAccountHasIt() async throws {
        policy.addressTrust = .authorities(.wellKnown)
        let ben = try await seat("tablet").signUp(email: "ben@example.com", password: Self.password).user
        let guest = try await seat().signInAnonymously().user
        try await guest.link(with: google(.ben, SimulatedToken(address: .unverified)))
        XCTAssertEqual(guest.email, "ben@example.com")
        XCTAssertFalse(guest.account.reservesEmail)
        let owner = try await service.account(email: "ben@example.com")
        XCTAssertEqual(owner?.id.text, ben.uid)
    }

    // MARK: Passwords

    func testALinkedPasswordEndsTheOtherSessionsAndProvesNothing() async throws {
        let ann = try await seat().signIn(with: facebook()).user
        let other = try await seat("tablet").signIn(with: facebook()).user
        try await ann.link(with: .password(email: "other@example.com", password: Self.password))
        XCTAssertEqual(ann.email, "other@example.com")
        XCTAssertFalse(ann.isEmailVerified)
        XCTAssertEqual(ann.providerData.map(\.email), ["ann@example.com", "other@example.com"])
        try await refusal(.userTokenExpired) { try await other.reload() }
        try await ann.reload()
        XCTAssertEqual(ann.session.basis.kind, .password)
    }

    func testAPasswordForTheAccountsOwnAddressKeepsItVerified() async throws {
        let ann = try await seat().signIn(with: google()).user
        try await ann.link(with: Self.annsPassword)
        XCTAssertTrue(ann.isEmailVerified)
        try await seat("tablet").signIn(with: Self.annsPassword)
    }

    func testAPasswordForTheAddressOfAnotherIsRefused() async throws {
        try await seat("tablet").signIn(with: google(.ben))
        let guest = try await seat().signInAnonymously().user
        try await refusal(.emailAlreadyInUse, .addressIsOwned) {
            try await guest.link(with: .password(email: "ben@example.com", password: Self.password))
        }
    }

    func testPasswordAndMailedLinkShareOneEntry() async throws {
        let auth = seat()
        let byPassword = try await signUpAnn(auth)
        let link = try await mailedLink(to: "ann@example.com", from: auth)
        try await refusal(.providerAlreadyLinked) { try await byPassword.link(with: link) }
        let byLink = try await auth.signIn(with: mailedLink(to: "ben@example.com", from: auth)).user
        try await refusal(.providerAlreadyLinked) {
            try await byLink.link(with: .password(email: "ben@example.com", password: Self.password))
        }
    }

    // MARK: Mailed links

    func testALinkedMailboxBecomesTheProvenAddress() async throws {
        let auth = seat()
        let ann = try await auth.signIn(with: facebook()).user
        let other = try await seat("tablet").signIn(with: facebook()).user
        try await ann.link(with: mailedLink(to: "other@example.com", from: auth))
        XCTAssertEqual(ann.email, "other@example.com")
        XCTAssertTrue(ann.isEmailVerified)
        try await other.reload()
        // The address that it had before is free.
        try await signUpAnn(seat("third"))
    }

    func testAMailboxOfAnotherAccountIsRefusedAndTheLinkStaysGood() async throws {
        let ben = try await seat("tablet").signIn(with: google(.ben)).user
        let auth = seat()
        let guest = try await auth.signInAnonymously().user
        let link = try await mailedLink(to: "ben@example.com", from: auth)
        try await refusal(.emailAlreadyInUse, .addressIsOwned) { try await guest.link(with: link) }
        let user = try await auth.signIn(with: link).user
        XCTAssertEqual(user.uid, ben.uid)
    }

    // MARK: Numbers

    func testALinkedNumberOpensTheAccount() async throws {
        let auth = seat()
        let ann = try await signUpAnn(auth)
        try await ann.link(with: digits(to: "+15550001234", from: auth))
        XCTAssertEqual(ann.phoneNumber, "+15550001234")
        let again = try await auth.signIn(with: digits(to: "+15550001234", from: auth)).user
        XCTAssertEqual(again.uid, ann.uid)
    }

    func testASecondNumberIsRefusedAndAnUpdateReplacesTheFirst() async throws {
        let auth = seat()
        let ann = try await signUpAnn(auth)
        try await ann.link(with: digits(to: "+15550001234", from: auth))
        let second = try await digits(to: "+15550005678", from: auth)
        try await refusal(.providerAlreadyLinked) { try await ann.link(with: second) }
        try await ann.updatePhoneNumber(with: second)
        XCTAssertEqual(ann.phoneNumber, "+15550005678")
        let first = try await auth.signIn(with: digits(to: "+15550001234", from: auth))
        XCTAssertTrue(first.isNewUser, "the number that was replaced is free")
    }

    func testTheNumberOfAnotherAccountIsInUseAndLeadsThere() async throws {
        let auth = seat()
        let owner = try await auth.signIn(with: digits(to: "+15550001234", from: auth)).user
        let ann = try await signUpAnn(auth)
        let credential = try await digits(to: "+15550001234", from: auth)
        let error = try await refusal(.credentialAlreadyInUse, .numberIsOwned) { try await ann.link(with: credential) }
        let conflict = try XCTUnwrap(error.conflict)
        XCTAssertEqual(conflict.provider, .phone)
        XCTAssertFalse(conflict.displayName.contains("0001"), conflict.displayName)
        try await refusal(.credentialAlreadyInUse, .numberIsOwned) { try await ann.link(with: conflict.credential) }
        let user = try await auth.signIn(with: conflict.credential).user
        XCTAssertEqual(user.uid, owner.uid)
    }

    // MARK: What cannot be linked

    func testNothingCannotBeLinked() async throws {
        let ann = try await signUpAnn()
        try await refusal(.operationNotAllowed) { try await ann.link(with: .anonymous) }
    }

    func testEveryLinkIsOneEventWithTheMethodsOnBothSides() async throws {
        let auth = seat()
        let ann = try await signUpAnn(auth)
        try await ann.link(with: google())
        try await ann.link(with: digits(to: "+15550001234", from: auth))
        let events = try await service.events().events.filter { $0.kind == .methodsChanged }
        XCTAssertEqual(events.map { $0.before?.map(\.provider) }, [[.password], [.password, .google]])
        XCTAssertEqual(
            events.map { $0.after?.map(\.provider) },
            [[.password, .google], [.password, .google, .phone]]
        )
        XCTAssertEqual(events.map(\.actor), Array(repeating: .session(ann.session.id), count: 2))
    }

    func testAnIdentityThatARecoverySuspendedGivesWayToTheOwnersOwn() async throws {
        policy = .standard
        let eve = try await seat("eve").signUp(email: "ann@example.com", password: "eves own word").user
        try await eve.link(with: gitHub(.eve))
        let auth = seat()
        try await auth.sendPasswordReset(to: "ann@example.com")
        try await auth.confirmPasswordReset(code: try newestCode(to: "ann@example.com"), newPassword: Self.password)
        let ann = try await auth.signIn(with: Self.annsPassword).user
        try await ann.link(with: gitHub())
        let linked = try await account(ann).identities.map(\.email?.text)
        XCTAssertEqual(linked, ["ann@example.com"])
        let other = try await seat("eve").signIn(with: gitHub(.eve))
        XCTAssertNotEqual(other.user.uid, ann.uid)
    }

    func testDigitsLinkANumberOnce() async throws {
        let auth = seat()
        let ann = try await signUpAnn(auth)
        let credential = try await digits(to: "+15550001234", from: auth)
        try await ann.link(with: credential)
        try await ann.unlink(.phone)
        try await refusal(.invalidVerificationID, .codeIsUnknown) { try await ann.link(with: credential) }
    }
}
