@testable import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

final class MergeUndoTests: LimitedTestCase {
    private var world = World(.standard)

    private func stage() async throws -> (source: User, target: User, id: Merge.ID) {
        let source = try await world.signIn(.gitHub)
        try await source.link(with: world.credential(.facebook))
        try await source.updateProfile(displayName: .set("Ann"))
        let target = try await world.signUp("ben@example.com", linking: world.credential(.google, .ben))
        let merged = try await world.service.client(world.context).merge(
            world.side(.gitHub),
            into: world.passwordSide("ben@example.com")
        )
        world.clock.advance(by: .seconds(86400))
        return (source, target, merged.id)
    }

    /// A merge that was undone, of which the hook could not be told.
    private func undoingWithAFailingHook() async throws -> (source: User, id: Merge.ID) {
        world.addHooks("orders")
        let (source, _, id) = try await stage()
        world.journal.fail("undo orders")
        _ = try await undo(id, world.side(.gitHub))
        world.journal.clear()
        return (source, id)
    }

    private func undo(_ id: Merge.ID, _ side: Merge.Side) async throws -> Merge.UndoResult {
        try await world.service.client(world.context).undoMerge(id, verifiedBy: side)
    }

    func testTheSourceComesBackUnderItsOwnIdWithItsMethods() async throws {
        for hasHooks in [false, true] {
            world.startOver()
            if hasHooks { world.addHooks("orders", "photos") }
            let (source, target, id) = try await stage()
            world.journal.clear()
            let undone = try await undo(id, world.side(.gitHub))
            XCTAssertEqual(undone.result?.user.uid, source.uid)
            try await undone.result?.user.reload()
            let (from, to) = try await (world.storedAccount(source), world.storedAccount(target))
            XCTAssertEqual(from?.methods.map(\.kind.provider), [.gitHub, .facebook])
            XCTAssertEqual(from?.displayName, "Ann")
            XCTAssertEqual(to?.methods.map(\.kind.provider), [.password, .google])
            XCTAssertNil(from?.mergeLock)
            XCTAssertNil(to?.mergeLock)
            XCTAssertEqual(world.journal.lines, hasHooks ? ["undo photos", "undo orders"] : [])
            let user = try await world.service.client().signIn(with: world.credential(.facebook)).user
            XCTAssertEqual(user.uid, source.uid)
            let successor = try await world.service.successor(of: source.account.id)
            XCTAssertNil(successor)
            await assertThrows(.userTokenExpired, "an old session stays over") { try await source.reload() }
        }
    }

    func testAnUndoingOfWhichAHookCouldNotBeToldNamesBothAccountsAsTheMergeDid() async throws {
        world.addHooks("orders")
        let (source, target, id) = try await stage()
        world.journal.fail("undo orders")
        _ = try await undo(id, world.side(.gitHub))
        guard case .mergeIntent(let intent)? = try await world.service.record(id.intentKey)?.content else {
            return XCTFail("the hook is told later")
        }
        XCTAssertEqual(intent.source, source.account.id, "the account that came back")
        XCTAssertEqual(intent.target, target.account.id, "the account that it came from")
        XCTAssertEqual(intent.phase, .undone, "what the hook is told")
    }

    func testTheTargetsOldMethodsUndoTooAndItsPersonStaysThere() async throws {
        let (source, target, id) = try await stage()
        let undone = try await undo(id, world.passwordSide("ben@example.com"))
        XCTAssertEqual(undone.result?.user.uid, target.uid)
        try await undone.result?.user.reload()
        let back = try await world.storedProviders(source)
        XCTAssertEqual(back, [.gitHub, .facebook])
    }

