#if SQLite
import AuthCore
import AuthCoreSQL
import Synchronization
import XCTest

@testable import AuthCoreSQLite
@testable import StoreInvariants

/// Commits that share a transaction which fails: each is answered as if it had been alone.
final class GroupCommitTests: GroupCommitTestCase {
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
}

/// What several threads write down.
private final class Names: Sendable {
    private let names = Mutex<[String]>([])

    var all: [String] { names.withLock { $0 } }

    func add(_ name: String) { names.withLock { $0.append(name) } }
}
#endif
