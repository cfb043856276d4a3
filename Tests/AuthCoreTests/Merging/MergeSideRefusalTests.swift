@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Sides of a merge that do not stand, each for a reason of its own.
final class MergeSideRefusalTests: MergeTestCase {
    private let number = "+15550001234"

    private func merge(_ source: MergeSide, _ target: MergeSide) async throws -> MergeResult {
        try await service.client(context).merge(source, into: target)
    }

    func testTheServersWordCountsAsFarAsThePolicySays() async throws {
        let ben = try await signUp("ben@example.com")
        let source = try await signIn(.gitHub)
        for isRecent in [false, true] {
            policy.customTokensAreRecent = isRecent
            service = makeService()
            let fresh = try await service.makeCustomToken(for: ben.account.id, authenticatedAt: clock.now)
            try await seat("server").signIn(with: .customToken(fresh))
            let token = try await service.makeCustomToken(
                for: ben.account.id,
                authenticatedAt: clock.now.addingTimeInterval(-3600)
            )
            if isRecent {
                let merged = try await merge(side(.gitHub), side(.customToken(token)))
                XCTAssertEqual(merged.plan.source, source.account.id)
            } else {
                let timeless = try await service.makeCustomToken(for: ben.account.id)
                for word in [token, timeless] {
                    try await refusal(.requiresRecentLogin, .loginIsNotRecent) {
                        try await merge(side(.gitHub), side(.customToken(word)))
                    }
                }
            }
        }
    }

    func testAfterTooManyGuessesASideWaits() async throws {
        try await signUp("ben@example.com")
        try await signIn(.gitHub)
        for word in 1...5 {
            try await refusal(.invalidCredential, .credentialIsWrong) {
                try await merge(
                    side(.gitHub),
                    side(.password(email: "ben@example.com", password: "guess \(word)"))
                )
            }
        }
        try await refusal(.tooManyRequests, .attemptsMustWait) {
            try await merge(side(.gitHub), passwordSide("ben@example.com"))
        }
    }

    func testANumberThatWasProvedLongAgoStandsForNoSide() async throws {
        let auth = seat()
        try await signUp("ben@example.com", linking: digits(to: number, in: auth), in: auth)
        try await signIn(.gitHub)
        clock.advance(by: 91 * 86400)
        let side = try await side(digits(to: number))
        try await refusal(.requiresRecentLogin, .numberProofIsOld) {
            try await merge(self.side(.gitHub), side)
        }
    }

    func testANumberStandsForNoSideWithFactorsWhereItIsNoFirstFactorThere() async throws {
        let auth = seat()
        let ben = try await signUp("ben@example.com", linking: digits(to: number, in: auth), in: auth)
        try await signIn(.gitHub)
        let early = try await side(digits(to: number))
        try await ben.reauthenticate(with: .password(email: "ben@example.com", password: Self.password))
        let enrollment = try await ben.multiFactor.startTOTP(issuer: "Boats")
        let secret = try XCTUnwrap(Base32.decode(enrollment.sharedSecret))
        let code = TimeBasedCode().code(forStep: TimeBasedCode().step(at: clock.timestamp), secret: secret)
        try await ben.multiFactor.enroll(enrollment, code: code)
        try await refusal(.secondFactorRequired, .targetOwesFactor) { try await merge(side(.gitHub), early) }
        var refusing = policy
        refusing.phoneWithFactors = .refused
        let operation = try await service.client(context).beginning(side(.gitHub), early, nil, [])
        let decision = try await service.decision(of: operation, under: refusing, context: context)
        XCTAssertEqual(decision.refusal?.reason, .phoneIsNoFirstFactorHere)
    }

    func testASourceThatWentIntoAnotherAccountMeanwhileIsGone() async throws {
        let source = try await signIn(.gitHub)
        try await signUp("ben@example.com")
        let begun = try await service.client(context).beginning(side(.gitHub), passwordSide("ben@example.com"), nil, [])
        _ = try await merge(side(.gitHub), passwordSide("ben@example.com"))
        let decision = try await service.decision(of: begun, context: context)
        XCTAssertEqual(decision.refusal?.reason, .accountWasMerged)
        XCTAssertNotNil(source)
    }

    func testNothingMovesWithoutItsSeedSealedAnew() async throws {
        for hasHooks in [false, true] {
            startOver()
            if hasHooks { addHooks("orders") }
            let source = try await signUp("ann@example.com", linking: credential(.gitHub))
            let enrollment = try await source.multiFactor.startTOTP(issuer: "Boats")
            let secret = try XCTUnwrap(Base32.decode(enrollment.sharedSecret))
            func totp() -> String {
                TimeBasedCode().code(forStep: TimeBasedCode().step(at: clock.timestamp), secret: secret)
            }
            try await source.multiFactor.enroll(enrollment, code: totp())
            let target = try await signUp("ben@example.com")
            clock.advance(by: 60)
            let error = await authError { try await merge(side(.gitHub), passwordSide("ben@example.com")) }
            let challenge = try XCTUnwrap(error?.secondFactor)
            let answered = MergeSide.answering(challenge, .totp(totp()))
            let full = try await service.client(context).beginning(answered, passwordSide("ben@example.com"), nil, [])
            if !hasHooks {
                let bare = BeginMerge(
                    source: full.source,
                    target: full.target,
                    moving: nil,
                    choices: [],
                    seeds: ResealedSeeds(),
                    hasHooks: false
                )
                let decision = try await service.decision(of: bare, context: context)
                XCTAssertEqual(decision.refusal?.reason, .mergeIsOutdated)
                continue
            }
            // The hooks are prepared, and then the store is gone.
            store.script(.commit, [.none, .none], then: .failsBefore())
            _ = await authError { try await merge(answered, passwordSide("ben@example.com")) }
            store.script(.commit, [])
            let held = try await account(source)
            let id = MergeID(try XCTUnwrap(held?.hold).intent)
            let parties = MergeParties(source: source.account.id, target: target.account.id)
            let complete = CompleteMerge(
                id: id,
                parties: parties,
                plan: try XCTUnwrap(journal.plans.first),
                sides: nil,
                seeds: ResealedSeeds()
            )
            let decision = try await service.decision(of: complete)
            XCTAssertEqual(decision.refusal?.reason, .mergeIsOutdated)
        }
    }
}
