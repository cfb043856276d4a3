import AuthCoreTesting
import Synchronization
import XCTest

@testable import AuthCore

/// How often and how soon an operation is decided again whose changes others prevented.
final class RetryTests: LimitedTestCase {
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
        XCTAssertEqual(
            error?.message,
            "Others kept changing the account; nothing was written, try again."
        )
        XCTAssertEqual(pauses.count, 2, "the pauses before the fourth and the fifth try")
    }

    func testAStoreThatAlwaysAnswersWithAnAccountWhoseTimeIsOverIsGivenUp() async throws {
        let store = OutdatedStore()
        let world = World(.standard) { $0.store = store }
        try await world.signUpAnn().delete()
        world.clock.advance(by: .seconds(400 * 86_400))
        store.writesNothing()
        let error = await authError { try await world.device().signIn(with: World.annsPassword) }
        XCTAssertEqual(error?.code, .storeUnavailable)
        XCTAssertEqual(error?.message, "What has expired could not be cleaned up; try again.")
    }

    func testTheLimitOnConflictsCountsOneThatIsDecidedAgainOnce() async throws {
        var policy = AuthPolicy.standard
        policy.limits?.visitsFromOrigin = 1
        let world = World(policy)
        try await world.signUpVerifiedAnn()
        world.store.script(.commit, [.violates(.absent(AccountID(bits: 1)))])
        let before = world.store.calls(of: .commit)
        await assertThrows(.accountExistsWithDifferentCredential, "a conflict that is decided twice") {
            try await world.stranger(at: "192.0.2.1").signIn(with: world.facebook())
        }
        XCTAssertEqual(world.store.calls(of: .commit) - before, 2, "how often the conflict was decided")
        await assertThrows(.tooManyRequests, "a second conflict of the origin") {
            try await world.stranger(at: "192.0.2.1").signIn(with: world.facebook())
        }
    }

    /// An error of the library's own says that nothing was written; to send the changes again cannot help.
    func testAnErrorThatSaysWhatIsWrongIsNotTriedAgain() async {
        let world = World(.standard)
        let failure = AuthError(.keyRuleMismatch)
        world.store.script(.commit, .failsBefore(failure), .failsBefore(failure))
        let before = world.store.calls(of: .commit)
        await assertThrows(.keyRuleMismatch) { try await world.device().signInAnonymously() }
        XCTAssertEqual(world.store.calls(of: .commit) - before, 1, "how often the changes were sent")
    }

    /// The second commit finds out whether the first was written; it must not be stopped by the caller's leaving.
    func testACancellationDoesNotStopTheCommitThatFindsOutWhatWasWritten() async throws {
        try await inTime {
            let store = StoreThatAnswersLate()
            let world = World { $0.store = store }
            let device = world.device()
            let signIn = Task { try await device.signInAnonymously() }
            store.leave { signIn.cancel() }
            let user = try await signIn.value.user
            XCTAssertFalse(store.wasCanceled, "the repeated commit was canceled with its caller")
            let account = try await world.account(user)
            XCTAssertEqual(account.id, user.account.id, "the account that was written")
        }
    }

    func testACancellationEndsAPause() async {
        let (error, pauses) = await signUp(after: 100, retries: 64) { _ in throw CancellationError() }
        XCTAssertEqual(error?.code, .canceled)
        XCTAssertEqual(pauses.count, 1, "the pauses until the cancellation")
    }
}

/// A store that says of each change that it is written, and from some time on answers with what was there before.
private final class OutdatedStore: ForwardingStore {
    let whole: any IdentityStore = InMemoryIdentityStore()
    private let isOutdated = Mutex(false)

    func writesNothing() { isOutdated.withLock { $0 = true } }

    func commit(_ changes: ChangeSet) async throws -> Store.CommitOutcome {
        isOutdated.withLock(\.self) ? .committed : try await whole.commit(changes)
    }
}

/// A store that writes a commit without an answer; at the next try of it, its caller leaves.
private final class StoreThatAnswersLate: ForwardingStore {
    private struct Broken: Error {}

    let whole: any IdentityStore = InMemoryIdentityStore()
    private let state = Mutex((leave: (@Sendable () -> Void)?.none, commits: 0, wasCanceled: false))

    var wasCanceled: Bool { state.withLock { $0.wasCanceled } }

    /// Says what happens at the second try.
    func leave(_ leave: @escaping @Sendable () -> Void) { state.withLock { $0.leave = leave } }

    func commit(_ changes: ChangeSet) async throws -> Store.CommitOutcome {
        let outcome = try await whole.commit(changes)
        let number = state.withLock { state in
            state.commits += 1
            return state.commits
        }
        if number == 1 { throw Broken() }
        while state.withLock({ $0.leave == nil }) { await Task.yield() }
        state.withLock { $0.leave }?()
        state.withLock { $0.wasCanceled = Task.isCancelled }
        return outcome
    }
}
