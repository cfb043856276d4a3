import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

/// Two attackers and a victim over one service with limits, one after another and at once, in sequences that a seed
/// decides; what must hold is checked after each round.
///
/// `AUTHCORE_SEED` plays other sequences; `AUTHCORE_LONG=1` plays at least 150,000 steps.
final class SiegeTests: LimitedTestCase {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seed = environment["AUTHCORE_SEED"].flatMap { UInt64($0) } ?? 20_260_301
    private static let steps = environment["AUTHCORE_LONG"] == "1" ? 150_000 : 2500

    func testWhatTwoAttackersDoTogetherTakesNothingFromTheVictimAndKeepsHerOutOfNothing() async throws {
        var (steps, number, failures) = (0, 0 as UInt64, 0)
        var reached: [String: Int] = [:]
        while steps < Self.steps, failures < 3 {
            let seed = Self.seed &+ number &* 7919
            var run = try await SiegeRun(seed: seed)
            var wrong = try await run.prologue()
            while wrong.isEmpty, run.steps < 150 { wrong = try await run.round() }
            if wrong.isEmpty { wrong = try await run.relief() }
            if !wrong.isEmpty {
                let acts = run.played.map { "    \($0)" }.joined(separator: "\n")
                XCTFail("siege with seed \(seed), after \(run.steps) steps:\n\(wrong.joined(separator: "\n"))\n\(acts)")
                failures += 1
            }
            reached.merge(run.reached) { $0 + $1 }
            steps += run.steps
            number += 1
        }
        // Few sequences of another seed need not reach everything.
        let silent =
            Self.environment["AUTHCORE_SEED"] != nil && steps < 20_000
            ? [] : Self.everywhere.filter { reached[$0, default: 0] == 0 }
        XCTAssertEqual(silent, [], "what the sequences never reach, they say nothing about")
        if Self.environment["AUTHCORE_REPORT"] == "1" {
            print(steps, "steps,", number, "sieges")
            for (words, count) in reached.sorted(by: { $0.key < $1.key }) { print(words, count) }
        }
    }

    /// The checks notice a service that is worse than it should be.
    func testTheChecksOfASiegeNoticeAWorseService() async throws {
        let believesEveryProvider: @Sendable (inout AuthPolicy) -> Void = { policy in
            policy.addressTrust = .authorities(
                .init(authorities: [
                    "https://oidc.example.example": .init(domains: ["example.com"], needsVerifiedFlag: false)
                ])
            )
        }
        let spoils: [(name: String, marker: String, Siege.Spoil)] = [
            ("many passwords", "I11: passwords", Siege.Spoil(policy: { $0.limits?.passwords = 40 })),
            ("counting after asking", "I11", Siege.Spoil(countsAtomically: false)),
            ("a provider that is believed too much", "victim's account", Siege.Spoil(policy: believesEveryProvider)),
            ("no further mail", "I13", Siege.Spoil(policy: { $0.limits?.mails = 1 })),
        ]
        let noticed = try await parallelMap(spoils) { _, marker, spoil in
            var isNoticed = false
            for number in 0..<40 as Range<UInt64> where !isNoticed {
                var run = try await SiegeRun(seed: number, spoiling: spoil)
                var wrong = try await run.prologue()
                while !isNoticed, run.steps < 120 {
                    isNoticed = wrong.contains { $0.contains(marker) }
                    wrong = try await run.round()
                }
            }
            return isNoticed
        }
        for (spoil, isNoticed) in zip(spoils, noticed) { XCTAssertTrue(isNoticed, "nothing notices: \(spoil.name)") }
    }

    /// I9: strangers get the same answers, for the same number of hashes, whether or not the victim has an account.
    func testStrangersCannotTellWhetherTheVictimHasAnAccount() async throws {
        let told = await told(under: Siege.Spoil(policy: { $0.concealsSignUp = true }))
        XCTAssertEqual(told, [], told.joined(separator: "\n"))
        let bySignUp = await self.told(under: Siege.Spoil(policy: { $0.concealsSignUp = false }))
        XCTAssertFalse(bySignUp.isEmpty, "nothing notices that a sign-up tells it")
        let bySignIn = await self.told(under: Siege.Spoil(policy: { $0.disclosure = .detailed }))
        XCTAssertFalse(bySignIn.isEmpty, "nothing notices that a sign-in tells it")
    }

    /// What a service with an account of the victim answers otherwise than one without, in sequences of strangers.
    private func told(under spoil: Siege.Spoil) async -> [String] {
        var told: [String] = []
        for number in 0..<(Self.steps / 250) where told.count < 3 {
            let seed = Self.seed &+ UInt64(number) &* 104_729
            let (one, other) = (Siege(seed: seed, spoiling: spoil), Siege(seed: seed, spoiling: spoil))
            var generator = SiegeGenerator(seed: seed)
            for act in generator.prologue(isThere: true) { _ = await one.play(act) }
            let start = one.world.clock.now
            other.world.clock.set(start)
            one.hasher.reset()
            var acts: [SiegeAct] = []
            for _ in 0..<100 {
                let act = generator.strangersRound()[0]
                acts.append(act)
                let outcomes = (await one.play(act).kind, await other.play(act).kind)
                let work = (one.hasher.checks + one.hasher.hashes, other.hasher.checks + other.hasher.hashes)
                guard outcomes.0 != outcomes.1 || work.0 != work.1 else { continue }
                told.append(
                    "seed \(seed): \(outcomes), hashes \(work)\n\(acts.suffix(25).map { "    \($0)\n" }.joined())"
                )
                break
            }
        }
        return told
    }

    private static let everywhere = [
        "ann password done", "ann google done", "ann reset done", "ann openLink done", "ann digits done",
        "ann linkGoogle done", "ann enroll done", "ann answer done", "ann newPassword done",
        "attacker password invalidCredential", "attacker password tooManyRequests", "attacker askReset tooManyRequests",
        "attacker digits invalidVerificationCode",
        "attacker digits deviceMismatch", "attacker guest tooManyRequests", "attacker usePlanted done",
        "attacker signUp done", "attacker resetByGuess invalidActionCode",
        "attacker linkPassword emailAlreadyInUse", "attacker answer invalidVerificationCode",
    ]
}
