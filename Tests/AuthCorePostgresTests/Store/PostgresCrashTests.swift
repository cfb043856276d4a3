#if PostgreSQL
import AuthCore
import Synchronization
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// A server that ends at any moment: what it acknowledged is there, and nothing is there in part.
final class PostgresCrashTests: LimitedTestCase {
    private static var rounds: Int { ProcessInfo.processInfo.environment["AUTHCORE_LONG"] == nil ? 2 : 20 }

    func testEveryAcknowledgedCommitIsThereAfterACrash() async throws {
        let server = try TestServer()
        defer { try? server.stop("immediate") }
        let options = try TestDatabase { $0.retries = 0 }.options
        var stores: [PostgresStore] = []
        for _ in 0..<3 { stores.append(try await PostgresStore(server.connection, options: options)) }
        for round in 0..<Self.rounds {
            let (acknowledged, unknown) = try await write(on: stores, round) { try server.stop("immediate") }
            XCTAssertFalse(acknowledged.isEmpty, "nothing was committed before the crash")
            try server.start()
            // The handles of before serve again.
            for change in acknowledged {
                let outcome = try await stores[0].commit(change)
                XCTAssertEqual(outcome, .duplicate, "an acknowledged commit is lost")
                try await assertWhole(change, on: stores[1])
            }
            for change in unknown {
                let outcome = try await stores[2].commit(change)
                XCTAssertTrue(outcome.isWritten, "\(outcome) for a commit whose outcome was unknown")
                try await assertWhole(change, on: stores[1])
            }
            let accounts = try await stores[0].accounts(after: nil, limit: 100_000).count
            let events = try await stores[0].events(after: .start, limit: 100_000).events.count
            let messages = try await stores[0].messages(.waiting, after: nil, limit: 100_000).count
            XCTAssertEqual(events, accounts, "events without accounts, or accounts without events")
            XCTAssertEqual(messages, accounts, "messages without accounts, or accounts without messages")
        }
    }

    /// The test above notices a server that answers before its commits are durable.
    func testACommitThatWasAnsweredTooEarlyIsMissedAfterACrash() async throws {
        let server = try TestServer("wal_writer_delay=10s")
        defer { try? server.stop("immediate") }
        let options = try TestDatabase { $0.retries = 0 }.options
        // The tables are not to be lost.
        _ = try await PostgresStore(server.connection, options: options)
        let flawed = server.connection + " options='-c synchronous_commit=off'"
        let store = try await PostgresStore(flawed, options: options)
        // The server's writer brings full pages of the log to the disk at once, so that a crash takes the last page
        // only, which now and then holds no commit.
        var lost = 0
        for round in 0..<8 where lost == 0 {
            let (acknowledged, _) = try await write(on: [store], round) { try server.stop("immediate") }
            try server.start()
            for change in acknowledged where try await store.commit(change) != .duplicate { lost += 1 }
        }
        XCTAssertGreaterThan(lost, 0, "every commit that was answered too early is there")
    }

    /// What was rolled back has left nothing on the disk: after a crash, the server gives out its numbers again.
    func testAReaderAtTheEndOfTheLogMissesNoEventAfterACrash() async throws {
        // The server's writer would bring to the disk what was rolled back.
        let server = try TestServer("wal_writer_delay=10s", "autovacuum=off")
        defer { try? server.stop("immediate") }
        let database = try TestDatabase(server.connection)
        let store = try await database.open()
        for round in 0..<Self.rounds {
            var other = try Link(Settings(connection: server.connection, options: database.options))
            let lost = "INSERT INTO \(store.schema.name).operations (id) VALUES (gen_random_uuid())"
            for _ in 0..<2 { try other.run(text: "BEGIN; \(lost); ROLLBACK", until: .now + .seconds(10)) }
            let end = try await store.events(after: .start, limit: 0).end
            try server.stop("immediate")
            try server.start()
            _ = try await store.commit(Samples.creation("ann\(round)"))
            let page = try await store.events(after: end, limit: 10)
            XCTAssertEqual(page.events.map(\.account.text), ["ann\(round)"], "a reader at \(end) misses an event")
            XCTAssertGreaterThanOrEqual(page.end, end, "the end of the log has moved back")
        }
    }

    private final class Results: Sendable {
        let lists = Mutex<(acknowledged: [Store.ChangeSet], unknown: [Store.ChangeSet])>(([], []))
    }

    /// Commits on all stores until the server is gone; returns what was acknowledged and what was not.
    private func write(
        on stores: [PostgresStore],
        _ round: Int,
        until stop: () throws -> Void
    ) async throws -> (acknowledged: [Store.ChangeSet], unknown: [Store.ChangeSet]) {
        let results = Results()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<6 {
                let store = stores[writer % stores.count]
                group.addTask {
                    for number in 0..<100_000 {
                        let change = Samples.creation("r\(round)w\(writer)n\(number)")
                        do {
                            let outcome = try await store.commit(change)
                            XCTAssertEqual(outcome, .committed)
                            results.lists.withLock { $0.acknowledged.append(change) }
                        } catch {
                            results.lists.withLock { $0.unknown.append(change) }
                            return
                        }
                    }
                }
            }
            // Each writer ends at its first error.
            while results.lists.withLock({ $0.acknowledged.count < 60 && $0.unknown.count < 6 }) { await Task.yield() }
            let count = results.lists.withLock { $0.acknowledged.count }
            XCTAssertGreaterThanOrEqual(count, 60, "the writers ended before the server did")
            try stop()
            try await group.waitForAll()
        }
        return results.lists.withLock { $0 }
    }

    private func assertWhole(_ change: Store.ChangeSet, on store: PostgresStore) async throws {
        guard case .create(let account)? = change.accounts.first, let email = account.email else { return }
        let seen = try await store.load([
            .account(account.id), .owner(.primaryEmail(email)), .referencing(email),
            .sessions(of: .account(account.id)),
            .records(of: .account(account.id), .usedAssertion),
        ])
        XCTAssertEqual(seen[account.id], account)
        XCTAssertEqual(seen.owner(of: .primaryEmail(email))?.id, account.id)
        XCTAssertEqual(seen.accounts(referencing: email).map(\.id), [account.id])
        XCTAssertEqual(seen.sessions(of: .account(account.id)).count, 1)
        XCTAssertEqual(seen.records(of: .account(account.id), .usedAssertion).count, 1)
        XCTAssertEqual(seen.lastSignIn(of: account.id), Samples.now)
    }
}
#endif
