@testable import AuthCore
import AuthCoreCrypto
import AuthCoreTesting
import XCTest

/// Sides of a merge that do not stand, each for a reason of its own.
final class MergeSideRefusalTests: LimitedTestCase {
    private var world = World(.standard)

    private let number = "+15550001234"

    private func merge(_ source: Merge.Side, _ target: Merge.Side) async throws -> Merge.Result {
        try await world.service.client(world.context).merge(source, into: target)
    }

    func testTheServersWordCountsAsFarAsThePolicySays() async throws {
        let ben = try await world.signUp("ben@example.com")
        let source = try await world.signIn(.gitHub)
        for isRecent in [false, true] {
            world.policy.customTokensAreRecent = isRecent
            world.restart()
            let fresh = try await world.service.makeCustomToken(for: ben.account.id, authenticatedAt: world.clock.now)
            try await world.device("server").signIn(with: .customToken(fresh))
            let token = try await world.service.makeCustomToken(
                for: ben.account.id,
                authenticatedAt: world.clock.now.addingTimeInterval(-3600)
            )
            if isRecent {
                let merged = try await merge(world.side(.gitHub), world.side(.customToken(token)))
                XCTAssertEqual(merged.plan.source, source.account.id)
            } else {
                let timeless = try await world.service.makeCustomToken(for: ben.account.id)
                for word in [token, timeless] {
                    try await world.refusal(.requiresRecentLogin, .loginIsNotRecent) {
                        try await merge(world.side(.gitHub), world.side(.customToken(word)))
                    }
                }
            }
        }
    }

    /// As the clock of a server may state that is ahead.
    func testAServersWordFromTheFutureCountsAsOfWhenItWasVerified() async throws {
        let ben = try await world.signUp("ben@example.com")
        try await world.signIn(.gitHub)
        let clock = world.clock
        let fresh = try await world.service.makeCustomToken(for: ben.account.id, authenticatedAt: clock.now)
        try await world.device("server").signIn(with: .customToken(fresh))
        let token = try await world.service.makeCustomToken(
            for: ben.account.id,
            authenticatedAt: clock.now.addingTimeInterval(86400)
        )
        let side = try await world.side(.customToken(token))
        clock.advance(by: .seconds(7200))
        try await world.refusal(.requiresRecentLogin, .loginIsNotRecent) {
            try await merge(world.side(.gitHub), side)
        }
    }

    func testAfterTooManyGuessesASideWaits() async throws {
        try await world.signUp("ben@example.com")
        try await world.signIn(.gitHub)
        for word in 1...5 {
            try await world.refusal(.invalidCredential, .credentialIsWrong) {
                try await merge(
                    world.side(.gitHub),
                    world.side(.password(email: "ben@example.com", password: "guess \(word)"))
                )
            }
        }
        try await world.refusal(.tooManyRequests, .attemptsMustWait) {
            try await merge(world.side(.gitHub), world.passwordSide("ben@example.com"))
        }
    }

    func testANumberThatWasVerifiedLongAgoStandsForNoSide() async throws {
        let auth = world.device()
        try await world.signUp("ben@example.com", linking: world.digits(to: number, from: auth), in: auth)
        try await world.signIn(.gitHub)
        world.clock.advance(by: .seconds(91 * 86400))
        let side = try await world.side(world.digits(to: number))
        try await world.refusal(.requiresRecentLogin, .numberVerificationIsOld) {
            try await merge(self.world.side(.gitHub), side)
        }
    }

    func testANumberStandsForNoSideWithFactorsWhereItIsNoFirstFactorThere() async throws {
        let auth = world.device()
        let ben = try await world.signUp("ben@example.com", linking: world.digits(to: number, from: auth), in: auth)
        try await world.signIn(.gitHub)
        let early = try await world.side(world.digits(to: number))
        try await ben.reauthenticate(with: .password(email: "ben@example.com", password: World.password))
        let enrollment = try await ben.multiFactor.startTOTP(issuer: "Boats")
        let secret = try XCTUnwrap(Base32.decode(enrollment.sharedSecret))
        let code = TimeBasedCode().code(
            forStep: TimeBasedCode().step(at: world.clock.timestamp.seconds),
            secret: secret
        )
        try await ben.multiFactor.enroll(enrollment, code: code)
        try await world.refusal(.secondFactorRequired, .targetRequiresFactor) {
            try await merge(world.side(.gitHub), early)
        }
        var refusing = world.policy
        refusing.phoneWithFactors = .refused
        let operation = try await world.service.client(world.context).beginning(world.side(.gitHub), early, nil, [])
        let decision = try await world.service.decision(of: operation, under: refusing, context: world.context)
        XCTAssertEqual(decision.refusal?.reason, .phoneIsNoFirstFactorHere)
    }

    func testASourceThatWentIntoAnotherAccountMeanwhileIsGone() async throws {
        let source = try await world.signIn(.gitHub)
        try await world.signUp("ben@example.com")
        let begun = try await world.service.client(world.context).beginning(
            world.side(.gitHub),
            world.passwordSide("ben@example.com"),
            nil,
            []
        )
        _ = try await merge(world.side(.gitHub), world.passwordSide("ben@example.com"))
        let decision = try await world.service.decision(of: begun, context: world.context)
        XCTAssertEqual(decision.refusal?.reason, .accountWasMerged)
        let gone = try await world.storedAccount(source)
        XCTAssertNil(gone, "the source is left though it went into another account")
    }

    func testNothingMovesWithoutItsSeedSealedAnew() async throws {
        for hasHooks in [false, true] {
            world.startOver()
            if hasHooks { world.addHooks("orders") }
            let source = try await world.signUp("ann@example.com", linking: world.credential(.gitHub))
            let enrollment = try await source.multiFactor.startTOTP(issuer: "Boats")
            let secret = try XCTUnwrap(Base32.decode(enrollment.sharedSecret))
            func totp() -> String {
                TimeBasedCode().code(forStep: TimeBasedCode().step(at: world.clock.timestamp.seconds), secret: secret)
            }
            try await source.multiFactor.enroll(enrollment, code: totp())
            try await world.signUp("ben@example.com")
            world.clock.advance(by: .seconds(60))
            let error = await authError { try await merge(world.side(.gitHub), world.passwordSide("ben@example.com")) }
            let challenge = try XCTUnwrap(error?.secondFactor)
            let answered = Merge.Side.answering(challenge, .totp(totp()))
            let full = try await world.service.client(world.context).beginning(
                answered,
                world.passwordSide("ben@example.com"),
                nil,
                []
            )
            if !hasHooks {
                let bare = BeginMerge(
                    source: full.source,
                    target: full.target,
                    moving: nil,
                    choices: [],
                    seeds: ResealedSeeds(),
                    hasHooks: false
                )
                let decision = try await world.service.decision(of: bare, context: world.context)
                XCTAssertEqual(decision.refusal?.reason, .mergeIsOutdated)
                continue
            }
            // The hooks are prepared, and then the store is gone.
            world.store.script(.commit, [.succeeds, .succeeds], then: .failsBefore())
            _ = await authError { try await merge(answered, world.passwordSide("ben@example.com")) }
            world.store.script(.commit, [])
            let held = try await world.storedAccount(source)
            let id = Merge.ID(try XCTUnwrap(held?.mergeLock).intent)
            let complete = CompleteMerge(
                run: MergeRun(id: id, plan: try XCTUnwrap(world.journal.plans.first)),
                sides: nil,
                seeds: ResealedSeeds()
            )
            let decision = try await world.service.decision(of: complete)
            XCTAssertEqual(decision.refusal?.reason, .mergeIsOutdated)
        }
    }
}
