@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What the next holder of a number, or a report, must not do where the policy switches methods off.
final class DisabledMethodAttackTests: LimitedTestCase {
    private var world = World(.standard)
    private let day = 86_400.0

    func testASessionGoesOnOnceItsProviderIsSwitchedOnAgain() async throws {
        let user = try await world.device("phone").signIn(with: world.credential(.google)).user
        let token = try await user.issueTokens().refreshToken
        world.policy.disabledProviders = [.google]
        await assertThrows(.userTokenExpired) { try await world.service.client().refresh(token) }
        try await world.service.sweep()
        world.policy.disabledProviders = []
        let isBack = await world.succeeds { try await world.service.client().refresh(token) }
        XCTAssertTrue(isBack, "a session that did not expire meanwhile")
    }

    func testS22_ANextHolderOfANumberGetsNoAccountThatAMailedLinkSignsInTo() async throws {
        let phone = world.device("phone")
        try await assertOnlyMailSignsIn(world.signUpVerifiedAnn(phone), "ann@example.com", phone, without: .password)
    }

    func testS22_NorOneWhereOnlyTheProviderOfTheMailboxIsOff() async throws {
        let phone = world.device("phone")
        let ann = try await phone.signIn(with: world.google(.ann.with(email: "ann@gmail.com"))).user
        try await assertOnlyMailSignsIn(ann, "ann@gmail.com", phone, without: .google)
    }

    /// Expects that, without the provider, a number of long ago does not sign in to the account, and a mailed link
    /// does.
    private func assertOnlyMailSignsIn(_ ann: User, _ email: String, _ phone: Auth, without provider: ProviderID)
        async throws
    {
        try await ann.link(with: world.digits(to: world.evesNumber, from: phone))
        world.clock.advance(by: .seconds(91 * day))
        world.policy.disabledProviders = [provider]
        let next = world.device("next")
        try await world.refusal(.accountExistsWithDifferentCredential, .numberVerificationIsOld) {
            try await next.signIn(with: world.digits(to: world.evesNumber, from: next))
        }
        let own = world.device("own")
        let back = try await own.signIn(with: world.mailedLink(to: email, from: own)).user
        XCTAssertEqual(back.uid, ann.uid, "the owner can sign in by a mailed link")
    }

