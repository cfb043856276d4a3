@testable import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

final class SecondFactorSignInTests: SecondFactorTestCase {
    func testTheFirstFactorAloneBuysAChallengeAndChangesNothing() async throws {
        let ann = try await signUpProvenAnn()
        try await enrollPhone(ann, name: "phone")
        let auth = seat("tablet")
        clock.advance(by: 60)
        let challenge = try await passwordChallenge(in: auth)
        XCTAssertNil(auth.currentUser)
        XCTAssertEqual(challenge.hints.map(\.displayName), ["phone"])
        XCTAssertEqual(challenge.expiresAt, clock.now.addingTimeInterval(600))
        let sessions = try await ann.sessions()
        XCTAssertEqual(sessions.count, 1)
        try await ann.reload()
        XCTAssertEqual(ann.metadata.lastSignInDate, ann.metadata.creationDate)
    }

    func testEveryFirstFactorIsAskedForTheSecond() async throws {
        let auth = seat()
        let ann = try await signUpProvenAnn(auth)
        try await auth.signIn(with: mailedLink(to: "ann@example.com", from: auth))
        try await ann.link(with: google())
        try await enrollPhone(try await auth.signIn(with: Self.annsPassword).user)
        let link = try await mailedLink(to: "ann@example.com", from: auth)
        for (provider, credential) in [
            (ProviderID.password, Self.annsPassword), (.password, link), (.google, google()),
        ] {
            let challenge = try await challenge { try await auth.signIn(with: credential) }
            let result = try await auth.resolve(challenge, with: phoneAnswer(challenge, from: auth))
            XCTAssertEqual(result.user.uid, ann.uid)
            XCTAssertEqual(result.provider, provider)
            XCTAssertFalse(result.isNewUser)
            XCTAssertEqual(result.user.session.factor?.kind, .phone)
            XCTAssertTrue(auth.currentUser === result.user)
        }
    }

    func testANumberOpensNoAccountWithFactors() async throws {
        let auth = seat()
        let ann = try await signUpProvenAnn(auth)
        try await ann.link(with: digits(to: "+15550005678", from: auth))
        let early = try await digits(to: "+15550005678", from: auth)
        try await ann.reauthenticate(with: Self.annsPassword)
        try await enrollTOTP(ann)
        try await refusal(.unsupportedFirstFactor, .phoneIsNoFirstFactorHere) {
            try await auth.sendPhoneCode(to: "+15550005678")
        }
        try await refusal(.unsupportedFirstFactor, .phoneIsNoFirstFactorHere) { try await auth.signIn(with: early) }
    }

    func testANumberMayBeAFirstFactorLikeAnyOther() async throws {
        policy.phoneWithFactors = .asksForFactor
        let auth = seat()
        let ann = try await signUpProvenAnn(auth)
        try await ann.link(with: digits(to: "+15550005678", from: auth))
        try await ann.reauthenticate(with: Self.annsPassword)
        let enrollment = try await enrollTOTP(ann)
        let credential = try await digits(to: "+15550005678", from: auth)
        let challenge = try await challenge { try await auth.signIn(with: credential) }
        let result = try await auth.resolve(challenge, with: .totp(totp(enrollment, steps: 1)))
        XCTAssertEqual(result.user.session.basis.kind, .phone)
    }

    func testAnonymousAndFactorlessAccountsAreNotAsked() async throws {
        let ann = try await signUpProvenAnn()
        let id = try await enrollPhone(ann)
        try await ann.multiFactor.unenroll(id)
        try await seat("tablet").signIn(with: Self.annsPassword)
        try await seat("third").signInAnonymously()
    }

    // MARK: Phone

    func testWrongDigitsDoNotEndTheChallenge() async throws {
        try await enrollPhone(try await signUpProvenAnn())
        let auth = seat("tablet")
        let challenge = try await passwordChallenge(in: auth)
        let id = try await auth.sendPhoneCode(for: challenge, factor: challenge.hints[0].id)
        let code = try newestCode(to: number)
        let wrong = code == "111111" ? "222222" : "111111"
        for _ in 0..<2 {
            try await refusal(.invalidVerificationCode, .codeIsWrong) {
                try await auth.resolve(challenge, with: .phone(verificationID: id, code: wrong))
            }
        }
        try await auth.resolve(challenge, with: .phone(verificationID: id, code: code))
    }

