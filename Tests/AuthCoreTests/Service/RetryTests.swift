import AuthCoreTesting
import Synchronization
import XCTest

@testable import AuthCore

/// How often and how soon an operation is decided again whose changes others prevented.
final class RetryTests: XCTestCase {
    /// The error of a sign-up after this many commits that others came before, and the pauses that it made.
    private func signUp(
        after failures: Int,
        retries: Int,
        seed: UInt64 = 1,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in }
    ) async -> (error: AuthError?, pauses: [Duration]) {
        let pauses = Mutex<[Duration]>([])
        let world = World(.standard) {
            $0.retries = retries
            $0.environment = AuthEnvironment(
                clock: { Date(timeIntervalSince1970: 1_700_000_000) },
                randomness: SeededGenerator(seed: seed),
                sleep: { duration in
                    pauses.withLock { $0.append(duration) }
                    try await sleep(duration)
                }
            )
        }
        let late = StoreFault.violates(.absent(AccountID(bits: 1)))
        world.store.script(.commit, Array(repeating: late, count: failures))
        do {
            try await world.device().signInAnonymously()
            return (nil, pauses.withLock { $0 })
        } catch {
            return (error, pauses.withLock { $0 })
        }
    }

    func testTheSecondAndThirdTryFollowAtOnce() async {
        let (error, pauses) = await signUp(after: 2, retries: 64)
        XCTAssertNil(error)
        XCTAssertEqual(pauses, [], "the pauses before the second and the third try")
    }

    func testLaterTriesWaitForARandomTimeWithinABoundThatDoubles() async {
        var sums = Array(repeating: 0, count: 9)
        for seed in 1...40 {
            let (error, pauses) = await signUp(after: 11, retries: 12, seed: UInt64(seed))
            XCTAssertNil(error)
            let bounds = [16, 32, 64, 128, 256, 256, 256, 256, 256]
            XCTAssertEqual(pauses.count, bounds.count, "the pauses of twelve tries")
            for (index, (pause, bound)) in zip(pauses, bounds).enumerated() {
                let milliseconds = Int(pause / .milliseconds(1))
                XCTAssert((1...bound).contains(milliseconds), "pause \(index) takes \(milliseconds) ms of \(bound)")
                sums[index] += milliseconds
            }
        }
        XCTAssertGreaterThan(sums[4], 40 * 256 / 4, "the longer pauses of forty sign-ups, together")
        XCTAssertGreaterThan(sums[8], 40 * 256 / 4, "the last pauses of forty sign-ups, together")
    }

    func testNoPauseFollowsTheLastTry() async {
        let (error, pauses) = await signUp(after: 100, retries: 5)
        XCTAssertEqual(error?.code, .storeUnavailable)
        XCTAssertEqual(pauses.count, 2, "the pauses before the fourth and the fifth try")
    }

    func testACancellationEndsAPause() async {
        let (error, pauses) = await signUp(after: 100, retries: 64) { _ in throw CancellationError() }
        XCTAssertEqual(error?.code, .cancelled)
        XCTAssertEqual(pauses.count, 1, "the pauses until the cancellation")
    }
}
