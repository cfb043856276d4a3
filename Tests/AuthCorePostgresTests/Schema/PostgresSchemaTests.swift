#if PostgreSQL
import AuthCore
import AuthCoreTesting
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// Which schema a store opens, and who makes it.
final class PostgresSchemaTests: LimitedTestCase {
    func testANameThatIsNoSchemaIsRefused() async throws {
        _ = try TestDatabase.server()
        for name in ["", "Accounts", "a b", "a\"b", "pg_accounts", "1a", String(repeating: "a", count: 64)] {
            let kind = await Self.kind { _ = try await TestDatabase { $0.schema = name }.open() }
            XCTAssertEqual(kind, .invalidSettings, "the name \(name)")
            XCTAssertEqual(PostgresStore.schema(named: name), "", "the SQL for the name \(name)")
        }
    }

    func testASchemaOfANewerLibraryIsRefused() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        try await store.execute("INSERT INTO \(database.options.schema).schema_version VALUES (99)")
        let kind = await Self.kind { _ = try await database.open() }
        XCTAssertEqual(kind, .newerSchema)
    }

    func testASchemaThatIsMissingIsRefusedWhereItMayNotBeMade() async throws {
        _ = try TestDatabase.server()
        let kind = await Self.kind { _ = try await TestDatabase { $0.migrates = false }.open() }
        XCTAssertEqual(kind, .olderSchema)
    }

    func testARoleThatMayNotCreateTablesUsesAMigratedDatabase() async throws {
        let database = try TestDatabase()
        let schema = database.options.schema
        let owner = try await database.open()
        try await owner.execute("CREATE ROLE \(schema) LOGIN")
        try await owner.execute("GRANT USAGE ON SCHEMA \(schema) TO \(schema)")
        try await owner.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(schema) TO \(schema)")
        try await owner.execute("GRANT USAGE ON ALL SEQUENCES IN SCHEMA \(schema) TO \(schema)")
        let store = try await PostgresStore(database.connection + " user=\(schema)", options: database.options)
        let outcome = try await store.commit(Samples.creation("ann"))
        XCTAssertEqual(outcome, .committed)
        let found = try await store.load([.account("ann")])["ann"]
        XCTAssertEqual(found?.id, "ann")
    }

    func testARoleThatOwnsItsSchemaAndMayMakeNoOtherMigratesIt() async throws {
        let database = try TestDatabase()
        let name = database.options.schema
        let admin = try await TestDatabase().open()
        try await admin.execute("CREATE ROLE \(name) LOGIN")
        try await admin.execute("CREATE SCHEMA \(name) AUTHORIZATION \(name)")
        let store = try await PostgresStore(database.connection + " user=\(name)", options: database.options)
        let outcome = try await store.commit(Samples.creation("ann"))
        XCTAssertEqual(outcome, .committed)
    }

    func testTheSchemaCanBeMadeByItsPrintedSQL() async throws {
        let database = try TestDatabase()
        let sql = PostgresStore.schema(named: database.options.schema)
        let maker = try await TestDatabase().open()
        try await maker.execute(script: sql)
        var options = database.options
        options.migrates = false
        let store = try await PostgresStore(database.connection, options: options)
        let outcome = try await store.commit(Samples.creation("ann"))
        XCTAssertEqual(outcome, .committed)
    }

    func testOfSeveralProcessesThatOpenAnEmptyDatabaseOneMigratesIt() async throws {
        let database = try TestDatabase()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<5 { group.addTask { _ = try await database.open() } }
            try await group.waitForAll()
        }
        let outcome = try await database.open().commit(Samples.creation("ann"))
        XCTAssertEqual(outcome, .committed)
    }
}
#endif
