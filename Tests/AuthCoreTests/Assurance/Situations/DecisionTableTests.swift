@testable import AuthCore
import Foundation
import XCTest

/// Whole decisions: every situation under both presets, with each choice of them changed and each two together.
final class DecisionTableTests: LimitedTestCase {
    override class var timeLimit: Int { 600 }

    private static let golden = "Tests/AuthCoreTests/Assurance/Tables/Golden/decisions-by-policy.txt"

    /// One pass over all rows, since there are many.
    func testTheDecisionsAreAsTheyWereReviewed() async throws {
        let knobs = PolicyKnob.all
        let situations = try Situations().all
        let families = PolicyFamily.families(for: situations, knobs)
        var blocks: [[String]] = []
        var total = 0
        var idle = Set(
            families.values.joined().flatMap { family in
                family.changes.map { [family.preset.rawValue, $0.words(knobs)] }
            }
        )
        let tables = try await parallelMap(situations) { DecisionTable($0, under: families[$0.provider] ?? [], knobs) }
        for table in tables {
            let situation = table.situation
            idle.subtract(table.effectiveChanges(knobs))
            XCTAssertEqual(table.violations.prefix(3), [], "\(table.violations.count) rows of \(situation.name)")
            let lines = table.lines(knobs)
            let heading = "## \(situation.name): \(table.decisions.count) decisions, \(try table.digest())"
            blocks.append([heading] + lines + [""])
            total += table.count
        }
        // Where every reset removes all identities, none has to be settled. How often a message is tried is no
        // decision. The situations are those of an app, which needs no nonce unless every client does. A login without
        // the factor is not recent under the standard policy, whatever changes of factors need.
        let expected: Set = [
            ["firebase", "settledAfter at once"], ["firebase", "delivery hasty"], ["standard", "delivery hasty"],
            ["firebase", "linkNonce onServers"], ["standard", "linkNonce never"],
            ["standard", "factorChangeNeedsFactor no"],
        ]
        XCTAssertEqual(idle, expected, "these choices change nothing anywhere")
        let rules = try rowsOfRules()
        let heading = [
            "# \(situations.count) situations under \(total / situations.count) policies each: \(total) decisions",
            "# With the \(rules) rows of the rules: \(total + rules) rows", "",
        ]
        let text = (heading + blocks.joined()).joined(separator: "\n")
        if ProcessInfo.processInfo.environment["WRITE_DOCUMENTS"] != nil {
            try text.write(to: PackageFiles.root.appending(path: Self.golden), atomically: true, encoding: .utf8)
        }
        XCTAssertGreaterThan(total, 75_000)
        XCTAssertLessThan(blocks.joined().count, 1500)
        XCTAssertEqual(try PackageFiles.text(Self.golden), text)
    }

    private func rowsOfRules() throws -> Int {
        let first = try XCTUnwrap(PackageFiles.lines("Tests/AuthCoreTests/Assurance/Tables/Golden/rules.txt").first)
        let rows = try XCTUnwrap(first.firstMatch(of: #/ (\d+) rows/#))
        return try XCTUnwrap(Int(rows.1))
    }
}

extension PolicyFamily {
    /// The families by the provider that somebody comes by.
    static func families(for situations: [Situation], _ knobs: [PolicyKnob]) -> [ProviderID: [PolicyFamily]] {
        var families: [ProviderID: [PolicyFamily]] = [:]
        for provider in situations.map(\.provider) where families[provider] == nil {
            families[provider] = PolicyKnob.Preset.allCases.map { PolicyFamily($0, around: knobs, comingBy: provider) }
        }
        return families
    }
}
