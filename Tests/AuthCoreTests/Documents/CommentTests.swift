import Foundation
import XCTest

/// The examples in the comments of the sources are compiled: each stands in a test, letter for letter.
final class CommentTests: LimitedTestCase {
    private static let here = ["ReadmeExamples", "ArticleExamples", "GuideExamples", "CommentExamples"]
        .map { "AuthCoreTests/Documents/\($0)" }

    /// The modules, and the tests that their examples stand in: those of the module where it needs a trait or others
    /// than the tests of the library import.
    private static let modules = [
        "AuthCore": here,
        "AuthCoreFirebase": ["AuthCoreFirebaseTests/Documents/CommentExamples"],
        "AuthCoreMigration": here,
        "AuthCorePostgres": ["AuthCorePostgresTests/Documents/CommentExamples"],
        "AuthCoreProviders": ["AuthCoreProvidersTests/Documents/CommentExamples"],
        "AuthCoreSQLite": ["AuthCoreSQLiteTests/Documents/CommentExamples"],
        "AuthCoreTesting": here,
    ]

    func testEveryExampleInACommentStandsInATest() throws {
        for (module, tests) in Self.modules {
            let compiled = try tests.map { Self.text(of: try PackageFiles.lines("Tests/\($0).swift")) }
            var count = 0
            for (file, comments) in try Self.comments(of: module) {
                for example in Blocks.shown(in: comments).map(Self.text) {
                    count += 1
                    XCTAssertTrue(compiled.contains { $0.contains(example) }, "\(module)/\(file):\n\(example)")
                }
            }
            XCTAssertGreaterThan(count, module == "AuthCore" ? 50 : 0, module)
        }
    }

    func testNoExampleInACommentIsOnlyIndented() throws {
        for module in Self.modules.keys {
            for (file, comments) in try Self.comments(of: module) {
                var (isFenced, last) = (false, "-")
                for line in comments {
                    if line.hasPrefix("```") { isFenced.toggle() }
                    let isCode = !isFenced && last.isEmpty && line.hasPrefix("    ")
                    XCTAssertFalse(isCode, "\(module)/\(file): \(line)")
                    last = line
                }
            }
        }
    }

    /// The comments of each file of a module.
    private static func comments(of module: String) throws -> [(file: String, lines: [String])] {
        let folder = "Sources/\(module)"
        let files = FileManager.default.enumerator(atPath: PackageFiles.root.appending(path: folder).path)
        return try XCTUnwrap(files).compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.map { file in
            let comments = try PackageFiles.lines("\(folder)/\(file)").compactMap { line -> String? in
                let line = line.trimmingCharacters(in: .whitespaces)
                return line.hasPrefix("///") ? String(line.dropFirst(line.hasPrefix("/// ") ? 4 : 3)) : nil
            }
            return (file, comments)
        }
    }

    private static func text(of lines: [String]) -> String {
        lines.map { line in
            let line = line.trimmingCharacters(in: .whitespaces)
            return line.hasPrefix("static func ") ? String(line.dropFirst("static ".count)) : line
        }
        .joined(separator: "\n")
    }
}