    func testDigitsAnswerTheChallengeTheyWereSentForOnly() async throws {
        try await enrollPhone(try await signUpProvenAnn())
        let auth = seat("tablet")
        let first = try await passwordChallenge(in: auth)
        let second = try await passwordChallenge(in: auth)
        let answer = try await phoneAnswer(first, from: auth)
        try await refusal(.invalidVerificationID, .codeIsForSomethingElse) {
            try await auth.resolve(second, with: answer)
        }
        let signIn = try await auth.sendPhoneCode(to: number)
        let signInCode = try newestCode(to: number)
        try await refusal(.invalidVerificationID, .codeIsForSomethingElse) {
            try await auth.resolve(second, with: .phone(verificationID: signIn, code: signInCode))
        }
        try await auth.resolve(first, with: answer)
    }

    func testDigitsAreSentToFactorsOfTheAccountOnly() async throws {
        let ann = try await signUpProvenAnn()
        try await enrollTOTP(ann)
        let ben = try await seat("third").signIn(with: google(.ben)).user
        let bens = try await enrollPhone(ben)
        let auth = seat("tablet")
        let challenge = try await passwordChallenge(in: auth)
        let totp = try XCTUnwrap(challenge.hints.first?.id)
        for factor in [bens, totp] {
            try await refusal(.multiFactorInfoNotFound, .factorIsUnknown) {
                try await auth.sendPhoneCode(for: challenge, factor: factor)
            }
        }
    }

    // MARK: Authenticator apps

    func testACodeOfTheAppAnswersOnceAndNoEarlierOneAfterIt() async throws {
        let enrollment = try await enrollTOTP(try await signUpProvenAnn())
        let auth = seat("tablet")
        let enrolling = try totp(enrollment)
        let first = try await passwordChallenge(in: auth)
        try await refusal(.invalidVerificationCode, .codeIsWrong, "the code that enrolled the factor") {
            try await auth.resolve(first, with: .totp(enrolling))
        }
        clock.advance(by: 60)
        let earlier = try totp(enrollment, steps: -1)
        let code = try totp(enrollment)
        try await auth.resolve(first, with: .totp(code))
        let second = try await passwordChallenge(in: auth)
        for used in [code, earlier] {
            try await refusal(.invalidVerificationCode, .codeIsWrong) {
                try await auth.resolve(second, with: .totp(used))
            }
        }
        clock.advance(by: 30)
        try await auth.resolve(second, with: .totp(totp(enrollment)))
    }

    func testAClockThatIsOneStepOffIsForgivenAndTwoAreNot() async throws {
        let enrollment = try await enrollTOTP(try await signUpProvenAnn())
        let auth = seat("tablet")
        clock.advance(by: 3600)
        for steps in [-2, 2] {
            let challenge = try await passwordChallenge(in: auth)
            try await refusal(.invalidVerificationCode, nil, "\(steps)") {
                try await auth.resolve(challenge, with: .totp(totp(enrollment, steps: steps)))
            }
        }
        for steps in [-1, 1] {
            let challenge = try await passwordChallenge(in: auth)
            try await auth.resolve(challenge, with: .totp(totp(enrollment, steps: steps)))
            clock.advance(by: 3600)
        }
    }

    func testOneOfSeveralAppsMayBeNamed() async throws {
        let ann = try await signUpProvenAnn()
        let first = try await enrollTOTP(ann)
        let second = try await enrollTOTP(ann)
        clock.advance(by: 60)
        let auth = seat("tablet")
        let challenge = try await passwordChallenge(in: auth)
        let ids = challenge.hints.map(\.id)
        try await refusal(.invalidVerificationCode) {
            try await auth.resolve(challenge, with: .totp(totp(first), factor: ids[1]))
        }
        let result = try await auth.resolve(challenge, with: .totp(totp(second)))
        XCTAssertEqual(result.user.session.factor?.factor, ids[1])
    }

    // MARK: Recovery codes

    func testARecoveryCodeAnswersOnceInAnySpelling() async throws {
        let ann = try await signUpProvenAnn()
        try await enrollTOTP(ann)
        let codes = try await ann.multiFactor.makeRecoveryCodes(count: 2)
        let auth = seat("tablet")
        let challenge = try await passwordChallenge(in: auth)
        let spelled = codes[0].uppercased().replacing("-", with: " ")
        let result = try await auth.resolve(challenge, with: .recoveryCode(spelled))
        XCTAssertEqual(result.user.session.factor?.kind, .recoveryCode)
        XCTAssertEqual(result.user.multiFactor.recoveryCodesLeft, 1)
        let again = try await passwordChallenge(in: auth)
        try await refusal(.invalidVerificationCode, .codeIsWrong) {
            try await auth.resolve(again, with: .recoveryCode(codes[0]))
        }
        try await auth.resolve(again, with: .recoveryCode(codes[1]))
    }

