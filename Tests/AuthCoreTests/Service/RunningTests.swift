import AuthCoreTesting
import Synchronization
import XCTest

@testable import AuthCore

/// What a running service does while nobody calls it.
final class RunningTests: LimitedTestCase {
    func testEachWalkOverTheAccountsEnds() async throws {
        let world = World(.standard)
        try await world.signUpAnn()
        world.clock.advance(by: .seconds(400 * 86_400))
        try await inTime { [world] in
            let endings = try await world.service.resumeMerges()
            XCTAssertEqual(endings, [:], "the merges of an account that none has")
            let report = try await world.service.sweep()
            XCTAssertEqual(report.accounts, 1, "the accounts whose time is over")
            let again = try await world.service.sweep()
            XCTAssertEqual(again.accounts, 0, "the accounts that are left")
        }
    }

    /// A service that takes such a batch for an empty one sweeps no more for a minute.
    func testABatchOfNothingButOneKindIsNotEmpty() {
        XCTAssertTrue(Store.SweepReport().isEmpty, "a batch of nothing")
        XCTAssertFalse(Store.SweepReport(sessions: 1).isEmpty, "a batch of sessions")
        XCTAssertFalse(Store.SweepReport(records: 1).isEmpty, "a batch of one-time records")
        var report = Store.SweepReport()
        report.accounts = 1
        XCTAssertFalse(report.isEmpty, "a batch of accounts")
    }

    /// Accounts that are in use are looked at again later; more than one batch of them must not wait for the next
    /// minute.
    func testABatchOfAccountsThatStayIsNotEmpty() async throws {
        let world = World(.standard)
        for number in 0..<5 { try await world.device("\(number)").signInAnonymously() }
        world.clock.advance(by: .seconds(30 * 86_400 + 1))
        let first = try await world.service.sweep(limit: 3)
        XCTAssertEqual(first.accounts, 0, "guests who are signed in were removed")
        XCTAssertFalse(first.isComplete, "two guests have not been looked at")
        XCTAssertFalse(first.isEmpty, "three guests were looked at")
        let second = try await world.service.sweep(limit: 3)
        XCTAssertTrue(second.isComplete, "whether all guests were looked at")
        let due = try await world.store.accounts(dueBy: Timestamp(world.clock.now), after: nil, limit: 9)
        XCTAssertEqual(due, [], "the accounts that are due")
    }

    func testRowsAreSweptAlthoughTheAccountsCannotBeRead() async throws {
        let world = World(.standard)
        try await world.device().sendSignInLink(to: "ben@example.com")
        let store = world.store
        world.clock.advance(by: .seconds(400 * 86_400))
        let begun = try await store.whole.sweep(at: world.clock.timestamp, limit: 0)
        XCTAssertFalse(begun.isComplete, "nothing is due before the sweep")
        store.script(.accounts, .failsBefore())
        await assertThrows(.storeUnavailable, "a sweep whose accounts cannot be read") {
            try await world.service.sweep()
        }
        let rest = try await world.service.sweep()
        XCTAssertEqual(rest.records, 0, "the rows that the failed sweep left")
    }

    func testWhatASweepRemovedBeforeItFailedStaysRemoved() async throws {
        let world = World(.standard)
        try await world.signUpAnn()
        let store = world.store
        try await world.device().sendSignInLink(to: "ben@example.com")
        world.clock.advance(by: .seconds(400 * 86_400))
        store.script(.sweep, .failsBefore())
        await assertThrows(.storeUnavailable, "a sweep whose rows cannot be read") { try await world.service.sweep() }
        let left = try await world.service.accounts()
        XCTAssertEqual(left, [], "the accounts after the sweep that failed")
        let rest = try await world.service.sweep()
        XCTAssertEqual(rest.records, 1, "the rows that the failed sweep left")
    }

    /// Runs a service until a wait finds this so, and returns its waits; each moves the clock.
    private func run(
        _ world: World,
        every interval: Duration = .seconds(1),
        reportingTo report: @Sendable @escaping (AuthError) -> Void = { XCTFail("\($0)") },
        until isDone: @Sendable @escaping () -> Bool
    ) async throws -> [Duration] {
        let waits = Mutex<[Duration]>([])
        let clock = world.clock
        var configuration = world.service.configuration
        configuration.environment = AuthEnvironment(
            clock: { clock.now },
            randomness: SeededGenerator(seed: 99),
            sleep: { duration in
                waits.withLock { $0.append(duration) }
                if isDone() { throw CancellationError() }
                clock.advance(by: .seconds(duration / .seconds(1)))
                await Task.yield()
            }
        )
        let service = AuthService(configuration)
        try await inTime { try await service.run(every: interval, reportingTo: report) }
        return waits.withLock { $0 }
    }

    func testItEndsWithAnErrorIfItCannotWait() async throws {
        struct TimerFailure: Error {}
        let service = World(.standard) {
            $0.environment = AuthEnvironment(sleep: { _ in throw TimerFailure() })
        }.service
        let error = await authError("though no job would be done again") { try await service.run() }
        XCTAssertEqual(error?.code, .internalError)
        XCTAssertTrue(error?.cause is TimerFailure, "the cause is \(String(describing: error?.cause))")
    }

