#if SQLite
import AuthCore
import AuthCoreTesting
import Foundation
import Synchronization
import XCTest

@testable import AuthCoreSQLite
@testable import StoreInvariants

/// Copies that are made while the store is in use, and what a reader of events sees after one was restored.
final class BackupTests: LimitedTestCase {
    /// What was answered to tasks that go on until they are told that it is over.
    private final class Ledger: Sendable {
        let answered = Mutex<[String]>([])
        let isOver = Mutex(false)
    }

    private func event(_ number: Int) -> Store.ChangeSet {
        var changes = Store.ChangeSet(
            operation: Store.OperationID(bits: UInt128(number)),
            at: Timestamp(seconds: 1_800_000_000)
        )
        changes.events = [IdentityEvent(.signedIn, at: changes.at, account: "ann", actor: .system, reasons: [])]
        return changes
    }

    func testACopyIsOfOneMomentAndReadersMissNothingAfterItIsRestored() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        for number in 0..<10 { _ = try await store.commit(event(number)) }
        let copy = database.path("copy.sqlite")
        try await store.backup(to: copy)
        // What is lost with the original, though a reader has seen it.
        for number in 10..<15 { _ = try await store.commit(event(number)) }
        let seen = try await store.events(after: .start, limit: 100)
        XCTAssertEqual(seen.events.count, 15)
        let restored = try await SQLiteStore(path: copy)
        let before = try await restored.events(after: .start, limit: 100)
        XCTAssertEqual(before.events.map(\.position), seen.events.prefix(10).map(\.position), "the copy's events")
        XCTAssertGreaterThan(before.end, seen.end, "the end of the log is behind what readers have seen")
        for number in 20..<23 { _ = try await restored.commit(event(number)) }
        let lastSeen = try XCTUnwrap(seen.events.last?.position)
        let missed = try await restored.events(after: lastSeen, limit: 100).events
        XCTAssertEqual(missed.count, 3, "a reader who went further than the copy")
        let inside = try await restored.events(after: seen.events[7].position, limit: 100).events
        XCTAssertEqual(inside.count, 5, "a reader who had not come so far")
        let last = try XCTUnwrap(missed.last?.position)
        let rest = try await restored.events(after: last, limit: 100).events
        XCTAssertEqual(rest, [], "a reader who has read everything")
    }

    /// Everything that was answered before a copy began is in it, and what others wrote meanwhile is whole or not
    /// there.
    func testACopyThatIsMadeWhileOthersCommitIsWhole() async throws {
        let database = try TestDatabase()
        let store = try await database.open { $0.synchronous = .normal }
        let clock = ManualClock()
        var meanwhile = 0
        // On a slow machine a copy may be made between two commits.
        for round in 0..<20 where round < 3 || meanwhile == 0 {
            let (ledger, copy) = (Ledger(), database.path("copy\(round).sqlite"))
            var before: [String] = []
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<4 {
                    let service = store.service(clock, seed: UInt64(10 * round + task))
                    group.addTask { try await Self.work(on: service, clock, called: "r\(round)t\(task)", ledger) }
                }
                while ledger.answered.withLock({ $0.count }) < 8, !ledger.isOver.withLock({ $0 }) { await Task.yield() }
                before = ledger.answered.withLock { $0 }
                defer { ledger.isOver.withLock { $0 = true } }
                try await store.backup(to: copy)
                meanwhile += ledger.answered.withLock { $0.count } - before.count
                ledger.isOver.withLock { $0 = true }
                try await group.waitForAll()
            }
            let restored = try await SQLiteStore(path: copy)
            let accounts = try await restored.accounts(after: nil, limit: .max)
            let found = Set(accounts.compactMap { $0.email?.description })
            XCTAssertEqual(Set(before).subtracting(found), [], "copy \(round): what was answered is not in it")
            let broken = try await Invariants(store: restored, policy: .standard).violations()
            XCTAssertEqual(broken, [], "copy \(round): something is half written")
            let methods = try await restored.column("SELECT count(*) FROM sign_in_methods")
            XCTAssertEqual(methods, ["\(accounts.reduce(0) { $0 + $1.methods.count })"], "copy \(round): methods")
        }
        XCTAssertGreaterThan(meanwhile, 0, "nothing was committed while copies were made")
    }

    /// Signs people in, links and unlinks, until it is over.
    private static func work(
        on service: AuthService,
        _ clock: ManualClock,
        called name: String,
        _ ledger: Ledger
    ) async throws {
        // Where one fails, nobody waits for it.
        defer { ledger.isOver.withLock { $0 = true } }
        var number = 0
        while !ledger.isOver.withLock({ $0 }) {
            let email = "\(name)n\(number)@gmail.com"
            let person = SimulatedPerson(name: "Ann", email: email)
            let client = AuthClient(service: service)
            let user = try await client.signIn(with: .simulated(.google, person, at: clock.now)).user
            try await user.link(with: .simulated(.gitHub, person, at: clock.now))
            ledger.answered.withLock { $0.append(email) }
            if number % 2 == 0 { try await user.unlink(.gitHub) }
            number += 1
        }
    }

    func testTheSameCopyCanBeRestoredTwice() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        _ = try await store.commit(event(0))
        let (first, second) = (database.path("first.sqlite"), database.path("second.sqlite"))
        try await store.backup(to: first)
        try await store.backup(to: second)
        let one = try await SQLiteStore(path: first)
        _ = try await one.commit(event(1))
        let seen = try await one.events(after: .start, limit: 0).end
        let again = try await one.events(after: .start, limit: 0).end
        XCTAssertEqual(seen, again, "the incarnation changes by itself")
        let reopened = try await SQLiteStore(path: first).events(after: .start, limit: 0).end
        XCTAssertEqual(seen, reopened, "the incarnation changes whenever the file is opened")
        let other = try await SQLiteStore(path: second)
        _ = try await other.commit(event(2))
        let missed = try await other.events(after: seen, limit: 10).events
        XCTAssertEqual(missed.count, 1, "a reader of the first copy misses an event of the second")
    }

    func testAReaderFromBeforeTwoRestoresMissesNothingOfEither() async throws {
        let database = try TestDatabase()
        let original = try await database.open()
        for number in 0..<10 { _ = try await original.commit(event(number)) }
        try await original.backup(to: database.path("first.sqlite"))
        for number in 10..<15 { _ = try await original.commit(event(number)) }
        let seen = try await original.events(after: .start, limit: 100).events
        let first = try await SQLiteStore(path: database.path("first.sqlite"))
        for number in 20..<23 { _ = try await first.commit(event(number)) }
        try await first.backup(to: database.path("second.sqlite"))
        let second = try await SQLiteStore(path: database.path("second.sqlite"))
        for number in 30..<32 { _ = try await second.commit(event(number)) }
        let missed = try await second.events(after: try XCTUnwrap(seen.last?.position), limit: 100).events
        XCTAssertEqual(missed.count, 5, "three after the first restore, and two after the second")
    }

    func testACopyWhoseIncarnationIsAheadOfTheClockIsRaisedByOne() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        try await store.execute("UPDATE store SET incarnation = 9000000000000000")
        try await store.backup(to: database.path("copy.sqlite"))
        let restored = try await SQLiteStore(path: database.path("copy.sqlite"))
        let incarnation = try await restored.column("SELECT incarnation FROM store")
        XCTAssertEqual(incarnation, ["9000000000000001"], "the incarnation was not raised by one")
    }

    func testCopiesThatAreRestoredAtOneMomentBeginDifferentIncarnations() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        var parts: [String] = []
        for number in 0..<5 {
            let copy = database.path("copy\(number).sqlite")
            try await store.backup(to: copy)
            parts += try await SQLiteStore(path: copy).column("SELECT incarnation % 1000 FROM store")
        }
        XCTAssertGreaterThan(Set(parts).count, 1, "the incarnations tell only the milliseconds: \(parts)")
    }

    func testADamagedDatabaseHasNoCopy() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        try await store.execute("PRAGMA ignore_check_constraints = ON; UPDATE store SET one = 2")
        let error = await storeError("a copy of a damaged database") {
            try await store.backup(to: database.path("copy.sqlite"))
        }
        XCTAssertEqual(error?.code, .storeUnavailable, "the copy is not checked")
        XCTAssertEqual((error?.cause as? SQLiteError)?.primaryCode, 11, "SQLITE_CORRUPT")
        let names = try FileManager.default.contentsOfDirectory(atPath: database.path("."))
        XCTAssertEqual(names.filter { $0.contains("copy") }, [], "a damaged copy is left")
    }

    func testOnlyTheOwnerMayReadTheFiles() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        _ = try await store.commit(event(0))
        let copy = database.path("copy.sqlite")
        try await store.backup(to: copy)
        for path in [database.path, database.path + "-wal", copy] {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            XCTAssertEqual(mode, 0o600, path)
        }
    }

    /// Its connections would go on in a file without a name, and lose what they write.
    func testACopyDoesNotReplaceTheDatabaseItself() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        _ = try await store.commit(event(0))
        let other = database.path("other name")
        try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: database.path)
        for path in [database.path, other] {
            do {
                try await store.backup(to: path)
                XCTFail("the database was replaced by its copy at \(path)")
            } catch {
                XCTAssertEqual(error.code, .storeUnavailable, path)
            }
        }
        _ = try await store.commit(event(1))
        let events = try await SQLiteStore(path: database.path).events(after: .start, limit: 10).events
        XCTAssertEqual(events.count, 2, "what was committed afterwards is lost")
    }

    func testACopyReplacesAnOlderOneAndAFailureLeavesIt() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        let copy = database.path("copy.sqlite")
        try await store.backup(to: copy)
        _ = try await store.commit(event(0))
        try await store.backup(to: copy)
        let restored = try await SQLiteStore(path: copy)
        let events = try await restored.events(after: .start, limit: 10).events
        XCTAssertEqual(events.count, 1, "the older copy is still there")
        let error = await storeError("a copy into a folder that is not there") {
            try await store.backup(to: database.path("missing/copy.sqlite"))
        }
        XCTAssertEqual(error?.code, .storeUnavailable)
        let place = database.path("missing/copy.sqlite")
        XCTAssertTrue(error?.message.hasPrefix("The copy \(place) cannot be written.") ?? false, error?.message ?? "")
        let memory = try await SQLiteStore(path: SQLiteStore.memory)
        let impossible = await storeError("a copy of a database in memory") { try await memory.backup(to: copy) }
        XCTAssertEqual(impossible?.message.contains("in memory"), true, impossible?.message ?? "")
    }

    func testTwoCopiesToOnePathAtOnceAreBothWhole() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        for round in 0..<20 {
            let copy = database.path("copy\(round).sqlite")
            async let first: Void = store.backup(to: copy)
            async let second: Void = store.backup(to: copy)
            _ = try await (first, second)
            let mark = try SQLiteConnection(path: copy, busyTimeout: .seconds(1))
                .first("SELECT is_copy FROM store") { $0.integer(0) }
            XCTAssertEqual(mark, 1, "the file is marked as a copy")
            let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int
            XCTAssertEqual(mode, 0o600, "who may read the file")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: database.path("."))
        XCTAssertEqual(names.filter { $0.contains("partial") }, [], "a half copy is left")
    }

    func testACopyIsWrittenWhereAnEarlierOneWasInterruptedAndLeavesNothingBeside() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        let copy = database.path("copy.sqlite")
        try Data("half a copy".utf8).write(to: URL(filePath: copy))
        try await store.backup(to: copy)
        let folder = database.path("folder")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let error = await storeError("a copy in place of a folder") { try await store.backup(to: folder) }
        XCTAssertEqual(error?.code, .storeUnavailable)
        let names = try FileManager.default.contentsOfDirectory(atPath: database.path("."))
        XCTAssertEqual(names.filter { $0.contains("partial") }, [], "a half copy is left")
    }

    func testASoundDatabaseHasNoDamage() async throws {
        let damage = try await TestDatabase().open().findDamage()
        XCTAssertEqual(damage, [])
    }
}
#endif
