@testable import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

final class MergeHookTests: LimitedTestCase {
    private var world = World(.standard)

    private func stage() async throws -> (source: User, target: User) {
        world.addHooks("orders", "photos", "points")
        return (try await world.signIn(.gitHub), try await world.signUp("ben@example.com"))
    }

    func testHooksPrepareInOrderAndCommitInOrder() async throws {
        let (source, target) = try await stage()
        let merged = try await world.mergeAnnIntoBen()
        XCTAssertEqual(
            world.journal.lines,
            [
                "prepare orders", "prepare photos", "prepare points", "commit orders", "commit photos", "commit points",
            ]
        )
        XCTAssertEqual(Set(world.journal.plans), [merged.plan])
        XCTAssertEqual(merged.plan.source, source.account.id)
        XCTAssertEqual(merged.plan.target, target.account.id)
        XCTAssertTrue(merged.isFinished)
        let account = try await world.storedAccount(target)
        XCTAssertNil(account?.mergeLock)
        let ending = try await world.service.resumeMerge(merged.id)
        XCTAssertEqual(ending, .nothingLeft)
    }

    func testTheSessionAfterAMergeWithHooksIsThatOfTheDeviceWhichAskedForIt() async throws {
        _ = try await stage()
        let context = RequestContext(device: world.devices["phone"], deviceName: "Ann's phone")
        let merged = try await world.service.client(context).merge(
            world.side(.gitHub),
            into: world.passwordSide("ben@example.com")
        )
        XCTAssertEqual(merged.result.user.session.deviceName, "Ann's phone", "the device of the session")
    }

    func testWithAndWithoutHooksTheOutcomeIsTheSame() async throws {
        // The salt of a password is drawn anew each time, and no description shows it.
        var outcomes: [[String]] = []
        for names: [String] in [[], ["orders"]] {
            world.startOver()
            if !names.isEmpty { world.addHooks("orders") }
            try await world.signIn(.gitHub)
            try await world.signUp("ben@example.com", linking: world.credential(.google, .ben))
            _ = try await world.mergeAnnIntoBen()
            outcomes.append(
                try await world.store.whole.accounts(after: nil, limit: 1000).map { account in
                    var account = account
                    account.version = 0
                    // The secrets of devices are drawn, too.
                    account.knownDevices = []
                    return "\(account)"
                }
            )
        }
        XCTAssertEqual(outcomes[0], outcomes[1])
    }

    func testAChosenMethodTakesThePlaceOfTheTargetsAfterTheHooksPrepared() async throws {
        world.addHooks("orders")
        let target = try await world.mergeAnnIntoBenWithHerGoogle()
        XCTAssertEqual(world.journal.lines, ["prepare orders", "commit orders"])
        let left = try await world.storedAccount(target)
        XCTAssertEqual(left?.identities.map(\.key.subject.text), [SimulatedPerson.ann.subject(at: .google)])
    }

    func testAFailingPrepareStopsTheMergeWithNothingChanged() async throws {
        for (index, name) in ["orders", "photos", "points"].enumerated() {
            world.startOver()
            let (source, target) = try await stage()
            let before = try await (world.storedAccount(source), world.storedAccount(target))
            world.journal.fail("prepare \(name)")
            let error = await authError { try await world.mergeAnnIntoBen() }
            XCTAssertEqual(error?.code, .mergeHookFailed)
            XCTAssertEqual(error?.cause as? HookJournal.Failure, HookJournal.Failure())
            let asked = ["orders", "photos", "points"].prefix(index + 1)
            XCTAssertEqual(
                world.journal.lines,
                asked.map { "prepare \($0)" } + asked.reversed().map { "abort \($0)" }
            )
            let after = try await (world.storedAccount(source), world.storedAccount(target))
            XCTAssertEqual(after.0?.methods, before.0?.methods)
            XCTAssertEqual(after.1?.methods, before.1?.methods)
            XCTAssertEqual(after.0?.sessionGeneration, before.0?.sessionGeneration)
            XCTAssertEqual(after.1?.sessionGeneration, before.1?.sessionGeneration)
            XCTAssertNil(after.0?.mergeLock)
            XCTAssertNil(after.1?.mergeLock)
            try await source.reload()
            try await target.reload()
            _ = try await world.mergeAnnIntoBen()
        }
    }

