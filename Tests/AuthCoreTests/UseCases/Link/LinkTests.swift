@testable import AuthCore
import AuthCoreTesting
import XCTest

final class LinkTests: LimitedTestCase {
    private var world = World(.firebase)

    // MARK: Providers

    func testALinkedIdentityOpensTheAccountAndCopiesNoProfile() async throws {
        let ann = try await world.signUpAnn()
        let result = try await ann.link(with: world.google())
        XCTAssertFalse(result.isNewUser)
        XCTAssertTrue(result.user === ann)
        XCTAssertEqual(ann.providerData.map(\.provider), [.password, .google])
        XCTAssertNil(ann.displayName)
        XCTAssertTrue(ann.isEmailVerified, "the provider vouches for the account's own address")
        let again = try await world.device("tablet").signIn(with: world.google()).user
        XCTAssertEqual(again.uid, ann.uid)
        try await world.device("tablet").signIn(with: World.annsPassword)
    }

    func testTheResultOfEveryChangeTellsWhatTheProviderSaid() async throws {
        let ann = try await world.signUpAnn()
        var results = [
            try await ann.link(with: world.google()), try await ann.reauthenticate(with: world.google()),
            try await ann.replace(.google, with: world.facebook()),
        ]
        let gitHub = try await ann.client.verify(world.gitHub())
        results += [try await ann.link(with: gitHub), try await ann.reauthenticate(with: gitHub)]
        results.append(try await ann.replace(.gitHub, with: ann.client.verify(world.google())))
        let providers: [ProviderID] = [.google, .google, .facebook, .gitHub, .gitHub, .google]
        XCTAssertEqual(results.map(\.provider), providers, "whose credential was used")
        XCTAssertEqual(results.map(\.additionalUserInfo?.provider), providers, "who said something of the person")
    }

    /// Holding a verified credential back makes no login younger, whatever it is used for.
    func testALoginByALinkCountsFromWhenItsCredentialWasVerified() async throws {
        let ann = try await world.signUpAnn(world.device())
        world.clock.advance(by: .seconds(3600))
        let verified = try await ann.client.verify(world.google())
        let shown = world.clock.timestamp
        world.clock.advance(by: .seconds(240))
        try await ann.link(with: verified)
        XCTAssertEqual(ann.session.authenticatedAt, shown)
        let other = try await ann.client.verify(world.facebook())
        world.clock.advance(by: .seconds(120))
        try await ann.replace(.google, with: other)
        XCTAssertEqual(ann.session.authenticatedAt, shown + .seconds(240))
    }

    /// A login that is younger than the credential stays as young as it is.
    func testALinkMakesNoLoginOlder() async throws {
        let ann = try await world.signUpAnn(world.device())
        let verified = try await ann.client.verify(world.google())
        world.clock.advance(by: .seconds(240))
        try await ann.reauthenticate(with: World.annsPassword)
        try await ann.link(with: verified)
        XCTAssertEqual(ann.session.authenticatedAt, world.clock.timestamp)
    }

    func testAnAccountWithoutAnAddressTakesTheProviders() async throws {
        let auth = world.device()
        let user = try await auth.signIn(with: world.digits(to: "+15550001234", from: auth)).user
        try await user.link(with: world.facebook())
        XCTAssertEqual(user.email, "ann@example.com")
        XCTAssertFalse(user.isEmailVerified)
        try await world.refusal(.emailAlreadyInUse) { try await world.signUpAnn(world.device("tablet")) }
    }

    func testAnAccountWithAnAddressKeepsIt() async throws {
        let ann = try await world.signUpAnn()
        try await ann.link(with: world.google(.ben))
        XCTAssertEqual(ann.email, "ann@example.com")
        XCTAssertFalse(ann.isEmailVerified)
        XCTAssertEqual(ann.providerData.map(\.email), ["ann@example.com", "ben@example.com"])
        // An address that stands only in an entry is still free.
        try await world.device("tablet").signUp(email: "ben@example.com", password: World.password)
    }

    func testOneIdentityOfAProviderIsEnough() async throws {
        let ann = try await world.device().signIn(with: world.google()).user
        for person in [SimulatedPerson.ann, .ben] {
            try await world.refusal(.providerAlreadyLinked, .providerIsLinked) {
                try await ann.link(with: world.google(person))
            }
        }
    }

    func testAnIdentityOfAnotherAccountIsInUse() async throws {
        try await world.device("tablet").signIn(with: world.facebook(.ben))
        let ann = try await world.device().signIn(with: world.google()).user
        let error = try await world.refusal(.credentialAlreadyInUse, .identityIsOwned) {
            try await ann.link(with: world.facebook(.ben))
        }
        XCTAssertEqual(error.conflict?.provider, .facebook)
        XCTAssertEqual(error.conflict?.existingProviders, [.facebook])
    }

