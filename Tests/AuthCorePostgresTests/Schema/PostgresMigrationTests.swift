#if PostgreSQL
import AuthCore
import AuthCoreSQL
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// A second version of the schema: what becomes of the rows, of a step that fails, and of processes of the first
/// version.
final class PostgresMigrationTests: LimitedTestCase {
    private static func second(_ statements: String...) -> Migrations {
        Migrations(Schema.migrations.steps + [Migration(version: 2, purpose: "notes", statements: statements)])
    }

    private static let notes = second(
        "ALTER TABLE accounts ADD COLUMN note text",
        "UPDATE accounts SET note = 'from before'"
    )

    private static func opened(_ database: TestDatabase, _ migrations: Migrations) async throws -> PostgresStore {
        try await PostgresStore(database.connection, options: database.options, migrations: migrations)
    }

    private func versions(_ store: PostgresStore) async throws -> [Int64?] {
        let text = "SELECT version FROM \(store.schema.name).schema_version ORDER BY version"
        return try await store.run(text, []).map { $0.number(0) }
    }

    func testAStepKeepsWhatIsThereAndOfSeveralProcessesOneTakesIt() async throws {
        let database = try TestDatabase()
        let first = try await database.open()
        for name in ["ann", "ben"] { _ = try await first.commit(Samples.creation(name)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<5 { group.addTask { _ = try await Self.opened(database, Self.notes) } }
            try await group.waitForAll()
        }
        let second = try await Self.opened(database, Self.notes)
        let noted = try await versions(second)
        XCTAssertEqual(noted, [1, 2])
        let accounts = try await second.accounts(after: nil, limit: 10)
        XCTAssertEqual(accounts, [Samples.account("ann"), Samples.account("ben")])
        let events = try await second.events(2, after: .start)
        XCTAssertEqual(events.map(\.account), ["ann", "ben"])
        let notes = "SELECT count(*) FROM \(database.options.schema).accounts WHERE note = 'from before'"
        let count = try await second.run(notes, []).first?.number(0)
        XCTAssertEqual(count, 2, "rows that the step has changed")
        // A step that takes nothing away does not disturb a process of the version before.
        let outcome = try await first.commit(Samples.creation("cem"))
        XCTAssertEqual(outcome, .committed)
    }

    func testAStepMayTakeLongerThanAStatementOtherwiseMay() async throws {
        let store = try await TestDatabase { $0.statementTimeout = .milliseconds(100) }.open()
        do {
            try await store.execute(script: "SELECT pg_sleep(0.3)")
        } catch {
            XCTFail("a step was stopped after the limit of a statement: \(error)")
        }
    }

    func testAStepThatFailsChangesNothing() async throws {
        let database = try TestDatabase()
        let first = try await database.open()
        _ = try await first.commit(Samples.creation("ann"))
        do {
            let faulty = Self.second("ALTER TABLE accounts ADD COLUMN note text", "SELECT 1 / 0")
            _ = try await Self.opened(database, faulty)
            XCTFail("it was opened")
        } catch let error as AuthError {
            XCTAssertEqual((error.cause as? PostgresError)?.sqlState, "22012", "\(error)")
        }
        let noted = try await versions(first)
        XCTAssertEqual(noted, [1])
        let second = try await Self.opened(database, Self.notes)
        let accounts = try await second.accounts(after: nil, limit: 10)
        XCTAssertEqual(accounts.map(\.id), ["ann"], "the same step without its fault")
    }

    func testAProcessOfTheVersionBeforeIsToldThatItIsTooOldWhenItsFunctionsAreGone() async throws {
        let database = try TestDatabase()
        let first = try await database.open()
        _ = try await first.commit(Samples.creation("ann"))
        let renamed = Self.second("ALTER FUNCTION commit RENAME TO commit_2", "ALTER FUNCTION load RENAME TO load_2")
        _ = try await Self.opened(database, renamed)
        do {
            _ = try await first.commit(Samples.creation("ben"))
            XCTFail("it was committed")
        } catch let error as AuthError {
            XCTAssertEqual(error.code, .storeUnavailable)
            XCTAssertEqual((error.cause as? PostgresError)?.kind, .newerSchema, "\(error)")
            XCTAssertEqual(error.message.contains("update the library"), true, error.message)
        }
    }

    func testACommitThatWasSentBeforeItsFunctionWasGoneMayBeWritten() async throws {
        let proxy = try LoopbackProxy(to: try TestDatabase.server())
        defer { proxy.close() }
        let database = try TestDatabase(proxy.connection)
        let store = try await database.open()
        let (name, direct) = (
            database.options.schema, Settings(connection: try TestDatabase.server(), options: .init())
        )
        proxy.cutNextCommit(.after) {
            let text = "ALTER FUNCTION \(name).commit RENAME TO commit_2; INSERT INTO \(name).schema_version VALUES (2)"
            do {
                var link = try Link(direct)
                try link.run(text: text, until: .now + .seconds(10))
            } catch {
                XCTFail("\(error)")
            }
        }
        do {
            _ = try await store.commit(Samples.creation("ann"))
            XCTFail("the commit answered")
        } catch let error as AuthError {
            XCTAssertEqual(error.code, .outcomeUnknown, "it was written: \(error)")
        }
        let accounts = try await store.accounts(after: nil, limit: 10)
        XCTAssertEqual(accounts.map(\.id), ["ann"])
    }

    func testThePrintedSQLHasOnlyTheStepsThatAreLeft() {
        let newest = Schema.migrations.newest
        XCTAssertTrue(PostgresStore.schema().contains("CREATE TABLE store"), "the SQL for an empty database")
        let left = PostgresStore.schema(after: newest)
        XCTAssertFalse(left.contains("CREATE TABLE store"), "the SQL for a database of the newest version: \(left)")
        XCTAssertEqual(PostgresStore.schema(after: newest + 1), "", "the SQL for a database of a newer version")
    }

    func testAToolOfTheTeamCanTakeTheStep() async throws {
        let database = try TestDatabase()
        let first = try await database.open()
        _ = try await first.commit(Samples.creation("ann"))
        var options = database.options
        options.migrates = false
        do {
            _ = try await PostgresStore(database.connection, options: options, migrations: Self.notes)
            XCTFail("it was opened before the step was taken")
        } catch {
            XCTAssertEqual((error.cause as? PostgresError)?.kind, .olderSchema, "\(error)")
        }
        let steps = try Self.notes.sql(after: 1, setVersion: Schema.note)
        try await first.execute(script: (first.schema.preparation.map { $0 + ";\n" }).joined() + steps)
        let second = try await PostgresStore(database.connection, options: options, migrations: Self.notes)
        let accounts = try await second.accounts(after: nil, limit: 10)
        XCTAssertEqual(accounts.map(\.id), ["ann"])
    }
}
#endif
