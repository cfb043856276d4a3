#if PostgreSQL
import AuthCore
import Synchronization
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// What is left of a database that tests and tools empty.
final class PostgresEmptyingTests: LimitedTestCase {
    func testADatabaseThatIsEmptiedHasNoCountsOfAttemptsEither() async throws {
        let store = try await TestDatabase().open()
        let key = Store.AttemptKey(purpose: .code, hash: 7)
        let attempt = Store.Take(key, .number(1, each: .seconds(60)), isSettled: true)
        for _ in 0..<2 {
            _ = try await store.commit(Samples.creation("ann"))
            let answers = [
                try await store.take([attempt], at: Samples.now), try await store.take([attempt], at: Samples.now),
            ]
            let refused = Store.TakeAnswer.refused(until: Samples.now + .seconds(60))
            XCTAssertEqual(answers, [.taken, refused], "two attempts in a new database")
            try await store.removeEverything()
        }
    }

    func testADatabaseThatIsEmptiedHasNoRuleOfKeysAndNoRemovedEventsEither() async throws {
        let store = try await TestDatabase().open()
        let schema = store.schema.name
        let columns = "key_rule, removed_incarnation, removed_transaction, removed_number"
        func row() async throws -> String? {
            try await store.run("SELECT (ROW(\(columns)))::text FROM \(schema).store", []).first?.text(0)
        }
        let new = try await row()
        _ = try await store.commit(Samples.creation("ann"))
        try await store.execute(
            "UPDATE \(schema).store SET removed_incarnation = 5, removed_transaction = '6', removed_number = 7"
        )
        let full = try await row()
        XCTAssertEqual(full, "(address,5,6,7)", "what the database has before it is emptied")
        try await store.removeEverything()
        let empty = try await row()
        XCTAssertEqual(empty, new, "what is left of it is not what a new database has")
    }

    /// Tests and tools empty a database while a service that they have just let go may still commit.
    func testACommitThatHasBegunIsGoneWhenEverythingIsRemoved() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        let name = database.options.schema
        var commit = try Link(Settings(connection: database.connection, options: database.options))
        let begun = "BEGIN; INSERT INTO \(name).operations (id) VALUES (gen_random_uuid())"
        try commit.run(text: begun, until: .now + .seconds(10))
        let isOver = Mutex(false)
        async let removal: Void = {
            try await store.removeEverything()
            isOver.withLock { $0 = true }
        }()
        let waits = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = '\(name).operations'::regclass"
        while !isOver.withLock({ $0 }), try await store.run(waits, []).first?.number(0) == 0 {
            await Task.yield()
        }
        try commit.run(text: "COMMIT", until: .now + .seconds(10))
        try await removal
        let left = try await store.run("SELECT count(*) FROM \(name).operations", []).first?.number(0)
        XCTAssertEqual(left, 0, "another operation with the same ID would be taken for written")
    }
}
#endif
