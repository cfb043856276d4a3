#if SQLite
import AuthCore
import Foundation
import XCTest

@testable import AuthCoreSQLite
@testable import StoreInvariants

/// A failure of power takes commits that did not wait for the disk; readers of events miss nothing that is written
/// afterwards.
final class PowerFailureTests: LimitedTestCase {
    private func event(_ number: Int) -> Store.ChangeSet {
        var changes = Store.ChangeSet(
            operation: Store.OperationID(bits: UInt128(number)),
            at: Timestamp(seconds: 1_800_000_000 + Int64(number))
        )
        changes.events = [IdentityEvent(.signedIn, at: changes.at, account: "ann", actor: .system, reasons: [])]
        return changes
    }

    /// Writes some events, the last two of which are lost, and returns where a reader was who has seen all of them.
    private func failure(
        of database: TestDatabase,
        writing store: SQLiteStore
    ) async throws -> (last: IdentityEvent.Position, end: IdentityEvent.Position) {
        for number in 0..<2 { _ = try await store.commit(event(number)) }
        let files = [database.path, database.path + "-wal"]
        let disk = try files.map { try Data(contentsOf: URL(filePath: $0)) }
        for number in 2..<4 { _ = try await store.commit(event(number)) }
        let page = try await store.events(after: .start, limit: 10)
        XCTAssertEqual(page.events.count, 4, "what the reader has seen")
        try await database.close()
        for (file, content) in zip(files, disk) { try content.write(to: URL(filePath: file)) }
        return (try XCTUnwrap(page.events.last?.position), page.end)
    }

    func testReadersMissNoEventAfterAFailureOfPowerThatTookCommits() async throws {
        for synchronous in SQLiteStore.Options.Synchronous.allCases {
            let database = try TestDatabase()
            let store = try await database.open { $0.synchronous = .normal }
            let seen = try await failure(of: database, writing: store)
            let later = try await database.open { $0.synchronous = synchronous }
            for number in 4..<6 { _ = try await later.commit(event(number)) }
            for position in [seen.last, seen.end] {
                let missed = try await later.events(after: position, limit: 10).events.map(\.at)
                XCTAssertEqual(missed, [event(4).at, event(5).at], "the events, reopened with \(synchronous)")
            }
            let end = try await later.events(after: .start, limit: 0).end
            XCTAssertGreaterThan(end, seen.end, "the end of the log has moved back, reopened with \(synchronous)")
            let all = try await later.events(after: .start, limit: 10).events
            XCTAssertEqual(all.map(\.at), [0, 1, 4, 5].map { event($0).at }, "the log, reopened with \(synchronous)")
        }
    }

    func testTheCommitThatBeginsAnIncarnationWaitsForTheDisk() throws {
        var options = SQLiteStore.Options()
        options.synchronous = .normal
        let database = try TestDatabase()
        let connection = try SQLiteConnection.writer(database.path, options)
        let level = try connection.first("PRAGMA synchronous") { $0.integer(0) }
        XCTAssertEqual(level, 2, "a failure of power would take an incarnation of which readers have learned")
        let flush = try connection.first("PRAGMA fullfsync") { $0.integer(0) }
        XCTAssertEqual(flush, 1, "on Apple's platforms the commit would wait for less than the disk")
    }

    /// As where a tool of an administrator opens the file of a service.
    func testAStoreThatWaitsForTheDiskDoesNotEndThisForOthers() async throws {
        let database = try TestDatabase()
        let store = try await database.open { $0.synchronous = .normal }
        _ = try await database.open()
        let seen = try await failure(of: database, writing: store)
        let later = try await database.open()
        for number in 4..<6 { _ = try await later.commit(event(number)) }
        let missed = try await later.events(after: seen.last, limit: 10).events
        XCTAssertEqual(missed.map(\.at), [event(4).at, event(5).at], "the events")
    }

    func testAFileThatStoresOpenBesideEachOtherHasOneLog() async throws {
        let database = try TestDatabase()
        var position = IdentityEvent.Position.start
        for number in 0..<4 {
            let store = try await database.open { $0.synchronous = .normal }
            _ = try await store.commit(event(number))
            let page = try await store.events(after: position, limit: 10)
            XCTAssertEqual(page.events.map(\.at), [event(number).at], "what a reader sees who was at \(position)")
            position = number % 2 == 0 ? page.end : try XCTUnwrap(page.events.last?.position)
        }
    }
}
#endif
