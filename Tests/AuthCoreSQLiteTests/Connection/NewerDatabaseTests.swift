#if SQLite
import AuthCore
import AuthCoreSQL
import XCTest

@testable import AuthCoreSQLite
@testable import StoreInvariants

/// A database that a newer version of the library changed: nothing is written to it.
final class NewerDatabaseTests: ChangeTestCase {
    func testASchemaFromTheFutureIsRefusedAtOpeningAndLater() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        _ = try await store.commit(change(1))
        // Another process migrates the file while this one has it open.
        let other = try SQLiteConnection(path: database.path, busyTimeout: .seconds(1))
        try other.execute("PRAGMA user_version = 99")
        let take = Store.Take(.init(purpose: .code, hash: 7), .number(3, each: .seconds(3600)), isSettled: true)
        let now = Timestamp(seconds: 1_800_000_000)
        let calls: [(String, () async throws -> Void)] = [
            ("a commit", { _ = try await store.commit(self.change(2)) }),
            ("counting an attempt", { _ = try await store.take([take], at: now) }),
            ("giving an attempt back", { try await store.refund([take], clearing: [], at: now) }),
            ("leasing messages", { _ = try await store.leaseMessages(at: now, until: now, limit: 5) }),
            ("ending a lease", { try await store.endLease(of: .init(bits: 1), tries: 1, dueAt: nil) }),
            ("settling messages", { try await store.settleMessages([.init(bits: 1)]) }),
            ("sweeping", { _ = try await store.sweep(at: now, limit: 5) }),
            ("opening the file", { _ = try await database.open() }),
        ]
        for (name, call) in calls {
            let error = await storeError("\(name) after the migration") { try await call() }
            XCTAssertEqual(error?.code, .storeUnavailable, name)
            XCTAssertEqual(error?.message.contains("schema version 99"), true, "\(name): \(error?.message ?? "")")
        }
        try other.execute("PRAGMA user_version = \(SQLiteSchema.migrations.newest)")
        let outcome = try await store.commit(change(2))
        XCTAssertEqual(outcome, .committed, "service did not go on")
    }

    func testARuleOfKeysFromTheFutureIsNoRuleOfThisLibrary() async throws {
        let store = try await TestDatabase().open()
        var ruled = change(1)
        ruled.keyRule = .address
        _ = try await store.commit(ruled)
        try await store.execute("UPDATE store SET key_rule = 'later'")
        var next = change(2)
        next.keyRule = .address
        let error = await storeError("a commit under a rule that is not known") { _ = try await store.commit(next) }
        XCTAssertEqual(error?.code, .storeUnavailable, "what the commit is refused with")
        let kept = try await count(store)
        XCTAssertEqual(kept, 1, "something was written under two rules")
    }
}
#endif
