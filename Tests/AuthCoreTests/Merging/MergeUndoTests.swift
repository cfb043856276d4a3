@testable import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

final class MergeUndoTests: MergeTestCase {
    private func stage() async throws -> (source: User, target: User, id: MergeID) {
        let source = try await signIn(.gitHub)
        try await source.link(with: credential(.facebook))
        try await source.updateProfile(displayName: .set("Ann"))
        let target = try await signUp("ben@example.com", linking: credential(.google, .ben))
        let merged = try await service.client(context).merge(side(.gitHub), into: passwordSide("ben@example.com"))
        clock.advance(by: 86400)
        return (source, target, merged.id)
    }

    private func undo(_ id: MergeID, _ side: MergeSide) async throws -> MergeUndoResult {
        try await service.client(context).undoMerge(id, provedBy: side)
    }

    func testTheSourceComesBackUnderItsOwnIdWithItsMethods() async throws {
        for hasHooks in [false, true] {
            startOver()
            if hasHooks { addHooks("orders", "photos") }
            let (source, target, id) = try await stage()
            journal.clear()
            let undone = try await undo(id, side(.gitHub))
            XCTAssertEqual(undone.result?.user.uid, source.uid)
            try await undone.result?.user.reload()
            let (from, to) = try await (account(source), account(target))
            XCTAssertEqual(from?.methods.map(\.kind.provider), [.gitHub, .facebook])
            XCTAssertEqual(from?.displayName, "Ann")
            XCTAssertEqual(to?.methods.map(\.kind.provider), [.password, .google])
            XCTAssertNil(from?.hold)
            XCTAssertNil(to?.hold)
            XCTAssertEqual(journal.lines, hasHooks ? ["undo photos", "undo orders"] : [])
            let user = try await service.client().signIn(with: credential(.facebook)).user
            XCTAssertEqual(user.uid, source.uid)
            let successor = try await service.successor(of: source.account.id)
            XCTAssertNil(successor)
            await assertThrows(.userTokenExpired, "an old session stays over") { try await source.reload() }
        }
    }

    func testTheTargetsOldMethodsUndoTooAndItsPersonStaysThere() async throws {
        let (source, target, id) = try await stage()
        let undone = try await undo(id, passwordSide("ben@example.com"))
        XCTAssertEqual(undone.result?.user.uid, target.uid)
        try await undone.result?.user.reload()
        let back = try await providers(source)
        XCTAssertEqual(back, [.gitHub, .facebook])
    }

    func testEachSideHasOneEventOfTheUndoing() async throws {
        let (source, target, id) = try await stage()
        let before = try await service.events(limit: .max).events.count
        _ = try await undo(id, side(.gitHub))
        let events = try await service.events(limit: .max).events.dropFirst(before).filter { $0.before != nil }
        XCTAssertEqual(Set(events.map(\.kind)), [.methodsChanged, .accountRestored])
        XCTAssertEqual(Set(events.map(\.account)), [source.account.id, target.account.id])
        XCTAssertEqual(events.count, 2)
        XCTAssertTrue(events.allSatisfy { $0.reasons.contains(.personUndoesMerge) })
    }

    func testOnlyWhatIsStillThereUnchangedGoesBack() async throws {
        let (source, _, id) = try await stage()
        let user = try await seat("tablet").signIn(with: .password(email: "ben@example.com", password: Self.password))
            .user
        try await user.unlink(.facebook)
        _ = try await undo(id, side(.gitHub))
        let back = try await providers(source)
        XCTAssertEqual(back, [.gitHub])
        let stranger = try await service.client().signIn(with: credential(.facebook))
        XCTAssertTrue(stranger.isNewUser, "what was removed since does not come back")
    }

    func testAMethodFromAfterTheMergeUndoesNothing() async throws {
        let (_, _, id) = try await stage()
        let user = try await seat("tablet").signIn(with: .password(email: "ben@example.com", password: Self.password))
            .user
        try await user.link(with: .simulated("oidc.example", .ben, at: clock.now))
        clock.advance(by: 10)
        try await refusal(.requiresRecentLogin) { try await undo(id, side("oidc.example", .ben)) }
    }

    func testTheServersWordIsNoMethodFromBeforeTheMerge() async throws {
        let (_, target, id) = try await stage()
        let token = try await service.makeCustomToken(for: target.account.id, authenticatedAt: clock.now)
        try await seat("server").signIn(with: .customToken(token))
        policy.customTokensAreRecent = true
        policy.seniority = nil
        service = makeService()
        try await refusal(.requiresRecentLogin, .methodIsNotFromBefore) {
            try await undo(id, side(.customToken(token)))
        }
    }

    func testTheTimeForUndoingEnds() async throws {
        let (_, _, id) = try await stage()
        clock.advance(by: 7 * 86400)
        try await refusal(.mergeNotPossible, .undoIsOver) { try await undo(id, side(.gitHub)) }
        _ = try await service.sweep()
        try await refusal(.mergeNotPossible, .undoIsOver) { try await undo(id, side(.gitHub)) }
    }

    func testAMergeIsUndoneOnce() async throws {
        let (_, _, id) = try await stage()
        _ = try await undo(id, side(.gitHub))
        try await refusal(.mergeNotPossible, .undoIsOver) { try await undo(id, side(.gitHub)) }
    }

