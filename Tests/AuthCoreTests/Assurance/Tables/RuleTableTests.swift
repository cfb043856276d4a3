@testable import AuthCore
import AuthCoreCrypto
import Foundation
import XCTest

/// All rules over a value of facts, each with every combination of them.
enum RuleTables {
    static var all: [RuleTable] { signIn + codes }
}

final class RuleTableTests: LimitedTestCase {
    private static let golden = "Tests/AuthCoreTests/Assurance/Tables/Golden/rules.txt"

    /// One pass over all rows, since there are many.
    func testTheTablesAreAsTheyWereReviewed() throws {
        let tables = RuleTables.all
        expectWhatMustHold(of: tables)
        try expectDocumentedReasons(of: tables)
        let text = text(of: tables)
        if ProcessInfo.processInfo.environment["WRITE_DOCUMENTS"] != nil {
            try text.write(to: PackageFiles.root.appending(path: Self.golden), atomically: true, encoding: .utf8)
        }
        XCTAssertEqual(try PackageFiles.text(Self.golden), text)
    }

    private func expectWhatMustHold(of tables: [RuleTable]) {
        for table in tables {
            XCTAssertEqual(table.violations.prefix(5), [], "\(table.violations.count) rows of \(table.name)")
        }
    }

    private func expectDocumentedReasons(of tables: [RuleTable]) throws {
        let documented = Set(Reason.all)
        for table in tables {
            for row in table.rows where !row.answer.isGranted {
                let reason = try XCTUnwrap(row.answer.reason, table.name)
                XCTAssertTrue(documented.contains(reason), "\(table.name): \(reason)")
                XCTAssertNotEqual(reason, .factsContradict, table.name)
            }
        }
    }

    private func text(of tables: [RuleTable]) -> String {
        var lines: [String] = []
        for table in tables {
            let digest = SHA256.hash(Array(table.fullText.utf8)).map { byte in
                String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
            }.joined()
            lines.append("## \(table.name): \(table.rows.count) rows, \(digest.prefix(32))")
            lines.append(contentsOf: table.folded)
            lines.append("")
        }
        let total = tables.map(\.rows.count).reduce(0, +)
        XCTAssertLessThan(lines.count, 2000)
        XCTAssertGreaterThan(total, 10_000)
        return (["# \(tables.count) rules, \(total) rows, folded", ""] + lines).joined(separator: "\n")
    }
}
