@testable import AuthCore
import AuthCoreTesting
import Foundation
import Synchronization
import XCTest

/// A merge that stops between any two steps is resumed by another service over the same store, to one end or the other.
final class MergeResumingTests: LimitedTestCase {
    private var world = World(.standard)

    func testEachOfTwoHooksOfOneNameIsPreparedBeforeTheMergeIsCommitted() async throws {
        world.startOver()
        world.addHooks("orders", "orders", "photos")
        try await world.signIn(.gitHub)
        try await world.signUp("ben@example.com")
        world.journal.fail("prepare photos", CancellationError())
        await assertThrows(.outcomeUnknown) { try await world.mergeAnnIntoBen() }
        world.journal.clear()
        let endings = try await world.makeService().resumeMerges()
        XCTAssertEqual(Array(endings.values), [.merged])
        XCTAssertEqual(
            world.journal.lines.filter { $0.hasPrefix("prepare") },
            ["prepare orders", "prepare photos"],
            "what may not have been prepared"
        )
    }

    func testAHookThatPreparedTakesItBackWhereAnotherOneStandsBeforeItNow() async throws {
        _ = try await world.stageMerge()
        world.journal.fail("prepare photos", CancellationError())
        await assertThrows(.outcomeUnknown) { try await world.mergeAnnIntoBen() }
        world.clock.advance(by: .seconds(86400))
        world.journal.clear()
        world.addHooks("points", "orders", "photos")
        let endings = try await world.makeService().resumeMerges()
        XCTAssertEqual(Array(endings.values), [.aborted])
        XCTAssertEqual(
            world.journal.lines,
            ["abort photos", "abort orders", "abort points"],
            "what the hooks prepared, or had begun to, stays prepared"
        )
    }

    func testAMergeThatBeganAMomentAgoIsLeftToTheProcessThatBeganIt() async throws {
        let (source, target) = try await world.stageMerge()
        world.journal.fail("commit orders", CancellationError())
        _ = try await world.mergeAnnIntoBen()
        world.clock.advance(by: .seconds(59))
        let early = try await world.makeService().resumeMerges(olderThan: .seconds(60))
        XCTAssertEqual(early, [:])
        world.clock.advance(by: .seconds(1))
        let endings = try await world.makeService().resumeMerges(olderThan: .seconds(60))
        XCTAssertEqual(Array(endings.values), [.merged])
        let isMerged = try await world.isMerged(source, target, "a minute later")
        XCTAssertTrue(isMerged)
    }

    /// A merge that is done is found by its target's lock only, since the source is gone.
    func testAnAccountIsNotDeletedBeforeTheHooksOfItsMergeWereNotified() async throws {
        for isExpiry in [false, true] {
            let (_, target) = try await world.stageMerge()
            world.journal.fail("commit orders")
            let merged = try await world.mergeAnnIntoBen()
            XCTAssertFalse(merged.isFinished)
            world.clock.advance(by: .seconds(16 * 60))
            let ben = try await world.device("desk").signIn(
                with: .password(email: "ben@example.com", password: World.password)
            )
            .user
            if isExpiry {
                try await ben.delete()
                world.clock.advance(by: .seconds(60 * 86_400))
                let report = try await world.service.sweep()
                XCTAssertEqual(report.accounts, 0, "accounts that were removed")
            } else {
                try await world.refusal(.mergeInProgress, .accountIsBeingMerged, "by the person") {
                    try await ben.delete(permanently: true)
                }
                try await world.refusal(.mergeInProgress, .accountIsBeingMerged, "by an administrator") {
                    try await world.service.deleteAccount(target.account.id)
                }
            }
            let endings = try await world.makeService().resumeMerges()
            XCTAssertEqual(Array(endings.values), [.merged])
            XCTAssertEqual(world.journal.lines.suffix(2), ["commit orders", "commit photos"])
            if isExpiry { try await world.service.sweep() } else { try await ben.delete(permanently: true) }
            let left = try await world.storedAccount(target)
            XCTAssertNil(left, "the account that may be removed now")
        }
    }

    func testAHookThatRefusesWhenResumedCallsTheMergeOff() async throws {
        let (source, target) = try await world.stageMerge()
        world.journal.fail("prepare photos", CancellationError())
        await assertThrows(.outcomeUnknown) { try await world.mergeAnnIntoBen() }
        let hold = try await world.storedAccount(source)?.mergeLock
        let id = Merge.ID(try XCTUnwrap(hold).intent)
        world.journal.fail("prepare photos")
        await assertThrows(.mergeHookFailed) { try await world.makeService().resumeMerge(id) }
        let isMerged = try await world.isMerged(source, target, "")
        XCTAssertFalse(isMerged)
        let ending = try await world.service.resumeMerge(id)
        XCTAssertEqual(ending, .nothingLeft)
    }

