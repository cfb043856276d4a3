import AuthCore
import AuthCoreTesting
import XCTest

/// What must not take a second factor off an account, or stand in for one.
final class FactorAttackTests: LimitedTestCase {
    private let world = World(.standard)
    private let gmail = SimulatedPerson.ann.with(email: "ann@gmail.com")

    /// A Google account and its mailbox are one thing: who has the one has the other.
    func testS21_GoogleAndTheMailboxThatGoogleRunsTakeNoFactorOffAtOnce() async throws {
        let ann = try await world.device("phone").signIn(with: world.google(gmail)).user
        world.clock.advance(by: .seconds(60))
        try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(30 * 86_400))
        let thief = world.device("thief")
        let link = try await world.mailedLink(to: "ann@gmail.com", from: thief)
        let answer = try await thief.recoverFromLostFactors(with: link.mailed, and: world.google(gmail))
        guard case .waiting = answer else { return XCTFail("the factors are \(answer)") }
        // A token that was asked for without the address is of the same Google account.
        let again = try await world.mailedLink(to: "ann@gmail.com", from: thief)
        let nameless = world.google(gmail.with(email: nil))
        let second = try await thief.recoverFromLostFactors(with: again.mailed, and: nameless)
        guard case .waiting = second else { return XCTFail("the factors are \(second)") }
        try await world.refusal(.secondFactorRequired, .secondFactorIsRequired) {
            try await thief.signIn(with: world.google(gmail))
        }
    }

    /// A provider that runs mailboxes gives one account several addresses.
    func testAnotherAddressAtTheProviderThatRunsTheMailboxTakesNoFactorOffAtOnce() async throws {
        let ann = try await world.device("phone").signIn(with: world.google(gmail)).user
        try await ann.link(with: world.credential(.gitHub))
        world.clock.advance(by: .seconds(60))
        try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(30 * 86_400))
        let thief = world.device("thief")
        let link = try await world.mailedLink(to: "ann@gmail.com", from: thief)
        let alias = world.google(gmail.with(email: "ann.archer@gmail.com"))
        let answer = try await thief.recoverFromLostFactors(with: link.mailed, and: alias)
        guard case .waiting = answer else { return XCTFail("the factors are \(answer)") }
        let other = try await world.mailedLink(to: "ann@gmail.com", from: thief)
        let second = try await thief.recoverFromLostFactors(with: other.mailed, and: world.credential(.gitHub))
        guard case .removed = second else { return XCTFail("with GitHub, the factors are \(second)") }
    }

    /// No provider is known to run mailboxes there, and a verified address that is not the mailbox is another proof.
    func testWhereEveryFlagIsBelievedAnotherAddressIsNotTheMailboxs() async throws {
        var policy = AuthPolicy.standard
        policy.addressTrust = .verifiedFlag
        let world = World(policy)
        let ann = try await world.signUpVerifiedAnn()
        let gitHub = world.credential(.gitHub, gmail)
        try await ann.link(with: gitHub)
        world.clock.advance(by: .seconds(60))
        try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(86_400))
        let auth = world.device("new")
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        let answer = try await auth.recoverFromLostFactors(with: link.mailed, and: world.credential(.gitHub, gmail))
        guard case .removed = answer else { return XCTFail("the factors are \(answer)") }
    }

    func testS21_ARecoveryWaitsAnewAfterTheAccountWasDisabled() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(60))
        try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(86_400))
        let thief = world.device("thief")
        _ = try await thief.recoverFromLostFactors(with: world.mailedLink(to: "ann@example.com", from: thief).mailed)
        _ = try await world.service.setDisabled(true, account: ann.accountID)
        world.clock.advance(by: .seconds(73 * 3600))
        _ = try await world.service.setDisabled(false, account: ann.accountID)
        let link = try await world.mailedLink(to: "ann@example.com", from: thief)
        let answer = try await thief.recoverFromLostFactors(with: link.mailed)
        guard case .waiting = answer else { return XCTFail("no session could object, and the factors are \(answer)") }
    }

    func testATokenClaimsNoFactorThatWasRemoved() async throws {
        let phone = world.device("phone")
        let ann = try await world.signUpVerifiedAnn(phone)
        let enrollment = try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(60))
        let tablet = world.device("tablet")
        let challenge = try await world.passwordChallenge(in: tablet)
        let other = try await tablet.resolve(challenge, with: .totp(world.totp(enrollment))).user
        let before = try await other.idTokenResult(forcingRefresh: true)
        XCTAssertEqual(before.signInSecondFactor, "totp")
        let factor = try XCTUnwrap(ann.multiFactor.enrolledFactors.first?.id)
        try await ann.multiFactor.unenroll(factor)
        let after = try await other.idTokenResult(forcingRefresh: true)
        XCTAssertNil(after.signInSecondFactor)
        let claims = after.claims["firebase"]?.objectValue
        XCTAssertNil(claims?["sign_in_second_factor"], "the token claims a factor that the account no longer has")
        XCTAssertNil(claims?["second_factor_identifier"])
    }

    func testS13_AYoungerLoginReplacesNoRecoveryCodes() async throws {
        let phone = world.device("phone")
        let ann = try await world.signUpVerifiedAnn(phone)
        try await world.enrollTOTP(ann)
        let codes = try await ann.multiFactor.makeRecoveryCodes()
        world.clock.advance(by: .seconds(60))
        try await ann.link(with: world.gitHub(.eve))
        let eve = world.device("eve")
        let challenge = try await world.challenge { try await eve.signIn(with: world.gitHub(.eve)) }
        let thief = try await eve.resolve(challenge, with: .recoveryCode(codes[0])).user
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await thief.multiFactor.makeRecoveryCodes()
        }
    }

    func testS21_AFactorKeepsTheAddressByWhichItsLossIsMended() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.gitHub(.ben))
        try await world.enrollTOTP(ann)
        try await world.refusal(.unverifiedEmail, .factorNeedsAddress, "unlinked") {
            try await ann.unlink(.password)
        }
        let silent = world.credential(.facebook, .ben, saying: SimulatedToken(email: .absent))
        try await world.refusal(.unverifiedEmail, .factorNeedsAddress, "replaced") {
            try await ann.replace(.password, with: silent)
        }
        let preview = try await ann.previewUnlink(.password)
        XCTAssertEqual(preview.remedies, [.removeFactors], "the address is verified already")
    }

    /// A number that signs in to an account with a factor cannot be taken from it by way of a guest.
    func testS22_ANumberThatSignsInIsNotTakenThroughALink() async throws {
        let phone = world.device("phone")
        let ann = try await world.signUpVerifiedAnn(phone)
        try await ann.link(with: world.digits(to: world.evesNumber, from: phone))
        try await world.enrollTOTP(ann)
        let thief = world.device("thief")
        let guest = try await thief.signInAnonymously().user
        let digits = try await world.digits(to: world.evesNumber, from: thief)
        let error = try await world.refusal(.credentialAlreadyInUse, .numberIsOwned) {
            try await guest.link(with: digits)
        }
        let conflict = try XCTUnwrap(error.conflict)
        try await world.refusal(.credentialAlreadyInUse, .numberIsOwned, "a separate account") {
            try await thief.createSeparateAccount(from: conflict)
        }
        let after = try await world.account(ann)
        XCTAssertEqual(after.phoneNumber?.text, world.evesNumber)
    }

    func testS21_ARecoveryWaitsAnewAfterADeletionWasRequested() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(60))
        try await world.enrollTOTP(ann)
        let thief = world.device("thief")
        _ = try await thief.recoverFromLostFactors(with: world.mailedLink(to: "ann@example.com", from: thief).mailed)
        try await ann.delete()
        world.clock.advance(by: .seconds(73 * 3600))
        let link = try await world.mailedLink(to: "ann@example.com", from: thief)
        let answer = try await thief.recoverFromLostFactors(with: link.mailed)
        XCTAssertEqual(answer, .waiting(until: world.clock.now + 72 * 3600), "no session could object")
        let after = try await world.account(ann)
        XCTAssertEqual(after.factors.count, 1, "the factors are removed")
    }

    func testS21_AnUndoneMergeLeavesNoFactorWithoutAVerifiedAddress() async throws {
        try await world.signUp("ann@example.com", linking: world.gitHub(.ann), in: world.device("phone"))
        let silent = world.credential(.facebook, .ben, saying: SimulatedToken(email: .absent))
        try await world.device("ben").signIn(with: silent)
        world.clock.advance(by: .seconds(60))
        let client = world.service.client(world.context)
        let merged = try await client.merge(world.passwordSide("ann@example.com"), into: world.side(silent))
        XCTAssertEqual(merged.plan.movedAddress, "ann@example.com")
        let user = merged.result.user
        let enrollment = try await world.enrollTOTP(user)
        world.clock.advance(by: .seconds(3600))
        let side = try await world.passwordSide("ann@example.com")
        let error = try await world.refusal(.secondFactorRequired) {
            try await client.undoMerge(merged.id, verifiedBy: side)
        }
        let challenge = try XCTUnwrap(error.secondFactor)
        try await world.refusal(.unverifiedEmail, .factorNeedsAddress) {
            try await client.undoMerge(merged.id, verifiedBy: .answering(challenge, .totp(world.totp(enrollment))))
        }
    }

    /// Apple's relay forwards nothing once the Apple identity is gone.
    func testS21_AFactorKeepsTheIdentityWithoutWhichItsAddressReceivesNoMail() async throws {
        let relayed = SimulatedPerson.ann.with(email: "x7@privaterelay.appleid.com")
        let ann = try await world.device("phone").signIn(with: world.credential(.apple, relayed)).user
        try await ann.link(with: world.gitHub(.ben))
        try await world.enrollTOTP(ann)
        try await world.refusal(.unverifiedEmail, .factorNeedsAddress) { try await ann.unlink(.apple) }
    }
}
