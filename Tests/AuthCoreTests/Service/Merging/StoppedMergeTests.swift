@testable import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

/// A store that cannot be read any more once a merge is written.
private final class FadingStore: ForwardingStore {
    let whole: any IdentityStore = InMemoryIdentityStore()
    private let hasMerged = Mutex(false)

    func load(_ lookups: Lookups) async throws -> Snapshot {
        if hasMerged.withLock(\.self) { throw StoreFailure() }
        return try await whole.load(lookups)
    }

    func commit(_ changes: ChangeSet) async throws -> Store.CommitOutcome {
        let outcome = try await whole.commit(changes)
        if changes.events.contains(where: { $0.kind == .accountMerged }) { hasMerged.withLock { $0 = true } }
        return outcome
    }
}

/// A merge that stops because of a hook or the store: what the hooks are asked, and how it ends once it is resumed.
final class StoppedMergeTests: LimitedTestCase {
    private var world = World(.standard)

    /// Leaves two merges that have not ended, since the hook of the orders gave each up.
    private func leaveTwoMerges() async throws {
        _ = try await world.stageMerge()
        try await world.signIn(.facebook, .eve)
        try await world.signUp("dora@example.com")
        world.journal.fail("commit orders", CancellationError())
        _ = try await world.mergeAnnIntoBen()
        world.journal.fail("commit orders", CancellationError())
        try await world.service.client(world.context).merge(
            world.side(.facebook, .eve),
            into: world.passwordSide("dora@example.com")
        )
    }

    /// That the last hook has prepared is recorded only together with the end of all preparations.
    func testAHookThatPreparedAndIsTheLastOneNowPreparesOnceMore() async throws {
        _ = try await world.stageMerge()
        world.journal.fail("prepare photos", CancellationError())
        let error = await authError("by a merge whose second hook gives up") { try await world.mergeAnnIntoBen() }
        XCTAssertEqual(error?.code, .outcomeUnknown, "a merge whose second hook gives up")
        XCTAssertEqual((error?.cause as? AuthError)?.code, .canceled, "why its outcome is unknown")
        world.clock.advance(by: .seconds(60))
        world.journal.clear()
        world.addHooks("orders")
        let endings = try await world.makeService().resumeMerges()
        XCTAssertEqual(Array(endings.values), [.merged], "the end of a merge one of whose hooks was removed")
        XCTAssertEqual(world.journal.lines, ["prepare orders", "commit orders"], "what the other hook is asked")
    }

    func testAStoreThatCannotBeReadKeepsNoHookFromBeingNotified() async throws {
        var world = World(.standard) { $0.store = FadingStore() }
        world.addHooks("orders", "photos")
        try await world.signIn(.gitHub)
        try await world.signUp("ben@example.com")
        let merged = try await world.mergeAnnIntoBen()
        XCTAssertFalse(merged.isFinished, "that the hooks were notified could not be written")
        XCTAssertEqual(
            world.journal.lines,
            ["prepare orders", "prepare photos", "commit orders", "commit photos"],
            "what the hooks are asked"
        )
    }

    func testACrashInAnyHookIsResumed() async throws {
        for step in ["prepare orders", "prepare photos", "commit orders", "commit photos"] {
            let (source, target) = try await world.stageMerge()
            world.journal.fail(step, CancellationError())
            do {
                let merged = try await world.mergeAnnIntoBen()
                XCTAssertFalse(merged.isFinished, step)
            } catch let error as AuthError {
                XCTAssertEqual(error.code, .outcomeUnknown, step)
            }
            let endings = try await world.makeService().resumeMerges()
            XCTAssertEqual(Array(endings.values), [.merged], step)
            let isMerged = try await world.isMerged(source, target, step)
            XCTAssertTrue(isMerged, step)
            for name in ["orders", "photos"] {
                XCTAssertTrue(world.journal.lines.contains("commit \(name)"), step)
                XCTAssertFalse(world.journal.lines.contains("abort \(name)"), step)
            }
            let again = try await world.makeService().resumeMerges()
            XCTAssertEqual(again, [:], step)
        }
    }

    func testAHookThatGivesOneMergeUpDoesNotDelayTheOthers() async throws {
        try await leaveTwoMerges()
        world.journal.fail("commit orders", CancellationError())
        await assertThrows(.canceled, "what kept one merge from ending") {
            try await world.makeService().resumeMerges()
        }
        let left = try await world.makeService().resumeMerges()
        XCTAssertEqual(Array(left.values), [.merged], "the merge whose hook gave up; the other one had ended")
    }

    func testAMergeThatCannotBeReadHoldsUpNoOther() async throws {
        try await leaveTwoMerges()
        world.store.script(.load, .failsBefore())
        await assertThrows(.storeUnavailable, "what kept the first merge from ending") {
            try await world.makeService().resumeMerges()
        }
        let left = try await world.makeService().resumeMerges()
        XCTAssertEqual(Array(left.values), [.merged], "the merge that could not be read; the other one had ended")
    }