    func testItSweepsEachMinuteWhatIsOver() async throws {
        let world = World(.standard)
        let auth = world.device()
        try await world.signUpAnn(auth)
        try await auth.signOut()
        let (clock, store) = (world.clock, world.store)
        let begin = clock.now
        let waits = try await run(world) {
            if store.calls(of: .sweep) == 1, clock.now < begin + 86400 { clock.advance(by: .seconds(30 * 86400)) }
            return store.calls(of: .sweep) >= 3
        }
        XCTAssertEqual(Set(waits), [.seconds(1), .seconds(60)])
        let accounts = try await world.service.accounts()
        XCTAssertEqual(accounts, [], "the account that was never verified nor used is still there")
        let report = try await world.service.sweep()
        XCTAssertEqual(report, Store.SweepReport(), "something was left to sweep")
    }

    func testMessagesAndEventsAreLookedForEachSecondAndTheRestEachMinute() async throws {
        var configuration = World(.standard).service.configuration
        let first = try await firstWaits(of: &configuration)
        XCTAssertEqual(first, [1, 1, 60, 60].map { .seconds($0) }, "the first wait of each job")
    }

    /// Runs a service until each of its four jobs was done once, and returns for how long they wait then.
    private func firstWaits(
        of configuration: inout AuthConfiguration,
        at date: Date = Date(timeIntervalSince1970: 1_700_000_000)
    ) async throws -> [Duration] {
        let waits = Mutex<[Duration]>([])
        let gate = Gate()
        configuration.environment = AuthEnvironment(
            clock: { date },
            randomness: SeededGenerator(seed: 99),
            sleep: { duration in
                let count = waits.withLock { waits in
                    waits.append(duration)
                    return waits.count
                }
                if count == 4 { gate.open() }
                await gate.pass()
                throw CancellationError()
            }
        )
        let service = AuthService(configuration)
        try await inTime { try await service.run() }
        return waits.withLock { $0.prefix(4).sorted() }
    }

    /// Another process may hold what is expired: the store leaves it out, and says that it is not complete.
    func testASweepThatRemovesNothingIsNotRepeatedAtOnce() async throws {
        let store = HeldStore()
        var configuration = World(.standard).service.configuration
        configuration.store = store
        _ = try await firstWaits(of: &configuration)
        XCTAssertEqual(store.sweeps.withLock(\.self), 1, "sweeps before the first wait")
    }

    func testASweepGoesOnUntilAllIsRemoved() async throws {
        let store = InMemoryIdentityStore()
        _ = try await store.commit(.expiredRecords(2500))
        let service = AuthService(
            AuthConfiguration(
                store: store,
                environment: AuthEnvironment(clock: { Date() }, sleep: { _ in throw CancellationError() })
            )
        )
        try await inTime { try? await service.run() }
        let left = try await service.sweep()
        XCTAssertEqual(left.records, 0, "what the first round of a running service left")
    }

    /// A batch of accounts alone is no reason to wait either.
    func testASweepGoesOnUntilAllAccountsAreLookedAt() async throws {
        let world = World(.standard)
        try await world.bringUnverifiedAccounts(1001)
        world.clock.advance(by: .seconds(400 * 86_400))
        var configuration = world.service.configuration
        _ = try await firstWaits(of: &configuration, at: world.clock.now)
        let left = try await world.store.accounts(after: nil, limit: 10)
        XCTAssertEqual(left.count, 0, "the accounts that the first round of a running service left")
    }

    func testAClockThatIsSetBackDelaysNoSweep() async throws {
        let world = World(.standard)
        let (clock, store) = (world.clock, world.store)
        let begin = clock.now
        clock.advance(by: .seconds(30 * 86400))
        _ = try await run(world) {
            if store.calls(of: .sweep) == 1, clock.now > begin + 86400 { clock.advance(by: .seconds(-30 * 86400)) }
            return store.calls(of: .sweep) >= 3
        }
        XCTAssertLessThan(clock.now, begin + 86400, "it sweeps when the clock is where it was")
    }

    func testItPublishesWhatAnotherProcessCommitted() async throws {
        let world = World()
        let (service, store) = (world.service, world.store)
        let stream = try await service.eventStream()
        let kinds = Mutex<[IdentityEvent.Kind]>([])
        let begun = store.calls(of: .events)
        let reader = Task {
            for await case .event(let event) in stream { kinds.withLock { $0.append(event.kind) } }
        }
        // The reader finds nothing, and waits from then on.
        await wait(for: "the first look into the log") { store.calls(of: .events) > begun }
        for _ in 0..<1000 { await Task.yield() }
        _ = try await AuthService(service.configuration).client().signInAnonymously()
        let runner = Task { try await service.run() }
        await wait(for: "what another process committed") { kinds.withLock { $0.count } == 2 }
        XCTAssertEqual(kinds.withLock { $0 }, [.accountCreated, .signedIn])
        runner.cancel()
        reader.cancel()
        try await runner.value
    }

