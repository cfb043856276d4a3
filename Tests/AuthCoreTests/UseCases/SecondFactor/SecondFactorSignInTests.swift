@testable import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

final class SecondFactorSignInTests: LimitedTestCase {
    private var world = World(.firebase)

    func testTheFirstFactorAloneBuysAChallengeAndChangesNothing() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollPhone(ann, name: "phone")
        let auth = world.device("tablet")
        world.clock.advance(by: .seconds(60))
        let challenge = try await world.passwordChallenge(in: auth)
        XCTAssertNil(auth.currentUser)
        XCTAssertEqual(challenge.hints.map(\.displayName), ["phone"])
        XCTAssertEqual(challenge.expiresAt, world.clock.now.addingTimeInterval(600))
        let sessions = try await ann.sessions()
        XCTAssertEqual(sessions.count, 1)
        try await ann.reload()
        XCTAssertEqual(ann.metadata.lastSignInDate, ann.metadata.creationDate)
    }

    func testEveryFirstFactorIsAskedForTheSecond() async throws {
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        try await auth.signIn(with: world.mailedLink(to: "ann@example.com", from: auth))
        try await ann.link(with: world.google())
        try await world.enrollPhone(try await auth.signIn(with: World.annsPassword).user)
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        for (provider, credential) in [
            (ProviderID.password, World.annsPassword), (.password, link), (.google, world.google()),
        ] {
            let challenge = try await world.challenge { try await auth.signIn(with: credential) }
            let result = try await auth.resolve(challenge, with: world.phoneAnswer(challenge, from: auth))
            XCTAssertEqual(result.user.uid, ann.uid)
            XCTAssertEqual(result.provider, provider)
            XCTAssertFalse(result.isNewUser)
            XCTAssertEqual(result.user.session.factor?.kind, .phone)
            XCTAssertTrue(auth.currentUser === result.user)
        }
    }

    /// On a device that the account knows, a sign-in by a known identity changes nothing but the factor's last use.
    func testDigitsOfAnAppThatWereUsedBesideAKnownIdentityAreNotAcceptedAgain() async throws {
        let auth = world.device()
        let ann = try await auth.signIn(with: world.google()).user
        let enrollment = try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(60))
        let digits = SecondFactor.Assertion.totp(try world.totp(enrollment))
        let first = try await world.challenge { try await auth.signIn(with: world.google()) }
        try await auth.resolve(first, with: digits)
        let second = try await world.challenge { try await auth.signIn(with: world.google()) }
        await assertThrows(.invalidVerificationCode, "the same digits once more") {
            try await auth.resolve(second, with: digits)
        }
    }

    func testANumberOpensNoAccountWithFactors() async throws {
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        try await ann.link(with: world.digits(to: "+15550005678", from: auth))
        let early = try await world.digits(to: "+15550005678", from: auth)
        try await ann.reauthenticate(with: World.annsPassword)
        try await world.enrollTOTP(ann)
        try await world.refusal(.unsupportedFirstFactor, .phoneIsNoFirstFactorHere) {
            try await auth.sendPhoneCode(to: "+15550005678")
        }
        try await world.refusal(.unsupportedFirstFactor, .phoneIsNoFirstFactorHere) {
            try await auth.signIn(with: early)
        }
    }

    func testANumberMayBeAFirstFactorLikeAnyOther() async throws {
        world.policy.phoneWithFactors = .asksForFactor
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        try await ann.link(with: world.digits(to: "+15550005678", from: auth))
        try await ann.reauthenticate(with: World.annsPassword)
        let enrollment = try await world.enrollTOTP(ann)
        let credential = try await world.digits(to: "+15550005678", from: auth)
        let challenge = try await world.challenge { try await auth.signIn(with: credential) }
        let result = try await auth.resolve(challenge, with: .totp(world.totp(enrollment, steps: 1)))
        XCTAssertEqual(result.user.session.basis.kind, .phone)
    }

    func testAnonymousAndFactorlessAccountsAreNotAsked() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let id = try await world.enrollPhone(ann)
        try await ann.multiFactor.unenroll(id)
        let back = try await world.device("tablet").signIn(with: World.annsPassword).user
        XCTAssertEqual(back.uid, ann.uid, "the account without its factor")
        let guest = try await world.device("third").signInAnonymously().user
        XCTAssertTrue(guest.isAnonymous, "an anonymous sign-in")
    }

    // MARK: Phone

    func testWrongDigitsDoNotEndTheChallenge() async throws {
        try await world.enrollPhone(try await world.signUpVerifiedAnn())
        let auth = world.device("tablet")
        let challenge = try await world.passwordChallenge(in: auth)
        let id = try await auth.sendPhoneCode(for: challenge, factor: challenge.hints[0].id)
        let code = try world.newestCode(to: world.number)
        let wrong = code == "111111" ? "222222" : "111111"
        for _ in 0..<2 {
            try await world.refusal(.invalidVerificationCode, .codeIsWrong) {
                try await auth.resolve(challenge, with: .phone(verificationID: id, code: wrong))
            }
        }
        try await auth.resolve(challenge, with: .phone(verificationID: id, code: code))
    }

    func testDigitsAreSentToTheFactorThatWasChosen() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollTOTP(ann)
        let phone = try await world.enrollPhone(ann)
        let auth = world.device("tablet")
        let challenge = try await world.passwordChallenge(in: auth)
        XCTAssertNotEqual(challenge.hints.first?.id, phone, "the app was enrolled first")
        let id = try await auth.sendPhoneCode(for: challenge, factor: phone)
        let code = try world.newestCode(to: world.number)
        try await auth.resolve(challenge, with: .phone(verificationID: id, code: code))
    }

    func testDigitsAnswerTheChallengeTheyWereSentForOnly() async throws {
        try await world.enrollPhone(try await world.signUpVerifiedAnn())
        let auth = world.device("tablet")
        let first = try await world.passwordChallenge(in: auth)
        let second = try await world.passwordChallenge(in: auth)
        let answer = try await world.phoneAnswer(first, from: auth)
        try await world.refusal(.invalidVerificationID, .codeIsForSomethingElse) {
            try await auth.resolve(second, with: answer)
        }
        let signIn = try await auth.sendPhoneCode(to: world.number)
        let signInCode = try world.newestCode(to: world.number)
        try await world.refusal(.invalidVerificationID, .codeIsForSomethingElse) {
            try await auth.resolve(second, with: .phone(verificationID: signIn, code: signInCode))
        }
        try await auth.resolve(first, with: answer)
    }

    func testDigitsAreSentToFactorsOfTheAccountOnly() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollTOTP(ann)
        let ben = try await world.device("third").signIn(with: world.google(.ben)).user
        let bens = try await world.enrollPhone(ben)
        let auth = world.device("tablet")
        let challenge = try await world.passwordChallenge(in: auth)
        let totp = try XCTUnwrap(challenge.hints.first?.id)
        for factor in [bens, totp] {
            try await world.refusal(.multiFactorInfoNotFound, .factorIsUnknown) {
                try await auth.sendPhoneCode(for: challenge, factor: factor)
            }
        }
    }

    // MARK: Authenticator apps

    func testACodeOfTheAppAnswersOnceAndNoEarlierOneAfterIt() async throws {
        let enrollment = try await world.enrollTOTP(try await world.signUpVerifiedAnn())
        let auth = world.device("tablet")
        let enrolling = try world.totp(enrollment)
        let first = try await world.passwordChallenge(in: auth)
        try await world.refusal(.invalidVerificationCode, .codeIsWrong, "the code that enrolled the factor") {
            try await auth.resolve(first, with: .totp(enrolling))
        }
        world.clock.advance(by: .seconds(60))
        let earlier = try world.totp(enrollment, steps: -1)
        let code = try world.totp(enrollment)
        try await world.refusal(.multiFactorInfoNotFound, .factorIsUnknown, "the code of another factor") {
            try await auth.resolve(first, with: .totp(code, factor: SecondFactor.ID(bits: 99)))
        }
        try await auth.resolve(first, with: .totp(code, factor: first.hints.first?.id))
        let second = try await world.passwordChallenge(in: auth)
        for used in [code, earlier] {
            try await world.refusal(.invalidVerificationCode, .codeIsWrong) {
                try await auth.resolve(second, with: .totp(used))
            }
        }
        world.clock.advance(by: .seconds(30))
        try await auth.resolve(second, with: .totp(world.totp(enrollment)))
    }

    func testAClockThatIsOneStepOffIsForgivenAndTwoAreNot() async throws {
        let enrollment = try await world.enrollTOTP(try await world.signUpVerifiedAnn())
        let auth = world.device("tablet")
        world.clock.advance(by: .seconds(3600))
        for steps in [-2, 2] {
            let challenge = try await world.passwordChallenge(in: auth)
            try await world.refusal(.invalidVerificationCode, nil, "\(steps)") {
                try await auth.resolve(challenge, with: .totp(world.totp(enrollment, steps: steps)))
            }
        }
        for steps in [-1, 1] {
            let challenge = try await world.passwordChallenge(in: auth)
            try await auth.resolve(challenge, with: .totp(world.totp(enrollment, steps: steps)))
            world.clock.advance(by: .seconds(3600))
        }
    }

    func testOneOfSeveralAppsMayBeNamed() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let first = try await world.enrollTOTP(ann)
        let second = try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(60))
        let auth = world.device("tablet")
        let challenge = try await world.passwordChallenge(in: auth)
        let ids = challenge.hints.map(\.id)
        try await world.refusal(.invalidVerificationCode) {
            try await auth.resolve(challenge, with: .totp(world.totp(first), factor: ids[1]))
        }
        let result = try await auth.resolve(challenge, with: .totp(world.totp(second)))
        XCTAssertEqual(result.user.session.factor?.factor, ids[1])
    }

    // MARK: Recovery codes

    func testARecoveryCodeAnswersOnceInAnySpelling() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollTOTP(ann)
        let codes = try await ann.multiFactor.makeRecoveryCodes(count: 2)
        let auth = world.device("tablet")
        let challenge = try await world.passwordChallenge(in: auth)
        let spelled = codes[0].uppercased().replacing("-", with: " ") + String(repeating: " ", count: 60)
        let result = try await auth.resolve(challenge, with: .recoveryCode(spelled))
        XCTAssertEqual(result.user.session.factor?.kind, .recoveryCode)
        XCTAssertEqual(result.user.multiFactor.remainingRecoveryCodeCount, 1)
        let again = try await world.passwordChallenge(in: auth)
        try await world.refusal(.invalidVerificationCode, .codeIsWrong) {
            try await auth.resolve(again, with: .recoveryCode(codes[0]))
        }
        try await auth.resolve(again, with: .recoveryCode(codes[1]))
    }

    func testNewRecoveryCodesEndTheOldOnes() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollTOTP(ann)
        let old = try await ann.multiFactor.makeRecoveryCodes(count: 1)
        let new = try await ann.multiFactor.makeRecoveryCodes(count: 1)
        let auth = world.device("tablet")
        let challenge = try await world.passwordChallenge(in: auth)
        try await world.refusal(.invalidVerificationCode) {
            try await auth.resolve(challenge, with: .recoveryCode(old[0]))
        }
        try await auth.resolve(challenge, with: .recoveryCode(new[0]))
    }

    // MARK: The challenge

    func testAChallengeIsAValueThatMayBeKeptAndReadAgain() async throws {
        let enrollment = try await world.enrollTOTP(try await world.signUpVerifiedAnn())
        let challenge = try await world.passwordChallenge(in: world.device("tablet"))
        let kept = try JSONEncoder().encode(challenge)
        let read = try JSONDecoder().decode(SecondFactor.Challenge.self, from: kept)
        XCTAssertEqual(read, challenge)
        try await world.device("tablet").resolve(read, with: .totp(world.totp(enrollment, steps: 1)))
    }

    func testAChallengeIsAnsweredOnceOnItsDeviceWithinTenMinutes() async throws {
        let enrollment = try await world.enrollTOTP(try await world.signUpVerifiedAnn())
        let auth = world.device("tablet")
        let challenge = try await world.passwordChallenge(in: auth)
        world.clock.advance(by: .seconds(300))
        try await world.refusal(.deviceMismatch, .challengeIsOfAnotherDevice) {
            try await world.device("third").resolve(challenge, with: .totp(world.totp(enrollment)))
        }
        try await auth.resolve(challenge, with: .totp(world.totp(enrollment)))
        try await world.refusal(.invalidMultiFactorSession, .challengeIsOver) {
            try await auth.resolve(challenge, with: .totp(world.totp(enrollment, steps: 1)))
        }
        let late = try await world.passwordChallenge(in: auth)
        world.clock.advance(by: .seconds(600))
        try await world.refusal(.invalidMultiFactorSession, .challengeIsOver) {
            try await auth.resolve(late, with: .totp(world.totp(enrollment)))
        }
    }

    func testWhatHappensToTheAccountMeanwhileEndsTheChallenge() async throws {
        let changes: [(String, AuthErrorCode, (User) async throws -> Void)] = [
            ("new password", .invalidMultiFactorSession, { try await $0.updatePassword(to: "battery staple") }),
            ("sessions ended", .invalidMultiFactorSession, { try await $0.revokeOtherSessions() }),
            ("deletion", .invalidMultiFactorSession, { try await $0.delete() }),
            ("disabled", .userDisabled, { try await self.world.service.setDisabled(true, account: $0.account.id) }),
        ]
        for (name, code, change) in changes {
            let ann = try await world.signUpVerifiedAnn(world.device(name))
            let enrollment = try await world.enrollTOTP(ann)
            world.clock.advance(by: .seconds(60))
            let auth = world.device("tablet")
            let challenge = try await world.passwordChallenge(in: auth)
            try await change(ann)
            try await world.refusal(code, nil, name) {
                try await auth.resolve(challenge, with: .totp(world.totp(enrollment)))
            }
            XCTAssertNil(auth.currentUser)
            _ = try? await world.service.deleteAccount(ann.account.id)
        }
    }

    func testARemovedFactorAnswersNothing() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let phone = try await world.enrollPhone(ann)
        let enrollment = try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(60))
        let auth = world.device("tablet")
        let challenge = try await world.passwordChallenge(in: auth)
        let answer = try await world.phoneAnswer(challenge, from: auth)
        try await ann.multiFactor.unenroll(phone)
        let what = "the digits of the removed factor"
        let error = try await world.refusal(.multiFactorInfoNotFound, .factorIsUnknown, what) {
            try await auth.resolve(challenge, with: answer)
        }
        XCTAssertNil(error.secondFactor, "another challenge for the removed factor")
        XCTAssertNil(auth.currentUser, "the removed factor signed in")
        let back = try await auth.resolve(challenge, with: .totp(world.totp(enrollment))).user
        XCTAssertEqual(back.uid, ann.uid, "whom the factor that is left signs in")
    }

    func testAReauthenticationWithAFactorTellsWhatTheProviderSaid() async throws {
        let auth = world.device()
        let ann = try await auth.signIn(with: world.google()).user
        let enrollment = try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(60))
        let challenge = try await world.challenge { try await ann.reauthenticate(with: world.google()) }
        let result = try await auth.resolve(challenge, with: .totp(world.totp(enrollment)))
        XCTAssertTrue(result.user === ann, "the user who reauthenticated")
        XCTAssertEqual(result.additionalUserInfo?.provider, .google, "what the provider said of the person")
        XCTAssertEqual(result.provider, .google, "the provider that was shown again")
    }

    func testTheDigitsOfAFactorAreGoneOnceTheyWereShown() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollPhone(ann)
        let auth = world.device("tablet")
        let challenge = try await world.passwordChallenge(in: auth)
        let hint = try XCTUnwrap(challenge.hints.first)
        let id = try await auth.sendPhoneCode(for: challenge, factor: hint.id)
        let digits = try world.newestCode(to: world.number)
        try await auth.resolve(challenge, with: .phone(verificationID: id, code: digits))
        let left = try await world.service.record(try XCTUnwrap(OneTimeRecordID(id)))
        XCTAssertNil(left, "what the store keeps of the digits")
    }
}
