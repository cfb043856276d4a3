import AuthCoreTesting
import Synchronization
import XCTest

@testable import AuthCore

/// Two calls of one service or of two, of which one does something while the other waits.
final class InterleavedCallTests: LimitedTestCase {
    private var world = World(.standard)

    /// The merge is undone while the first hook of its commit is slow: its end is not the end of the undo.
    func testALateCommitOfAMergeDoesNotEndItsUndo() async throws { try await undoBesideASlowHook(isFirst: true) }

    /// Nor is it where the last hook is the slow one, after which the commit is written as ended.
    func testALateEndOfAMergeDoesNotEndItsUndo() async throws { try await undoBesideASlowHook(isFirst: false) }

    private func undoBesideASlowHook(isFirst: Bool) async throws {
        try await world.signIn(.gitHub)
        try await world.signUp("ben@example.com")
        world.addHooks("photos")
        let (other, journal, context) = (world.makeService(), world.journal, world.context)
        world.hooks.insert(UndoneWhileCommitting(other: other, context: context), at: isFirst ? 0 : 1)
        journal.fail("undo photos", CancellationError())
        let merged = try await world.service.client(context).merge(
            world.side(.gitHub),
            into: world.passwordSide("ben@example.com")
        )
        XCTAssertEqual(
            journal.lines,
            // A hook before the slow one is asked by both services.
            ["prepare photos"] + (isFirst ? [] : ["commit photos"]) + ["commit photos", "undo photos"],
            "what the other hook was asked: the late commit asks it nothing after the undo"
        )
        let endings = try await other.resumeMerges()
        XCTAssertEqual(endings, [merged.id: .undone], "the undo whose hooks are not all notified")
        XCTAssertEqual(journal.lines.last, "undo photos")
    }

    /// What the app does about the sign-out can cancel the task that asked for it.
    func testASignOutWhoseTaskIsCanceledEndsTheSession() async throws {
        let user = try await world.signUpVerifiedAnn()
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await user.signOut()
        }
        try await task.value
        let seen = try await world.store.whole.load([.session(user.session.id)])
        XCTAssertNil(seen.session(user.session.id), "the session in the store")
    }

    /// Between the check for overdue merges and the decision, the time of another merge ends.
    func testNoMergeTakesTheLockOfAnotherWhoseTimeEndsBeforeItsDecision() async throws {
        world.addHooks("orders")
        try await world.signIn(.gitHub)
        try await world.signUp("ben@example.com")
        let undone = try await world.service.client(world.context).merge(
            world.side(.gitHub),
            into: world.passwordSide("ben@example.com")
        )
        try await world.signIn(.facebook, .eve)
        world.journal.fail("commit orders", CancellationError())
        _ = try? await world.service.client(world.context).merge(
            world.side(.facebook, .eve),
            into: world.passwordSide("ben@example.com")
        )
        try await world.signIn(.microsoft, .eve)
        world.clock.advance(by: .seconds(899))
        let client = world.service.client(world.context)
        let merge = try await client.beginning(
            world.side(.microsoft, .eve),
            world.passwordSide("ben@example.com"),
            nil,
            []
        )
        let side = try await world.side(.password(email: "ben@example.com", password: World.password))
        world.clock.advance(by: .seconds(2))
        try await world.refusal(.mergeInProgress, .accountIsBeingMerged, "the merge") {
            try await world.service.merge(merge, client.context)
        }
        guard case .verified(let verified) = side else { return XCTFail("a password proves nothing") }
        let party = try await world.service.party(verified)
        try await world.refusal(.mergeInProgress, .accountIsBeingMerged, "the undo") {
            try await world.service.undo(MergeRun(id: undone.id, plan: undone.plan), by: party, client.context).undone
        }
    }

    /// Another operation may end the recovery at the same moment: one of the two has to decide again.
    func testARecoveryFromLostFactorsThatEndsIsUsedUp() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(60))
        try await world.enrollTOTP(ann)
        let auth = world.device("other")
        guard
            case .mailbox(let mailed) = try await auth.verify(world.mailedLink(to: "ann@example.com", from: auth)).proof
                .claim
        else { return XCTFail("a mailed link proves no mailbox") }
        _ = try await world.service.perform(RecoverFromLostFactors(mailbox: mailed, other: nil), auth.client.context)
        let cancellation = try await world.service.decision(of: CancelFactorRecovery(handle: ann.handle))
        XCTAssertEqual(cancellation.changes.records, [.consume(.lostFactors(of: ann.account.id))])
        XCTAssertEqual(cancellation.changes.events.map(\.kind), [.factorRecoveryEnded])
    }

    /// The call has ended the session, and its task is canceled directly afterwards.
    func testACanceledCallThatEndedTheSessionStillSignsOut() async throws {
        let store = CancelingStore()
        world = World(.standard) { $0.store = store }
        let auth = world.device()
        try await world.signUpVerifiedAnn(auth)
        try await auth.sendPasswordReset(to: "ann@example.com")
        let code = try world.code(.resetPassword, to: "ann@example.com")
        let task = Task {
            store.cancels.withLock { $0 = true }
            _ = try await auth.confirmPasswordReset(code: code, newPassword: "another good word")
        }
        _ = await task.result
        XCTAssertFalse(store.cancels.withLock(\.self), "no commit canceled the task")
        XCTAssertNil(auth.currentUser, "the user whose session the reset ended")
    }

    func testACanceledCallWhoseCodeEndedTheSessionStillSignsOut() async throws {
        let store = CancelingStore()
        world = World(.standard) { $0.store = store }
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        try await auth.applyActionCode(world.code(.changeEmail, to: "new@example.com"))
        let code = try world.code(.recoverEmail, to: "ann@example.com")
        XCTAssertIdentical(auth.currentUser, ann, "who is signed in before the change is taken back")
        let task = Task {
            store.cancels.withLock { $0 = true }
            try await auth.applyActionCode(code)
        }
        _ = await task.result
        XCTAssertFalse(store.cancels.withLock(\.self), "no commit canceled the task")
        XCTAssertNil(auth.currentUser, "the user whose session the code ended")
    }
}

/// A hook so slow that the person undoes the merge in another process meanwhile.
private struct UndoneWhileCommitting: Merge.Hook {
    let name = "slow"
    let other: AuthService
    let context: RequestContext

    func prepare(_ plan: Merge.Plan, id: Merge.ID) async throws {}

    func commit(_ plan: Merge.Plan, id: Merge.ID) async throws {
        let client = other.client(context)
        let proof = try await client.verify(.password(email: "ben@example.com", password: World.password))
        _ = try await client.undoMerge(id, verifiedBy: .verified(proof))
    }
}

/// Cancels the task that commits, once the commit is written.
private final class CancelingStore: ForwardingStore {
    let whole: any IdentityStore = InMemoryIdentityStore()
    let cancels = Mutex(false)

    func commit(_ changes: ChangeSet) async throws -> Store.CommitOutcome {
        let outcome = try await whole.commit(changes)
        let isLast = cancels.withLock { cancels in
            defer { cancels = false }
            return cancels
        }
        if isLast { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
        return outcome
    }
}