    func testAStrangerAndAWrongPasswordUndoNothing() async throws {
        let (_, _, id) = try await stage()
        try await signIn(.gitHub, .eve)
        try await refusal(.invalidCredential) { try await undo(id, side(.gitHub, .eve)) }
        let wrong = AuthCredential.password(email: "ben@example.com", password: "battery staple")
        try await refusal(.invalidCredential) { try await undo(id, side(wrong)) }
        let old = try await side(.gitHub)
        clock.advance(by: 301)
        try await refusal(.requiresRecentLogin, .loginIsNotRecent) { try await undo(id, old) }
    }

    func testTheTargetKeepsItsLastMethod() async throws {
        try await signIn(.gitHub)
        try await signIn(.facebook, .ben)
        let merged = try await service.client(context).merge(side(.gitHub), into: side(.facebook, .ben))
        let user = try await seat("tablet").signIn(with: credential(.gitHub)).user
        clock.advance(by: 8 * 3600)
        try await user.reauthenticate(with: credential(.facebook, .ben))
        try await user.unlink(.facebook)
        try await refusal(.lastMethod, .methodIsTheLast) { try await undo(merged.id, side(.gitHub)) }
    }

    func testAnAddressGoesBackWithItsPassword() async throws {
        let source = try await signUp("ann@example.com", linking: credential(.gitHub))
        let target = try await signIn(.facebook, SimulatedPerson(name: "Ben", email: nil))
        let merged = try await service.client(context).merge(
            passwordSide("ann@example.com"),
            into: side(.facebook, SimulatedPerson(name: "Ben", email: nil))
        )
        let undone = try await undo(merged.id, passwordSide("ann@example.com"))
        XCTAssertEqual(undone.result?.user.uid, source.uid)
        XCTAssertEqual(undone.result?.user.email, "ann@example.com")
        XCTAssertEqual(undone.result?.user.isEmailVerified, true)
        let left = try await account(target)
        XCTAssertNil(left?.email)
        let user = try await service.client().signIn(with: .password(email: "ann@example.com", password: Self.password))
            .user
        XCTAssertEqual(user.uid, source.uid)
    }

    func testAFailingUndoHookIsToldAgain() async throws {
        addHooks("orders", "photos")
        let (source, target, id) = try await stage()
        journal.clear()
        journal.fail("undo orders")
        let undone = try await undo(id, side(.gitHub))
        XCTAssertFalse(undone.isFinished)
        let held = try await account(source)
        XCTAssertNotNil(held?.hold)
        let endings = try await makeService().resumeMerges()
        XCTAssertEqual(endings, [id: .undone])
        XCTAssertEqual(journal.lines, ["undo photos", "undo orders", "undo photos", "undo orders"])
        let free = try await (account(source), account(target))
        XCTAssertNil(free.0?.hold)
        XCTAssertNil(free.1?.hold)
    }

    func testAMergeWhoseUndoingIsOnlyFinishedIsNotUndoneAgain() async throws {
        addHooks("orders")
        let (source, _, id) = try await stage()
        journal.fail("undo orders")
        _ = try await undo(id, side(.gitHub))
        journal.clear()
        let error = await authError { try await undo(id, side(.gitHub)) }
        XCTAssertEqual(error?.code, .mergeNotPossible)
        XCTAssertEqual(error?.reasons, [.undoIsOver])
        XCTAssertEqual(journal.lines, ["undo orders"])
        let free = try await account(source)
        XCTAssertNil(free?.hold)
    }

    func testAHookThatHasNothingToTakeBackNeedNotSaySo() async throws {
        struct Ledger: MergeHook {
            let name = "ledger"
            let journal: HookJournal

            func prepare(_ plan: MergePlan, id: MergeID) async throws { try journal.write("prepare", plan) }
            func commit(_ plan: MergePlan, id: MergeID) async throws { try journal.write("commit", plan) }
        }
        hooks = [Ledger(journal: journal)]
        let (source, _, id) = try await stage()
        let undone = try await undo(id, side(.gitHub))
        XCTAssertTrue(undone.isFinished)
        XCTAssertEqual(undone.result?.user.uid, source.uid)
        XCTAssertEqual(journal.lines, ["prepare", "commit"])
    }

    func testAMergeWhoseHooksWereNotToldIsFinishedBeforeItIsUndone() async throws {
        addHooks("orders")
        let source = try await signIn(.gitHub)
        try await signUp("ben@example.com")
        journal.fail("commit orders")
        let merged = try await service.client(context).merge(side(.gitHub), into: passwordSide("ben@example.com"))
        XCTAssertFalse(merged.isFinished)
        let undone = try await undo(merged.id, side(.gitHub))
        XCTAssertEqual(undone.result?.user.uid, source.uid)
        XCTAssertEqual(journal.lines.suffix(2), ["commit orders", "undo orders"])
    }

    func testAnAccountThatCameBackIsMergedAgain() async throws {
        let (source, target, id) = try await stage()
        _ = try await undo(id, side(.gitHub))
        let merged = try await service.client(context).merge(side(.gitHub), into: passwordSide("ben@example.com"))
        let successor = try await service.successor(of: source.account.id)
        XCTAssertEqual(successor, target.account.id)
        _ = try await undo(merged.id, side(.gitHub))
    }

    func testASeatTakesThePersonOfTheSideThatWasProved() async throws {
        let (source, _, id) = try await stage()
        let auth = seat()
        let undone = try await auth.undoMerge(id, provedBy: side(.gitHub))
        XCTAssertEqual(auth.currentUser?.uid, source.uid)
        XCTAssertTrue(auth.currentUser === undone.result?.user)
    }
}
