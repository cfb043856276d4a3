import AuthCoreTesting
import Synchronization
import XCTest

@testable import AuthCore

/// What a running service does while nobody calls it.
final class RunningTests: XCTestCase {
    func testEachWalkOverTheAccountsEnds() async throws {
        let world = World(.standard)
        try await world.signUpAnn()
        world.clock.advance(by: 400 * 86_400)
        try await inTime { [world] in
            let endings = try await world.service.resumeMerges()
            XCTAssertEqual(endings, [:], "the merges of an account that none has")
            let report = try await world.service.sweep()
            XCTAssertEqual(report.accounts, 1, "the accounts whose time is over")
            let again = try await world.service.sweep()
            XCTAssertEqual(again.accounts, 0, "the accounts that are left")
        }
    }

    /// Runs a service until it has waited this often; a wait moves the clock and then does what the test says.
    private func run(
        _ world: World,
        rounds: Int,
        every interval: Duration = .seconds(1),
        reportingTo report: @Sendable @escaping (AuthError) -> Void = { XCTFail("\($0)") },
        meanwhile: @Sendable @escaping (Int) async throws -> Void = { _ in }
    ) async throws -> [Duration] {
        let waits = Mutex<[Duration]>([])
        let clock = world.clock
        var configuration = world.service.configuration
        configuration.environment = AuthEnvironment(
            clock: { clock.now },
            randomness: SeededGenerator(seed: 99),
            sleep: { duration in
                let round = waits.withLock { waits in
                    waits.append(duration)
                    return waits.count
                }
                if round == rounds { throw CancellationError() }
                clock.advance(by: duration / .seconds(1))
                try await meanwhile(round)
            }
        )
        try await AuthService(configuration).run(every: interval, reportingTo: report)
        return waits.withLock { $0 }
    }

    func testItSendsWhatWaitsAndSweepsWhatIsOver() async throws {
        let world = World(.standard)
        let auth = world.device()
        try await world.signUpAnn(auth)
        try await auth.signOut()
        let clock = world.clock
        let waits = try await run(
            world,
            rounds: 3,
            meanwhile: { round in
                if round == 1 { clock.advance(by: 30 * 86400) }
            }
        )
        XCTAssertEqual(waits, [.seconds(1), .seconds(1), .seconds(1)])
        let accounts = try await world.service.accounts()
        XCTAssertEqual(accounts, [], "the account that was never verified nor used is still there")
        let report = try await world.service.sweep()
        XCTAssertEqual(report, Store.SweepReport(), "something was left to sweep")
    }

    func testAClockThatIsSetBackDelaysNoSweep() async throws {
        let world = World(.standard)
        let clock = world.clock
        clock.advance(by: 30 * 86400)
        _ = try await run(
            world,
            rounds: 130,
            meanwhile: { round in
                if round == 1 { clock.advance(by: -30 * 86400) }
            }
        )
        XCTAssertGreaterThanOrEqual(world.store.calls(of: .sweep), 3, "it sweeps when the clock is where it was")
    }

    func testItPublishesWhatAnotherProcessCommitted() async throws {
        try await inTime {
            let world = World()
            let service = world.service
            let other = AuthService(service.configuration)
            let stream = try await service.eventStream()
            let runner = Task { try await service.run() }
            _ = try await other.client().signInAnonymously()
            var kinds: [IdentityEvent.Kind] = []
            for await case .event(let event) in stream {
                kinds.append(event.kind)
                if kinds.count == 2 { break }
            }
            runner.cancel()
            try await runner.value
            XCTAssertEqual(kinds, [.accountCreated, .signedIn])
        }
    }

    func testAStoreThatFailsIsReportedAndTriedAgainAfterGrowingWaits() async throws {
        let world = World(.standard)
        let store = world.store
        store.script(.sweep, Array(repeating: .failsBefore(), count: 8))
        let failures = Mutex<[AuthErrorCode]>([])
        let waits = try await run(
            world,
            rounds: 70,
            reportingTo: { error in failures.withLock { $0.append(error.code) } }
        )
        XCTAssertEqual(failures.withLock { $0 }.first, .storeUnavailable)
        XCTAssertEqual(waits.first, .seconds(2), "the wait after the first failure")
        XCTAssertEqual(waits.dropFirst().first, .seconds(1), "the wait after a round without a failure")
    }

    func testAnyIntervalIsWaitedForAfterAnyNumberOfFailures() async throws {
        let world = World(.standard)
        world.store.script(.leaseMessages, [], then: .failsBefore())
        let longest = Duration.seconds(Int64.max)
        let waits = try await run(world, rounds: 8, every: longest, reportingTo: { _ in })
        XCTAssertEqual(waits, Array(repeating: longest, count: 8))
    }

    func testAnIntervalOfNoTimeAsksAStoreThatFailsEverLessOftenToo() async throws {
        for interval in [Duration.zero, .seconds(-1), .seconds(Int64.min)] {
            let world = World(.standard)
            world.store.script(.leaseMessages, [], then: .failsBefore())
            let waits = try await run(world, rounds: 8, every: interval, reportingTo: { _ in })
            XCTAssertTrue(
                waits.allSatisfy { $0 > .zero } && waits[0] < waits[4],
                "\(interval): it asks again without a pause: \(waits)"
            )
        }
    }

    func testAFailureThatNobodyAskedForKeepsNothingFromBeingDone() async throws {
        let world = World(.standard)
        try await world.signUpAnn()
        world.clock.advance(by: 30 * 86400)
        world.store.script(.leaseMessages, .failsBefore())
        var configuration = world.service.configuration
        configuration.environment = AuthEnvironment(
            clock: { [clock = world.clock] in clock.now },
            randomness: SeededGenerator(seed: 99),
            sleep: { _ in throw CancellationError() }
        )
        try await AuthService(configuration).run()
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
