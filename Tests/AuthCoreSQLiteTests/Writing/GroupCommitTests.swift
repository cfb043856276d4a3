#if SQLite
import AuthCore
import AuthCoreSQL
import AuthCoreTesting
import Foundation
import Synchronization
import XCTest

@testable import AuthCoreSQLite
@testable import StoreInvariants

/// Commits that share a transaction which fails: each is answered as if it had been alone.
final class GroupCommitTests: LimitedTestCase {
    override func setUp() { FailingDisk.install() }

    override func tearDown() { FailingDisk.mend() }

    private static let now = Timestamp(seconds: 1_800_000_000)

    private static func change(_ number: Int) -> Store.ChangeSet {
        var changes = Store.ChangeSet(operation: Store.OperationID(bits: UInt128(number)), at: Self.now)
        changes.events = [
            IdentityEvent(
                .signedIn,
                at: Self.now,
                account: AccountID("person\(number)") ?? "nobody",
                actor: .system,
                reasons: []
            )
        ]
        return changes
    }

    /// A trigger that does this when the operation of the change with this number is written.
    private func trigger(at number: Int, _ action: String) -> String {
        let id = Store.OperationID(bits: UInt128(number)).bytes.map {
            String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
        }
        return "CREATE TRIGGER flaw AFTER INSERT ON operations WHEN NEW.id = x'\(id.joined())' BEGIN \(action); END"
    }

    /// Tables with which a COMMIT fails after every statement succeeded, and SQLite leaves its transaction open.
    private func brokenPromise(at number: Int) -> String {
        """
        PRAGMA foreign_keys = ON;
        CREATE TABLE parents (id INTEGER PRIMARY KEY);
        CREATE TABLE children (parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED);
        \(trigger(at: number, "INSERT INTO children VALUES (7)"))
        """
    }

    /// Commits all changes in one transaction, in their order.
    private static func commitTogether(
        _ changes: [Store.ChangeSet],
        on store: SQLiteStore
    ) async throws -> [Result<Store.CommitOutcome, any Error>] {
        try await together(changes.map { change in { try await store.commit(change) } }, on: store)
    }

    /// Makes all calls while the connection that writes is busy, in their order.
    private static func together<Answer: Sendable>(
        _ calls: [@Sendable () async throws -> Answer],
        on store: SQLiteStore
    ) async throws -> [Result<Answer, any Error>] {
        let gate = DispatchSemaphore(value: 0)
        // The connection is busy until all of them wait for it.
        await withCheckedContinuation { isBusy in
            Task {
                try await store.writer.run { _ in
                    isBusy.resume()
                    gate.wait()
                }
            }
        }
        var tasks: [Task<Answer, any Error>] = []
        for (place, call) in calls.enumerated() {
            tasks.append(Task { try await call() })
            while store.writer.queue.withLock({ $0.jobs.count }) <= place { await Task.yield() }
        }
        gate.signal()
        var results: [Result<Answer, any Error>] = []
        for task in tasks { results.append(await task.result) }
        return results
    }

    private func accounts(inLogOf store: SQLiteStore) async throws -> [String] {
        try await store.events(after: .start, limit: 100).events.map(\.account.text)
    }

