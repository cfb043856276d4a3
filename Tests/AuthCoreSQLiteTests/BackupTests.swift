#if SQLite
import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

@testable import AuthCoreSQLite

/// Copies that are made while the store is in use, and what a reader of events sees after one was restored.
final class BackupTests: XCTestCase {
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
        let other = try await SQLiteStore(path: second)
        _ = try await other.commit(event(2))
        let missed = try await other.events(after: seen, limit: 10).events
        XCTAssertEqual(missed.count, 1, "a reader of the first copy misses an event of the second")
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
        let memory = try await SQLiteStore(path: SQLiteStore.memory)
        let impossible = await storeError("a copy of a database in memory") { try await memory.backup(to: copy) }
        XCTAssertEqual(impossible?.message.contains("in memory"), true, impossible?.message ?? "")
    }
}
#endif