    func testEachSideHasOneEventOfTheUndoing() async throws {
        let (source, target, id) = try await stage()
        let before = try await world.service.events(limit: .max).events.count
        _ = try await undo(id, world.side(.gitHub))
        let events = try await world.service.events(limit: .max).events.dropFirst(before).filter { $0.before != nil }
        XCTAssertEqual(Set(events.map(\.kind)), [.methodsChanged, .accountRestored])
        XCTAssertEqual(Set(events.map(\.account)), [source.account.id, target.account.id])
        XCTAssertEqual(events.count, 2)
        XCTAssertTrue(events.allSatisfy { $0.reasons.contains(.personUndoesMerge) })
        XCTAssertEqual(Set(events.map(\.actor)), [.unauthenticated], "an undo need not open a session")
    }

    func testOnlyWhatIsStillThereUnchangedGoesBack() async throws {
        let (source, _, id) = try await stage()
        let user = try await world.device("tablet").signIn(
            with: .password(email: "ben@example.com", password: World.password)
        )
        .user
        try await user.unlink(.facebook)
        _ = try await undo(id, world.side(.gitHub))
        let back = try await world.storedProviders(source)
        XCTAssertEqual(back, [.gitHub])
        let stranger = try await world.service.client().signIn(with: world.credential(.facebook))
        XCTAssertTrue(stranger.isNewUser, "what was removed since does not come back")
    }

