import Foundation
import XCTest

/// The examples in the comments of the sources are compiled: each stands in a test, letter for letter.
final class CommentTests: LimitedTestCase {
    func testEveryExampleInACommentStandsInATest() throws {
        let compiled = try ["ReadmeExamples", "ArticleExamples", "GuideExamples", "CommentExamples"].map { name in
            Self.text(of: try PackageFiles.lines("Tests/AuthCoreTests/Documents/\(name).swift"))
        }
        let folder = "Sources/AuthCore"
        let files = FileManager.default.enumerator(atPath: PackageFiles.root.appending(path: folder).path)
        var count = 0
        for file in try XCTUnwrap(files).compactMap({ $0 as? String }) where file.hasSuffix(".swift") {
            let comments = try PackageFiles.lines("\(folder)/\(file)").compactMap { line -> String? in
                let line = line.trimmingCharacters(in: .whitespaces)
                return line.hasPrefix("///") ? String(line.dropFirst(line.hasPrefix("/// ") ? 4 : 3)) : nil
            }
            for example in Blocks.shown(in: comments).map(Self.text) {
                count += 1
                XCTAssertTrue(compiled.contains { $0.contains(example) }, "\(file):\n\(example)")
            }
        }
        XCTAssertGreaterThan(count, 5)
    }

    private static func text(of lines: [String]) -> String {
        lines.map { line in
            let line = line.trimmingCharacters(in: .whitespaces)
            return line.hasPrefix("static func ") ? String(line.dropFirst("static ".count)) : line
        }
        .joined(separator: "\n")
    }
}
