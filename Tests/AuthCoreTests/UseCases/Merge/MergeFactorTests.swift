@testable import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

final class MergeFactorTests: LimitedTestCase {
    private var world = World(.standard)

    private func merge(_ source: Merge.Side, _ target: Merge.Side) async throws -> Merge.Result {
        try await world.service.client(world.context).merge(source, into: target)
    }

    private func challenge(
        _ reason: Reason,
        _ act: () async throws -> some Any
    ) async throws -> SecondFactor.Challenge {
        let error = try await world.refusal(.secondFactorRequired, reason, "", act)
        return try XCTUnwrap(error.secondFactor)
    }

    func testEachSideAnswersForItsOwnFactor() async throws {
        let source = try await world.signUp("ann@example.com", linking: world.credential(.gitHub))
        let sourceApp = try await world.enrollTOTP(source)
        let target = try await world.signUp("ben@example.com")
        let targetApp = try await world.enrollTOTP(target)
        world.clock.advance(by: .seconds(60))
        let first = try await challenge(.sourceRequiresFactor) {
            try await merge(world.side(.gitHub), world.passwordSide("ben@example.com"))
        }
        let answered = Merge.Side.answering(first, .totp(try world.totp(sourceApp)))
        let second = try await challenge(.targetRequiresFactor) {
            try await merge(answered, world.passwordSide("ben@example.com"))
        }
        let merged = try await merge(answered, .answering(second, .totp(try world.totp(targetApp))))
        XCTAssertEqual(merged.plan.factors.count, 1)
        XCTAssertNotNil(merged.result.user.session.factor)
        let account = try await world.storedAccount(target)
        XCTAssertEqual(account?.factors.count, 2)
        XCTAssertEqual(account?.factors.last?.enrolledAt, world.clock.timestamp)
    }

    func testAMovedAuthenticatorAppWorksOnTheTarget() async throws { try await moveAnAuthenticatorApp() }

    func testWithHooksAMovedAuthenticatorAppWorksOnTheTarget() async throws {
        world.addHooks("orders")
        try await moveAnAuthenticatorApp()
    }

    private func moveAnAuthenticatorApp() async throws {
        let source = try await world.signUp("ann@example.com", linking: world.credential(.gitHub))
        // A factor without a seed comes before the app.
        try await world.enrollPhone(source)
        let app = try await world.enrollTOTP(source)
        let target = try await world.signUp("ben@example.com")
        world.clock.advance(by: .seconds(60))
        let owed = try await challenge(.sourceRequiresFactor) {
            try await merge(world.side(.gitHub), world.passwordSide("ben@example.com"))
        }
        let used = try world.totp(app)
        let refusal = await outcome {
            try await merge(.answering(owed, .totp(used)), world.passwordSide("ben@example.com"))
        }
        XCTAssertNil(refusal, "why the account with the app is not merged")
        let signIn = try await challenge(.secondFactorIsRequired) {
            try await world.service.client(world.context).signIn(with: world.credential(.gitHub))
        }
        await assertThrows(.invalidVerificationCode, "a code that was shown is shown") {
            try await world.service.client(world.context).resolve(signIn, with: .totp(used))
        }
        world.clock.advance(by: .seconds(60))
        let user = try await world.service.client(world.context).resolve(signIn, with: .totp(try world.totp(app))).user
        XCTAssertEqual(user.uid, target.uid)
    }

    func testASeedThatWasSealedWithAnotherKeyStopsTheMerge() async throws {
        let source = try await world.signUp("ann@example.com", linking: world.credential(.gitHub))
        _ = try await world.enrollTOTP(source)
        try await world.signUp("ben@example.com")
        var configuration = world.service.configuration
        configuration.secretSealer = KeyedSecretSealer()
        let other = AuthService(configuration)
        let error = try await world.refusal(.sealedSecretUnreadable) {
            try await other.client(world.context).merge(
                world.side(.gitHub),
                into: world.passwordSide("ben@example.com")
            )
        }
        XCTAssertEqual(error.cause as? Secret.SealingError, .unreadable)
    }

    func testAChallengeOfAMergeSignsNobodyIn() async throws {
        let source = try await world.signUp("ann@example.com", linking: world.credential(.gitHub))
        let app = try await world.enrollTOTP(source)
        try await world.signUp("ben@example.com")
        world.clock.advance(by: .seconds(60))
        let owed = try await challenge(.sourceRequiresFactor) {
            try await merge(world.side(.gitHub), world.passwordSide("ben@example.com"))
        }
        let code = try world.totp(app)
        try await world.refusal(.invalidMultiFactorSession, .challengeIsOver) {
            try await world.service.client(world.context).resolve(owed, with: .totp(code))
        }
        let signIn = try await challenge(.secondFactorIsRequired) {
            try await world.service.client(world.context).signIn(with: world.credential(.gitHub))
        }
        try await world.refusal(.invalidMultiFactorSession, .challengeIsOver) {
            try await merge(.answering(signIn, .totp(code)), world.passwordSide("ben@example.com"))
        }
    }

