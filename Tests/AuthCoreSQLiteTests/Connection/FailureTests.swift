#if SQLite
import AuthCore
import AuthCoreSQL
import AuthCoreTesting
import Foundation
import Synchronization
import XCTest

@testable import AuthCoreSQLite
@testable import StoreInvariants

/// What goes wrong with a file: each time one precise error, nothing half written, and service again afterwards.
final class FailureTests: LimitedTestCase {
    /// A change that writes a record of about a kilobyte.
    private func change(_ number: Int) -> Store.ChangeSet {
        var changes = Store.ChangeSet(
            operation: Store.OperationID(bits: UInt128(number) << 64 | 0xA5),
            at: Timestamp(seconds: 1_800_000_000)
        )
        changes.records = [
            .put(
                Store.OneTimeRecord(
                    key: OneTimeRecordID(bits: UInt128(number) << 64),
                    account: nil,
                    createdAt: changes.at,
                    expiresAt: nil,
                    content: .totpSeed(Array(repeating: 77, count: 300))
                )
            )
        ]
        return changes
    }

    private func count(_ store: SQLiteStore) async throws -> Int {
        Int(try await store.column("SELECT count(*) FROM one_time_records")[0]) ?? -1
    }

    func testAValueThatCouldNotBeReadBackIsRefusedAndNothingOfItsChangeIsWritten() async throws {
        let store = try await TestDatabase().open()
        var account = Account(id: "ann", createdAt: Timestamp(seconds: 1_800_000_000))
        account.customClaims = ["balance": .number(.nan)]
        var changes = change(1)
        changes.accounts = [.create(account)]
        let error = await storeError("a number that is none") { _ = try await store.commit(changes) }
        XCTAssertEqual(error?.code, .storeUnavailable)
        XCTAssertEqual(error?.message, "A value of the change cannot be written. Nothing was changed.")
        XCTAssertEqual(error?.cause as? Store.RecordError, .unrepresentable)
        let written = try await count(store)
        XCTAssertEqual(written, 0, "of the change that was refused")
        let outcome = try await store.commit(change(1))
        XCTAssertEqual(outcome, .committed, "the change without that account")
    }

    func testAnAccountThatCannotBeReadIsDueLikeTheOthers() async throws {
        let store = try await TestDatabase().open()
        let now = Timestamp(seconds: 1_800_000_000)
        var changes = change(1)
        for (index, name) in ["ann", "ben", "cid"].enumerated() {
            var account = Account(id: AccountID(name)!, createdAt: now)
            account.dueAt = now + .seconds(index)
            changes.accounts.append(.create(account))
        }
        _ = try await store.commit(changes)
        try await store.execute("UPDATE accounts SET record = '{' WHERE due_at = \(now.milliseconds)")
        let due = try await store.accounts(dueBy: .distantFuture, after: nil, limit: 10)
        XCTAssertEqual(due.map(\.id), ["ann", "ben", "cid"], "those that are due, the damaged one too")
        XCTAssertEqual(due.map(\.dueAt), [now, now + .seconds(1), now + .seconds(2)], "when they are due")
        let error = await storeError("the damaged account") { _ = try await store.load([.account("ann")]) }
        XCTAssertEqual(error?.code, .storeUnavailable, "the damage is not reported where it is read")
        let all = await storeError("a list of all accounts") { _ = try await store.accounts(after: nil, limit: 10) }
        XCTAssertEqual(all?.code, .storeUnavailable, "a list leaves the damaged account out")
    }

    func testAFullDiskIsNamedAndServiceGoesOnWhenThereIsRoom() async throws {
        let store = try await TestDatabase().open()
        try await store.execute("PRAGMA max_page_count = 60")
        var written = 0
        var error: AuthError?
        while error == nil, written < 1000 {
            do {
                _ = try await store.commit(change(written))
                written += 1
            } catch let failure as AuthError {
                error = failure
            }
        }
        XCTAssertEqual(error?.code, .storeUnavailable)
        XCTAssertEqual((error?.cause as? SQLiteError)?.primaryCode, 13, "SQLITE_FULL")
        XCTAssertEqual(error?.message.hasPrefix("The disk is full"), true, error?.message ?? "")
        let kept = try await count(store)
        XCTAssertEqual(kept, written, "what was answered, and nothing else")
        try await store.execute("PRAGMA max_page_count = 1000000")
        let outcome = try await store.commit(change(written))
        XCTAssertEqual(outcome, .committed, "service did not go on")
    }

