#if SQLite
import AuthCore
import AuthCoreTesting
import Dispatch
import Foundation
import XCTest

@testable import AuthCoreSQLite
@testable import StoreInvariants

/// Every call is answered, and with what the file is and holds.
final class AnswerTests: LimitedTestCase {
    private static let now = Timestamp(seconds: 1_800_000_000)

    private static func change(_ number: Int) -> Store.ChangeSet {
        var changes = Store.ChangeSet(operation: Store.OperationID(bits: UInt128(number)), at: now)
        changes.events = [IdentityEvent(.signedIn, at: now, account: "ann", actor: .system, reasons: [])]
        return changes
    }

    func testEveryCallIsAnswered() async throws {
        let store = try await SQLiteStore(path: SQLiteStore.memory)
        for number in 1...2 {
            let outcome = try await store.commit(Self.change(number))
            XCTAssertEqual(outcome, .committed, "change \(number)")
        }
        let found = try await store.load([.account("ann")])
        XCTAssertNil(found["ann"])
        let accounts = try await store.accounts(after: nil, limit: 1)
        XCTAssertEqual(accounts, [])
        let events = try await store.events(after: .start, limit: 5).events
        XCTAssertEqual(events.map(\.position.number), [1, 2])
        let take = Store.Take(.init(purpose: .code, hash: 1), .number(1, each: .seconds(60)))
        let answer = try await store.take([take], at: Self.now)
        XCTAssertEqual(answer, .taken)
        let sweep = try await store.sweep(at: Self.now, limit: 5)
        XCTAssertTrue(sweep.isComplete)
    }

