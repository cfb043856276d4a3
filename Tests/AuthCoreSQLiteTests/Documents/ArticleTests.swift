#if SQLite
import AuthCore
import AuthCoreMigration
import AuthCoreTesting
import XCTest

@testable import AuthCoreSQLite
@testable import StoreInvariants

/// The articles say what is true: their Swift is compiled, their queries run, and what they move arrives.
final class ArticleTests: LimitedTestCase {
    private static let folder = "Sources/AuthCoreSQLite/AuthCoreSQLite.docc"

    private func articles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: PackageFiles.root.appending(path: Self.folder).path)
            .filter { $0.hasSuffix(".md") }.sorted()
    }

    func testEveryBlockOfSwiftStandsInATestLetterForLetter() throws {
        let source = try PackageFiles.lines("Tests/AuthCoreSQLiteTests/Documents/ArticleExamples.swift")
        for article in try articles() {
            let shown = Blocks.shown(in: try PackageFiles.lines(Self.folder + "/" + article))
            XCTAssertFalse(shown.isEmpty, "\(article) shows no Swift")
            XCTAssertEqual(shown.map(Blocks.plain), Blocks.marked(article, in: source).map(Blocks.plain), article)
        }
    }

    func testEveryQueryRunsAndEveryTableIsNamed() async throws {
        let store = try await SQLiteStore(path: SQLiteStore.memory)
        let article = try PackageFiles.lines(Self.folder + "/KeepingAccountsInSQLite.md")
        let queries = article.filter { $0.hasPrefix("    SELECT") }
        XCTAssertFalse(queries.isEmpty)
        for query in queries {
            let rows = try await store.column(query)
            XCTAssertEqual(rows, [], query)
        }
        let failed = try await store.column("SELECT count(*) FROM readable_messages WHERE has_failed")
        XCTAssertEqual(failed, ["0"])
        let text = article.joined(separator: "\n")
        let tables = try await store.column(
            "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'"
        )
        for table in tables {
            let isNamed = text.contains("`\(table)`") || queries.contains { $0.contains(" \(table) ") }
            XCTAssertTrue(isNamed, "the article does not name \(table)")
        }
    }

    func testAccountsMoveFromMemoryToAFileAndBack() async throws {
        let key: [UInt8] = Array(repeating: 7, count: 32)
        let old = AuthService(AuthConfiguration(providers: .simulated, secretKey: key))
        let first = try await AuthClient(service: old).signIn(with: .simulated(.google, .ann, at: .now)).user
        let database = try TestDatabase()
        let file = try await AuthCoreSQLiteExample.makeService(path: database.path, secretKey: key)
        let moved = try await KeepingAccountsInSQLiteExample.move(from: old, to: file)
        XCTAssertEqual(moved, 1)
        let store = try await SQLiteStore(path: database.path)
        let simulating = AuthService(AuthConfiguration(store: store, providers: .simulated, secretKey: key))
        let again = try await AuthClient(service: simulating).signIn(with: .simulated(.google, .ann, at: .now)).user
        XCTAssertEqual(again.account.id, first.account.id, "the person has another account after the move")
        let memory = AuthService(AuthConfiguration(providers: .simulated, secretKey: key))
        let back = try await KeepingAccountsInSQLiteExample.move(from: file, to: memory)
        XCTAssertEqual(back, 1)
    }
}
#endif