    func testAMergeThatIsCalledOffLeavesBothAccountsThatWereProvedUndeleted() async throws {
        let (source, target) = try await stage()
        for user in [source, target] { try await user.delete() }
        world.journal.fail("prepare orders")
        let error = await authError { try await world.mergeAnnIntoBen() }
        XCTAssertEqual(error?.code, .mergeHookFailed)
        let events = try await world.service.events(limit: .max).events
        for user in [source, target] {
            let account = try await world.storedAccount(user)
            XCTAssertNil(account?.deletedUntil, "when a proved account is deleted")
            let kinds = events.filter { $0.account == user.account.id }.map(\.kind)
            XCTAssertTrue(kinds.contains(.deletionCanceled), "what its events tell: \(kinds)")
        }
        let taken = events.filter { $0.kind == .deletionCanceled }
        XCTAssertEqual(taken.map(\.actor), [.unauthenticated, .unauthenticated], "both sides in no session yet")
        XCTAssertEqual(taken.map(\.reasons), [[.personMergesAccounts], [.personMergesAccounts]])
    }

    func testAFailingCommitHookIsToldAgain() async throws {
        for name in ["orders", "photos", "points"] {
            world.startOver()
            let (_, target) = try await stage()
            world.journal.fail("commit \(name)")
            let merged = try await world.mergeAnnIntoBen()
            XCTAssertFalse(merged.isFinished)
            XCTAssertEqual(merged.result.user.uid, target.uid)
            world.journal.clear()
            let endings = try await world.makeService().resumeMerges()
            XCTAssertEqual(endings, [merged.id: .merged])
            XCTAssertEqual(world.journal.lines, ["commit orders", "commit photos", "commit points"])
            let account = try await world.storedAccount(target)
            XCTAssertNil(account?.mergeLock)
            try await merged.result.user.reload()
        }
    }

    func testAFailingAbortHookIsToldAgain() async throws {
        for (failing, aborted, notified) in [
            ("points", "photos", ["abort points", "abort photos", "abort orders"]),
            ("photos", "orders", ["abort photos", "abort orders"]),
        ] {
            world.startOver()
            let (source, _) = try await stage()
            world.journal.fail("prepare \(failing)")
            world.journal.fail("abort \(aborted)")
            await assertThrows(.mergeHookFailed) { try await world.mergeAnnIntoBen() }
            let held = try await world.storedAccount(source)
            XCTAssertNotNil(held?.mergeLock)
            world.journal.clear()
            let endings = try await world.service.resumeMerges()
            XCTAssertEqual(Array(endings.values), [.aborted])
            XCTAssertEqual(world.journal.lines, notified, "those that were asked to prepare, where \(failing) refused")
            let free = try await world.storedAccount(source)
            XCTAssertNil(free?.mergeLock)
        }
    }

    func testAnAccountDisabledWhileHooksPrepareIsNotMerged() async throws {
        let (source, target) = try await stage()
        world.hooks.append(ActHook { service in _ = try await service.setDisabled(true, account: target.account.id) })
        world.restart()
        (world.hooks.last as? ActHook)?.serve(world.service)
        await assertThrows(.userDisabled) { try await world.mergeAnnIntoBen() }
        let still = try await world.storedAccount(source)
        XCTAssertNotNil(still)
        XCTAssertEqual(world.journal.lines.suffix(3), ["abort points", "abort photos", "abort orders"])
    }

    func testAFailingAbortHookDoesNotHideWhyTheMergeWasRefused() async throws {
        let (_, target) = try await stage()
        world.hooks.append(ActHook { service in _ = try await service.setDisabled(true, account: target.account.id) })
        world.restart()
        (world.hooks.last as? ActHook)?.serve(world.service)
        world.journal.fail("abort photos")
        await assertThrows(.userDisabled, "why the merge was refused") { try await world.mergeAnnIntoBen() }
    }

