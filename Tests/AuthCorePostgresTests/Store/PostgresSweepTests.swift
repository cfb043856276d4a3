#if PostgreSQL
import AuthCore
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// What is due is swept and leased: no more than asked for, and once, however many processes ask.
final class PostgresSweepTests: LimitedTestCase {
    /// A plan may run a subquery again for each row: the statistics say that the table has one.
    func testASweepRemovesNoMoreThanItsLimit() async throws {
        for limit in [2, 5, 10] {
            let database = try TestDatabase()
            let store = try await database.open()
            try await putExpired(1, in: store)
            try await store.execute("VACUUM ANALYZE \(database.options.schema).records")
            try await putExpired(30, in: store)
            let report = try await store.sweep(at: Samples.now, limit: limit)
            XCTAssertEqual(report.records, limit, "of thirty-one expired records")
            XCTAssertFalse(report.isComplete, "the others are left")
        }
    }

    private func putExpired(_ count: Int, in store: PostgresStore) async throws {
        var changes = Store.ChangeSet(operation: Samples.random(), at: Samples.now)
        changes.records = (0..<count).map { number in
            .put(
                Store.OneTimeRecord(
                    key: Samples.random(),
                    account: nil,
                    createdAt: .distantPast,
                    expiresAt: Timestamp(seconds: Int64(1 + number)),
                    content: .usedAssertion
                )
            )
        }
        _ = try await store.commit(changes)
    }

    func testSeveralProcessesThatSweepRemoveEverythingOnce() async throws {
        let database = try TestDatabase()
        var stores: [PostgresStore] = []
        for _ in 0..<3 { stores.append(try await database.open()) }
        var change = Store.ChangeSet(operation: Samples.random(), at: Samples.now)
        change.records = (0..<300).map { _ in
            .put(
                Store.OneTimeRecord(
                    key: Samples.random(),
                    account: nil,
                    createdAt: Samples.now,
                    expiresAt: Samples.now,
                    content: .usedAssertion
                )
            )
        }
        _ = try await stores[0].commit(change)
        let removed = try await withThrowingTaskGroup(of: Int.self) { group in
            for store in stores {
                group.addTask {
                    var removed = 0
                    while true {
                        let report = try await store.sweep(at: Samples.now, limit: 7)
                        removed += report.records
                        if report.isComplete { return removed }
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        XCTAssertEqual(removed, 300)
    }

    func testSeveralProcessesLeaseEveryMessageOnce() async throws {
        let database = try TestDatabase()
        var stores: [PostgresStore] = []
        for _ in 0..<3 { stores.append(try await database.open()) }
        for number in 0..<60 { _ = try await stores[0].commit(Samples.creation("ann\(number)")) }
        let leased = try await withThrowingTaskGroup(of: [Store.OperationID].self) { group in
            for store in stores {
                group.addTask {
                    var leased: [Store.OperationID] = []
                    while true {
                        let page = try await store.leaseMessages(
                            at: Samples.now,
                            until: Samples.now + .seconds(60),
                            limit: 4
                        )
                        if page.isEmpty { return leased }
                        leased += page.map(\.entry.id)
                    }
                }
            }
            return try await group.reduce([], +)
        }
        XCTAssertEqual(Set(leased).count, leased.count, "a message was leased twice")
        XCTAssertGreaterThanOrEqual(
            leased.count,
            57,
            "messages were passed over, but for those that another process held"
        )
    }
}
#endif
