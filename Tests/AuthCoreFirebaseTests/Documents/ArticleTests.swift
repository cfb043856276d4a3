import Foundation
import XCTest

/// The articles say what is true: the Swift that they show is compiled and run by the package in
/// `Tests/ConsumerPackage`.
final class ArticleTests: LimitedTestCase {
    private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
    private static let folder = "Sources/AuthCoreFirebase/AuthCoreFirebase.docc"
    private static let consumer = "Tests/ConsumerPackage"

    /// The lines of a file without their indentation.
    private func lines(_ path: String) throws -> [String] {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private func articles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: Self.folder).path)
            .filter { $0.hasSuffix(".md") }.sorted()
    }

    private func blocks(_ article: String) throws -> [[String]] {
        try lines(Self.folder + "/" + article).split(separator: "```swift").dropFirst()
            .map { Array($0.prefix { $0 != "```" }) }
    }

    private func sources() throws -> [[String]] {
        let paths = try XCTUnwrap(
            FileManager.default.enumerator(atPath: Self.root.appending(path: Self.consumer).path)
        )
        return try paths.compactMap { $0 as? String }
            .filter { $0.hasSuffix(".swift") && !$0.hasPrefix(".build") }
            .map { try lines(Self.consumer + "/" + $0) }
    }

    func testEveryBlockOfSwiftStandsInTheConsumersPackage() throws {
        let sources = try sources()
        for article in try articles() {
            for block in try blocks(article) {
                XCTAssertTrue(
                    sources.contains { $0.contains(block) },
                    "\(article) shows what no file has: \(block.joined(separator: "\n"))"
                )
            }
        }
    }

    func testTheLandingPageListsEveryArticle() throws {
        let landing = try lines(Self.folder + "/AuthCoreFirebase.md").joined(separator: "\n")
        for article in try articles() where article != "AuthCoreFirebase.md" {
            XCTAssertTrue(landing.contains("<doc:\(article.dropLast(3))>"), article)
        }
    }

    func testTheArticleShowsACompleteTestCase() throws {
        let blocks = try blocks("TestingAnApp.md")
        let tests = blocks.joined().filter { $0.hasPrefix("func test") }
        XCTAssertGreaterThan(tests.count, 5, "the recipes are tests")
        let all = try lines(Self.consumer + "/Tests/ClientTests/SignInModelTests.swift")
        XCTAssertEqual(Set(tests), Set(all.filter { $0.hasPrefix("func test") }), "each test of the file is a recipe")
    }
}
