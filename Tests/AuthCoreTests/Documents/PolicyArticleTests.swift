import Foundation
import XCTest

/// The tables of the standard policy and of the attacks name what there is, and leave nothing out.
final class PolicyArticleTests: XCTestCase {
    private struct Row {
        let id: String
        let cells: [String]

        func names(in column: Int) -> [String] {
            cells[column].matches(of: #/`([A-Za-z0-9_.]+)`/#).map { String($0.1) }
        }

        /// The tests that the row names, as type and function.
        var tests: [(type: String, function: String)] {
            cells.joined().matches(of: #/`([A-Za-z0-9]+)\.(test[A-Za-z0-9_]+)`/#).map { (String($0.1), String($0.2)) }
        }
    }

    private func rows(of article: String) throws -> [Row] {
        try PackageFiles.lines("Sources/AuthCore/AuthCore.docc/\(article).md").compactMap { line in
            guard line.hasPrefix("| ") else { return nil }
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard let id = cells.first, id.contains(#/^[A-Z0-9]+[A-Z0-9.-]*$/#) else { return nil }
            return Row(id: id, cells: Array(cells.dropFirst()))
        }
    }

    /// The source of each type of tests.
    private func sources() throws -> [String: String] {
        let tests = PackageFiles.root.appending(path: "Tests")
        let files = try XCTUnwrap(FileManager.default.enumerator(atPath: tests.path)).compactMap { $0 as? String }
        var sources: [String: String] = [:]
        // A class of tests may go on in a file beside its own.
        for file in files where file.contains("Tests") && file.hasSuffix(".swift") {
            let text = try PackageFiles.text("Tests/" + file)
            for match in text.matches(of: #/(?:class|extension) (\w+Tests)\b/#) {
                sources[String(match.1), default: ""] += text
            }
        }
        return sources
    }

    private func assertTestsExist(_ rows: [Row]) throws {
        let sources = try sources()
        for row in rows {
            for test in row.tests {
                let source = try XCTUnwrap(sources[test.type], "\(row.id) names \(test.type)")
                XCTAssertTrue(source.contains("func \(test.function)("), "\(row.id) names \(test.function)")
            }
        }
    }

    func testEveryAttackAndClauseIsInTheTable() throws {
        let rows = try rows(of: "Attacks")
        let attacks = (1...5).map { "PH-\($0)" } + (1...24).map { "AT-\($0)" }
        XCTAssertEqual(rows.map(\.id).filter { $0.hasPrefix("PH-") || $0.hasPrefix("AT-") }, attacks)
        let clauses = """
            6.1.3 6.2.3 6.3.4 6.3.5 6.3.6 6.3.7 6.3.8 6.4.1 6.4.3 6.4.4 6.4.6 6.5.1 6.5.5 6.6.2 6.6.3 6.8.1 6.8.2 6.8.3 \
            6.8.4 7.2.4 7.4.1 7.4.2 7.4.3 7.4.5 7.5.1 7.5.3 10.1.2 10.2.1 10.2.2 10.3.3 10.5.1 10.5.2 10.5.3 10.5.4 \
            2.3.1 2.3.3 2.3.4 15.4.1 15.4.2 15.4.3 16.2.1 16.3.1 16.3.2 16.3.3
            """
        XCTAssertEqual(
            rows.map(\.id).filter { $0.hasPrefix("ASVS-") },
            clauses.split(separator: " ").map { "ASVS-" + $0 }
        )
        let federation = ["63C-3.7", "63C-3.7.1", "63C-3.7.2", "63C-3.7.3", "63C-3.8"]
        let authentication = [
            "63B-3.2.2", "63B-4.1", "63B-4.1.2.1", "63B-4.1.3", "63B-4.2.1", "63B-4.2.2", "63B-4.2.3", "63B-4.3",
            "63B-4.5", "63B-4.6", "63B-5.1", "63B-5.2",
        ]
        XCTAssertEqual(rows.map(\.id).filter { $0.hasPrefix("63") }, federation + authentication)
        for row in rows {
            let saysWhyNot = row.id.hasPrefix("ASVS-") && row.cells[1].count > 40
            XCTAssertTrue(!row.tests.isEmpty || saysWhyNot, "\(row.id) has no test")
        }
        try assertTestsExist(rows)
    }

    func testEveryRuleOfTheStandardPolicyIsInTheTable() throws {
        let rows = try rows(of: "StandardPolicy")
        XCTAssertEqual(rows.map(\.id), (1...33).map { "S\($0)" })
        try assertTestsExist(rows)
        for row in rows {
            XCTAssertFalse(row.tests.isEmpty, "\(row.id) has no test")
        }
        let policy = try PackageFiles.text("Sources/AuthCore/Rules/AuthPolicy.swift")
        let limits = try PackageFiles.text("Sources/AuthCore/Rules/AttemptLimits.swift")
        let reasons = try PackageFiles.text("Sources/AuthCore/Rules/Reason.swift")
        for row in rows {
            for choice in row.names(in: 1) {
                XCTAssertTrue((policy + limits).contains("public var \(choice)"), "\(row.id): there is no \(choice)")
            }
            for reason in row.names(in: 2) {
                XCTAssertTrue(reasons.contains("static let \(reason) "), "\(row.id): there is no \(reason)")
            }
        }
    }

    func testEveryTestOfAnAttackIsInATable() throws {
        let named = try Set((rows(of: "Attacks") + rows(of: "StandardPolicy")).flatMap { $0.tests.map(\.function) })
        for (type, source) in try sources() {
            for match in source.matches(of: #/func (test(?:PH|AT|ASVS_|NIST|S)[0-9]\w*)\(/#) {
                let isListed = named.contains(String(match.1)) || type == "HeldAddressAttackTests"
                XCTAssertTrue(isListed || type == "PendingChangeAttackTests", "\(type).\(match.1) is in no table")
            }
        }
    }
}
