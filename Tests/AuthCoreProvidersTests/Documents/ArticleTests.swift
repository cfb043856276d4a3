#if OpenSSL
import AuthCore
import XCTest

/// The articles say what is true: their Swift is compiled, their links lead somewhere.
final class ArticleTests: LimitedTestCase {
    private static let folder = "Sources/AuthCoreProviders/AuthCoreProviders.docc"

    private func articles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: PackageFiles.root.appending(path: Self.folder).path)
            .filter { $0.hasSuffix(".md") }.sorted()
    }

    func testEveryBlockOfSwiftStandsInATestLetterForLetter() throws {
        let source = try PackageFiles.lines("Tests/AuthCoreProvidersTests/Documents/ArticleExamples.swift")
        for article in try articles() {
            let shown = Blocks.shown(in: try PackageFiles.lines(Self.folder + "/" + article))
            XCTAssertFalse(shown.isEmpty, "\(article) shows no Swift")
            XCTAssertEqual(shown.map(Blocks.plain), Blocks.marked(article, in: source).map(Blocks.plain), article)
        }
    }

    func testTheLandingPageListsEveryArticle() throws {
        let landing = try PackageFiles.text(Self.folder + "/AuthCoreProviders.md")
        for article in try articles() where article != "AuthCoreProviders.md" {
            XCTAssertTrue(landing.contains("<doc:\(article.dropLast(3))>"), article)
        }
    }

    func testTheExamplesMakeAService() {
        for auth in [ConnectGoogleExample.make(), ConnectAppleExample.make(), ConnectMicrosoftExample.make()] {
            XCTAssertNil(auth.currentUser)
        }
        for service in [
            AuthCoreProvidersExample.make(googleSecret: "s", gitHubSecret: "s"),
            ConnectFacebookExample.make(appSecret: "s"), ConnectGitHubExample.make(clientSecret: "s"),
            ConnectAnyProviderExample.make(clientSecret: "s"), ConnectAppleExample.make(fileContent: "s"),
        ] {
            XCTAssertEqual(service.warnings, [])
        }
    }
}
#endif