    func testAnIdentityWithTheAddressOfAnotherAccountIsAConflict() async throws {
        try await world.device("tablet").signUp(email: "ben@example.com", password: World.password)
        let ann = try await world.signUpAnn()
        for credential in [world.google(.ben), world.gitHub(.ben)] {
            let error = try await world.refusal(.emailAlreadyInUse, .addressIsOwned) {
                try await ann.link(with: credential)
            }
            XCTAssertEqual(error.conflict?.email, "ben@example.com")
        }
    }

    /// Every address is reserved here, but the provider's word is too weak to meet a conflict by.
    func testAnAddressThatAProviderOnlyRepeatsIsShownWhereAnotherAccountHasIt() async throws {
        world.policy.addressTrust = .authorities(.wellKnown)
        let ben = try await world.device("tablet").signUp(email: "ben@example.com", password: World.password).user
        let guest = try await world.device().signInAnonymously().user
        try await guest.link(with: world.google(.ben, SimulatedToken(address: .unverified)))
        XCTAssertEqual(guest.email, "ben@example.com")
        XCTAssertFalse(guest.account.reservesEmail)
        let owner = try await world.service.account(email: "ben@example.com")
        XCTAssertEqual(owner?.id.text, ben.uid)
    }

    // MARK: Passwords

    func testALinkedPasswordEndsTheOtherSessionsAndProvesNothing() async throws {
        let ann = try await world.device().signIn(with: world.facebook()).user
        let other = try await world.device("tablet").signIn(with: world.facebook()).user
        try await ann.link(with: .password(email: "other@example.com", password: World.password))
        XCTAssertEqual(ann.email, "other@example.com")
        XCTAssertFalse(ann.isEmailVerified)
        XCTAssertEqual(ann.providerData.map(\.email), ["ann@example.com", "other@example.com"])
        try await world.refusal(.userTokenExpired) { try await other.reload() }
        try await ann.reload()
        XCTAssertEqual(ann.session.basis.kind, .password)
    }

    func testAPasswordForTheAccountsOwnAddressKeepsItVerified() async throws {
        let ann = try await world.device().signIn(with: world.google()).user
        let result = try await ann.link(with: World.annsPassword)
        XCTAssertEqual(result.provider, .password, "what was linked")
        XCTAssertTrue(ann.isEmailVerified)
        try await world.device("tablet").signIn(with: World.annsPassword)
    }

    func testAPasswordForTheAddressOfAnotherIsRefused() async throws {
        try await world.device("tablet").signIn(with: world.google(.ben))
        let guest = try await world.device().signInAnonymously().user
        try await world.refusal(.emailAlreadyInUse, .addressIsOwned) {
            try await guest.link(with: .password(email: "ben@example.com", password: World.password))
        }
    }

    /// As at a sign-up.
    func testAnAddressOfAnotherIsToldBeforeAWeakPassword() async throws {
        try await world.device("tablet").signIn(with: world.google(.ben))
        let ann = try await world.device().signIn(with: world.google()).user
        try await world.refusal(.emailAlreadyInUse, .addressIsOwned, "a weak password for another's address") {
            try await ann.link(with: .password(email: "ben@example.com", password: "short"))
        }
        try await world.refusal(.weakPassword, nil, "a weak password for the own address") {
            try await ann.link(with: .password(email: "ann@example.com", password: "short"))
        }
    }

    func testPasswordAndMailedLinkShareOneEntry() async throws {
        let auth = world.device()
        let byPassword = try await world.signUpAnn(auth)
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        try await world.refusal(.providerAlreadyLinked) { try await byPassword.link(with: link) }
        let byLink = try await auth.signIn(with: world.mailedLink(to: "ben@example.com", from: auth)).user
        try await world.refusal(.providerAlreadyLinked) {
            try await byLink.link(with: .password(email: "ben@example.com", password: World.password))
        }
    }

    // MARK: Mailed links

    func testALinkedMailboxBecomesTheVerifiedAddress() async throws {
        let auth = world.device()
        let ann = try await auth.signIn(with: world.facebook()).user
        let other = try await world.device("tablet").signIn(with: world.facebook()).user
        try await ann.link(with: world.mailedLink(to: "other@example.com", from: auth))
        XCTAssertEqual(ann.email, "other@example.com")
        XCTAssertTrue(ann.isEmailVerified)
        try await other.reload()
        // The address that it had before is free.
        try await world.signUpAnn(world.device("third"))
    }

    func testAMailboxOfAnotherAccountIsRefusedAndTheLinkStaysGood() async throws {
        let ben = try await world.device("tablet").signIn(with: world.google(.ben)).user
        let auth = world.device()
        let guest = try await auth.signInAnonymously().user
        let link = try await world.mailedLink(to: "ben@example.com", from: auth)
        try await world.refusal(.emailAlreadyInUse, .addressIsOwned) { try await guest.link(with: link) }
        let user = try await auth.signIn(with: link).user
        XCTAssertEqual(user.uid, ben.uid)
    }

    // MARK: Numbers