    func testManyCommitsAtOnceAreAnswered() async throws {
        let store = try await SQLiteStore(path: SQLiteStore.memory)
        let outcomes = try await withThrowingTaskGroup(of: Store.CommitOutcome.self) { group in
            for number in 1...100 { group.addTask { try await store.commit(Self.change(number)) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        XCTAssertEqual(outcomes, Array(repeating: .committed, count: 100))
    }

    func testAFileIsDurableAndADatabaseInMemoryIsNot() async throws {
        let (file, memory) = (try await TestDatabase().open(), try await SQLiteStore(path: SQLiteStore.memory))
        XCTAssertTrue(file.isDurable, "a service on a file needs a secret key")
        XCTAssertFalse(memory.isDurable, "a database in memory ends with the process")
    }

    func testAfterAPositionOfAnotherStoreThereIsNothing() async throws {
        let store = try await SQLiteStore(path: SQLiteStore.memory)
        _ = try await store.commit(Self.change(1))
        let later = try await store.events(after: .start, limit: 5).end.incarnation + 1
        for position in [
            IdentityEvent.Position(incarnation: later, number: 0), IdentityEvent.Position(transaction: 1, number: 0),
        ] {
            let page = try await store.events(after: position, limit: 5)
            XCTAssertEqual(page.events, [], "after \(position)")
            XCTAssertEqual(page.end.number, 1, "the end, after \(position)")
        }
    }

    func testWhatCanBeDoneAgainDoesNotWaitForTheDisk() async throws {
        let store = try await TestDatabase().open()
        let (now, take) = (Self.now, Store.Take(.init(purpose: .code, hash: 1), .number(1, each: .seconds(60))))
        let id = Store.OperationID(bits: 1)
        let calls: [(name: String, waits: String, call: @Sendable () async throws -> Void)] = [
            ("a commit", "2", { _ = try await store.commit(Self.change(1)) }),
            ("a lease", "1", { _ = try await store.leaseMessages(at: now, until: now, limit: 1) }),
            ("another commit", "2", { _ = try await store.commit(Self.change(2)) }),
            ("the end of a lease", "1", { try await store.endLease(of: id, tries: 1, dueAt: nil) }),
            ("a third commit", "2", { _ = try await store.commit(Self.change(3)) }),
            ("a settlement", "1", { try await store.settleMessages([id]) }),
            ("a fourth commit", "2", { _ = try await store.commit(Self.change(4)) }),
            ("a sweep", "1", { _ = try await store.sweep(at: now, limit: 1) }),
            ("a fifth commit", "2", { _ = try await store.commit(Self.change(5)) }),
            ("an attempt", "1", { _ = try await store.take([take], at: now) }),
        ]
        for (name, waits, call) in calls {
            try await call()
            let level = try await store.writer.run { try $0.all("PRAGMA synchronous") { $0.text(0) } }
            XCTAssertEqual(level, [waits], "what SQLite waits for at \(name)")
        }
    }

    func testEmptyBytesAndTextsAreKeptAsEmptyOnes() async throws {
        let store = try await TestDatabase().open()
        let kinds = try await store.writer.run {
            try $0.all("SELECT typeof(?1) || length(?1) || typeof(?2) || length(?2)", .bytes([]), .text("")) {
                $0.text(0)
            }
        }
        XCTAssertEqual(kinds, ["blob0text0"])
    }

    func testAReadThatIsCanceledBeforeIsNotDone() async throws {
        let store = try await TestDatabase().open()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            _ = try await store.load([.account("ann")])
        }
        task.cancel()
        let error = await storeError("a canceled load") { try await task.value }
        XCTAssertEqual(error?.code, .canceled)
    }

    func testWhatWasRemovedEndsWithAPositionThatAnEventHad() async throws {
        let database = try TestDatabase()
        let copy = database.path("copy.sqlite")
        // A copy begins a new incarnation.
        try await database.open().backup(to: copy)
        var options = SQLiteStore.Options()
        options.events = .newest(1)
        let store = try await SQLiteStore(path: copy, options: options)
        var seen: [IdentityEvent.Position] = []
        for number in 1...4 {
            _ = try await store.commit(Self.change(number))
            seen += try await store.events(after: seen.last ?? .start, limit: 5).events.map(\.position)
        }
        let page = try await store.events(after: .start, limit: 5)
        XCTAssertEqual(page.events.map(\.position), seen.suffix(1), "the newest event is kept")
        XCTAssertEqual(page.removed, seen.dropLast().last, "the last position that was removed")
        XCTAssertGreaterThan(page.removed.incarnation, 0, "the test says nothing about incarnations")
    }

    func testACopySaysAsItsOriginalWhatWasRemoved() async throws {
        let database = try TestDatabase()
        var options = SQLiteStore.Options()
        options.events = .newest(1)
        let store = try await SQLiteStore(path: database.path("original.sqlite"), options: options)
        for number in 1...3 { _ = try await store.commit(Self.change(number)) }
        let removed = try await store.events(after: .start, limit: 5).removed
        try await store.backup(to: database.path("copy.sqlite"))
        let copy = try await SQLiteStore(path: database.path("copy.sqlite"), options: options)
        let page = try await copy.events(after: .start, limit: 5)
        XCTAssertEqual(page.removed, removed, "the last position that was removed before the copy was made")
        XCTAssertGreaterThan(page.end.incarnation, removed.incarnation, "the copy begins an incarnation of its own")
    }

    func testTheOptionsAreTheSafeOnesUnlessSomethingElseIsSaid() {
        let options = SQLiteStore.Options()
        XCTAssertEqual(options.synchronous, .full)
        XCTAssertEqual(options.readers, 4)
        XCTAssertEqual(options.busyTimeout, .seconds(5))
        XCTAssertEqual(options.events, .all)
        XCTAssertTrue(options.migrates)
    }

    func testWhatIsKeptIsToldAndAShorterLogRemovesTwoEventsForEachThatIsWritten() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        XCTAssertEqual(store.retention, Store.Retention(events: .all, operations: .seconds(86_400)))
        for number in 1...10 { _ = try await store.commit(Self.change(number)) }
        let short = try await database.open { $0.events = .newest(1) }
        XCTAssertEqual(short.retention.events, .newest(1))
        for (number, left) in [(11, 9), (12, 8), (13, 7)] {
            _ = try await short.commit(Self.change(number))
            let events = try await short.events(after: .start, limit: 100).events
            XCTAssertEqual(events.count, left, "events after number \(number)")
        }
    }

    func testADatabaseThatIsEmptiedHasNoCountsOfAttemptsEither() async throws {
        let store = try await TestDatabase().open()
        let (now, key) = (Timestamp(seconds: 1_800_000_000), Store.AttemptKey(purpose: .code, hash: 7))
        let attempt = Store.Take(key, .number(1, each: .seconds(60)), isSettled: true)
        for _ in 0..<2 {
            _ = try await store.commit(Self.change(1))
            let answers = [try await store.take([attempt], at: now), try await store.take([attempt], at: now)]
            XCTAssertEqual(answers, [.taken, .refused(until: now + .seconds(60))], "two attempts in a new database")
            try await store.removeEverything()
        }
    }

    func testADatabaseThatIsEmptiedHasNoRuleOfKeysAndNoPositionsEither() async throws {
        let store = try await TestDatabase().open()
        let row = """
            SELECT json_array(one, incarnation, is_copy, key_rule, reference_version, removed_incarnation, removed_event)
            FROM store
            """
        let new = try await store.column(row)
        var changes = Self.change(1)
        changes.keyRule = .address
        _ = try await store.commit(changes)
        try await store.execute(
            "UPDATE store SET incarnation = 6, reference_version = 7, removed_incarnation = 5, removed_event = 8"
        )
        let full = try await store.column(row)
        XCTAssertEqual(full, [#"[1,6,0,"address",7,5,8]"#], "what the database has before it is emptied")
        try await store.removeEverything()
        let empty = try await store.column(row)
        XCTAssertEqual(empty, new, "what is left of it is not what a new database has")
    }

    func testThereAreAsManyReadersAsTheOptionsSayAndOneAtLeast() async throws {
        for (wanted, count) in [(-1, 1), (0, 1), (1, 1), (3, 3)] {
            let store = try await TestDatabase().open { $0.readers = wanted }
            XCTAssertEqual(store.readers?.lanes.count, count, "with \(wanted) readers")
        }
    }

    func testReadsGoToTheConnectionThatIsFree() async throws {
        let store = try await TestDatabase().open { $0.readers = 2 }
        let (gate, begun) = (DispatchSemaphore(value: 0), Gate())
        async let slow = store.read { _ in
            begun.open()
            return gate.wait(timeout: .now() + 30)
        }
        await begun.pass()
        for _ in 0..<4 { _ = try await store.load([.account("ann")]) }
        gate.signal()
        let end = try await slow
        XCTAssertEqual(end, .success, "the other reads waited for the connection that is not free")
    }

    func testFilesThatAreOpenedAndClosedAreNotHeldOpen() async throws {
        let folder = "/proc/self/fd"
        guard FileManager.default.fileExists(atPath: folder) else {
            throw XCTSkip("needs the list of open files of Linux")
        }
        func openFiles() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: folder).count }
        let before = try openFiles()
        for _ in 0..<100 {
            let database = try TestDatabase()
            _ = try await database.open()
            try await database.close()
        }
        let after = try openFiles()
        XCTAssertLessThan(after, before + 50, "files of a hundred databases that were closed")
    }
}
#endif
