import Dispatch
import Synchronization
import XCTest

@testable import AuthCore
@testable import AuthCoreCrypto

final class StandardPasswordHasherTests: LimitedTestCase {
    func testEachFailureAndEachAnswerIsPassedOn() async throws {
        let hasher = StandardPasswordHasher(scheme: .pbkdf2(iterations: 2))
        let end = "$AAECAwQFBgcICQoLDA0ODw$" + Base64URL.encode(Array(repeating: 1, count: 32))
        let failures: [(String, PasswordHash.HashingError)] = [
            ("word", .malformedHash), ("$argon2id$v=19$x$y", .unknownScheme),
            ("$authcore1$pbkdf2-sha256$10000001" + end, .excessiveCost),
            ("$another$pbkdf2-sha256$2" + end, .unknownScheme), ("$authcore1$argon2id$2" + end, .unknownScheme),
        ]
        for (text, error) in failures {
            let hash = PasswordHash(tagged: text)
            await assertHashingThrows(error, text) { _ = try await hasher.check("word", against: hash) }
            XCTAssertFalse(hasher.canCheck(hash), text)
        }
        let stronger = StandardPasswordHasher(scheme: .pbkdf2(iterations: 3))
        let weak = try await hasher.hash("word")
        XCTAssertTrue(stronger.canCheck(weak), weak.tagged)
        let upward = try await stronger.check("word", against: weak)
        XCTAssertEqual(upward, .matches(needsRehash: true), "a hash of fewer iterations than new ones")
        let wrong = try await stronger.check("other", against: weak)
        XCTAssertEqual(wrong, .differs, "a wrong password")
        try XCTSkipUnless(Yescrypt.isAvailable, "needs a libcrypt with yescrypt, which Apple's platforms lack")
        let unusable = StandardPasswordHasher(scheme: .yescrypt(cost: 1), salt: { [] })
        await assertHashingThrows(.failed) { _ = try await unusable.hash("word") }
    }

    /// An operator must see whether a hash is broken or of a scheme that this machine lacks.
    func testNoTwoFailuresOfHashingAreEqual() {
        let failures: [PasswordHash.HashingError] = [
            .malformedHash, .unknownScheme, .excessiveCost, .overloaded, .failed,
        ]
        XCTAssertEqual(Set(failures.map(\.description)).count, failures.count, "\(failures.map(\.description))")
    }

    func testTheDefaultIsTheBestSchemeThereIsAtItsDefaultCost() {
        let expected = Yescrypt.isAvailable ? "$authcore1$y$j9T$" : "$authcore1$pbkdf2-sha256$600000$"
        XCTAssertTrue(StandardPasswordHasher().placeholder.tagged.hasPrefix(expected))
    }

    func testTheCostIsTheOneThatWasChosen() {
        let hasher = StandardPasswordHasher(yescryptCost: 6, iterations: 700_000)
        let expected = Yescrypt.isAvailable ? "$authcore1$y$jAT$" : "$authcore1$pbkdf2-sha256$700000$"
        let tagged = hasher.placeholder.tagged
        XCTAssertTrue(tagged.hasPrefix(expected), "\(tagged) does not begin with \(expected)")
    }

    func testAHasherPassesTheOverloadOn() async throws {
        try await inTime {
            let hasher = StandardPasswordHasher(yescryptCost: 1, iterations: 1, workers: 1, waiting: 0)
            let pool = hasher.hashing.pool
            let gate = DispatchSemaphore(value: 0)
            let blocker = Task { try await pool.run { gate.wait() } }
            await Self.settle(pool) { $0.running == 1 }
            // Opens the gate for a password that waits after all, since it would hold up the test.
            let release = Task {
                await Self.settle(pool) { $0.waiting > 0 }
                gate.signal()
            }
            defer { release.cancel() }
            await assertHashingThrows(.overloaded, "a password to hash, where none may wait") {
                _ = try await hasher.hash("word")
            }
            await assertHashingThrows(.overloaded, "a password to check, where none may wait") {
                _ = try await hasher.check("word", against: hasher.placeholder)
            }
            gate.signal()
            try await blocker.value
            await Self.settle(pool) { $0.running == 0 }
            let check = try await hasher.check("word", against: hasher.placeholder)
            XCTAssertEqual(check, .differs)
        }
    }

    func testAThousandAndTwentyFourPasswordsMayWait() async throws {
        try await inTime {
            let pool = StandardPasswordHasher(workers: 1).hashing.pool
            // Blocks the pool's only thread, as a hash does; a gate of tasks would leave the thread free.
            let gate = DispatchSemaphore(value: 0)
            let blocker = Task { try await pool.run { gate.wait() } }
            await Self.settle(pool) { $0.running == 1 }
            let refused = Mutex(0)
            let job: @Sendable () async -> Void = {
                do { try await pool.run {} } catch { refused.withLock { $0 += 1 } }
            }
            let others = (0...1024).map { _ in Task { await job() } }
            await Self.settle(pool) { $0.waiting + refused.withLock(\.self) == 1025 }
            XCTAssertEqual(pool.load.waiting, 1024, "jobs that wait")
            XCTAssertEqual(refused.withLock(\.self), 1, "jobs that were refused")
            gate.signal()
            try await blocker.value
            for other in others { await other.value }
        }
    }

    private static func settle(_ pool: HashingPool, _ isSettled: ((running: Int, waiting: Int)) -> Bool) async {
        while !isSettled(pool.load), !Task.isCancelled { await Task.yield() }
    }
}
