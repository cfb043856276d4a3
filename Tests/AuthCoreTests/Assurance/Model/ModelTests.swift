@testable import AuthCore
import Foundation
import XCTest

/// Random sequences of steps, told by the naive model and done by the library, which must agree after every one.
///
/// `AUTHCORE_SEED` plays another sequence of sequences; `AUTHCORE_LONG=1` plays many more of them.
final class ModelTests: LimitedTestCase {
    override class var timeLimit: Int { 600 }

    private static let environment = ProcessInfo.processInfo.environment
    private static let seed = environment["AUTHCORE_SEED"].flatMap { UInt64($0) } ?? 20_260_101
    private static let isLong = environment["AUTHCORE_LONG"] == "1"

    private func play(_ rules: Rules) async throws {
        let run = ModelRun(rules)
        let disagreements = try await parallelMap(0..<(Self.isLong ? 5000 : 250) as Range<UInt64>) { number in
            let steps = Self.steps(number, rules)
            return try await run.disagreement(over: steps).map { (number, steps: steps.prefix($0.step + 1)) }
        }
        for (number, steps) in disagreements.compactMap(\.self).prefix(3) {
            let shortest = try await Shrinking().shrink(Array(steps)) {
                try await run.disagreement(over: $0) != nil
            }
            let description = try await run.disagreement(over: shortest)?.description ?? []
            XCTFail(
                """
                AUTHCORE_SEED=\(Self.seed), sequence \(number) under .\(rules):
                \(description.joined(separator: "\n"))
                try await replay(.\(rules), [
                \(shortest.trace)])
                """
            )
        }
    }

    private static func steps(_ number: UInt64, _ rules: Rules) -> [Step] {
        var generator = StepGenerator(rules, seed: seed &+ number &* 7919)
        return generator.steps(isLong ? 60 : 30)
    }

    func testTheLibraryDoesWhatTheDocumentsSayUnderFirebasesRules() async throws { try await play(.firebase) }

    func testTheLibraryDoesWhatTheDocumentsSayUnderTheStandardRules() async throws { try await play(.standard) }

    /// What the sequences never reach, they say nothing about.
    func testTheSequencesGoEverywhere() {
        let everywhere = [
            "signUp", "signIn", "link", "replace", "reauthenticate", "unlink", "updateEmail", "updatePassword",
            "askForVerification", "askForChange", "askForReset", "open", "reset", "enroll", "unenroll", "signOut",
            "delete", "setDisabled", "wait",
        ].map { "\($0) granted" }
        let refusals: [Rules: [String]] = [
            .firebase: [
                "signIn accountExistsWithDifferentCredential", "signIn wrongPassword", "signIn userNotFound",
                "signIn secondFactorRequired", "signIn unsupportedFirstFactor", "signUp emailAlreadyInUse",
                "link providerAlreadyLinked", "link credentialAlreadyInUse", "link emailAlreadyInUse",
                "open expiredActionCode", "open invalidActionCode", "reset weakPassword", "enroll unverifiedEmail",
                "updateEmail requiresRecentLogin", "reauthenticate userMismatch",
            ],
            .standard: [
                "signIn accountExistsWithDifferentCredential", "signIn invalidCredential",
                "signIn rejectedCredential", "signIn secondFactorRequired", "unlink lastMethod",
                "unlink requiresRecentLogin", "updateEmail emailChangeNeedsVerification", "open emailAlreadyInUse",
                "delete requiresRecentLogin", "unenroll requiresRecentLogin",
            ],
        ]
        for rules in Rules.allCases {
            var reached: Set<String> = []
            let wanted = Set(everywhere + (refusals[rules] ?? []))
            for number in 0..<400 as Range<UInt64> where !wanted.isSubset(of: reached) {
                var generator = StepGenerator(rules, seed: number)
                var model = NaiveModel(rules)
                for step in generator.steps(40) {
                    let name = "\(step)".prefix { $0 != "(" }
                    switch model.take(step) {
                    case .nothing: break
                    case .granted: reached.insert("\(name) granted")
                    case .refused(let codes): for code in codes { reached.insert("\(name) \(code.name)") }
                    }
                }
            }
            XCTAssertEqual(wanted.subtracting(reached), [], "\(rules)")
        }
    }

    /// Plays a trace that was printed.
    private func replay(
        _ rules: Rules,
        _ steps: [Step],
        file: StaticString = #filePath,
        line: UInt = #line
    ) async throws {
        guard let found = try await ModelRun(rules).disagreement(over: steps) else { return }
        XCTFail(
            "step \(found.step + 1): \(found.description.joined(separator: "\n"))\n\(steps.trace)",
            file: file,
            line: line
        )
    }
}