    func testALinkedNumberOpensTheAccount() async throws {
        let auth = world.device()
        let ann = try await world.signUpAnn(auth)
        try await ann.link(with: world.digits(to: "+15550001234", from: auth))
        XCTAssertEqual(ann.phoneNumber, "+15550001234")
        let again = try await auth.signIn(with: world.digits(to: "+15550001234", from: auth)).user
        XCTAssertEqual(again.uid, ann.uid)
    }

    func testASecondNumberIsRefusedAndAnUpdateReplacesTheFirst() async throws {
        let auth = world.device()
        let ann = try await world.signUpAnn(auth)
        try await ann.link(with: world.digits(to: "+15550001234", from: auth))
        let second = try await world.digits(to: "+15550005678", from: auth)
        try await world.refusal(.providerAlreadyLinked) { try await ann.link(with: second) }
        try await ann.updatePhoneNumber(with: second)
        XCTAssertEqual(ann.phoneNumber, "+15550005678")
        let first = try await auth.signIn(with: world.digits(to: "+15550001234", from: auth))
        XCTAssertTrue(first.isNewUser, "the number that was replaced is free")
    }

    func testTheAccountsOwnNumberPresentedAgainRenewsItsProof() async throws {
        world.startOver(.standard)
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        try await ann.link(with: world.digits(to: "+15550001234", from: world.device("phone")))
        world.clock.advance(by: .seconds(91 * 86_400))
        let auth = world.device("tablet")
        let user = try await auth.signIn(with: World.annsPassword).user
        try await user.updatePhoneNumber(with: world.digits(to: "+15550001234", from: auth))
        let other = world.device("other")
        let again = try await other.signIn(with: world.digits(to: "+15550001234", from: other)).user
        XCTAssertEqual(again.uid, ann.uid, "the number's proof is as old as before")
    }

    func testTheNumberOfAnotherAccountIsInUseAndLeadsThere() async throws {
        let auth = world.device()
        let owner = try await auth.signIn(with: world.digits(to: "+15550001234", from: auth)).user
        let ann = try await world.signUpAnn(auth)
        let credential = try await world.digits(to: "+15550001234", from: auth)
        let error = try await world.refusal(.credentialAlreadyInUse, .numberIsOwned) {
            try await ann.link(with: credential)
        }
        let conflict = try XCTUnwrap(error.conflict)
        XCTAssertEqual(conflict.provider, .phone)
        XCTAssertEqual(conflict.displayName, "+*******1234")
        try await world.refusal(.credentialAlreadyInUse, .numberIsOwned) {
            try await ann.link(with: conflict.credential)
        }
        let user = try await auth.signIn(with: conflict.credential).user
        XCTAssertEqual(user.uid, owner.uid)
    }

    // MARK: What cannot be linked

    func testNothingCannotBeLinked() async throws {
        let ann = try await world.signUpAnn()
        try await world.refusal(.operationNotAllowed) { try await ann.link(with: .anonymous) }
    }

    func testEveryLinkIsOneEventWithTheMethodsOnBothSides() async throws {
        let auth = world.device()
        let ann = try await world.signUpAnn(auth)
        try await ann.link(with: world.google())
        try await ann.link(with: world.digits(to: "+15550001234", from: auth))
        let events = try await world.service.events().events.filter { $0.kind == .methodsChanged }
        XCTAssertEqual(events.map { $0.before?.map(\.provider) }, [[.password], [.password, .google]])
        XCTAssertEqual(
            events.map { $0.after?.map(\.provider) },
            [[.password, .google], [.password, .google, .phone]]
        )
        XCTAssertEqual(events.map(\.actor), Array(repeating: .session(ann.session.id), count: 2))
    }

    func testAnIdentityThatARecoverySuspendedGivesWayToTheOwnersOwn() async throws {
        world.policy = .standard
        let eve = try await world.device("eve").signUp(email: "ann@example.com", password: "eves own word").user
        try await eve.link(with: world.gitHub(.eve))
        let auth = world.device()
        try await auth.sendPasswordReset(to: "ann@example.com")
        try await auth.confirmPasswordReset(
            code: try world.newestCode(to: "ann@example.com"),
            newPassword: World.password
        )
        let ann = try await auth.signIn(with: World.annsPassword).user
        try await ann.link(with: world.gitHub())
        let linked = try await world.account(ann).identities.map(\.email?.text)
        XCTAssertEqual(linked, ["ann@example.com"])
        let other = try await world.device("eve").signIn(with: world.gitHub(.eve))
        XCTAssertNotEqual(other.user.uid, ann.uid)
    }

    func testDigitsLinkANumberOnce() async throws {
        let auth = world.device()
        let ann = try await world.signUpAnn(auth)
        let credential = try await world.digits(to: "+15550001234", from: auth)
        try await ann.link(with: credential)
        try await ann.unlink(.phone)
        try await world.refusal(.invalidVerificationID, .codeIsUnknown) { try await ann.link(with: credential) }
    }
}
