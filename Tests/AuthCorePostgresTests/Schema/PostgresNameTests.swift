#if PostgreSQL
import AuthCore
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// A name that is a keyword of SQL is a name for a schema like any other.
final class PostgresNameTests: LimitedTestCase {
    func testEveryOperationWorksInASchemaWhoseNameIsAKeyword() async throws {
        for name in ["user", "order"] {
            let database = try TestDatabase { $0.schema = name }
            let store = try await database.open()
            try await store.removeEverything()
            let outcome = try await store.commit(Samples.creation("ann"))
            XCTAssertEqual(outcome, .committed, name)
            let found = try await store.load([.account("ann")])["ann"]
            XCTAssertEqual(found, Samples.account("ann"), name)
            let pages = [
                try await store.accounts(after: nil, limit: 10),
                try await store.accounts(dueBy: .distantFuture, after: nil, limit: 10),
            ]
            XCTAssertEqual(pages, [[Samples.account("ann")], []], name)
            let key = Store.AttemptKey(purpose: .code, hash: 7)
            let attempt = Store.Take(key, .number(1, each: .seconds(60)), isSettled: true)
            let answers = try await store.take([attempt], at: Samples.now)
            XCTAssertEqual(answers, .taken, name)
            let events = try await store.events(1, after: .start)
            XCTAssertEqual(events.map(\.account), ["ann"], name)
            let (now, end) = (Samples.now, Samples.now + .seconds(60))
            let leased = try await store.leaseMessages(at: now, until: end, limit: 10)
            XCTAssertEqual(leased.count, 1, name)
            try await store.endLease(of: leased[0].entry.id, tries: leased[0].tries, dueAt: nil)
            let failed = try await store.messages(.failed, after: nil, limit: 10)
            XCTAssertEqual(failed.count, 1, name)
            try await store.settleMessages(failed.map(\.entry.id))
            let isComplete = try await store.sweep(at: now, limit: 10).isComplete
            XCTAssertTrue(isComplete, name)
            _ = try await store.eventLag()
            try await store.raiseIncarnation()
            let removed = try await store.removeEvents(before: end)
            XCTAssertEqual(removed, 1, name)
            _ = try await PostgresByHand(copyOf: store, database.connection, lanes: 1)
            try await store.removeSchema()
            let left = try await TestDatabase().open()
                .run("SELECT count(*) FROM pg_namespace WHERE nspname IN ($1, $1 || '_by_hand')", [.text(name)])
            XCTAssertEqual(left.first?.number(0), 0, "schemas that are left of \(name)")
        }
    }

    func testThePrintedSQLMakesASchemaWhoseNameIsAKeyword() async throws {
        let database = try TestDatabase { ($0.schema, $0.migrates) = ("table", false) }
        let maker = try await TestDatabase().open()
        try await maker.execute("DROP SCHEMA IF EXISTS \"table\" CASCADE")
        try await maker.execute(script: PostgresStore.schema(after: 0, named: "table"))
        let store = try await database.open()
        let outcome = try await store.commit(Samples.creation("ann"))
        XCTAssertEqual(outcome, .committed)
        let found = try await store.load([.account("ann")])["ann"]
        XCTAssertEqual(found, Samples.account("ann"))
        try await store.removeSchema()
    }
}
#endif