    func testAnAnswerThatAnotherMergeUsedMeanwhileAnswersForNeitherSide() async throws {
        for role in MergeRole.allCases {
            world.startOver()
            let service = world.service
            try await world.signIn(.facebook)
            let source = try await world.signUp("ann@example.com", linking: world.credential(.gitHub))
            let target = try await world.signUp("ben@example.com")
            let app = try await world.enrollTOTP(role == .source ? source : target)
            world.clock.advance(by: .seconds(60))
            let (from, to) = (try await world.side(.gitHub), try await world.passwordSide("ben@example.com"))
            let owed = try await challenge(role == .source ? .sourceRequiresFactor : .targetRequiresFactor) {
                try await merge(from, to)
            }
            let code = SecondFactor.Assertion.totp(try world.totp(app))
            let answered = try await service.party(owed, code, in: "BeginMerge", world.context)
            guard case .verified(let other) = try await world.side(.facebook) else { return XCTFail("no proof") }
            let free = try await service.party(other)
            let late = try await service.beginning(
                role == .source ? answered : free,
                role == .source ? free : answered,
                nil,
                []
            )
            let answer = Merge.Side.answering(owed, code)
            _ = try await merge(role == .source ? answer : from, role == .source ? to : answer)
            let refusal = try await service.decision(of: late, context: world.context).refusal
            XCTAssertEqual(refusal?.reason, .challengeIsOver, "\(role)")
        }
    }

    func testAWrongAnswerMergesNothing() async throws {
        let source = try await world.signUp("ann@example.com", linking: world.credential(.gitHub))
        _ = try await world.enrollTOTP(source)
        try await world.signUp("ben@example.com")
        let owed = try await challenge(.sourceRequiresFactor) {
            try await merge(world.side(.gitHub), world.passwordSide("ben@example.com"))
        }
        try await world.refusal(.invalidVerificationCode, .codeIsWrong) {
            try await merge(.answering(owed, .totp("000000")), world.passwordSide("ben@example.com"))
        }
    }

    func testRecoveryCodesAreLostAndFactorsBeyondTheLimitToo() async throws {
        world.policy.factorLimit = 1
        let source = try await world.signUp("ann@example.com", linking: world.credential(.gitHub))
        let sourceApp = try await world.enrollTOTP(source)
        _ = try await source.multiFactor.makeRecoveryCodes()
        let target = try await world.signUp("ben@example.com")
        let targetApp = try await world.enrollTOTP(target)
        world.clock.advance(by: .seconds(60))
        let first = try await challenge(.sourceRequiresFactor) {
            try await merge(world.side(.gitHub), world.passwordSide("ben@example.com"))
        }
        let answered = Merge.Side.answering(first, .totp(try world.totp(sourceApp)))
        let second = try await challenge(.targetRequiresFactor) {
            try await merge(answered, world.passwordSide("ben@example.com"))
        }
        let merged = try await merge(answered, .answering(second, .totp(try world.totp(targetApp))))
        XCTAssertEqual(merged.plan.stayingFactors.map(\.why), [.factorLimit])
        XCTAssertGreaterThan(merged.plan.lostRecoveryCodes, 0)
        let account = try await world.storedAccount(target)
        XCTAssertEqual(account?.factors.count, 1)
        XCTAssertEqual(account?.recoveryCodes, [])
    }

    func testWithHooksTheFactorIsShownOnceAndTheSessionNamesIt() async throws {
        world.addHooks("orders")
        let source = try await world.signUp("ann@example.com")
        let target = try await world.signUp("ben@example.com")
        let app = try await world.enrollTOTP(target)
        world.clock.advance(by: .seconds(60))
        let owed = try await challenge(.targetRequiresFactor) {
            try await merge(world.passwordSide("ann@example.com"), world.passwordSide("ben@example.com"))
        }
        let merged = try await merge(
            world.passwordSide("ann@example.com"),
            .answering(owed, .totp(try world.totp(app)))
        )
        XCTAssertTrue(merged.isFinished)
        XCTAssertEqual(merged.result.user.session.factor?.kind, .totp)
        XCTAssertEqual(merged.result.user.uid, target.uid, "whose session it is")
        let gone = try await world.storedAccount(source)
        XCTAssertNil(gone, "the source is left after the merge")
        await assertThrows(.invalidMultiFactorSession) {
            try await merge(world.passwordSide("ann@example.com"), .answering(owed, .totp(try world.totp(app))))
        }
    }

    func testASessionOfAMergeIsAsOldAsWhatWasShownBeforeTheFactor() async throws {
        try await world.signIn(.gitHub)
        let target = try await world.signUp("ben@example.com")
        let app = try await world.enrollTOTP(target)
        world.clock.advance(by: .seconds(60))
        let shownAt = world.clock.timestamp
        let owed = try await challenge(.targetRequiresFactor) {
            try await merge(world.side(.gitHub), world.passwordSide("ben@example.com"))
        }
        world.clock.advance(by: .seconds(120))
        let merged = try await merge(world.side(.gitHub), .answering(owed, .totp(try world.totp(app))))
        XCTAssertEqual(merged.result.user.session.authenticatedAt, shownAt, "when the password was shown")
    }

    func testASideOfAMergeIsAsOldAsItsCheckThoughItsFactorIsAskedForLater() async throws {
        try await world.signIn(.gitHub)
        let target = try await world.signUp("ben@example.com")
        let app = try await world.enrollTOTP(target)
        let kept = try await world.passwordSide("ben@example.com")
        world.clock.advance(by: .seconds(200))
        let owed = try await challenge(.targetRequiresFactor) { try await merge(world.side(.gitHub), kept) }
        world.clock.advance(by: .seconds(101))
        let answer = Merge.Side.answering(owed, .totp(try world.totp(app)))
        try await world.refusal(.requiresRecentLogin, .loginIsNotRecent, "a password of 301 seconds ago") {
            try await merge(world.side(.gitHub), answer)
        }
    }
}
