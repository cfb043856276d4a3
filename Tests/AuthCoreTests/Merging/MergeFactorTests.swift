@testable import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

final class MergeFactorTests: MergeTestCase {
    private func merge(_ source: MergeSide, _ target: MergeSide) async throws -> MergeResult {
        try await service.client(context).merge(source, into: target)
    }

    private func challenge(
        _ reason: Reason,
        _ act: () async throws -> some Any
    ) async throws -> SecondFactorChallenge {
        let error = try await refusal(.secondFactorRequired, reason, "", act)
        return try XCTUnwrap(error.secondFactor)
    }

    func testEachSideAnswersForItsOwnFactor() async throws {
        let source = try await signUp("ann@example.com", linking: credential(.gitHub))
        let sourceApp = try await enrol(source)
        let target = try await signUp("ben@example.com")
        let targetApp = try await enrol(target)
        clock.advance(by: 60)
        let first = try await challenge(.sourceOwesFactor) {
            try await merge(side(.gitHub), passwordSide("ben@example.com"))
        }
        let answered = MergeSide.answering(first, .totp(try totp(sourceApp)))
        let second = try await challenge(.targetOwesFactor) {
            try await merge(answered, passwordSide("ben@example.com"))
        }
        let merged = try await merge(answered, .answering(second, .totp(try totp(targetApp))))
        XCTAssertEqual(merged.plan.factors.count, 1)
        XCTAssertNotNil(merged.result.user.session.factor)
        let account = try await account(target)
        XCTAssertEqual(account?.factors.count, 2)
        XCTAssertEqual(account?.factors.last?.enrolledAt, clock.timestamp)
    }

    func testAMovedAuthenticatorAppWorksOnTheTarget() async throws {
        let source = try await signUp("ann@example.com", linking: credential(.gitHub))
        let app = try await enrol(source)
        let target = try await signUp("ben@example.com")
        clock.advance(by: 60)
        let owed = try await challenge(.sourceOwesFactor) {
            try await merge(side(.gitHub), passwordSide("ben@example.com"))
        }
        let used = try totp(app)
        _ = try await merge(.answering(owed, .totp(used)), passwordSide("ben@example.com"))
        let signIn = try await challenge(.secondFactorIsOwed) {
            try await service.client(context).signIn(with: credential(.gitHub))
        }
        await assertThrows(.invalidVerificationCode, "a code that was shown is shown") {
            try await service.client(context).resolve(signIn, with: .totp(used))
        }
        clock.advance(by: 60)
        let user = try await service.client(context).resolve(signIn, with: .totp(try totp(app))).user
        XCTAssertEqual(user.uid, target.uid)
    }

    func testASeedThatWasSealedWithAnotherKeyStopsTheMerge() async throws {
        let source = try await signUp("ann@example.com", linking: credential(.gitHub))
        _ = try await enrol(source)
        try await signUp("ben@example.com")
        var configuration = service.configuration
        configuration.secretSealer = KeyedSecretSealer()
        let other = AuthService(configuration)
        let error = try await refusal(.internalError) {
            try await other.client(context).merge(side(.gitHub), into: passwordSide("ben@example.com"))
        }
        XCTAssertEqual(error.cause as? SealingError, .unreadable)
    }

    func testAChallengeOfAMergeSignsNobodyIn() async throws {
        let source = try await signUp("ann@example.com", linking: credential(.gitHub))
        let app = try await enrol(source)
        try await signUp("ben@example.com")
        clock.advance(by: 60)
        let owed = try await challenge(.sourceOwesFactor) {
            try await merge(side(.gitHub), passwordSide("ben@example.com"))
        }
        let code = try totp(app)
        try await refusal(.invalidMultiFactorSession, .challengeIsOver) {
            try await service.client(context).resolve(owed, with: .totp(code))
        }
        let signIn = try await challenge(.secondFactorIsOwed) {
            try await service.client(context).signIn(with: credential(.gitHub))
        }
        try await refusal(.invalidMultiFactorSession, .challengeIsOver) {
            try await merge(.answering(signIn, .totp(code)), passwordSide("ben@example.com"))
        }
    }

    func testAWrongAnswerMergesNothing() async throws {
        let source = try await signUp("ann@example.com", linking: credential(.gitHub))
        _ = try await enrol(source)
        try await signUp("ben@example.com")
        let owed = try await challenge(.sourceOwesFactor) {
            try await merge(side(.gitHub), passwordSide("ben@example.com"))
        }
        try await refusal(.invalidVerificationCode, .codeIsWrong) {
            try await merge(.answering(owed, .totp("000000")), passwordSide("ben@example.com"))
        }
    }

    func testRecoveryCodesAreLostAndFactorsBeyondTheLimitToo() async throws {
        policy.factorLimit = 1
        let source = try await signUp("ann@example.com", linking: credential(.gitHub))
        let sourceApp = try await enrol(source)
        _ = try await source.multiFactor.makeRecoveryCodes()
        let target = try await signUp("ben@example.com")
        let targetApp = try await enrol(target)
        clock.advance(by: 60)
        let first = try await challenge(.sourceOwesFactor) {
            try await merge(side(.gitHub), passwordSide("ben@example.com"))
        }
        let answered = MergeSide.answering(first, .totp(try totp(sourceApp)))
        let second = try await challenge(.targetOwesFactor) {
            try await merge(answered, passwordSide("ben@example.com"))
        }
        let merged = try await merge(answered, .answering(second, .totp(try totp(targetApp))))
        XCTAssertEqual(merged.plan.stayingFactors.map(\.why), [.factorLimit])
        XCTAssertGreaterThan(merged.plan.lostRecoveryCodes, 0)
        let account = try await account(target)
        XCTAssertEqual(account?.factors.count, 1)
        XCTAssertEqual(account?.recoveryCodes, [])
    }

    func testWithHooksTheFactorIsShownOnceAndTheSessionNamesIt() async throws {
        addHooks("orders")
        let source = try await signUp("ann@example.com")
        let target = try await signUp("ben@example.com")
        let app = try await enrol(target)
        XCTAssertNotNil(source)
        clock.advance(by: 60)
        let owed = try await challenge(.targetOwesFactor) {
            try await merge(passwordSide("ann@example.com"), passwordSide("ben@example.com"))
        }
        let merged = try await merge(passwordSide("ann@example.com"), .answering(owed, .totp(try totp(app))))
        XCTAssertTrue(merged.isFinished)
        XCTAssertEqual(merged.result.user.session.factor?.kind, .totp)
        await assertThrows(.invalidMultiFactorSession) {
            try await merge(passwordSide("ann@example.com"), .answering(owed, .totp(try totp(app))))
        }
    }
}