    func testAMergeThatIsResumedElsewhereGivesItsPersonTheirSessionAllTheSame() async throws {
        let (_, target) = try await world.stageMerge()
        let other = world.makeService()
        world.hooks.append(ResumingHook(other: other))
        world.restart()
        let merged = try await world.mergeAnnIntoBen()
        XCTAssertEqual(merged.result.user.uid, target.uid)
        try await merged.result.user.reload()
        let methods = try await world.storedProviders(target)
        XCTAssertEqual(methods, [.password, .gitHub])
    }

    /// What it prepared would never be committed or taken back.
    func testNoHookPreparesForAMergeThatAnotherProcessHasFinished() async throws {
        _ = try await world.stageMerge()
        world.hooks.insert(ResumingHook(other: world.makeService()), at: 0)
        world.restart()
        _ = try await world.mergeAnnIntoBen()
        XCTAssertEqual(
            world.journal.lines,
            ["prepare orders", "prepare photos", "commit orders", "commit photos"],
            "what the hooks did, all of it for the other process"
        )
    }

    /// A move of Ann's identity to Ben's account, which another service finishes once everybody is prepared.
    private func moveThatIsResumedElsewhere() async throws -> (Merge.Result, target: User) {
        try await world.signUp("ann@example.com", linking: world.credential(.gitHub))
        let target = try await world.signUp("ben@example.com")
        world.hooks.append(ResumingHook(other: world.makeService()))
        world.restart()
        let moved = try await world.service.client(world.context).move(
            .gitHub,
            from: world.passwordSide("ann@example.com"),
            to: world.passwordSide("ben@example.com")
        )
        return (moved, target)
    }

    func testAMoveThatIsResumedElsewhereGivesItsPersonTheirSessionAllTheSame() async throws {
        world.startOver()
        world.addHooks("orders", "photos")
        let (moved, target) = try await moveThatIsResumedElsewhere()
        XCTAssertEqual(moved.result.user.uid, target.uid)
        try await moved.result.user.reload()
        let methods = try await world.storedProviders(target)
        XCTAssertEqual(methods, [.password, .gitHub])
    }

    func testAMergeThatIsResumedElsewhereOpensNoSessionOnceTheSessionsWereEnded() async throws {
        let (source, target) = try await world.stageMerge()
        let other = world.makeService()
        world.hooks.append(ResumingHook(other: other, endsSessions: true))
        world.restart()
        await assertThrows(.mergeNotPossible) { try await world.mergeAnnIntoBen() }
        let sessions = try await world.store.whole.load([.sessions(of: .account(target.account.id))])
        XCTAssertEqual(sessions.sessions(of: .account(target.account.id)), [])
        let isMerged = try await world.isMerged(source, target, "ended")
        XCTAssertTrue(isMerged)
    }

    /// Its hook prepared after the other process had notified the hooks that it knew of.
    func testAHookThatPreparesWhileAnotherProcessCallsTheMergeOffIsToldAfterwards() async throws {
        let (source, target) = try await world.stageMerge()
        world.hooks.append(LateHook(other: world.makeService(), journal: world.journal))
        world.restart()
        await assertThrows(.mergeNotPossible) { try await world.mergeAnnIntoBen() }
        let lines = world.journal.lines
        let prepared = try XCTUnwrap(lines.lastIndex(of: "prepare late"), "\(lines)")
        let aborted = lines.lastIndex(of: "abort late") ?? -1
        XCTAssertGreaterThan(aborted, prepared, "what the hook prepared stays prepared: \(lines)")
        let isMerged = try await world.isMerged(source, target, "aborted")
        XCTAssertFalse(isMerged)
        let left = try await world.service.resumeMerges()
        XCTAssertEqual(left, [:], "something is left to be resumed")
    }

    func testAMoveWithoutUndoThatIsResumedElsewhereIsNoMoveThatWasCalledOff() async throws {
        world.startOver()
        world.addHooks("orders", "photos")
        world.policy.lifetimes.mergeUndo = .zero
        let (moved, target) = try await moveThatIsResumedElsewhere()
        XCTAssertEqual(moved.result.user.uid, target.uid)
        XCTAssertFalse(world.journal.lines.contains { $0.hasPrefix("abort") }, "\(world.journal.lines)")
    }