    /// As where a client has gone, and a hook's request fails with an error of its own.
    func testAMergeThatAHookRefusesIsCalledOffThoughTheCallerIsCanceled() async throws {
        let gate = Gate()
        let (source, target) = try await stage()
        world.hooks.append(
            ActHook { _ in
                await gate.pass()
                throw HookJournal.Failure()
            }
        )
        let client = world.service.client(world.context)
        let (side, other) = (try await world.side(.gitHub), try await world.passwordSide("ben@example.com"))
        let merging = Task {
            await assertThrows(.mergeHookFailed) { try await client.merge(side, into: other) }
        }
        await gate.waitForArrivals()
        merging.cancel()
        gate.open()
        await merging.value
        XCTAssertEqual(world.journal.lines.suffix(3), ["abort points", "abort photos", "abort orders"])
        for user in [source, target] {
            let account = try await world.storedAccount(user)
            XCTAssertNil(account?.mergeLock, "a lock of a merge that was aborted")
        }
        let endings = try await world.service.resumeMerges()
        XCTAssertEqual(endings, [:], "a merge that was refused happens later")
    }

    func testAMergeThatCouldNotBeCalledOffMayStillHappenAndSaysSo() async throws {
        let (_, target) = try await stage()
        let store = world.store
        world.hooks.append(
            ActHook { _ in
                store.script(.load, [], then: .failsBefore())
                throw HookJournal.Failure()
            }
        )
        let error = await authError { try await world.mergeAnnIntoBen() }
        XCTAssertEqual(error?.code, .outcomeUnknown)
        XCTAssertEqual((error?.cause as? AuthError)?.code, .storeUnavailable, "why it could not be called off")
        store.script(.load)
        let account = try await world.storedAccount(target)
        XCTAssertNotNil(account?.mergeLock, "the merge is left to be resumed")
    }

    func testASessionGenerationRaisedWhileHooksPrepareCallsTheMergeOff() async throws {
        let (source, target) = try await stage()
        world.hooks.append(ActHook { service in try await service.revokeSessions(of: target.account.id) })
        world.restart()
        (world.hooks.last as? ActHook)?.serve(world.service)
        let error = await authError { try await world.mergeAnnIntoBen() }
        XCTAssertEqual(error?.code, .mergeNotPossible)
        XCTAssertEqual(error?.reasons.last, .mergeIsOutdated)
        let still = try await world.storedAccount(source)
        XCTAssertNotNil(still)
        XCTAssertNil(still?.mergeLock)
    }

    func testWhatChangesOfTheProfileWhileHooksPrepareCounts() async throws {
        let (source, target) = try await stage()
        world.hooks.append(ActHook { _ in try await target.updateProfile(displayName: .set("Ben")) })
        world.restart()
        try await source.updateProfile(displayName: .set("Ann"))
        let merged = try await world.mergeAnnIntoBen()
        XCTAssertEqual(merged.plan.profile, [.photoURL])
        XCTAssertEqual(merged.result.user.displayName, "Ben")
    }

    func testUndoingAMergeFirstEndsALaterOneWhoseHooksWereNotAllNotified() async throws {
        world.addHooks("orders")
        try await world.signIn(.gitHub, .ann)
        try await world.signIn(.facebook, .eve)
        try await world.signUp("ben@example.com", in: world.device("ben"))
        let client = world.service.client(world.context)
        let first = try await client.merge(world.side(.gitHub, .ann), into: world.passwordSide("ben@example.com"))
        XCTAssertTrue(first.isFinished)
        world.journal.fail("commit orders")
        let second = try await client.merge(world.side(.facebook, .eve), into: world.passwordSide("ben@example.com"))
        XCTAssertFalse(second.isFinished)
        world.clock.advance(by: .seconds(16 * 60))
        world.journal.clear()
        _ = try await client.undoMerge(first.id, verifiedBy: world.side(.gitHub, .ann))
        XCTAssertTrue(world.journal.lines.contains("commit orders"), "its hook is never called: \(world.journal.lines)")
    }
}

/// A hook that does something while it prepares.
private final class ActHook: Merge.Hook {
    let name = "act"
    private let act: @Sendable (AuthService) async throws -> Void
    private let service = Slot()

    init(_ act: @escaping @Sendable (AuthService) async throws -> Void) { self.act = act }

    func serve(_ service: AuthService) { self.service.put(service) }

    func prepare(_ plan: Merge.Plan, id: Merge.ID) async throws { try await act(service.value ?? AuthService()) }
    func commit(_ plan: Merge.Plan, id: Merge.ID) async throws {}
}
