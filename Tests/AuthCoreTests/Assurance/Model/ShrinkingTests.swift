@testable import AuthCore
import XCTest

/// That a failing sequence is cut down to what makes it fail, and that the model notices spoiled rules at all.
final class ShrinkingTests: LimitedTestCase {
    func testWhatDoesNotMatterIsLeftOut() async throws {
        let steps = (0..<200).map { Step.wait(seconds: $0) }
        let needed: [Step] = [.wait(seconds: 3), .wait(seconds: 77), .wait(seconds: 190)]
        let shortest = try await Shrinking().shrink(steps) { left in needed.allSatisfy { left.contains($0) } }
        XCTAssertEqual(shortest, needed)
    }

    func testASequenceOfOneStepStaysAsItIs() async throws {
        let shortest = try await Shrinking().shrink([.signOut(.phone)]) { !$0.isEmpty }
        XCTAssertEqual(shortest, [.signOut(.phone)])
    }

    func testATraceIsTheSwiftThatMakesItsSteps() {
        let steps: [Step] = [
            .signIn(.phone, .provider(.gitHub, subject: 1, .ann, .verified), answers: true), .unlink(.laptop, .phone),
            .open(code: 0, .tablet), .wait(seconds: 60),
        ]
        XCTAssertEqual(
            steps.trace,
            """
                .signIn(.phone, .provider(.gitHub, subject: 1, .ann, .verified), answers: true),
                .unlink(.laptop, .phone),
                .open(code: 0, .tablet),
                .wait(seconds: 60),

            """
        )
    }

    /// A choice of the policy that is spoiled behind the model's back.
    private struct Spoil {
        let name: String
        /// A sequence that shows it; another one is searched for if the generator has changed.
        let seed: UInt64
        let spoil: (inout AuthPolicy) -> Void

        init(_ name: String, seed: UInt64, _ spoil: @escaping (inout AuthPolicy) -> Void) {
            self.name = name
            self.seed = seed
            self.spoil = spoil
        }
    }

    func testEverySpoiledChoiceIsNoticedAndShownInAFewSteps() async throws {
        let spoils: [Spoil] = [
            Spoil("the last method", seed: 14) { $0.lastMethod = .removable },
            Spoil("recency", seed: 577) { $0.recency.operations.remove(.unlink) },
            Spoil("seniority", seed: 60) { $0.seniority = nil },
            Spoil("unverified changes", seed: 23) { $0.unverifiedEmailChange = .allowed },
            Spoil("joining", seed: 1) { $0.joining = .whenVerified },
            Spoil("adoption", seed: 62) { $0.unverifiedOwner = .takenOver },
            Spoil("the reset", seed: 31) { $0.passwordReset = .removesFederated },
            Spoil("trust", seed: 0) { $0.addressTrust = .verifiedFlag },
            Spoil("first proofs", seed: 17) { $0.revokesSessionsOn.remove(.firstVerification) },
            Spoil("password changes", seed: 1) { $0.revokesSessionsOn.remove(.passwordChange) },
            Spoil("enabled accounts", seed: 12) { $0.revokesSessionsOn.remove(.accountEnabled) },
            Spoil("blocked issuers", seed: 106) { $0.blocksRemovedIssuers = false },
            Spoil("deletion", seed: 3) { $0.deletionGrace = nil },
            Spoil("the age of numbers", seed: 37) { $0.phoneEvidenceLifetime = nil },
            Spoil("recycled subjects", seed: 0) { $0.recycledSubject = .replaces },
            Spoil("changes asked for", seed: 39) { $0.endsAddressChanges = false },
        ]
        for spoil in spoils {
            var run = ModelRun(.standard)
            spoil.spoil(&run.policy)
            var shortest: [Step] = []
            for seed in [spoil.seed] + Array(0..<400) where shortest.isEmpty {
                var generator = StepGenerator(.standard, seed: seed)
                let steps = generator.steps(30)
                guard let found = try await run.disagreement(over: steps) else { continue }
                shortest = try await Shrinking().shrink(Array(steps.prefix(found.step + 1))) {
                    try await run.disagreement(over: $0) != nil
                }
            }
            XCTAssertFalse(shortest.isEmpty, "\(spoil.name) is not missed")
            XCTAssertLessThanOrEqual(shortest.count, 8, "\(spoil.name):\n\(shortest.trace)")
            // Nothing of what is left can be left out.
            for index in shortest.indices {
                var shorter = shortest
                shorter.remove(at: index)
                let found = try await run.disagreement(over: shorter)
                XCTAssertNil(found, "\(spoil.name) without step \(index + 1):\n\(shortest.trace)")
            }
        }
    }
}
