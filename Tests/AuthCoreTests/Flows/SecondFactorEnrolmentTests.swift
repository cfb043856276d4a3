@testable import AuthCore
import AuthCoreTesting
import XCTest

final class SecondFactorEnrolmentTests: SecondFactorTestCase {
    func testAFactorIsEnrolledByACodeOfItsOwn() async throws {
        let ann = try await signUpProvenAnn()
        try await enrollPhone(ann, name: "phone")
        try await enrollTOTP(ann)
        let factors = ann.multiFactor.enrolledFactors
        XCTAssertEqual(factors.map(\.kind), [.phone, .totp])
        XCTAssertEqual(factors.map(\.displayName), ["phone", "app"])
        XCTAssertEqual(factors.map(\.maskedPhoneNumber), ["+*******1234", nil])
        XCTAssertEqual(factors.map(\.enrolledAt), [clock.now, clock.now])
        XCTAssertNil(ann.phoneNumber, "a factor is no way in")
        let kinds = try await eventKinds()
        XCTAssertEqual(kinds.suffix(2), [.factorsChanged, .factorsChanged])
    }

    func testTheAddressHasToBeProved() async throws {
        let ann = try await signUpAnn()
        try await refusal(.unverifiedEmail, .addressIsNotProven) { try await ann.multiFactor.sendCode(to: number) }
        try await refusal(.unverifiedEmail, .addressIsNotProven) {
            try await ann.multiFactor.startTOTP(issuer: "Boats")
        }
    }

    func testTheAddressHasToBeProvedStillWhenTheCodeComesBack() async throws {
        let ann = try await signUpProvenAnn()
        let id = try await ann.multiFactor.sendCode(to: number)
        let enrollment = try await ann.multiFactor.startTOTP(issuer: "Boats")
        try await ann.updateEmail(to: "new@example.com")
        try await refusal(.unverifiedEmail) {
            try await ann.multiFactor.enroll(phoneVerificationID: id, code: try newestCode(to: number))
        }
        try await refusal(.unverifiedEmail) { try await ann.multiFactor.enroll(enrollment, code: try totp(enrollment)) }
    }

    func testWhatCountsIsHowTheSessionBegan() async throws {
        let auth = seat()
        let ann = try await signUpProvenAnn(auth)
        try await ann.link(with: digits(to: "+15550005678", from: auth))
        try await refusal(.unsupportedFirstFactor, .sessionMayNotEnrol) {
            try await ann.multiFactor.sendCode(to: number)
        }
        let guest = try await seat("guest").signInAnonymously().user
        try await refusal(.unsupportedFirstFactor, .sessionMayNotEnrol) {
            try await guest.multiFactor.startTOTP(issuer: "Boats")
        }
        try await ann.reauthenticate(with: Self.annsPassword)
        try await enrollPhone(ann)
        let byGoogle = try await seat("tablet").signIn(with: google(.ben)).user
        try await enrollTOTP(byGoogle)
        let byLink = try await auth.signIn(with: mailedLink(to: "c@example.com", from: auth)).user
        try await enrollTOTP(byLink)
    }

    func testANumberIsAFactorOnceOnAnAccountAndMayBeOneElsewhere() async throws {
        let ann = try await signUpProvenAnn()
        let early = try await ann.multiFactor.sendCode(to: number)
        let earlyCode = try newestCode(to: number)
        try await enrollPhone(ann)
        try await refusal(.secondFactorAlreadyEnrolled, .factorIsEnrolled) {
            try await ann.multiFactor.sendCode(to: number)
        }
        try await refusal(.secondFactorAlreadyEnrolled, .factorIsEnrolled) {
            try await ann.multiFactor.enroll(phoneVerificationID: early, code: earlyCode)
        }
        let ben = try await seat("tablet").signIn(with: google(.ben)).user
        try await enrollPhone(ben)
    }

    func testTheLimitOfThePolicyHolds() async throws {
        policy.factorLimit = 1
        let ann = try await signUpProvenAnn()
        try await enrollTOTP(ann)
        try await refusal(.maximumSecondFactorCountExceeded, .factorLimitIsReached) {
            try await ann.multiFactor.sendCode(to: number)
        }
    }

    func testAWrongCodeEnrolsNothingAndTheRightOneStillDoes() async throws {
        let ann = try await signUpProvenAnn()
        let enrollment = try await ann.multiFactor.startTOTP(issuer: "Boats")
        try await refusal(.invalidVerificationCode, .codeIsWrong) {
            try await ann.multiFactor.enroll(enrollment, code: try totp(enrollment, steps: 5))
        }
        try await ann.multiFactor.enroll(enrollment, code: try totp(enrollment))
        try await refusal(.invalidMultiFactorSession, .challengeIsOver) {
            try await ann.multiFactor.enroll(enrollment, code: try totp(enrollment, steps: 1))
        }
    }

    func testASeedOrACodeIsGoodForTheAccountThatAskedForItOnly() async throws {
        let ann = try await signUpProvenAnn()
        let ben = try await seat("tablet").signIn(with: google(.ben)).user
        let enrollment = try await ann.multiFactor.startTOTP(issuer: "Boats")
        try await refusal(.invalidMultiFactorSession) {
            try await ben.multiFactor.enroll(enrollment, code: try totp(enrollment))
        }
        let id = try await ann.multiFactor.sendCode(to: number)
        try await refusal(.invalidVerificationID, .codeIsForSomethingElse) {
            try await ben.multiFactor.enroll(phoneVerificationID: id, code: try newestCode(to: number))
        }
    }

    func testDigitsForSigningInEnrolNothing() async throws {
        let ann = try await signUpProvenAnn()
        let id = try await seat().sendPhoneCode(to: number)
        try await refusal(.invalidVerificationID, .codeIsForSomethingElse) {
            try await ann.multiFactor.enroll(phoneVerificationID: id, code: try newestCode(to: number))
        }
    }

