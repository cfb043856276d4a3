import AuthCore
import Foundation
import XCTest

/// The tables of the standard policy and of the attacks name what there is, and leave nothing out.
///
/// That the tests of their list are there is a matter of the runner's own list: see `.ci/test`.
final class PolicyArticleTests: LimitedTestCase {
    private struct Row {
        let id: String
        let cells: [String]

        func names(in column: Int) -> [String] {
            cells[column].matches(of: #/`([A-Za-z0-9_.]+)`/#).map { String($0.1) }
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

    /// The tests of each rule, attack and clause, as an article of their own lists them.
    private func tests() throws -> [String: [String]] {
        var (tests, id): ([String: [String]], String) = ([:], "")
        for line in try PackageFiles.lines("Sources/AuthCore/AuthCore.docc/TestsOfTheRules.md") {
            if line.hasPrefix("- ") { id = String(line.dropFirst(2)) }
            guard let test = line.wholeMatch(of: #/  - `([A-Za-z0-9]+\.test[A-Za-z0-9_]+)`/#) else { continue }
            tests[id, default: []].append(String(test.1))
        }
        return tests
    }

    func testTheListOfTestsHasNoOtherRuleThanTheTables() throws {
        let rows = try rows(of: "StandardPolicy") + rows(of: "Attacks")
        XCTAssertEqual(try tests().keys.filter { id in !rows.contains { $0.id == id } }, [])
    }

    func testEveryAttackAndClauseIsInTheTable() throws {
        let (rows, tests) = (try rows(of: "Attacks"), try tests())
        let attacks = (1...5).map { "PH-\($0)" } + (1...39).map { "AT-\($0)" }
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
            XCTAssertTrue(tests[row.id] != nil || saysWhyNot, "\(row.id) has no test")
        }
    }

    func testEveryRuleOfTheStandardPolicyIsInTheTable() throws {
        let (rows, tests) = (try rows(of: "StandardPolicy"), try tests())
        XCTAssertEqual(rows.map(\.id), (1...40).map { "S\($0)" })
        for row in rows {
            XCTAssertNotNil(tests[row.id], "\(row.id) has no test")
        }
        let choices = Self.choices(of: AuthPolicy.standard)
        let reasons = Set(Reason.all.map(\.rawValue))
        for row in rows {
            XCTAssertEqual(row.names(in: 1).filter { !choices.contains($0) }, [], row.id)
            XCTAssertEqual(row.names(in: 2).filter { !reasons.contains($0) }, [], row.id)
        }
    }

    func testEveryChoiceIsListedWithItsValues() throws {
        let path = "Sources/AuthCore/AuthCore.docc/ChoosingAPolicy.md"
        let heading = "## Every choice\n\n"
        let article = try PackageFiles.text(path)
        let start = try XCTUnwrap(article.range(of: heading)?.upperBound, "the article has the heading")
        let rows = article[start...].split(separator: "\n").map(String.init)
        let expected = article[..<start] + (try PolicyChoicesDocument.text(after: rows))
        if ProcessInfo.processInfo.environment["WRITE_DOCUMENTS"] != nil {
            try Data(expected.utf8).write(to: PackageFiles.root.appending(path: path))
        }
        XCTAssertEqual(
            try PackageFiles.text(path),
            String(expected),
            "run WRITE_DOCUMENTS=1 swift test --filter PolicyArticleTests"
        )
    }

    /// The names of the properties of a value and of what they hold.
    private static func choices(of value: Any) -> Set<String> {
        Mirror(reflecting: value).children.reduce(into: []) { names, child in
            if let label = child.label { names.insert(label) }
            names.formUnion(choices(of: child.value))
        }
    }
}