    func testAStoreThatFailsIsReportedAndTriedAgainAfterGrowingWaits() async throws {
        let world = World(.standard)
        let store = world.store
        store.script(.leaseMessages, Array(repeating: .failsBefore(), count: 3))
        let failures = Mutex<[AuthErrorCode]>([])
        let waits = try await run(
            world,
            reportingTo: { error in failures.withLock { $0.append(error.code) } },
            until: { store.calls(of: .leaseMessages) >= 6 }
        )
        XCTAssertEqual(failures.withLock { $0 }, Array(repeating: .storeUnavailable, count: 3))
        let longer = waits.filter { $0 != .seconds(1) && $0 != .seconds(60) }
        XCTAssertEqual(longer, [.seconds(2), .seconds(4), .seconds(8)], "the waits after failures")
    }

    func testASuccessEndsTheGrowthOfTheWaits() async throws {
        let world = World(.standard)
        let store = world.store
        store.script(.leaseMessages, .failsBefore(), .failsBefore(), .succeeds, .failsBefore())
        let waits = try await run(
            world,
            reportingTo: { _ in },
            until: { store.calls(of: .leaseMessages) >= 6 }
        )
        let longer = waits.filter { $0 != .seconds(1) && $0 != .seconds(60) }
        XCTAssertEqual(longer, [2, 4, 2].map { .seconds($0) }, "the waits after two failures, a success and a failure")
    }

    func testTheWaitAfterFailuresDoublesUpToAMinute() async throws {
        for (interval, growing) in [(1, [2, 4, 8, 16, 32]), (30, [])] as [(Int, [Int])] {
            let world = World(.standard)
            let store = world.store
            store.script(.leaseMessages, [], then: .failsBefore())
            let waits = try await run(
                world,
                every: .seconds(interval),
                reportingTo: { _ in },
                until: { store.calls(of: .leaseMessages) >= 9 }
            )
            let others = waits.filter { $0 != .seconds(interval) && $0 != .seconds(60) }
            XCTAssertEqual(
                others,
                growing.map { .seconds($0) },
                "the waits up to a minute, after \(interval) s at first"
            )
        }
    }

    func testAnyIntervalIsWaitedForAfterAnyNumberOfFailures() async throws {
        let world = World(.standard)
        let store = world.store
        store.script(.leaseMessages, [], then: .failsBefore())
        let waits = try await run(
            world,
            every: .seconds(Int64.max),
            reportingTo: { _ in },
            until: { store.calls(of: .leaseMessages) >= 8 }
        )
        XCTAssertEqual(Set(waits), [.days(366)], "the longest wait that is asked of the system")
    }

    func testAnIntervalOfNoTimeAsksAStoreThatFailsEverLessOftenToo() async throws {
        for interval in [Duration.zero, .seconds(-1), .seconds(Int64.min)] {
            let world = World(.standard)
            let store = world.store
            store.script(.leaseMessages, [], then: .failsBefore())
            let waits = try await run(
                world,
                every: interval,
                reportingTo: { _ in },
                until: { store.calls(of: .leaseMessages) >= 70 }
            )
            XCTAssertTrue(waits.allSatisfy { $0 > .zero }, "\(interval): it asks again without a pause: \(waits)")
            let longer = waits.filter { $0 > .milliseconds(10) && $0 < .seconds(60) }
            let growing = [20, 40, 80, 160, 320, 640, 640, 640].map { Duration.milliseconds($0) }
            XCTAssertEqual(Array(longer.prefix(8)), growing, "\(interval)")
        }
    }

    func testAFailureThatNobodyAskedForKeepsNothingFromBeingDone() async throws {
        let world = World(.standard)
        try await world.signUpAnn()
        world.clock.advance(by: .seconds(60 * 86400))
        let store = world.store
        store.script(.leaseMessages, [], then: .failsBefore())
        _ = try await run(world, reportingTo: { _ in }, until: { store.calls(of: .sweep) >= 2 })
        let accounts = try await world.service.accounts()
        XCTAssertEqual(accounts, [], "the sweep is not done, since messages could not be read")
    }

    func testItEndsWhenItsTaskIsCanceled() async throws {
        let world = World()
        let service = world.service
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await service.run { XCTFail("a canceled run reports \($0)") }
        }
        try await task.value
        XCTAssertEqual(world.store.calls(of: .sweep), 0, "sweeps of a run that was canceled before it began")
    }
}

/// A store whose expired rows another process holds.
private final class HeldStore: ForwardingStore {
    let whole: any IdentityStore = InMemoryIdentityStore()
    let sweeps = Mutex(0)

    func sweep(at now: Timestamp, limit: Int) async throws -> Store.SweepReport {
        try Task.checkCancellation()
        sweeps.withLock { $0 += 1 }
        return Store.SweepReport(isComplete: false)
    }
}