    func testWhatIsResumedTwiceAtOnceHappensOnce() async throws {
        let (source, target) = try await world.stageMerge()
        world.journal.fail("prepare photos", CancellationError())
        await assertThrows(.outcomeUnknown) { try await world.mergeAnnIntoBen() }
        let services = (0..<4).map { _ in world.makeService() }
        // Each has read the merge and writes the first step of it before any of them has written.
        let gate = Gate()
        world.store.script(.commit, services.map { _ in .waitsBefore(gate) })
        let outcomes = await withTaskGroup(of: AuthErrorCode?.self) { group in
            for service in services { group.addTask { await outcome { try await service.resumeMerges() } } }
            await gate.waitForArrivals(services.count)
            gate.open()
            return await group.reduce(into: []) { $0.append($1) }
        }
        XCTAssertEqual(outcomes, [nil, nil, nil, nil], "what the four services answer")
        let left = try await world.service.resumeMerges()
        XCTAssertEqual(left, [:], "something is left to be resumed")
        let isMerged = try await world.isMerged(source, target, "")
        XCTAssertTrue(isMerged)
        let events = try await world.service.events(limit: .max).events.filter { $0.kind == .accountMerged }
        XCTAssertEqual(events.count, 1)
    }

    /// An account that was due to be looked at, and was not swept yet.
    func testAMergeThatHasJustBegunIsLeftAloneThoughItsAccountWasDueLongAgo() async throws {
        world.startOver()
        world.addHooks("orders", "photos")
        world.policy.unverifiedLifetime = .days(1)
        try await world.signIn(.gitHub)
        try await world.device().signUp(email: "ben@example.com", password: World.password)
        world.clock.advance(by: .seconds(2 * 86_400))
        world.journal.fail("prepare photos", CancellationError())
        await assertThrows(.outcomeUnknown) { try await world.mergeAnnIntoBen() }
        let early = try await world.makeService().resumeMerges(olderThan: .seconds(60))
        XCTAssertEqual(early, [:], "a merge that was begun a moment ago")
        world.clock.advance(by: .seconds(60))
        let endings = try await world.makeService().resumeMerges(olderThan: .seconds(60))
        XCTAssertEqual(Array(endings.values), [.merged])
    }

    func testAMergeBehindAPageOfDueAccountsIsResumed() async throws {
        world.startOver()
        world.addHooks("orders")
        try await world.bringUnverifiedAccounts(200)
        world.clock.advance(by: .seconds(31 * 86400))
        try await world.signIn(.gitHub)
        try await world.signUp("ben@example.com")
        world.journal.fail("commit orders", CancellationError())
        _ = try await world.mergeAnnIntoBen()
        let endings = try await world.service.resumeMerges()
        XCTAssertEqual(Array(endings.values), [.merged], "a merge behind a page of accounts that are due")
    }

    func testARunningServiceLeavesAMergeOfAMinuteToTheProcessThatBeganIt() async throws {
        _ = try await world.stageMerge()
        world.journal.fail("commit orders", CancellationError())
        _ = try await world.mergeAnnIntoBen()
        world.journal.clear()
        for (seconds, lines) in [(0, []), (59, []), (1, ["commit orders", "commit photos"])] as [(Double, [String])] {
            world.clock.advance(by: .seconds(seconds))
            try await runOnce()
            XCTAssertEqual(world.journal.lines, lines, "what hooks were asked after \(seconds) seconds more")
        }
    }

    /// Runs a service until each of its four jobs was done once.
    private func runOnce() async throws {
        let clock = world.clock
        let waits = Mutex(0)
        var configuration = world.service.configuration
        configuration.environment = AuthEnvironment(
            clock: { clock.now },
            sleep: { _ in
                waits.withLock { $0 += 1 }
                while waits.withLock({ $0 < 4 }) { await Task.yield() }
                throw CancellationError()
            }
        )
        let service = AuthService(configuration)
        try await inTime { try await service.run() }
    }
}

/// A hook that prepares for so long that another service aborts the merge.
private struct LateHook: Merge.Hook {
    let name = "late"
    let other: AuthService
    let journal: HookJournal

    func prepare(_ plan: Merge.Plan, id: Merge.ID) async throws {
        try await other.revokeSessions(of: plan.target)
        try await other.resumeMerge(id)
        try journal.write("prepare late", plan)
    }

    func commit(_ plan: Merge.Plan, id: Merge.ID) async throws {}

    func abort(_ plan: Merge.Plan, id: Merge.ID) async throws { try journal.write("abort late", plan) }
}

/// A hook that, once everybody is prepared, lets another service finish the merge.
private struct ResumingHook: Merge.Hook {
    let name = "resuming"
    let other: AuthService

    /// Whether an administrator ends the sessions of the account right afterwards.
    var endsSessions = false

    func prepare(_ plan: Merge.Plan, id: Merge.ID) async throws {
        _ = try await other.resumeMerge(id)
        if endsSessions { try await other.revokeSessions(of: plan.target) }
    }

    func commit(_ plan: Merge.Plan, id: Merge.ID) async throws {}
}
