@testable import AuthCore
import AuthCoreCrypto
import AuthCoreTesting
import XCTest

final class SecondFactorEnrollmentTests: LimitedTestCase {
    private var world = World(.firebase)

    func testAFactorIsEnrolledByACodeOfItsOwn() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollPhone(ann, name: "phone")
        try await world.enrollTOTP(ann)
        let factors = ann.multiFactor.enrolledFactors
        XCTAssertEqual(factors.map(\.kind), [.phone, .totp])
        XCTAssertEqual(factors.map(\.displayName), ["phone", "app"])
        XCTAssertEqual(factors.map(\.maskedPhoneNumber), ["+*******1234", nil])
        XCTAssertEqual(factors.map(\.enrolledAt), [world.clock.now, world.clock.now])
        XCTAssertNil(ann.phoneNumber, "a factor is no sign-in method")
        let kinds = try await world.eventKinds()
        XCTAssertEqual(kinds.suffix(2), [.factorsChanged, .factorsChanged])
    }

    func testTheAddressHasToBeVerified() async throws {
        let ann = try await world.signUpAnn()
        try await world.refusal(.unverifiedEmail, .addressIsNotVerified) {
            try await ann.multiFactor.sendPhoneCode(to: world.number)
        }
        try await world.refusal(.unverifiedEmail, .addressIsNotVerified) {
            try await ann.multiFactor.startTOTP(issuer: "Boats")
        }
    }

    func testTheAddressHasToBeVerifiedStillWhenTheCodeComesBack() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let id = try await ann.multiFactor.sendPhoneCode(to: world.number)
        let enrollment = try await ann.multiFactor.startTOTP(issuer: "Boats")
        try await ann.updateEmail(to: "new@example.com")
        try await world.refusal(.unverifiedEmail) {
            try await ann.multiFactor.enroll(phoneVerificationID: id, code: try world.newestCode(to: world.number))
        }
        try await world.refusal(.unverifiedEmail) {
            try await ann.multiFactor.enroll(enrollment, code: try world.totp(enrollment))
        }
    }

    func testWhatCountsIsHowTheSessionBegan() async throws {
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        try await ann.link(with: world.digits(to: "+15550005678", from: auth))
        try await world.refusal(.unsupportedFirstFactor, .sessionMayNotEnroll) {
            try await ann.multiFactor.sendPhoneCode(to: world.number)
        }
        let guest = try await world.device("guest").signInAnonymously().user
        try await world.refusal(.unsupportedFirstFactor, .sessionMayNotEnroll) {
            try await guest.multiFactor.startTOTP(issuer: "Boats")
        }
        try await ann.reauthenticate(with: World.annsPassword)
        try await world.enrollPhone(ann)
        let byGoogle = try await world.device("tablet").signIn(with: world.google(.ben)).user
        try await world.enrollTOTP(byGoogle)
        let byLink = try await auth.signIn(with: world.mailedLink(to: "c@example.com", from: auth)).user
        try await world.enrollTOTP(byLink)
    }

    func testANumberIsAFactorOnceOnAnAccountAndMayBeOneElsewhere() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let early = try await ann.multiFactor.sendPhoneCode(to: world.number)
        let earlyCode = try world.newestCode(to: world.number)
        try await world.enrollPhone(ann)
        try await world.refusal(.secondFactorAlreadyEnrolled, .factorIsEnrolled) {
            try await ann.multiFactor.sendPhoneCode(to: world.number)
        }
        try await world.refusal(.secondFactorAlreadyEnrolled, .factorIsEnrolled) {
            try await ann.multiFactor.enroll(phoneVerificationID: early, code: earlyCode)
        }
        let ben = try await world.device("tablet").signIn(with: world.google(.ben)).user
        try await world.enrollPhone(ben)
    }

    func testTheLimitOfThePolicyHolds() async throws {
        world.policy.factorLimit = 1
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollTOTP(ann)
        try await world.refusal(.maximumSecondFactorCountExceeded, .factorLimitIsReached) {
            try await ann.multiFactor.sendPhoneCode(to: world.number)
        }
    }

    func testAWrongCodeEnrolsNothingAndTheRightOneStillDoes() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let enrollment = try await ann.multiFactor.startTOTP(issuer: "Boats")
        try await world.refusal(.invalidVerificationCode, .codeIsWrong) {
            try await ann.multiFactor.enroll(enrollment, code: try world.totp(enrollment, steps: 5))
        }
        try await ann.multiFactor.enroll(enrollment, code: try world.totp(enrollment))
        try await world.refusal(.invalidMultiFactorSession, .challengeIsOver) {
            try await ann.multiFactor.enroll(enrollment, code: try world.totp(enrollment, steps: 1))
        }
    }

    func testASeedOrACodeIsGoodForTheAccountThatAskedForItOnly() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let ben = try await world.device("tablet").signIn(with: world.google(.ben)).user
        let enrollment = try await ann.multiFactor.startTOTP(issuer: "Boats")
        try await world.refusal(.invalidMultiFactorSession) {
            try await ben.multiFactor.enroll(enrollment, code: try world.totp(enrollment))
        }
        let id = try await ann.multiFactor.sendPhoneCode(to: world.number)
        try await world.refusal(.deviceMismatch, .codeIsOfAnotherDevice) {
            try await ben.multiFactor.enroll(phoneVerificationID: id, code: try world.newestCode(to: world.number))
        }
        let benBesideAnn = try await world.device().signIn(with: world.google(.ben)).user
        try await world.refusal(.invalidVerificationID, .codeIsForSomethingElse) {
            try await benBesideAnn.multiFactor.enroll(
                phoneVerificationID: id,
                code: try world.newestCode(to: world.number)
            )
        }
    }

    func testDigitsForSigningInEnrolNothing() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let id = try await world.device().sendPhoneCode(to: world.number)
        try await world.refusal(.invalidVerificationID, .codeIsForSomethingElse) {
            try await ann.multiFactor.enroll(phoneVerificationID: id, code: try world.newestCode(to: world.number))
        }
    }

    func testASeedThatIsNotConfirmedInTimeIsForgotten() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let enrollment = try await ann.multiFactor.startTOTP(issuer: "Boats")
        world.clock.advance(by: .seconds(600))
        try await world.refusal(.invalidMultiFactorSession, .challengeIsOver) {
            try await ann.multiFactor.enroll(enrollment, code: try world.totp(enrollment))
        }
    }

    func testTheAddressForTheAuthenticatorNamesIssuerAndAccount() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let enrollment = try await ann.multiFactor.startTOTP(issuer: "Lake Boats")
        XCTAssertTrue(
            enrollment.provisioningURI.hasPrefix("otpauth://totp/Lake%20Boats:ann%40example.com?secret="),
            enrollment.provisioningURI
        )
        XCTAssertEqual(Base32.decode(enrollment.sharedSecret)?.count, 20)
        let named = try await ann.multiFactor.startTOTP(issuer: "Boats", accountName: "Annie").provisioningURI
        XCTAssertTrue(named.hasPrefix("otpauth://totp/Boats:Annie?"), named)
    }

    func testASeedThatCannotBeSealedIsNotGivenOut() async throws {
        struct Broken: SecretSealer {
            struct Failure: Error {}

            func seal(_ plain: [UInt8], context: String) throws -> [UInt8] { throw Failure() }

            func open(_ sealed: [UInt8], context: String) throws -> [UInt8] { throw Failure() }
        }
        var configuration = world.service.configuration
        configuration.secretSealer = Broken()
        let ann = try await world.signUpVerifiedAnn(
            Auth(service: AuthService(configuration), device: DeviceID(named: "phone"))
        )
        let error = try await world.refusal(.internalError) { try await ann.multiFactor.startTOTP(issuer: "Boats") }
        XCTAssertTrue(error.cause is Broken.Failure)
    }

    func testALoginYoungerThanAFactorDoesNotRemoveIt() async throws {
        world.policy.seniority = .seconds(7 * 86400)
        let ann = try await world.signUpVerifiedAnn()
        let enrollment = try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(60))
        try await ann.link(with: world.google())
        let tablet = world.device("tablet")
        let owed = try await world.challenge { try await tablet.signIn(with: world.google()) }
        let young = try await tablet.resolve(owed, with: .totp(world.totp(enrollment))).user
        let id = try XCTUnwrap(young.multiFactor.enrolledFactors.first?.id)
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) { try await young.multiFactor.unenroll(id) }
        world.clock.advance(by: .seconds(7 * 86400))
        try await young.multiFactor.unenroll(id)
    }

    // MARK: Changing factors

    func testAFactorIsRenamedAndRemoved() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let id = try await world.enrollPhone(ann, name: "phone")
        try await ann.multiFactor.rename(id, to: "new phone")
        XCTAssertEqual(ann.multiFactor.enrolledFactors.map(\.displayName), ["new phone"])
        try await ann.multiFactor.rename(id, to: nil)
        XCTAssertEqual(ann.multiFactor.enrolledFactors.map(\.displayName), [nil], "after its name was taken away")
        try await ann.multiFactor.unenroll(id)
        XCTAssertTrue(ann.multiFactor.enrolledFactors.isEmpty)
        try await world.device("tablet").signIn(with: World.annsPassword)
        try await world.refusal(.multiFactorInfoNotFound, .factorIsUnknown) { try await ann.multiFactor.unenroll(id) }
        try await world.refusal(.multiFactorInfoNotFound, .factorIsUnknown) {
            try await ann.multiFactor.rename(id, to: nil)
        }
    }

    func testASessionRestsOnTheFactorItShowedUntilThatOneIsRemoved() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let app = try await world.enrollTOTP(ann)
        let phone = try await world.enrollPhone(ann)
        world.clock.advance(by: .seconds(60))
        let tablet = world.device("tablet")
        let owed = try await world.challenge { try await tablet.signIn(with: World.annsPassword) }
        let user = try await tablet.resolve(owed, with: .totp(world.totp(app))).user
        let shown = try XCTUnwrap(user.session.factor?.factor)
        try await user.multiFactor.unenroll(phone)
        XCTAssertEqual(user.session.factor?.factor, shown, "after another factor was removed")
        try await user.multiFactor.unenroll(shown)
        XCTAssertNil(user.session.factor, "after the factor that the session showed was removed")
    }

    func testChangingFactorsMayNeedOneToHaveBeenShown() async throws {
        world.policy.factorChangeNeedsFactor = true
        let ann = try await world.signUpVerifiedAnn()
        let other = try await world.device("tablet").signIn(with: World.annsPassword).user
        let id = try await world.enrollPhone(ann)
        try await world.refusal(.requiresRecentLogin, .secondFactorIsRequired) {
            try await other.multiFactor.unenroll(id)
        }
        try await world.refusal(.requiresRecentLogin, .secondFactorIsRequired) {
            try await other.multiFactor.startTOTP(issuer: "Boats")
        }
        try await ann.multiFactor.unenroll(id)
    }

    func testRecoveryCodesNeedAFactorAndGoWithTheLastOne() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await world.refusal(.multiFactorInfoNotFound, .factorIsUnknown) {
            try await ann.multiFactor.makeRecoveryCodes()
        }
        let id = try await world.enrollPhone(ann)
        let codes = try await ann.multiFactor.makeRecoveryCodes(count: 4)
        XCTAssertEqual(Set(codes).count, 4)
        XCTAssertEqual(ann.multiFactor.remainingRecoveryCodeCount, 4)
        try await ann.multiFactor.unenroll(id)
        XCTAssertEqual(ann.multiFactor.remainingRecoveryCodeCount, 0)
    }

    func testEnrollingEndsNoSession() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let other = try await world.device("tablet").signIn(with: World.annsPassword).user
        try await world.enrollPhone(ann)
        try await other.reload()
        XCTAssertNil(other.session.factor)
        XCTAssertEqual(ann.session.factor?.kind, .phone)
    }

    func testAnEnrollmentIsCompletedByItsIDInAnotherRequest() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let enrollment = try await ann.multiFactor.startTOTP(issuer: "Boats")
        await assertThrows(.invalidMultiFactorSession, "an ID that is none") {
            try await ann.multiFactor.enroll(totpEnrollmentID: "none", code: try self.world.totp(enrollment))
        }
        try await ann.multiFactor.enroll(totpEnrollmentID: enrollment.id, code: try world.totp(enrollment))
        let factors = ann.multiFactor.enrolledFactors
        XCTAssertEqual(factors.map(\.kind), [.totp], "the factors after the second request")
    }

    /// A session may not have heard yet that the account has an address by now.
    func testAnAuthenticatorAppNamesAnAccountWithoutAnAddressByItsId() async throws {
        let nameless = world.google(.ann, SimulatedToken(email: .absent))
        let ann = try await world.device().signIn(with: nameless).user
        let other = try await world.device("tablet").signIn(with: nameless).user
        try await other.link(with: world.mailedLink(to: "ann@example.com", from: world.device("tablet")))
        let enrollment = try await ann.multiFactor.startTOTP(issuer: "Boats")
        XCTAssertTrue(enrollment.provisioningURI.contains(ann.uid), enrollment.provisioningURI)
    }
}
