import AuthCore
import Foundation
import XCTest

final class JournalTests: XCTestCase {
    func testEveryJournalIsOfATestThatIsThere() throws {
        var lines = try JournalFile.lines()
        let tests = try namesOfTests()
        let stale = lines.keys.filter { !tests.contains($0) }
        if JournalFile.isWritten {
            for name in stale { lines[name] = nil }
            try JournalFile.write(lines)
        } else {
            XCTAssertEqual(stale, [])
        }
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
