#if PostgreSQL
import AuthCore
import AuthCoreTesting
import Foundation
import Synchronization
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// Many attempts at once.
final class PostgresAttemptTests: LimitedTestCase {
    private static let now = Timestamp(seconds: 1_800_000_000)

    private static func take(_ hash: UInt64, _ purpose: Store.AttemptKey.Purpose = .password) -> Store.Take {
        Store.Take(.init(purpose: purpose, hash: hash), .number(10_000, each: .seconds(60)))
    }

    /// Takes so often at once, each time under a key of its own and one that all have in common.
    private static func storm(_ count: Int, on stores: [PostgresStore]) async -> [Result<Store.TakeAnswer, any Error>] {
        await withTaskGroup(of: Result<Store.TakeAnswer, any Error>.self) { group in
            for number in 0..<count {
                let store = stores[number % stores.count]
                group.addTask {
                    do {
                        let takes = [take(1, .guessesOfOrigin), take(UInt64(number))]
                        return .success(try await store.take(takes, at: now))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    func testNothingIsCountedForNoAttempt() async throws {
        let store = try await TestDatabase().open()
        let answer = try await store.take([], at: Self.now)
        XCTAssertEqual(answer, .taken, "as in memory")
        try await store.keep([], at: Self.now)
        try await store.refund([], clearing: [], at: Self.now)
    }

    func testATaskThatIsCanceledCountsNoAttempt() async throws {
        let (store, now) = (try await TestDatabase().open(), Self.now)
        let one = Store.Take(Self.take(1).key, .number(1, each: .seconds(60)))
        let canceled = Task { () async throws -> Store.TakeAnswer in
            while !Task.isCancelled { await Task.yield() }
            return try await store.take([one], at: now)
        }
        canceled.cancel()
        let result = await canceled.result
        XCTAssertThrowsError(try result.get(), "the answer to a task that is canceled") {
            XCTAssertEqual(($0 as? AuthError)?.code, .canceled)
        }
        let answer = try await store.take([one], at: now)
        XCTAssertEqual(answer, .taken, "the first attempt that counts")
    }

    /// It is in flight otherwise, until it counts as a failure.
    func testAnAttemptThatWasCountedIsAnsweredThoughItsTaskIsCanceled() async throws {
        let database = try TestDatabase()
        let (store, now, table) = (try await database.open(), Self.now, "\(database.options.schema).attempts")
        var other = try Link(Settings(connection: try TestDatabase.server(), options: PostgresStore.Options()))
        try other.run(text: "BEGIN; LOCK TABLE \(table) IN ACCESS EXCLUSIVE MODE", until: .now + .seconds(20))
        let one = Store.Take(Self.take(1).key, .number(1, each: .seconds(60)))
        let canceled = Task { try await store.take([one], at: now) }
        let watcher = try await TestDatabase().open()
        let waits = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = '\(table)'::regclass"
        while try await watcher.run(waits, []).first?.number(0) == 0 { await Task.yield() }
        canceled.cancel()
        try other.run(text: "COMMIT", until: .now + .seconds(20))
        let answer = try await canceled.value
        XCTAssertEqual(answer, .taken, "what was counted")
    }

    func testHundredsOfAttemptsOfOneOriginAtOnceAreAllCounted() async throws {
        let database = try TestDatabase()
        let stores = [try await database.open(), try await database.open()]
        let answers = await Self.storm(600, on: stores)
        let failures = answers.compactMap { if case .failure(let error) = $0 { "\(error)" } else { nil } }
        XCTAssertEqual(failures, [], "attempts that were not counted")
        let room = Store.Take(Self.take(1, .guessesOfOrigin).key, .number(602, each: .seconds(60)))
        let last = [
            try await stores[0].take([room], at: Self.now), try await stores[1].take([room], at: Self.now),
            try await stores[0].take([room], at: Self.now),
        ]
        XCTAssertEqual(last, [.taken, .taken, .inFlight], "of six hundred and two, six hundred were taken")
    }

    func testWhenTheServerIsGoneAllWhoWaitAreTold() async throws {
        let proxy = try LoopbackProxy(to: try TestDatabase.server())
        let store = try await TestDatabase(proxy.connection) { $0.retries = 0 }.open()
        proxy.close()
        let answers = await Self.storm(100, on: [store])
        let codes = answers.map { answer -> AuthErrorCode? in
            if case .failure(let error) = answer { (error as? AuthError)?.code } else { nil }
        }
        XCTAssertEqual(codes, Array(repeating: AuthErrorCode.storeUnavailable, count: 100))
    }

    /// An answer that is lost does not make an attempt free: what was given back is not given back again.
    func testAnAttemptIsGivenBackOnceIfTheAnswerIsLost() async throws {
        let take = Store.Take(Self.take(1).key, .number(3, each: .seconds(60)))
        for (cut, isBusy) in [(LoopbackProxy.Cut.before, false), (.after, false), (.after, true)] {
            let proxy = try LoopbackProxy(to: try TestDatabase.server(), of: "exchange_attempts")
            defer { proxy.close() }
            let database = try TestDatabase(proxy.connection)
            let store = try await database.open()
            let other = try await PostgresStore(try TestDatabase.server(), options: database.options)
            for _ in 0..<3 { _ = try await store.take([take], at: Self.now) }
            proxy.cutNextCommit(cut) {
                if isBusy { Self.waitFor { _ = try? await other.take([take], at: Self.now + .seconds(1)) } }
            }
            try await store.refund([take], clearing: [], at: Self.now)
            let answers = [try await other.take([take], at: Self.now), try await other.take([take], at: Self.now)]
            // Where another process took the attempt at once, there is none.
            let expected: [Store.TakeAnswer] = isBusy ? [.inFlight, .inFlight] : [.taken, .inFlight]
            XCTAssertEqual(answers, expected, "one of three was given back; cut \(cut), others are busy: \(isBusy)")
        }
    }

    func testAnAttemptWhoseAnswerIsLostIsTaken() async throws {
        let proxy = try LoopbackProxy(to: try TestDatabase.server(), of: "exchange_attempts")
        defer { proxy.close() }
        let database = try TestDatabase(proxy.connection)
        let store = try await database.open()
        let other = try await PostgresStore(try TestDatabase.server(), options: database.options)
        let take = Store.Take(Self.take(1).key, .number(1, each: .seconds(60)))
        proxy.cutNextCommit(.after) {}
        let answer = try await store.take([take], at: Self.now)
        XCTAssertEqual(answer, .taken, "the only attempt, whose first answer was lost")
        try await store.refund([take], clearing: [], at: Self.now)
        let next = try await other.take([take], at: Self.now)
        XCTAssertEqual(next, .taken, "the attempt that was given back")
    }

    /// A count that others raise meanwhile is not cleared by a call that was made before.
    func testACountIsClearedOnceIfTheAnswerIsLost() async throws {
        let proxy = try LoopbackProxy(to: try TestDatabase.server(), of: "exchange_attempts")
        defer { proxy.close() }
        let database = try TestDatabase(proxy.connection)
        let store = try await database.open()
        let other = try await PostgresStore(try TestDatabase.server(), options: database.options)
        let take = Store.Take(Self.take(1).key, .number(1, each: .seconds(60)), isSettled: true)
        _ = try await store.take([take], at: Self.now)
        let between = Mutex<Store.TakeAnswer?>(nil)
        proxy.cutNextCommit(.after) {
            Self.waitFor {
                let answer = try? await other.take([take], at: Self.now + .seconds(1))
                between.withLock { $0 = answer }
            }
        }
        try await store.refund([], clearing: [take.key], at: Self.now)
        XCTAssertEqual(between.withLock(\.self), .taken, "an attempt right after the count was cleared")
        let answer = try await other.take([take], at: Self.now)
        XCTAssertNotEqual(answer, .taken, "an attempt that was counted after the count was cleared")
    }

    /// Waits on the thread of a proxy until something was done.
    ///
    /// A semaphore, since that thread is the proxy's own, on which nothing asynchronous runs, and must not go on
    /// before.
    private static func waitFor(_ work: @escaping @Sendable () async -> Void) {
        let done = DispatchSemaphore(value: 0)
        Task {
            await work()
            done.signal()
        }
        XCTAssertEqual(done.wait(timeout: .now() + 30), .success, "what happens between did not end")
    }

    func testABucketThatCannotBeReadDisturbsNoOther() async throws {
        let store = try await TestDatabase().open()
        _ = try await store.take([Self.take(1)], at: Self.now)
        _ = try await store.run("UPDATE \(store.schema.name).attempts SET counts = 'none'", [])
        store.seenAttempts.withLock { $0 = [:] }
        async let damaged = store.take([Self.take(1)], at: Self.now)
        async let others = Self.storm(20, on: [store])
        do {
            let answer = try await damaged
            XCTFail("a bucket that cannot be read answered \(answer)")
        } catch {
            XCTAssertEqual((error as? AuthError)?.code, .storeUnavailable, "\(error)")
        }
        // One of the storm has the damaged key.
        let taken = await others.filter { if case .success(.taken) = $0 { true } else { false } }
        XCTAssertEqual(taken.count, 19, "attempts under other keys")
    }

    func testAttemptsAreGivenUpWhenOthersKeepChangingTheCounts() async throws {
        let store = try await TestDatabase().open()
        let name = store.schema.name
        // As if another process had changed the counts before each try.
        try await store.execute(
            script: """
                CREATE SEQUENCE \(name).tries;
                ALTER FUNCTION \(name).exchange_attempts RENAME TO exchange_attempts_at_last;
                CREATE FUNCTION \(name).exchange_attempts(bigint[], bigint[], text[], text[])
                    RETURNS TABLE (place bigint, counts text)
                    LANGUAGE sql AS $$ SELECT 0 * nextval('\(name).tries'), NULL $$
                """
        )
        do {
            let answer = try await store.take([Self.take(1)], at: Self.now)
            XCTFail("it was counted: \(answer)")
        } catch let error as AuthError {
            XCTAssertEqual((error.cause as? PostgresError)?.kind, .conflict, "\(error)")
        }
        let tries = try await store.run("SELECT last_value FROM \(name).tries", []).first?.number(0)
        XCTAssertEqual(tries, 200, "how often it was tried")
        try await store.execute(
            script: """
                DROP FUNCTION \(name).exchange_attempts;
                ALTER FUNCTION \(name).exchange_attempts_at_last RENAME TO exchange_attempts
                """
        )
        let answer = try await store.take([Self.take(1)], at: Self.now)
        XCTAssertEqual(answer, .taken, "once no other process changes the counts")
    }

    func testCountsOfOtherKeysAreRememberedUntilThereAreFourThousand() async throws {
        let store = try await TestDatabase().open()
        let empty = AttemptTable(capacity: store.options.attemptCapacity)
        let (first, second) = (Self.take(1), Self.take(2))
        let bucket = empty.bucket(of: first.key)
        for take in [first, second] { _ = try await store.take([take], at: Self.now) }
        let seen = store.seenAttempts.withLock { $0 }
        XCTAssertEqual(Set(seen.keys), [bucket, empty.bucket(of: second.key)], "the buckets of both calls")
        for (count, left) in [(4096, 4097), (4097, 1)] {
            store.seenAttempts.withLock { seen in
                seen = [:]
                for hash in 0..<UInt64(count) { seen[empty.bucket(of: Self.take(100 + hash).key)] = [0] }
            }
            try await store.keep([first], at: Self.now)
            XCTAssertEqual(store.seenAttempts.withLock { $0.count }, left, "beside \(count) other buckets")
        }
    }
}
#endif