    func testAMethodFromAfterTheMergeUndoesNothing() async throws {
        let (_, _, id) = try await stage()
        let user = try await world.device("tablet").signIn(
            with: .password(email: "ben@example.com", password: World.password)
        )
        .user
        try await user.link(with: .simulated("oidc.example", .ben, at: world.clock.now))
        world.clock.advance(by: .seconds(10))
        // The login is young too, which is told first where the policy asks for old ones.
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await undo(id, world.side("oidc.example", .ben))
        }
        world.policy.seniority = nil
        world.restart()
        try await world.refusal(.requiresRecentLogin, .methodIsNotFromBefore) {
            try await undo(id, world.side("oidc.example", .ben))
        }
    }

    func testTheServersWordIsNoMethodFromBeforeTheMerge() async throws {
        let (_, target, id) = try await stage()
        let token = try await world.service.makeCustomToken(for: target.account.id, authenticatedAt: world.clock.now)
        try await world.device("server").signIn(with: .customToken(token))
        world.policy.customTokensAreRecent = true
        world.policy.seniority = nil
        world.restart()
        try await world.refusal(.requiresRecentLogin, .methodIsNotFromBefore) {
            try await undo(id, world.side(.customToken(token)))
        }
    }

    func testTheTimeForUndoingEnds() async throws {
        let (_, _, id) = try await stage()
        world.clock.advance(by: .seconds(7 * 86400))
        try await world.refusal(.mergeNotPossible, .undoIsOver) { try await undo(id, world.side(.gitHub)) }
        _ = try await world.service.sweep()
        try await world.refusal(.mergeNotPossible, .undoIsOver) { try await undo(id, world.side(.gitHub)) }
    }

    func testAMergeIsUndoneOnce() async throws {
        let (_, _, id) = try await stage()
        _ = try await undo(id, world.side(.gitHub))
        try await world.refusal(.mergeNotPossible, .undoIsOver) { try await undo(id, world.side(.gitHub)) }
    }

    func testAStrangerAndAWrongPasswordUndoNothing() async throws {
        let (_, _, id) = try await stage()
        try await world.signIn(.gitHub, .eve)
        try await world.refusal(.invalidCredential) { try await undo(id, world.side(.gitHub, .eve)) }
        let wrong = AuthCredential.password(email: "ben@example.com", password: "battery staple")
        try await world.refusal(.invalidCredential) { try await undo(id, world.side(wrong)) }
        let old = try await world.side(.gitHub)
        world.clock.advance(by: .seconds(301))
        try await world.refusal(.requiresRecentLogin, .loginIsNotRecent) { try await undo(id, old) }
    }

    func testTheTargetKeepsItsLastMethod() async throws {
        try await world.signIn(.gitHub)
        try await world.signIn(.facebook, .ben)
        let merged = try await world.service.client(world.context).merge(
            world.side(.gitHub),
            into: world.side(.facebook, .ben)
        )
        let user = try await world.device("tablet").signIn(with: world.credential(.gitHub)).user
        world.clock.advance(by: .seconds(8 * 3600))
        try await user.reauthenticate(with: world.credential(.facebook, .ben))
        try await user.unlink(.facebook)
        try await world.refusal(.lastMethod, .methodIsTheLast) { try await undo(merged.id, world.side(.gitHub)) }
    }

    func testAnAddressGoesBackWithItsPassword() async throws {
        let source = try await world.signUp("ann@example.com", linking: world.credential(.gitHub))
        let target = try await world.signIn(.facebook, SimulatedPerson(name: "Ben", email: nil))
        let merged = try await world.service.client(world.context).merge(
            world.passwordSide("ann@example.com"),
            into: world.side(.facebook, SimulatedPerson(name: "Ben", email: nil))
        )
        let undone = try await undo(merged.id, world.passwordSide("ann@example.com"))
        XCTAssertEqual(undone.result?.user.uid, source.uid)
        XCTAssertEqual(undone.result?.user.email, "ann@example.com")
        XCTAssertEqual(undone.result?.user.isEmailVerified, true)
        let left = try await world.storedAccount(target)
        XCTAssertNil(left?.email)
        let user = try await world.service.client().signIn(
            with: .password(email: "ann@example.com", password: World.password)
        )
        .user
        XCTAssertEqual(user.uid, source.uid)
    }

    func testTheIssuerOfAnIdentityThatGoesBackIsBlockedOnTheAccountThatGivesItBack() async throws {
        try await world.signIn(.google, .ann)
        let target = try await world.signUp("ben@example.com")
        let merged = try await world.service.client(world.context).merge(
            world.side(.google, .ann),
            into: world.passwordSide("ben@example.com")
        )
        _ = try await undo(merged.id, world.side(.google, .ann))
        let left = try await world.storedProviders(target)
        XCTAssertEqual(left, [.password], "what the account that gave Google back has")
        try await world.refusal(.accountExistsWithDifferentCredential, .issuerIsBlocked, "another Google identity") {
            try await world.device("tablet").signIn(with: world.google(.ben, world.work))
        }
    }

    func testAFailingUndoHookIsToldAgain() async throws {
        world.addHooks("orders", "photos")
        let (source, target, id) = try await stage()
        world.journal.clear()
        world.journal.fail("undo orders")
        let undone = try await undo(id, world.side(.gitHub))
        XCTAssertFalse(undone.isFinished)
        let held = try await world.storedAccount(source)
        XCTAssertNotNil(held?.mergeLock)
        let endings = try await world.makeService().resumeMerges()
        XCTAssertEqual(endings, [id: .undone])
        XCTAssertEqual(world.journal.lines, ["undo photos", "undo orders", "undo photos", "undo orders"])
        let free = try await (world.storedAccount(source), world.storedAccount(target))
        XCTAssertNil(free.0?.mergeLock)
        XCTAssertNil(free.1?.mergeLock)
    }

    func testAnUndoHookThatFailsForLongIsStillToldOfWhatWasMerged() async throws {
        let (_, id) = try await undoingWithAFailingHook()
        world.clock.advance(by: .seconds(30 * 86_400))
        try await world.service.sweep()
        let endings = try await world.makeService().resumeMerges()
        XCTAssertEqual(endings, [id: .undone])
        XCTAssertEqual(world.journal.lines, ["undo orders"], "what the hook is told a month later")
    }

    func testAMergeWhoseUndoingIsOnlyFinishedIsNotUndoneAgain() async throws {
        let (source, id) = try await undoingWithAFailingHook()
        let error = await authError { try await undo(id, world.side(.gitHub)) }
        XCTAssertEqual(error?.code, .mergeNotPossible)
        XCTAssertEqual(error?.reasons, [.undoIsOver])
        XCTAssertEqual(world.journal.lines, ["undo orders"])
        let free = try await world.storedAccount(source)
        XCTAssertNil(free?.mergeLock)
    }

    func testAHookThatHasNothingToTakeBackNeedNotSaySo() async throws {
        struct Ledger: Merge.Hook {
            let name = "ledger"
            let journal: HookJournal

            func prepare(_ plan: Merge.Plan, id: Merge.ID) async throws { try journal.write("prepare", plan) }
            func commit(_ plan: Merge.Plan, id: Merge.ID) async throws { try journal.write("commit", plan) }
        }
        world.hooks = [Ledger(journal: world.journal)]
        let (source, _, id) = try await stage()
        let undone = try await undo(id, world.side(.gitHub))
        XCTAssertTrue(undone.isFinished)
        XCTAssertEqual(undone.result?.user.uid, source.uid)
        XCTAssertEqual(world.journal.lines, ["prepare", "commit"])
    }

    func testAMergeWhoseHooksWereNotToldIsFinishedBeforeItIsUndone() async throws {
        world.addHooks("orders")
        let source = try await world.signIn(.gitHub)
        try await world.signUp("ben@example.com")
        world.journal.fail("commit orders")
        let merged = try await world.service.client(world.context).merge(
            world.side(.gitHub),
            into: world.passwordSide("ben@example.com")
        )
        XCTAssertFalse(merged.isFinished)
        let undone = try await undo(merged.id, world.side(.gitHub))
        XCTAssertEqual(undone.result?.user.uid, source.uid)
        XCTAssertEqual(world.journal.lines.suffix(2), ["commit orders", "undo orders"])
    }

    func testUndoingAMoveAbortsAMergeOfItsSourceThatStopped() async throws {
        world.addHooks("orders")
        try await world.signUp("ann@example.com", linking: world.credential(.gitHub))
        for email in ["ben@example.com", "dora@example.com"] { try await world.signUp(email) }
        let client = world.service.client(world.context)
        let moved = try await client.move(
            .gitHub,
            from: world.passwordSide("ann@example.com"),
            to: world.passwordSide("ben@example.com")
        )
        world.journal.fail("prepare orders", CancellationError())
        await assertThrows(.outcomeUnknown, "a merge of Ann into Dora that stops") {
            try await client.merge(
                world.passwordSide("ann@example.com"),
                into: world.passwordSide("dora@example.com")
            )
        }
        world.clock.advance(by: .seconds(16 * 60))
        world.journal.clear()
        let code = await outcome { try await self.undo(moved.id, self.world.passwordSide("ben@example.com")) }
        XCTAssertNil(code, "the undo of the move")
        XCTAssertEqual(world.journal.lines, ["abort orders", "undo orders"], "what the hook is asked")
    }

    func testAnAccountThatCameBackIsMergedAgain() async throws {
        let (source, target, id) = try await stage()
        _ = try await undo(id, world.side(.gitHub))
        let merged = try await world.service.client(world.context).merge(
            world.side(.gitHub),
            into: world.passwordSide("ben@example.com")
        )
        let successor = try await world.service.successor(of: source.account.id)
        XCTAssertEqual(successor, target.account.id)
        _ = try await undo(merged.id, world.side(.gitHub))
    }

    func testAClientTakesThePersonOfTheSideThatWasVerified() async throws {
        let (source, _, id) = try await stage()
        let auth = world.device()
        let undone = try await auth.undoMerge(id, verifiedBy: world.side(.gitHub))
        XCTAssertEqual(auth.currentUser?.uid, source.uid)
        XCTAssertTrue(auth.currentUser === undone.result?.user)
    }

    func testTheResultOfAnUndoneMergeNamesTheProviderThatVerifiedIt() async throws {
        try await world.signIn(.gitHub)
        try await world.signUp("ben@example.com")
        let client = world.service.client(world.context)
        let merged = try await client.merge(world.side(.gitHub), into: world.passwordSide("ben@example.com"))
        world.clock.advance(by: .seconds(60))
        let undone = try await client.undoMerge(merged.id, verifiedBy: world.side(.gitHub))
        XCTAssertEqual(undone.result?.provider, .gitHub, "the provider of the result")
    }
}