    func testASeedThatIsNotConfirmedInTimeIsForgotten() async throws {
        let ann = try await signUpProvenAnn()
        let enrollment = try await ann.multiFactor.startTOTP(issuer: "Boats")
        clock.advance(by: 600)
        try await refusal(.invalidMultiFactorSession, .challengeIsOver) {
            try await ann.multiFactor.enroll(enrollment, code: try totp(enrollment))
        }
    }

    func testTheAddressForTheAuthenticatorNamesIssuerAndAccount() async throws {
        let ann = try await signUpProvenAnn()
        let enrollment = try await ann.multiFactor.startTOTP(issuer: "Lake Boats")
        XCTAssertTrue(
            enrollment.provisioningURI.hasPrefix("otpauth://totp/Lake%20Boats:ann%40example.com?secret="),
            enrollment.provisioningURI
        )
        XCTAssertEqual(Base32.decode(enrollment.sharedSecret)?.count, 20)
    }

    func testASeedThatCannotBeSealedIsNotGivenOut() async throws {
        struct Broken: SecretSealer {
            struct Failure: Error {}

            func seal(_ plain: [UInt8], context: String) throws -> [UInt8] { throw Failure() }

            func open(_ sealed: [UInt8], context: String) throws -> [UInt8] { throw Failure() }
        }
        var configuration = service.configuration
        configuration.secretSealer = Broken()
        let ann = try await signUpProvenAnn(Auth(service: AuthService(configuration), seat: SeatID("phone")))
        let error = try await refusal(.internalError) { try await ann.multiFactor.startTOTP(issuer: "Boats") }
        XCTAssertTrue(error.cause is Broken.Failure)
    }

    func testALoginYoungerThanAFactorDoesNotRemoveIt() async throws {
        policy.seniority = .seconds(7 * 86400)
        let ann = try await signUpProvenAnn()
        let enrollment = try await enrollTOTP(ann)
        clock.advance(by: 60)
        try await ann.link(with: google())
        let tablet = seat("tablet")
        let owed = try await challenge { try await tablet.signIn(with: google()) }
        let young = try await tablet.resolve(owed, with: .totp(totp(enrollment))).user
        let id = try XCTUnwrap(young.multiFactor.enrolledFactors.first?.id)
        try await refusal(.requiresRecentLogin, .loginIsNotSenior) { try await young.multiFactor.unenroll(id) }
        clock.advance(by: 7 * 86400)
        try await young.multiFactor.unenroll(id)
    }

    // MARK: Changing factors

    func testAFactorIsRenamedAndRemoved() async throws {
        let ann = try await signUpProvenAnn()
        let id = try await enrollPhone(ann, name: "phone")
        try await ann.multiFactor.rename(id, to: "new phone")
        XCTAssertEqual(ann.multiFactor.enrolledFactors.map(\.displayName), ["new phone"])
        try await ann.multiFactor.unenroll(id)
        XCTAssertTrue(ann.multiFactor.enrolledFactors.isEmpty)
        try await seat("tablet").signIn(with: Self.annsPassword)
        try await refusal(.multiFactorInfoNotFound, .factorIsUnknown) { try await ann.multiFactor.unenroll(id) }
        try await refusal(.multiFactorInfoNotFound, .factorIsUnknown) { try await ann.multiFactor.rename(id, to: nil) }
    }

    func testChangingFactorsMayNeedOneToHaveBeenShown() async throws {
        policy.factorChangeNeedsFactor = true
        let ann = try await signUpProvenAnn()
        let other = try await seat("tablet").signIn(with: Self.annsPassword).user
        let id = try await enrollPhone(ann)
        try await refusal(.requiresRecentLogin, .secondFactorIsOwed) { try await other.multiFactor.unenroll(id) }
        try await refusal(.requiresRecentLogin, .secondFactorIsOwed) {
            try await other.multiFactor.startTOTP(issuer: "Boats")
        }
        try await ann.multiFactor.unenroll(id)
    }

    func testRecoveryCodesNeedAFactorAndGoWithTheLastOne() async throws {
        let ann = try await signUpProvenAnn()
        try await refusal(.multiFactorInfoNotFound) { try await ann.multiFactor.makeRecoveryCodes() }
        let id = try await enrollPhone(ann)
        let codes = try await ann.multiFactor.makeRecoveryCodes(count: 4)
        XCTAssertEqual(Set(codes).count, 4)
        XCTAssertEqual(ann.multiFactor.recoveryCodesLeft, 4)
        try await ann.multiFactor.unenroll(id)
        XCTAssertEqual(ann.multiFactor.recoveryCodesLeft, 0)
    }

    func testEnrollingEndsNoSession() async throws {
        let ann = try await signUpProvenAnn()
        let other = try await seat("tablet").signIn(with: Self.annsPassword).user
        try await enrollPhone(ann)
        try await other.reload()
        XCTAssertNil(other.session.factor)
        XCTAssertEqual(ann.session.factor?.kind, .phone)
    }

    /// A session may not have heard yet that the account has an address by now.
    func testAnAuthenticatorAppNamesAnAccountWithoutAnAddressByItsId() async throws {
        let nameless = google(.ann, SimulatedToken(email: .absent))
        let ann = try await seat().signIn(with: nameless).user
        let other = try await seat("tablet").signIn(with: nameless).user
        try await other.link(with: mailedLink(to: "ann@example.com", from: seat("tablet")))
        let enrollment = try await ann.multiFactor.startTOTP(issuer: "Boats")
        XCTAssertTrue(enrollment.provisioningURI.contains(ann.uid), enrollment.provisioningURI)
    }
}