    func testOfSeveralMergesThatCannotEndTheFirstSaysWhy() async throws {
        try await leaveTwoMerges()
        // The first merge that is resumed does not get as far as the photos.
        world.journal.fail("commit orders", CancellationError())
        world.journal.fail("commit photos")
        await assertThrows(.canceled, "what kept the first of two merges from ending") {
            try await world.makeService().resumeMerges()
        }
    }

    func testAHookThatAlwaysFailsIsReportedByARunningService() async throws {
        _ = try await world.stageMerge()
        world.journal.fail("commit orders")
        let merged = try await world.mergeAnnIntoBen()
        XCTAssertFalse(merged.isFinished, "the merge waits for its hook")
        world.clock.advance(by: .seconds(60))
        world.journal.fail("commit orders")
        let service = world.service
        try await inTime {
            let reports = Mutex<[AuthErrorCode]>([])
            let running = Task { try await service.run { failure in reports.withLock { $0.append(failure.code) } } }
            while reports.withLock({ $0.isEmpty }) { await Task.yield() }
            running.cancel()
            try await running.value
            XCTAssertEqual(reports.withLock { $0.first }, .mergeHookFailed, "what the running service reports")
        }
    }

    /// Every commit of a merge, lost before it is written or answered too late.
    func testAStoreThatFailsAtAnyCommitLeavesAMergeThatIsResumed() async throws {
        _ = try await world.stageMerge()
        let before = world.store.calls(of: .commit)
        _ = try await world.mergeAnnIntoBen()
        let commits = world.store.calls(of: .commit) - before
        XCTAssertEqual(commits, 5, "the intent, two preparations, the merge, the finish")
        for number in 0..<commits {
            for isWritten in [false, true] {
                let what = "commit \(number), \(isWritten ? "written" : "lost")"
                let (source, target) = try await world.stageMerge()
                let fault = isWritten ? StoreFault.failsAfterwards() : .failsBefore()
                world.store.script(.commit, Array(repeating: .succeeds, count: number), then: fault)
                do {
                    let merged = try await world.mergeAnnIntoBen()
                    XCTAssertFalse(merged.isFinished, what)
                } catch let error as AuthError {
                    XCTAssertEqual(error.code, .outcomeUnknown, what)
                }
                world.store.script(.commit)
                let prepared = world.journal.lines.filter { $0.hasPrefix("prepare") }
                let endings = try await world.makeService().resumeMerges()
                if number > 2 || number == 2 && isWritten {
                    XCTAssertEqual(
                        world.journal.lines.filter { $0.hasPrefix("prepare") },
                        prepared,
                        "\(what): hooks that had all prepared are asked again"
                    )
                }
                let isFirstLost = number == 0 && !isWritten
                let isLastWritten = number == commits - 1 && isWritten
                XCTAssertEqual(Array(endings.values), isFirstLost || isLastWritten ? [] : [.merged], what)
                let isMerged = try await world.isMerged(source, target, what)
                XCTAssertEqual(isMerged, !isFirstLost, what)
                let left = try await (world.storedAccount(source), world.storedAccount(target))
                XCTAssertNil(left.0?.mergeLock, what)
                XCTAssertNil(left.1?.mergeLock, what)
                if isMerged { XCTAssertEqual(world.journal.lines.suffix(2), ["commit orders", "commit photos"], what) }
            }
        }
    }

    func testAStoreThatCannotBeReadLeavesAMergeThatIsResumed() async throws {
        _ = try await world.stageMerge()
        let before = world.store.calls(of: .load)
        _ = try await world.mergeAnnIntoBen()
        let loads = world.store.calls(of: .load) - before
        var ends: Set<Bool> = []
        for number in 0..<loads {
            let (source, target) = try await world.stageMerge()
            let what = "load \(number)"
            var hasBegun = true
            world.store.script(.load, Array(repeating: .succeeds, count: number), then: .failsBefore())
            do {
                let merged = try await world.mergeAnnIntoBen()
                XCTAssertFalse(merged.isFinished, what)
            } catch let error as AuthError {
                hasBegun = try await world.storedAccount(source)?.mergeLock != nil
                XCTAssertEqual(error.code, hasBegun ? .outcomeUnknown : .storeUnavailable, what)
            }
            world.store.script(.load)
            ends.insert(hasBegun)
            let endings = try await world.makeService().resumeMerges()
            XCTAssertEqual(Array(endings.values), hasBegun ? [.merged] : [], what)
            let isMerged = try await world.isMerged(source, target, what)
            XCTAssertEqual(isMerged, hasBegun, "\(what): whether the merge happened")
            let left = try await (world.storedAccount(source), world.storedAccount(target))
            XCTAssertNil(left.0?.mergeLock, "\(what): the lock of the source")
            XCTAssertNil(left.1?.mergeLock, "\(what): the lock of the target")
            let again = try await world.makeService().resumeMerges()
            XCTAssertEqual(again, [:], "\(what): something is left to be resumed")
        }
        XCTAssertEqual(ends, [true, false], "the loads before a merge begins, and those after")
    }
}
