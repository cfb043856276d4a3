#if SQLite
import AuthCore
import Foundation
import XCTest

@testable import AuthCoreSQLite
@testable import StoreInvariants

/// A disk that is full or fails at a commit: what those are answered who share it, and what is there after a crash.
final class FailingDiskTests: GroupCommitTestCase {
    /// What a process finds that opens the files when no other has them open: the log is read again, frame by frame.
    private func storeAfterACrash(of database: TestDatabase, _ name: String) async throws -> SQLiteStore {
        let copy = database.path(name)
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: database.path + suffix, toPath: copy + suffix)
        }
        return try await SQLiteStore(path: copy)
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
                "change \(number) was sent again after a look showed that it is not there"
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
            for (number, result) in zip(10..., try await FailingDiskTests.commitTogether(changes, on: store)) {
                let error = await storeError("change \(number)") { _ = try result.get() }
                XCTAssertEqual(error?.code, .outcomeUnknown, "change \(number)")
            }
        }
    }

    /// The disk has the change and does not say so: what is there is unknown until the file is opened again.
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
        // The caller who sends a change again learns whether it was written.
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
}
#endif
