@testable import AuthCore
import Foundation
import XCTest

final class JournalTests: XCTestCase {
    func testEveryJournalIsOfATestThatIsThere() throws {
        let tests = try namesOfTests()
        if JournalFile.isWritten { try JournalFile.change { $0 = $0.filter { tests.contains($0.key) } } }
        XCTAssertEqual(try JournalFile.lines().keys.filter { !tests.contains($0) }, [])
    }

    func testJournalsDifferInWhatWasDecidedAndNotInRandomNames() {
        func print(_ json: String...) -> String {
            var print = Fingerprint()
            for json in json { print.add(json: Array(json.utf8)) }
            return print.text
        }
        let (first, second) = ("\"0000000000000000000001\"", "\"0000000000000000000002\"")
        XCTAssertEqual(print("{\"id\":\(first)}"), print("{\"id\":\(second)}"))
        XCTAssertEqual(print("[\(first),\(second)]"), print("[\(second),\(first)]"))
        XCTAssertNotEqual(print("[\(first),\(second)]"), print("[\(first),\(first)]"))
        XCTAssertNotEqual(print("{\"email\":\"a\"}"), print("{\"email\":\"b\"}"))
        XCTAssertNotEqual(print("[1,2]"), print("[1,3]"))
        XCTAssertEqual(
            print("[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]"),
            print("[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,17]")
        )
        XCTAssertNotEqual(print("{}", "{}"), print("{}"))
    }

    /// Every reason is one that some decision of the tests, or some row of the tables, gives.
    func testNoReasonIsUnreachable() throws {
        let declared = try PackageFiles.text("Sources/AuthCore/Rules/Reason.swift")
            .matches(of: #/rawValue: "(\w+)"\)/#).map { String($0.1) }
        var given = Set(try JournalFile.lines().values.flatMap { $0.split(separator: " ").map(String.init) })
        for line in try PackageFiles.lines("Tests/AuthCoreTests/Tables/Golden/rules.txt") {
            guard let answer = line.range(of: " -> ", options: .backwards) else { continue }
            given.formUnion(line[answer.upperBound...].split { !$0.isLetter }.map(String.init))
        }
        XCTAssertGreaterThan(declared.count, 100)
        // What cannot be has a reason too; no facts lead there.
        XCTAssertEqual(declared.filter { !given.contains($0) }, ["factsContradict"])
    }

    private func namesOfTests() throws -> Set<String> {
        let folder = PackageFiles.root.appending(path: "Tests/AuthCoreTests")
        let files = try XCTUnwrap(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
        var names: Set<String> = []
        for file in files where file.hasSuffix(".swift") {
            var type = ""
            for line in try PackageFiles.text("Tests/AuthCoreTests/" + file).split(separator: "\n") {
                if line.hasPrefix("final class ") || line.hasPrefix("extension ") {
                    type = String(line.drop { $0 != " " }.split { " :".contains($0) }.first { $0 != "class" } ?? "")
                } else if line.hasPrefix("    func test") {
                    names.insert("\(type).\(line.dropFirst(9).prefix { $0 != "(" })")
                }
            }
        }
        return names
    }
}
