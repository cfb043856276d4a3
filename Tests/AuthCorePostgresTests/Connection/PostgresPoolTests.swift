#if PostgreSQL
import AuthCore
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// How many connections a process has, and how it waits for one.
final class PostgresPoolTests: LimitedTestCase {
    /// Holds so many connections at once, one inside the other, and says what became of the last.
    private static func hold(_ count: Int, of store: PostgresStore) async throws(PostgresError) {
        if count == 0 { return }
        try await store.withConnection { (_) throws(PostgresError) in try await hold(count - 1, of: store) }
    }

    func testAsManyConnectionsAreInUseAtOnceAsTheOptionSays() async throws {
        for (option, limit) in [(3, 3), (1, 1), (0, 1), (-1, 1), (1000, 100)] {
            let store = try await TestDatabase {
                $0.connections = option
                $0.poolTimeout = .milliseconds(200)
            }
            .open()
            do throws(PostgresError) { try await Self.hold(limit, of: store) } catch {
                XCTFail("\(limit) connections where the option is \(option): \(error)")
            }
            do throws(PostgresError) {
                try await Self.hold(limit + 1, of: store)
                XCTFail("\(limit + 1) connections where the option is \(option)")
            } catch {
                XCTAssertEqual(error.kind, .tooManyConnections, "\(error)")
                XCTAssertEqual(error.message, "All connections of the pool were in use.")
            }
        }
    }

    func testACallerThatWaitsForAConnectionAndIsCanceledWaitsNoLonger() async throws {
        let store = try await TestDatabase {
            $0.connections = 1
            $0.poolTimeout = .seconds(5)
        }
        .open()
        let result = try await store.withConnection { (_) throws(PostgresError) in
            let task = Task { try await store.load([.account("ann")]) }
            // So that it waits already.
            for _ in 0..<1000 { await Task.yield() }
            task.cancel()
            return await task.result
        }
        XCTAssertThrowsError(try result.get(), "it had a connection that was in use") { error in
            XCTAssertEqual((error as? AuthError)?.code, .canceled, "\(error)")
        }
        let found = try await store.load([.account("ann")])["ann"]
        XCTAssertNil(found, "the next one gets the connection")
    }

    func testAConnectionGoesToWhoWaitedForItLongest() async throws {
        let store = try await TestDatabase {
            $0.connections = 1
            $0.poolTimeout = .seconds(5)
        }
        .open()
        let (served, order) = AsyncStream.makeStream(of: Int.self)
        let waiting = try await store.withConnection { (_) throws(PostgresError) in
            var waiting: [Task<Void, any Error>] = []
            for number in 1...3 {
                waiting.append(
                    Task {
                        try await store.withConnection { (_) throws(PostgresError) in _ = order.yield(number) }
                    }
                )
                // So that it waits already when the next one comes.
                for _ in 0..<1000 { await Task.yield() }
            }
            return waiting
        }
        for task in waiting { try await task.value }
        order.finish()
        let numbers = await served.reduce(into: []) { $0.append($1) }
        XCTAssertEqual(numbers, [1, 2, 3], "who was served, in the order of their waits")
    }

    func testTheConnectionThatWasUsedLastIsUsedNext() async throws {
        let store = try await TestDatabase().open()
        let question = "SELECT pg_backend_pid()::bigint"
        let (outer, inner) = try await store.withConnection { (outer) throws(PostgresError) in
            let inner = try await store.withConnection { (inner) throws(PostgresError) in
                try await inner.run(question, []).first?.number(0)
            }
            return (try await outer.run(question, []).first?.number(0), inner)
        }
        XCTAssertNotEqual(outer, inner, "two connections at once")
        let next = try await store.run(question, []).first?.number(0)
        XCTAssertEqual(next, outer, "the connection that was put back last")
    }

    func testTheConnectionsOfAStoreThatIsLetGoAreClosed() async throws {
        let database = try TestDatabase()
        let watch = try await database.open()
        let mark = database.options.schema
        var store: PostgresStore? = try await PostgresStore(
            "\(database.connection) application_name=\(mark)",
            options: database.options
        )
        for _ in 0..<300 { _ = try await store?.load([.account("ann")]) }
        let count = "SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(mark)'"
        let before = try await watch.run(count, []).first?.number(0)
        XCTAssertEqual(before, 1, "the connections of the store")
        store = nil
        let end = ContinuousClock.now + .seconds(15)
        var left = before
        while left != 0, ContinuousClock.now < end { left = try await watch.run(count, []).first?.number(0) }
        XCTAssertEqual(left, 0, "connections of a store that is gone")
    }

    func testWhenAllConnectionsAreInUseOperationsWaitAndThenFail() async throws {
        let database = try TestDatabase {
            $0.connections = 1
            $0.poolTimeout = .milliseconds(200)
        }
        let store = try await database.open()
        async let held: Void = store.execute("SELECT pg_sleep(2)")
        try await TestDatabase().open().waitUntilRunning("SELECT pg_sleep(2)")
        let kind = await Self.kind { _ = try await store.load([.account("ann")]) }
        XCTAssertEqual(kind, .tooManyConnections)
        try await held
    }

    func testConnectionsAreBounded() async throws {
        let database = try TestDatabase { $0.connections = 3 }
        let store = try await database.open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<60 { group.addTask { _ = try await store.commit(Samples.creation("ann\(number)")) } }
            try await group.waitForAll()
        }
        let watch = try await TestDatabase().open()
        let rows = try await watch.run(
            "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%\(store.schema).commit%' AND pid <> pg_backend_pid()",
            []
        )
        let count = rows.first?.number(0) ?? 0
        XCTAssertTrue((1...3).contains(count), "connections that committed: \(count)")
        let accounts = try await store.accounts(after: nil, limit: 100)
        XCTAssertEqual(accounts.count, 60)
    }
}
#endif