    func testNewRecoveryCodesEndTheOldOnes() async throws {
        let ann = try await signUpProvenAnn()
        try await enrollTOTP(ann)
        let old = try await ann.multiFactor.makeRecoveryCodes(count: 1)
        let new = try await ann.multiFactor.makeRecoveryCodes(count: 1)
        let auth = seat("tablet")
        let challenge = try await passwordChallenge(in: auth)
        try await refusal(.invalidVerificationCode) { try await auth.resolve(challenge, with: .recoveryCode(old[0])) }
        try await auth.resolve(challenge, with: .recoveryCode(new[0]))
    }

    // MARK: The challenge

    func testAChallengeIsAValueThatMayBeKeptAndReadAgain() async throws {
        let enrollment = try await enrollTOTP(try await signUpProvenAnn())
        let challenge = try await passwordChallenge(in: seat("tablet"))
        let kept = try JSONEncoder().encode(challenge)
        let read = try JSONDecoder().decode(SecondFactorChallenge.self, from: kept)
        XCTAssertEqual(read, challenge)
        try await seat("tablet").resolve(read, with: .totp(totp(enrollment, steps: 1)))
    }

    func testAChallengeIsAnsweredOnceInItsSeatWithinTenMinutes() async throws {
        let enrollment = try await enrollTOTP(try await signUpProvenAnn())
        let auth = seat("tablet")
        let challenge = try await passwordChallenge(in: auth)
        clock.advance(by: 300)
        try await refusal(.seatMismatch, .challengeIsOfAnotherSeat) {
            try await seat("third").resolve(challenge, with: .totp(totp(enrollment)))
        }
        try await auth.resolve(challenge, with: .totp(totp(enrollment)))
        try await refusal(.invalidMultiFactorSession, .challengeIsOver) {
            try await auth.resolve(challenge, with: .totp(totp(enrollment, steps: 1)))
        }
        let late = try await passwordChallenge(in: auth)
        clock.advance(by: 600)
        try await refusal(.invalidMultiFactorSession, .challengeIsOver) {
            try await auth.resolve(late, with: .totp(totp(enrollment)))
        }
    }

    func testWhatHappensToTheAccountMeanwhileEndsTheChallenge() async throws {
        let changes: [(String, AuthErrorCode, (User) async throws -> Void)] = [
            ("new password", .invalidMultiFactorSession, { try await $0.updatePassword(to: "battery staple") }),
            ("sessions ended", .invalidMultiFactorSession, { try await $0.revokeOtherSessions() }),
            ("deletion", .invalidMultiFactorSession, { try await $0.delete() }),
            ("disabled", .userDisabled, { try await self.service.setDisabled(true, account: $0.account.id) }),
        ]
        for (name, code, change) in changes {
            let ann = try await signUpProvenAnn(seat(name))
            let enrollment = try await enrollTOTP(ann)
            clock.advance(by: 60)
            let auth = seat("tablet")
            let challenge = try await passwordChallenge(in: auth)
            try await change(ann)
            try await refusal(code, nil, name) { try await auth.resolve(challenge, with: .totp(totp(enrollment))) }
            XCTAssertNil(auth.currentUser)
            _ = try? await service.deleteAccount(ann.account.id)
        }
    }

    func testARemovedFactorAnswersNothing() async throws {
        let ann = try await signUpProvenAnn()
        let phone = try await enrollPhone(ann)
        let enrollment = try await enrollTOTP(ann)
        clock.advance(by: 60)
        let auth = seat("tablet")
        let challenge = try await passwordChallenge(in: auth)
        let answer = try await phoneAnswer(challenge, from: auth)
        try await ann.multiFactor.unenroll(phone)
        var refused: AuthError?
        do { try await auth.resolve(challenge, with: answer) } catch { refused = error }
        XCTAssertNotNil(refused)
        XCTAssertNil(auth.currentUser)
        try await auth.resolve(challenge, with: .totp(totp(enrollment)))
    }
}