    func testCountsOfAttemptsThatCannotBeReadAllowNothing() async throws {
        let store = try await TestDatabase().open()
        let one = Store.Take(Store.AttemptKey(purpose: .code, hash: 1), .number(1, each: .seconds(60)))
        _ = try await store.take([one], at: Timestamp(seconds: 1_800_000_000))
        try await store.execute("UPDATE attempts SET counts = '{'")
        let error = await storeError("counts that cannot be read") {
            _ = try await store.take([one], at: Timestamp(seconds: 1_800_000_000))
        }
        XCTAssertEqual(error?.code, .storeUnavailable, "the limit starts anew")
    }

    func testOneChangeThatFailsTakesNoOtherWithIt() async throws {
        let store = try await TestDatabase().open()
        try await store.execute("PRAGMA max_page_count = 60")
        // The large ones do not fit; the small ones share transactions with them.
        let outcomes = await withTaskGroup(of: (Int, Store.CommitOutcome?).self) { group in
            for number in 0..<30 {
                var change = change(number)
                if number % 3 == 0 {
                    change.records = (0..<250).map { place in
                        .put(
                            Store.OneTimeRecord(
                                key: OneTimeRecordID(bits: UInt128(number) << 64 | UInt128(place)),
                                account: nil,
                                createdAt: change.at,
                                expiresAt: nil,
                                content: .totpSeed(Array(repeating: 7, count: 300))
                            )
                        )
                    }
                } else {
                    change.records = []
                    change.events = [
                        IdentityEvent(.signedIn, at: change.at, account: "ann", actor: .system, reasons: [])
                    ]
                }
                let mine = change
                group.addTask { (number, try? await store.commit(mine)) }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        let expected = (0..<30).map { $0 % 3 == 0 ? nil : Store.CommitOutcome.committed }
        XCTAssertEqual((0..<30).map { outcomes[$0] ?? nil }, expected)
        let (records, events) = (try await count(store), try await store.events(after: .start, limit: 100).events.count)
        XCTAssertEqual([records, events], [0, 20], "a change was written in part, or taken along")
    }

    func testAFileOfAnotherProgramIsRefused() async throws {
        let database = try TestDatabase()
        PrivateFile.make(database.path)
        let other = try SQLiteConnection(path: database.path, busyTimeout: .seconds(1))
        try other.execute("CREATE TABLE cats (name TEXT)")
        other.close()
        let error = await storeError("a file of another program") { _ = try await database.open() }
        XCTAssertEqual(error?.code, .storeUnavailable)
        XCTAssertEqual(error?.message.contains("belongs to another program"), true, error?.message ?? "")
        let owner = try SQLiteConnection(path: database.path, busyTimeout: .seconds(1))
        let mode = try owner.first("PRAGMA journal_mode") { $0.text(0) }
        XCTAssertEqual(mode, "delete", "a file that is refused is left as it was")
        try Data("This is a diary, and not a database at all.".utf8 + Array(repeating: 32, count: 5000))
            .write(to: URL(fileURLWithPath: database.path("diary")))
        let diary = await storeError("a file that is no database") {
            _ = try await SQLiteStore(path: database.path("diary"))
        }
        XCTAssertEqual((diary?.cause as? SQLiteError)?.primaryCode, 26, "SQLITE_NOTADB")
        XCTAssertEqual(diary?.message.contains("no database of SQLite: choose another path"), true, "\(diary as Any)")
    }

    func testAnEmptyPathIsNoFile() async throws {
        let error = await storeError("an empty path") { _ = try await SQLiteStore(path: "") }
        XCTAssertEqual(error?.message.contains("check the path"), true, "\(error as Any)")
    }

    /// Some builds of SQLite would open the file that the URI names, and others make one of that name.
    func testAPathIsNotTakenForAURI() async throws {
        let database = try TestDatabase()
        _ = try await database.open()
        let error = await storeError("a path of a folder that is not there") {
            _ = try await SQLiteStore(path: "file:\(database.path)")
        }
        XCTAssertEqual((error?.cause as? SQLiteError)?.primaryCode, 14, "SQLITE_CANTOPEN: \(error as Any)")
        let store = try await database.open()
        let copy = await storeError("a copy to a folder that is not there") {
            try await store.backup(to: "file:\(database.path("copy"))")
        }
        XCTAssertEqual((copy?.cause as? SQLiteError)?.primaryCode, 14, "SQLITE_CANTOPEN: \(copy as Any)")
    }

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

    func testAnotherProcessThatHoldsTheFileIsWaitedForAndThenNamed() async throws {
        let database = try TestDatabase()
        let store = try await database.open { $0.busyTimeout = .milliseconds(30) }
        _ = try await store.commit(change(1))
        let other = try SQLiteConnection(path: database.path, busyTimeout: .seconds(1))
        try other.execute("BEGIN IMMEDIATE")
        let error = await storeError("a commit while another process writes") { _ = try await store.commit(change(2)) }
        XCTAssertEqual(error?.message.hasPrefix("Another process kept the database locked"), true, error?.message ?? "")
        XCTAssertEqual((error?.cause as? SQLiteError)?.primaryCode, 5, "SQLITE_BUSY")
        let kept = try await count(store)
        XCTAssertEqual(kept, 1, "reading goes on meanwhile")
        try other.execute("COMMIT")
        let outcome = try await store.commit(change(2))
        XCTAssertEqual(outcome, .committed, "service did not go on")
    }

    func testAnotherProcessIsWaitedForAsLongAsTheOptionsSay() async throws {
        let database = try TestDatabase()
        let store = try await database.open { $0.busyTimeout = .milliseconds(200) }
        let other = try SQLiteConnection(path: database.path, busyTimeout: .seconds(1))
        try other.execute("BEGIN IMMEDIATE")
        let began = ContinuousClock.now
        let error = await storeError("a commit while another process writes") { _ = try await store.commit(change(1)) }
        XCTAssertGreaterThanOrEqual(ContinuousClock.now - began, .milliseconds(200))
        XCTAssertEqual((error?.cause as? SQLiteError)?.primaryCode, 5, "SQLITE_BUSY")
        try other.execute("COMMIT")
    }

    func testATimeoutWithoutAnEndOrBelowZeroCanBeAskedFor() async throws {
        for timeout in [Duration.seconds(Int64.max), .seconds(Int64.min), .zero] {
            let store = try await TestDatabase().open { $0.busyTimeout = timeout }
            let outcome = try await store.commit(change(1))
            XCTAssertEqual(outcome, .committed, "a commit with a time limit of \(timeout)")
        }
    }

    func testALogWhoseBoundsAreMissingIsDamaged() async throws {
        let store = try await TestDatabase().open()
        try await store.execute("DELETE FROM store")
        let error = await storeError("the events of a database without its one row") {
            _ = try await store.events(after: .start, limit: 1)
        }
        XCTAssertEqual(error?.message.contains("The database is damaged"), true, error?.message ?? "")
    }

    func testADamagedPageIsNamedWhereItIsReadAndFound() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        for number in 0..<200 { _ = try await store.commit(change(number)) }
        try await store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        try await database.close()
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: database.path))
        let size = try file.seekToEnd()
        for page in UInt64(45)..<min(70, size / 4096) {
            try file.seek(toOffset: page * 4096)
            file.write(Data(repeating: 0xEE, count: 4096))
        }
        try file.close()
        let again = try await database.open()
        let damage = try await again.findDamage()
        let lines = damage.joined(separator: "\n").split(separator: "\n")
        XCTAssertGreaterThan(lines.count, 3, "of twenty-five damaged pages, only the first is found: \(lines)")
        let error = await storeError("reading a damaged page") {
            for number in 0..<200 { _ = try await again.load([.record(OneTimeRecordID(bits: UInt128(number) << 64))]) }
        }
        XCTAssertEqual(error?.message.contains("The database is damaged"), true, error?.message ?? "")
        XCTAssertEqual((error?.cause as? SQLiteError)?.primaryCode, 11, "SQLITE_CORRUPT")
    }

    func testARecordThatCannotBeReadIsNamed() async throws {
        let store = try await TestDatabase().open { $0.readers = 1 }
        _ = try await store.commit(change(1))
        try await store.execute(
            "UPDATE one_time_records SET record = '{\"format\":9,\"kind\":\"record\",\"value\":{}}'"
        )
        let error = await storeError("the record of a newer library") {
            _ = try await store.load([.record(OneTimeRecordID(bits: 1 << 64))])
        }
        XCTAssertEqual(error?.cause as? Store.RecordError, .newerFormat(9))
        XCTAssertEqual(error?.message, "A record of the database cannot be read. Nothing was changed.")
        _ = try await store.commit(change(2))
        let other = try await store.load([.record(OneTimeRecordID(bits: 2 << 64))])
        XCTAssertNotNil(other.record(OneTimeRecordID(bits: 2 << 64)), "the same connection reads on, and what is new")
    }

    func testARowThatCannotBeReadIsNamedByWhateverLookupFindsIt() async throws {
        let store = try await TestDatabase().open { $0.readers = 1 }
        var changes = change(1)
        var account = Account(id: "ann", createdAt: changes.at)
        account.dueAt = changes.at
        let (ann, number) = (account, try XCTUnwrap(PhoneNumber("+15550001234")))
        let mail = try XCTUnwrap(EmailAddress("ann@example.com"))
        let session = Session(
            id: SessionID(bits: 1),
            account: ann.id,
            sessionGeneration: 0,
            basis: .init(kind: .anonymous, provider: .anonymous, generation: nil),
            at: changes.at,
            device: nil,
            origin: nil,
            deviceName: nil
        )
        let record = Store.OneTimeRecord(
            key: OneTimeRecordID(bits: 7),
            account: ann.id,
            createdAt: changes.at,
            expiresAt: nil,
            content: .usedAssertion
        )
        changes.accounts = [.create(ann)]
        changes.sessions = [.put(session)]
        changes.records = [.put(record)]
        changes.keys = [Store.KeyChange(.phone(number), from: nil, to: ann.id)]
        let reference = Store.EmailReference(account: ann.id, createdAt: ann.createdAt, strength: .own)
        changes.references = [Store.EmailReferenceChange(email: mail, reference: reference, isReferenced: true)]
        changes.events = [IdentityEvent(.signedIn, at: changes.at, account: ann.id, actor: .system, reasons: [])]
        _ = try await store.commit(changes)
        let lookups: [(table: String, lookup: Store.Lookup)] = [
            ("accounts", .account(ann.id)), ("accounts", .owner(.phone(number))), ("accounts", .referencing(mail)),
            ("accounts", .record(record.key)), ("one_time_records", .record(record.key)),
            ("one_time_records", .records(of: .account(ann.id), .usedAssertion)), ("sessions", .session(session.id)),
            ("sessions", .sessions(of: .owner(.phone(number)))),
        ]
        for (table, lookup) in lookups {
            let saved = try await store.column("SELECT record FROM \(table)")[0]
            try await store.execute("UPDATE \(table) SET record = '{\"format\":9}'")
            let error = await storeError("\(lookup), of \(table)") { _ = try await store.load([lookup]) }
            XCTAssertEqual(error?.cause as? Store.RecordError, .newerFormat(9), "\(lookup), of \(table)")
            try await store.execute("UPDATE \(table) SET record = '\(saved)'")
        }
        let whole = try await store.load([.account(ann.id), .session(session.id), .record(record.key)])
        XCTAssertEqual(whole[ann.id], ann, "what can be read again")
        XCTAssertEqual(whole.session(session.id), session, "what can be read again")
        for table in ["accounts", "events"] { try await store.execute("UPDATE \(table) SET record = '{\"format\":9}'") }
        let calls: [(String, () async throws -> Void)] = [
            ("a page of accounts", { _ = try await store.accounts(after: nil, limit: 1) }),
            ("a page of events", { _ = try await store.events(after: .start, limit: 1) }),
        ]
        for (what, call) in calls {
            let error = await storeError(what, from: call)
            XCTAssertEqual(error?.cause as? Store.RecordError, .newerFormat(9), what)
        }
    }

    func testAFileThatCannotHaveALogIsRefused() {
        // A file without a name is SQLite's own, which is gone with its connection and has no log.
        XCTAssertThrowsError(try SQLiteConnection.writer("", SQLiteStore.Options())) { error in
            guard case UnusableFile.withoutLog(let mode) = error else {
                return XCTFail("it is not told why: \(error)")
            }
            XCTAssertEqual(mode, "delete")
        }
    }

    func testAnotherProcessThatWritesANewFileIsWaitedForAsLongAsTheOptionsSay() async throws {
        let database = try TestDatabase()
        PrivateFile.make(database.path)
        let other = try SQLiteConnection(path: database.path, busyTimeout: .seconds(1))
        try other.execute("BEGIN IMMEDIATE")
        let began = ContinuousClock.now
        let error = await storeError("opening while another process writes") {
            _ = try await database.open { $0.busyTimeout = .milliseconds(200) }
        }
        XCTAssertEqual((error?.cause as? SQLiteError)?.primaryCode, 5, "SQLITE_BUSY")
        XCTAssertGreaterThanOrEqual(ContinuousClock.now - began, .milliseconds(200))
        try other.execute("COMMIT")
    }

    func testOpeningBlocksNoThreadOfTasks() async throws {
        // More at once than there are threads for tasks; each waits until a task lets it go.
        let count = 2 + 2 * ProcessInfo.processInfo.activeProcessorCount
        // The work must block its thread, as SQLite does that waits for a lock, so a semaphore stops it.
        let gate = DispatchSemaphore(value: 0)
        let running = Mutex(0)
        let open = { @Sendable in
            try await Lane.opening {
                running.withLock { $0 += 1 }
                return gate.wait(timeout: .now() + 10)
            }
        }
        let openings = (0..<count).map { _ in Task { try await open() } }
        while running.withLock({ $0 }) < count { await Task.yield() }
        for _ in openings { gate.signal() }
        for opening in openings {
            let end = try await opening.value
            XCTAssertEqual(end, .success, "no task ran that lets others open their files")
        }
    }

    func testAFileThatCannotBeWrittenIsRefused() async throws {
        let database = try TestDatabase()
        _ = try await database.open()
        try await database.close()
        // Root may write any file, so the folder is one in which no file can be made.
        let missing = await storeError("a folder that is not there") {
            _ = try await SQLiteStore(path: database.path("missing/accounts.sqlite"))
        }
        XCTAssertEqual((missing?.cause as? SQLiteError)?.primaryCode, 14, "SQLITE_CANTOPEN")
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: database.path)
        if geteuid() == 0 {
            // Root may write any file, so another user's process opens this one, in a folder that everybody may write.
            let folder = URL(fileURLWithPath: database.path).deletingLastPathComponent().path
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
            let said = try KilledProcess.openingAsNobody(database.path)
            XCTAssertTrue(said.contains("can be read and not written"), said)
            return
        }
        let error = await storeError("a file that can only be read") { _ = try await database.open() }
        XCTAssertEqual(error?.message.contains("can be read and not written"), true, error?.message ?? "")
    }

    func testACanceledTaskWritesNothing() async throws {
        let store = try await TestDatabase().open()
        let change = change(1)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            _ = try await store.commit(change)
        }
        task.cancel()
        let error = await storeError("a canceled commit") { try await task.value }
        XCTAssertEqual(error?.code, .canceled)
        let kept = try await count(store)
        XCTAssertEqual(kept, 0)
    }
}
#endif
