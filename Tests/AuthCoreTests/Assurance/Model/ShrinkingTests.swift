@testable import AuthCore
import XCTest

/// That a failing sequence is cut down to what makes it fail, and that the model notices spoiled rules at all.
final class ShrinkingTests: XCTestCase {
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
        /// A sequence that shows it, so that none has to be searched for while the steps are generated as they are.
        let seed: UInt64
        let spoil: (inout AuthPolicy) -> Void

        init(_ name: String, _ seed: UInt64, _ spoil: @escaping (inout AuthPolicy) -> Void) {
            self.name = name
            self.seed = seed
            self.spoil = spoil
        }
    }

    func testEverySpoiledChoiceIsNoticedAndShownInAFewSteps() async throws {
        let spoils: [Spoil] = [
            Spoil("the last method", 0) { $0.lastMethod = .removable },
            Spoil("recency", 0) { $0.recency.operations.remove(.unlink) },
            Spoil("seniority", 0) { $0.seniority = nil },
            Spoil("unproven changes", 0) { $0.unverifiedEmailChange = .allowed },
            Spoil("joining", 0) { $0.joining = .whenVerified },
            Spoil("adoption", 0) { $0.unverifiedOwner = .stripped },
            Spoil("the reset", 0) { $0.passwordReset = .removesFederated },
            Spoil("trust", 0) { $0.addressTrust = .verifiedFlag },
            Spoil("first proofs", 0) { $0.revokesSessionsOn.remove(.firstVerification) },
            Spoil("password changes", 0) { $0.revokesSessionsOn.remove(.passwordChange) },
            Spoil("reopening", 0) { $0.revokesSessionsOn.remove(.reopening) },
            Spoil("severed issuers", 0) { $0.blocksRemovedIssuers = false },
            Spoil("deletion", 0) { $0.deletionGrace = nil },
            Spoil("the age of numbers", 0) { $0.phoneProofLifetime = nil },
            Spoil("recycled subjects", 0) { $0.recycledSubject = .replaces },
            Spoil("changes asked for", 0) { $0.endsAddressChanges = false },
        ]
        for spoil in spoils {
            var run = ModelRun(.standard)
            spoil.spoil(&run.policy)
            var shortest: [Step] = []
            for seed in [spoil.seed] + Array(0..<400) where shortest.isEmpty {
                var generator = StepGenerator(.standard, seed: seed)
                let steps = generator.steps(30)
                guard let found = try await run.disagreement(over: steps) else { continue }
                print("SEED", spoil.name, seed)
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
