#if PostgreSQL
import AuthCore
import AuthCoreMigration
import AuthCoreTesting
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// The articles say what is true: their Swift is compiled, their queries run, and what they copy and move arrives.
final class PostgresArticleTests: LimitedTestCase {
    private static let folder = "Sources/AuthCorePostgres/AuthCorePostgres.docc"
    private let key: [UInt8] = Array(repeating: 7, count: 32)

    private func service(on store: PostgresStore) -> AuthService {
        let configuration = AuthConfiguration(store: store, providers: .simulated, secretKey: key)
        return AuthService(configuration)
    }

    func testEveryBlockOfSwiftStandsInATestLetterForLetter() throws {
        let source = try PackageFiles.lines("Tests/AuthCorePostgresTests/Documents/ArticleExamples.swift")
        for article in ["AuthCorePostgres.md", "KeepingAccountsInPostgreSQL.md"] {
            let shown = Blocks.shown(in: try PackageFiles.lines(Self.folder + "/" + article))
            XCTAssertFalse(shown.isEmpty, "\(article) shows no Swift")
            XCTAssertEqual(shown.map(Blocks.plain), Blocks.marked(article, in: source).map(Blocks.plain), article)
        }
    }

    func testEveryQueryRunsAndEveryTableIsNamed() async throws {
        let database = try TestDatabase()
        let (store, schema) = (try await database.open(), database.options.schema)
        let article = try PackageFiles.lines(Self.folder + "/KeepingAccountsInPostgreSQL.md")
        let queries = article.filter { $0.hasPrefix("    SELECT") }
        XCTAssertGreaterThan(queries.count, 4, "queries of the article")
        for query in queries {
            let text = query.trimmingCharacters(in: CharacterSet(charactersIn: " ;"))
            _ = try await store.run(text.replacing("authcore.", with: schema + "."), [])
        }
        let text = article.joined(separator: "\n")
        let tables = try await store.run(
            """
            SELECT tablename::text FROM pg_tables WHERE schemaname = '\(schema)'
            UNION ALL SELECT viewname::text FROM pg_views WHERE schemaname = '\(schema)'
            """,
            []
        )
        XCTAssertGreaterThan(tables.count, 8, "tables of the schema")
        for table in tables.compactMap({ $0.text(0) }) {
            let isNamed = text.contains("`\(table)`") || queries.contains { $0.contains(" authcore.\(table) ") }
            XCTAssertTrue(isNamed, "the article does not name \(table)")
        }
    }

    func testAccountsMoveFromMemoryToADatabaseAndBack() async throws {
        let old = AuthService(AuthConfiguration(providers: .simulated, secretKey: key))
        let first = try await AuthClient(service: old).signIn(with: .simulated(.google, .ann, at: .now)).user
        let new = service(on: try await TestDatabase().open())
        let moved = try await KeepingAccountsInPostgreSQLExample.move(from: old, to: new)
        XCTAssertEqual(moved, 1)
        let again = try await AuthClient(service: new).signIn(with: .simulated(.google, .ann, at: .now)).user
        XCTAssertEqual(again.account.id, first.account.id, "the person has another account after the move")
        let memory = AuthService(AuthConfiguration(providers: .simulated, secretKey: key))
        let back = try await KeepingAccountsInPostgreSQLExample.move(from: new, to: memory)
        XCTAssertEqual(back, 1)
    }

    func testADumpOfTheSchemaIsACompleteCopy() async throws {
        let database = try TestDatabase()
        let (store, schema) = (try await database.open(), database.options.schema)
        let user = try await AuthClient(service: service(on: store)).signIn(with: .simulated(.google, .ann, at: .now))
            .user
        let token = try await user.issueTokens().refreshToken
        try await store.execute("DROP DATABASE IF EXISTS copy_of_\(schema)")
        try await store.execute("CREATE DATABASE copy_of_\(schema)")
        let copy = database.connection.replacing("dbname=postgres", with: "dbname=copy_of_\(schema)")
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        let commands = "pg_dump --schema=$3 -d \"$1\" | psql -q -v ON_ERROR_STOP=1 -d \"$2\""
        process.arguments = ["-o", "pipefail", "-c", commands, "copy", database.connection, copy, schema]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        XCTAssertEqual(process.terminationStatus, 0, "the copy failed")
        let restored = try await PostgresStore(copy, options: database.options)
        try await restored.raiseIncarnation()
        let client = AuthClient(service: service(on: restored))
        _ = try await client.refresh(token)
        let again = try await client.signIn(with: .simulated(.google, .ann, at: .now)).user
        XCTAssertEqual(again.account.id, user.account.id, "the person has another account in the copy")
    }
}
#endif