    /// What a process finds that opens the files when no other has them open: the log is read again, frame by frame.
    private func storeAfterACrash(of database: TestDatabase, _ name: String) async throws -> SQLiteStore {
        let copy = database.path(name)
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: database.path + suffix, toPath: copy + suffix)
        }
        return try await SQLiteStore(path: copy)
    }

    func testAChangeThatEndsTheWholeTransactionTakesNoOtherWithIt() async throws {
        let store = try await TestDatabase().open()
        try await store.execute(trigger(at: 2, "SELECT RAISE(ROLLBACK, 'everything is undone')"))
        let results = try await Self.commitTogether((0..<5).map(Self.change), on: store)
        for (number, result) in results.enumerated() where number != 2 {
            XCTAssertEqual(try? result.get(), .committed, "change \(number)")
        }
        let error = await storeError("the change that ended the transaction") { _ = try results[2].get() }
        XCTAssertEqual(error?.code, .storeUnavailable)
        XCTAssertTrue(error?.message.hasSuffix("Nothing was changed.") ?? false, error?.message ?? "")
        XCTAssertEqual((error?.cause as? SQLiteError)?.message, "everything is undone")
        let log = try await accounts(inLogOf: store)
        XCTAssertEqual(log.sorted(), ["person0", "person1", "person3", "person4"], "a change is lost or there twice")
    }

    func testAChangeThatFailsAloneIsUndoneAloneInItsTransaction() async throws {
        let store = try await TestDatabase().open()
        // What the change wrote before it failed must be undone, too.
        try await store.execute(trigger(at: 2, "DELETE FROM store; SELECT RAISE(FAIL, 'only this is undone')"))
        let results = try await Self.commitTogether((0..<5).map(Self.change), on: store)
        for (number, result) in results.enumerated() where number != 2 {
            XCTAssertEqual(try? result.get(), .committed, "change \(number)")
        }
        let error = await storeError("the change that failed") { _ = try results[2].get() }
        XCTAssertEqual((error?.cause as? SQLiteError)?.message, "only this is undone")
        let log = try await accounts(inLogOf: store)
        XCTAssertEqual(log, ["person0", "person1", "person3", "person4"], "a change is lost or there twice")
        let rows = try await store.column("SELECT count(*) FROM store")
        XCTAssertEqual(rows, ["1"], "a part of the change that failed is there")
    }

    func testWhatSharesATransactionWithAChangeThatFailsAloneIsNotDoneAgain() async throws {
        let store = try await TestDatabase().open()
        let done = Names()
        let calls: [@Sendable () async throws -> Void] = [
            { try await store.write { _ in done.add("the first") } },
            {
                try await store.write { _ in
                    done.add("the second")
                    throw CancellationError()
                }
            },
        ]
        let results = try await Self.together(calls, on: store)
        XCTAssertNotNil(try? results[0].get(), "the first failed with the second")
        XCTAssertNil(try? results[1].get(), "the second did not fail")
        XCTAssertEqual(done.all, ["the first", "the second"])
    }

    func testAChangeThatSharesItsTransactionWithCountsWaitsForTheDisk() async throws {
        let store = try await TestDatabase().open()
        let levels = Names()
        let note: @Sendable (SQLiteConnection) throws -> Void = { connection in
            try connection.all("PRAGMA synchronous") { $0.text(0) }.forEach(levels.add)
        }
        let calls: [@Sendable () async throws -> Void] = [
            { try await store.writer.write(needsDisk: false, note) }, { try await store.writer.write(note) },
        ]
        let results = try await Self.together(calls, on: store)
        for result in results { XCTAssertNotNil(try? result.get(), "\(result)") }
        XCTAssertEqual(levels.all, ["2", "2"], "what SQLite waits for")
    }

    func testAChangeThatMakesTheCommitFailTakesNoOtherWithIt() async throws {
        let store = try await TestDatabase().open()
        try await store.execute(brokenPromise(at: 2))
        let results = try await Self.commitTogether((0..<5).map(Self.change), on: store)
        for (number, result) in results.enumerated() where number != 2 {
            XCTAssertEqual(try? result.get(), .committed, "change \(number)")
        }
        let error = await storeError("the change that made the commit fail") { _ = try results[2].get() }
        XCTAssertEqual(error?.code, .storeUnavailable)
        XCTAssertTrue(error?.message.hasSuffix("Nothing was changed.") ?? false, error?.message ?? "")
        XCTAssertEqual((error?.cause as? SQLiteError)?.primaryCode, 19, "SQLITE_CONSTRAINT")
        let log = try await accounts(inLogOf: store)
        XCTAssertEqual(log, ["person0", "person1", "person3", "person4"], "a change is lost or there twice")
    }

    /// A violation is what a transaction saw; if that transaction is undone, the answer is looked for again.
    func testAViolationIsNotAnsweredFromATransactionThatFailed() async throws {
        let store = try await TestDatabase().open()
        try await store.execute(brokenPromise(at: 0))
        let account = Account(id: "ann", createdAt: Self.now)
        var (first, second) = (Self.change(0), Self.change(1))
        first.accounts = [.create(account)]
        second.accounts = [.create(account)]
        let results = try await Self.commitTogether([first, second], on: store)
        let error = await storeError("the change that made the commit fail") { _ = try results[0].get() }
        XCTAssertEqual(error?.code, .storeUnavailable)
        XCTAssertEqual(try? results[1].get(), .committed, "the account of the change that failed was taken for one")
    }

    /// What was to be flushed may be gone though the next flush succeeds, so that is not taken for an answer.
    func testAFlushThatFailsOnceLeavesTheOutcomeOfItsChangesUnknown() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        for batch in [1, 4] {
            let numbers = (batch * 10)..<(batch * 11)
            FailingDisk.fail((.flush, 1))
            for (number, result) in zip(numbers, try await Self.commitTogether(numbers.map(Self.change), on: store)) {
                let error = await storeError("change \(number) of \(batch)") { _ = try result.get() }
                XCTAssertEqual(error?.code, .outcomeUnknown, "change \(number) of \(batch)")
            }
        }
        let outcome = try await store.commit(Self.change(50))
        XCTAssertEqual(outcome, .committed, "service did not go on")
        for number in [10, 40, 41, 42, 43] {
            let again = try await store.commit(Self.change(number))
            XCTAssertEqual(
                again,
                .committed,
                "change \(number) was sent again by somebody who saw that it is not there"
            )
        }
        let expected = [50, 10, 40, 41, 42, 43].map { "person\($0)" }
        let (log, later) = (
            try await accounts(inLogOf: store),
            try await accounts(inLogOf: storeAfterACrash(of: database, "crashed.sqlite"))
        )
        XCTAssertEqual(log, expected, "a change is lost or there twice")
        XCTAssertEqual(later, expected, "after a crash a change is lost or there twice")
    }

    /// Those who are tried again alone get an answer too if the disk fails then.
    func testADiskThatIsFullAndThenFailsLeavesNobodyWithoutAnAnswer() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        FailingDisk.fail((.write, 1), (.flush, .max))
        let changes = (10...12).map { Self.change($0) }
        try await inTime {
            for (number, result) in zip(10..., try await GroupCommitTests.commitTogether(changes, on: store)) {
                let error = await storeError("change \(number)") { _ = try result.get() }
                XCTAssertEqual(error?.code, .outcomeUnknown, "change \(number)")
            }
        }
    }

    /// The disk has the change and does not say so: nobody knows what is there when the file is opened again.
    func testAFlushThatGoesOnFailingLeavesTheOutcomeUnknown() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        _ = try await store.commit(Self.change(0))
        FailingDisk.fail((.flush, .max))
        for batch in [1, 3] {
            let numbers = (batch * 10)..<(batch * 11)
            for (number, result) in zip(numbers, try await Self.commitTogether(numbers.map(Self.change), on: store)) {
                let error = await storeError("change \(number) of \(batch)") { _ = try result.get() }
                XCTAssertEqual(error?.code, .outcomeUnknown, "change \(number) of \(batch)")
                XCTAssertEqual((error?.cause as? SQLiteError)?.primaryCode, 10, "SQLITE_IOERR")
                XCTAssertFalse(error?.message.contains("Nothing was changed") ?? true, error?.message ?? "")
            }
        }
        let crashed = try await storeAfterACrash(of: database, "crashed.sqlite")
        FailingDisk.mend()
        let found = try await accounts(inLogOf: crashed)
        XCTAssertTrue(found.count > 1, "the outcome was known: nothing of it is there after a crash")
        let seen = try await accounts(inLogOf: store)
        XCTAssertEqual(seen, ["person0"], "processes that have the file open see the change")
        // Whoever sends a change again learns whether it was written.
        for number in [10, 30, 31, 32] {
            for (place, store) in [store, crashed].enumerated() {
                let isThere = try await accounts(inLogOf: store).contains("person\(number)")
                let outcome = try await store.commit(Self.change(number))
                XCTAssertEqual(outcome, isThere ? .duplicate : .committed, "change \(number), store \(place)")
            }
        }
        let expected = [0, 10, 30, 31, 32].map { "person\($0)" }
        for (place, store) in [store, crashed].enumerated() {
            let log = try await accounts(inLogOf: store)
            XCTAssertEqual(log.sorted(), expected, "store \(place): a change is lost or there twice")
        }
    }

    func testADiskThatIsFullAtTheCommitHasNothingOfTheChange() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        _ = try await store.commit(Self.change(0))
        FailingDisk.fail((.write, .max))
        for batch in [1, 3] {
            let numbers = (batch * 10)..<(batch * 11)
            for (number, result) in zip(numbers, try await Self.commitTogether(numbers.map(Self.change), on: store)) {
                let error = await storeError("change \(number) of \(batch)") { _ = try result.get() }
                XCTAssertEqual(error?.code, .storeUnavailable, "change \(number) of \(batch)")
                XCTAssertEqual((error?.cause as? SQLiteError)?.primaryCode, 13, "SQLITE_FULL")
                XCTAssertEqual(
                    error?.message,
                    "The disk is full, or the database has reached its largest size. Nothing was changed."
                )
            }
        }
        FailingDisk.mend()
        let later = try await accounts(inLogOf: storeAfterACrash(of: database, "crashed.sqlite"))
        XCTAssertEqual(later, ["person0"], "something was changed")
        let outcome = try await store.commit(Self.change(10))
        XCTAssertEqual(outcome, .committed, "service did not go on")
    }

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

    /// 1,280 changes are twenty transactions, each of which would wait again for the same process.
    func testAllThatWaitForAnotherProcessWaitOnce() async throws {
        let database = try TestDatabase()
        let store = try await database.open { $0.busyTimeout = .milliseconds(500) }
        let other = try SQLiteConnection(path: database.path, busyTimeout: .seconds(1))
        try other.execute("BEGIN IMMEDIATE")
        let began = ContinuousClock.now
        let results = try await Self.commitTogether((1...1280).map(Self.change), on: store)
        XCTAssertLessThan(ContinuousClock.now - began, .seconds(5), "ten times the time limit")
        for (place, result) in results.enumerated() {
            XCTAssertThrowsError(try result.get(), "the change with number \(place + 1)") { error in
                XCTAssertEqual(((error as? AuthError)?.cause as? SQLiteError)?.primaryCode, 5, "\(error)")
            }
        }
        try other.execute("COMMIT")
        let outcome = try await store.commit(Self.change(1))
        XCTAssertEqual(outcome, .committed, "service did not go on")
        let kept = try await accounts(inLogOf: store)
        XCTAssertEqual(kept, ["person1"], "what was not written after all")
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
        XCTAssertEqual(accounts.count, 2, "service did not go on, or an account is there that nobody was told of")
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

/// What several threads write down.
private final class Names: Sendable {
    private let names = Mutex<[String]>([])

    var all: [String] { names.withLock { $0 } }

    func add(_ name: String) { names.withLock { $0.append(name) } }
}
#endif
