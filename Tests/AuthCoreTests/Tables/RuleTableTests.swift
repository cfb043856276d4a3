import AuthCore
import Foundation
import XCTest

/// All rules that look at facts, each with every combination of them.
enum RuleTables {
    static let all: [RuleTable] = signIn + changes + codes + merging
}

final class RuleTableTests: XCTestCase {
    func testNoRowViolatesWhatMustHold() {
        for table in RuleTables.all {
            XCTAssertEqual(table.violations.prefix(5), [], "\(table.violations.count) rows of \(table.name)")
        }
    }

    func testEveryRefusalOfEveryRowHasAReasonThatIsDocumented() throws {
        let documented = try documentedReasons()
        for table in RuleTables.all {
            for row in table.rows where !row.answer.isGranted {
                let reason = try XCTUnwrap(row.answer.reason, table.name)
                XCTAssertTrue(documented.contains(reason.rawValue), "\(table.name): \(reason)")
                XCTAssertNotEqual(reason, .factsContradict, table.name)
            }
        }
    }

    func testEveryRuleWithFactsHasATable() throws {
        let rules = PackageFiles.root.appending(path: "Sources/AuthCore/Rules")
        let files = try XCTUnwrap(FileManager.default.enumerator(atPath: rules.path)).compactMap { $0 as? String }
        let tables = Set(RuleTables.all.map(\.name))
        var found = 0
        for file in files where file.hasSuffix(".swift") {
            let source = try PackageFiles.text("Sources/AuthCore/Rules/" + file)
            var type = ""
            for line in source.split(separator: "\n") {
                // Only what stands at the left edge holds a rule.
                if let match = line.firstMatch(of: #/^(?:package )?(?:struct|enum|extension) (\w+)/#) {
                    type = String(match.1)
                }
                guard line.contains("static func rule(") else { continue }
                found += 1
                XCTAssertTrue(tables.contains(type), "\(file): \(type) has no table")
            }
        }
        XCTAssertGreaterThan(found, 20)
    }

    func testTheTablesAreAsTheyWereReviewed() throws {
        let path = "Tests/AuthCoreTests/Tables/Golden/rules.txt"
        var lines: [String] = []
        for table in RuleTables.all {
            let digest = SHA256.hash(Array(table.fullText.utf8)).map { byte in
                String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
            }.joined()
            lines.append("## \(table.name): \(table.rows.count) rows, \(digest.prefix(32))")
            lines.append(contentsOf: table.folded)
            lines.append("")
        }
        let total = RuleTables.all.map(\.rows.count).reduce(0, +)
        lines.insert("# \(RuleTables.all.count) rules, \(total) rows, folded", at: 0)
        lines.insert("", at: 1)
        let text = lines.joined(separator: "\n")
        if ProcessInfo.processInfo.environment["WRITE_DOCUMENTS"] != nil {
            try text.write(to: PackageFiles.root.appending(path: path), atomically: true, encoding: .utf8)
        }
        XCTAssertLessThan(lines.count, 2000)
        XCTAssertGreaterThan(total, 10_000)
        XCTAssertEqual(try PackageFiles.text(path), text)
    }

    private func documentedReasons() throws -> Set<String> {
        let source = try PackageFiles.text("Sources/AuthCore/Rules/Reason.swift")
        return Set(source.matches(of: #/rawValue: "(\w+)"\)/#).map { String($0.1) })
    }
}
