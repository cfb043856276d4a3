#if SQLite
import AuthCore
import AuthCoreTesting
import XCTest

@testable import AuthCoreSQLite
@testable import StoreInvariants

/// Whatever call a failure of SQLite ends, the caller is told its cause.
final class NamedFailureTests: GroupCommitTestCase {
    /// What is not a commit of a change can fail at its COMMIT too.
    func testEveryCallThatWritesNamesItsFailure() async throws {
        let database = try TestDatabase()
        let store = try await database.open { $0.busyTimeout = .milliseconds(1) }
        let take = Store.Take(.init(purpose: .code, hash: 7), .number(3, each: .seconds(3600)), isSettled: true)
        let calls: [(String, () async throws -> Void)] = [
            ("counting an attempt", { _ = try await store.take([take], at: Self.now) }),
            ("keeping an attempt", { try await store.keep([take], at: Self.now) }),
            ("giving an attempt back", { try await store.refund([take], clearing: [take.key], at: Self.now) }),
            ("leasing messages", { _ = try await store.leaseMessages(at: Self.now, until: Self.now, limit: 5) }),
            ("ending a lease", { try await store.endLease(of: .init(bits: 1), tries: 1, dueAt: nil) }),
            ("settling messages", { try await store.settleMessages([.init(bits: 1)]) }),
            ("sweeping", { _ = try await store.sweep(at: Self.now, limit: 5) }),
            ("committing", { _ = try await store.commit(Self.change(1)) }),
        ]
        FailingDisk.fail((.write, .max))
        // These two change something, however little is stored.
        for (name, call) in [calls[0], calls[7]] {
            let error = await storeError(name) { try await call() }
            XCTAssertEqual(error?.code, .storeUnavailable, name)
            XCTAssertEqual((error?.cause as? SQLiteError)?.primaryCode, 13, name)
        }
        FailingDisk.mend()
        let other = try SQLiteConnection(path: database.path, busyTimeout: .seconds(1))
        try other.execute("BEGIN IMMEDIATE")
        for (name, call) in calls {
            let error = await storeError(name) { try await call() }
            XCTAssertEqual(error?.code, .storeUnavailable, name)
            XCTAssertEqual((error?.cause as? SQLiteError)?.primaryCode, 5, name)
        }
        try other.execute("COMMIT")
        other.close()
    }

    func testAServiceThatIsToldOfAFailureKnowsItsCause() async throws {
        let store = try await TestDatabase().open()
        let configuration = AuthConfiguration(
            store: store,
            providers: .simulated,
            environment: .manual(ManualClock()),
            secretKey: Array(repeating: 7, count: 32)
        )
        let client = AuthService(configuration).client(for: nil, origin: .local)
        _ = try await client.signInAnonymously()
        FailingDisk.fail((.flush, .max))
        let unknown = await storeError("a flush that fails") { _ = try await client.signInAnonymously() }
        XCTAssertEqual(unknown?.code, .outcomeUnknown)
        XCTAssertEqual((unknown?.cause as? SQLiteError)?.primaryCode, 10, "SQLITE_IOERR")
        FailingDisk.fail((.write, .max))
        let full = await storeError("a full disk") { _ = try await client.signInAnonymously() }
        XCTAssertEqual(full?.code, .storeUnavailable)
        XCTAssertEqual((full?.cause as? SQLiteError)?.primaryCode, 13, "SQLITE_FULL")
        FailingDisk.mend()
        _ = try await client.signInAnonymously()
        let accounts = try await store.accounts(after: nil, limit: 10)
        XCTAssertEqual(accounts.count, 2, "service did not go on, or an account is there although its change failed")
    }

    /// A database in memory reads on the connection that writes, and its failures are as precise.
    func testADatabaseInMemoryNamesItsFailures() async throws {
        let store = try await SQLiteStore(path: SQLiteStore.memory)
        try await store.execute("DROP TABLE events")
        let error = await storeError("reading a table that is not there") {
            _ = try await store.events(after: .start, limit: 5)
        }
        XCTAssertEqual((error?.cause as? SQLiteError)?.primaryCode, 1, "SQLITE_ERROR")
        XCTAssertTrue(error?.message.contains("no such table") ?? false, error?.message ?? "")
    }
}
#endif