    func testS21_AnOldNumberTakesNoFactorOffWherePasswordsAreOff() async throws {
        let phone = world.device("phone")
        let ann = try await world.signUpVerifiedAnn(phone)
        try await ann.link(with: world.digits(to: world.evesNumber, from: phone))
        world.clock.advance(by: .seconds(60))
        try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(91 * day))
        world.policy.disabledProviders = [.password]
        let thief = world.device("thief")
        let link = try await world.mailedLink(to: "ann@example.com", from: thief)
        let answer = try await thief.recoverFromLostFactors(
            with: link.mailed,
            and: world.digits(to: world.evesNumber, from: thief)
        )
        XCTAssertNotEqual(answer, .removed, "the mailbox and an old number took the factor off at once")
    }

    func testS18_AReportLeavesAMailedLinkWherePasswordsAreOff() async throws {
        try await world.signUpVerifiedAnn(world.device("laptop"))
        world.policy.disabledProviders = [.password]
        world.clock.advance(by: .seconds(day))
        let phone = world.device("phone")
        let ann = try await phone.signIn(with: world.mailedLink(to: "ann@example.com", from: phone)).user
        try await world.device("mail").reportUnauthorizedChange(code: world.code(.methodAdded, to: "ann@example.com"))
        let own = world.device("own")
        let back = try await own.signIn(with: world.mailedLink(to: "ann@example.com", from: own)).user
        XCTAssertEqual(back.uid, ann.uid, "the report suspended the only method that is left")
    }

    func testS9_ListsNameNothingThatIsDisabled() async throws {
        try await world.signUp("ann@gmail.com", in: world.device("phone"))
        let tablet = try await world.device("tablet").signIn(
            with: .password(email: "ann@gmail.com", password: World.password)
        ).user
        try await tablet.link(with: world.gitHub(.ben))
        try await tablet.link(with: silent(.ann))
        world.policy.disabledProviders = [.gitHub]
        let other = world.device("other")
        let conflict = try await world.conflict {
            try await other.signIn(with: world.google(.ann.with(email: "ann@gmail.com")))
        }
        XCTAssertEqual(conflict.existingProviders, [.password, .facebook])
    }

    func testAT7_ANumberThatMayNotSignInDoesNotReauthenticate() async throws {
        world.policy.phoneWithFactors = .refused
        let phone = world.device("phone")
        let ann = try await world.signUpVerifiedAnn(phone)
        try await ann.link(with: world.digits(to: world.evesNumber, from: phone))
        try await world.enrollTOTP(ann)
        let digits = try await world.digits(to: world.evesNumber, from: phone)
        try await world.refusal(.unsupportedFirstFactor, .phoneIsNoFirstFactorHere) {
            try await ann.reauthenticate(with: digits)
        }
    }

    func testS22_ANextHolderOfANumberGetsASeparateAccountWhereTheOwnerHasAVerifiedAddress() async throws {
        let phone = world.device("phone")
        let ann = try await phone.signIn(with: world.digits(to: world.evesNumber, from: phone)).user
        try await ann.updateEmail(to: "ann@example.com")
        try await world.verifyAddress(of: ann)
        world.clock.advance(by: .seconds(91 * day))
        let next = world.device("next")
        let conflict = try await world.conflict {
            try await next.signIn(with: world.digits(to: world.evesNumber, from: next))
        }
        let separate = try await next.createSeparateAccount(from: conflict).user
        XCTAssertNotEqual(separate.uid, ann.uid)
    }

    func testS22_AnOwnerWhomNoMailedLinkSignsInIsNotLockedOutByAnOldNumber() async throws {
        world.policy.disabledProviders = [.password]
        let phone = world.device("phone")
        let ann = try await phone.signIn(with: world.digits(to: world.evesNumber, from: phone)).user
        try await ann.updateEmail(to: "ann@example.com")
        try await ann.sendEmailVerification()
        // Opened in the browser of the mail app, so that the link covers nothing.
        try await world.device("mail").applyActionCode(world.code(.verifyEmail, to: "ann@example.com"))
        world.clock.advance(by: .seconds(91 * day))
        let own = world.device("own")
        let link = try await world.mailedLink(to: "ann@example.com", from: own)
        try await world.refusal(.accountExistsWithDifferentCredential, .methodsAreNotCovered, "a mailed link") {
            try await own.signIn(with: link)
        }
        let back = try await own.signIn(with: world.digits(to: world.evesNumber, from: own)).user
        XCTAssertEqual(back.uid, ann.uid, "whom the number signs in")
    }

    func testS22_AMailedLinkSignsInWhereItCoversTheNumber() async throws {
        world.policy.disabledProviders = [.password]
        let phone = world.device("phone")
        let ann = try await phone.signIn(with: world.digits(to: world.evesNumber, from: phone)).user
        try await ann.updateEmail(to: "ann@example.com")
        try await world.verifyAddress(of: ann)
        world.clock.advance(by: .seconds(91 * day))
        let own = world.device("own")
        let back = try await own.signIn(with: world.mailedLink(to: "ann@example.com", from: own)).user
        XCTAssertEqual(back.uid, ann.uid, "whom the mailed link signs in")
    }

    func testS10_TheMailedListNamesWhatSignsInWherePasswordsAreOff() async throws {
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        world.policy.disabledProviders = [.password]
        let own = world.device("own")
        try await own.sendSignInMethods(to: "ann@example.com")
        let list = world.outbox.last(to: "ann@example.com", .signInMethods)?.signInMethods
        let back = try await own.signIn(with: world.mailedLink(to: "ann@example.com", from: own)).user
        XCTAssertEqual(back.uid, ann.uid, "whom the mailed link signs in")
        XCTAssertEqual(try XCTUnwrap(list), [.password], "a mailed link is listed as a password is")
    }

    private func silent(_ person: SimulatedPerson = .ben) -> AuthCredential {
        world.credential(.facebook, person, saying: SimulatedToken(email: .absent))
    }
}
