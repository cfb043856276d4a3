@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What the end of a merge writes, by the step at which the merge stopped.
final class MergeChangeTests: WrittenChangeTestCase {
    /// A merge that stopped at this step, and what completes it.
    private func merge(failing step: String) async throws -> CompleteMerge {
        world.addHooks("orders")
        try await world.signIn(.gitHub)
        let target = try await world.signUp("ben@example.com")
        world.journal.fail(step, CancellationError())
        _ = try? await world.service.client().merge(world.side(.gitHub), into: world.passwordSide("ben@example.com"))
        let held = try await world.storedAccount(target)
        return CompleteMerge(
            run: MergeRun(
                id: Merge.ID(try XCTUnwrap(held?.mergeLock).intent),
                plan: try XCTUnwrap(world.journal.plans.first)
            ),
            sides: nil,
            seeds: ResealedSeeds()
        )
    }

    func testAMergeThatHooksStillPrepareIsNotCarriedOut() async throws {
        let complete = try await merge(failing: "prepare orders")
        let decision = try await world.service.decision(of: complete)
        XCTAssertEqual(decision.refusal, .mergeInOtherPhase)
        XCTAssertEqual(decision.refusal?.code, .mergeInProgress)
        XCTAssertEqual(decision.refusal?.reason, .mergeIsElsewhere)
        XCTAssertEqual(decision.changes.accounts, [])
        let called = try await world.service.decision(of: AbortMerge(run: complete.run))
        XCTAssertEqual(called.changes.events.map(\.kind), [.mergeAborted, .mergeAborted])
        XCTAssertEqual(called.changes.events.map(\.account), [complete.run.source, complete.run.target])
        XCTAssertEqual(called.changes.events.map(\.actor), [.system, .system])
    }

    func testAMergeThatIsCarriedOutIsDoneUntilItsTargetIsGone() async throws {
        let complete = try await merge(failing: "commit orders")
        let done = try await world.service.decision(of: complete)
        XCTAssertNil(done.refusal)
        XCTAssertEqual(done.reasons, [.personMergesAccounts])
        let finish = FinishMerge(run: complete.run, phase: .committed)
        let finished = try await world.service.decision(of: finish)
        let undo = try await world.service.record(complete.run.id.undoKey)
        let kept = finished.changes.records.compactMap { change -> Timestamp? in
            if case .replace(let record) = change, record.key == complete.run.id.planKey {
                record.expiresAt
            } else {
                nil
            }
        }
        XCTAssertEqual(
            kept,
            [try XCTUnwrap(undo?.expiresAt)],
            "the plan is kept for as long as the merge can be undone"
        )
        world.journal.clear()
        try await world.service.resumeMerge(complete.run.id)
        try await world.service.deleteAccount(complete.run.target)
        let late = try await world.service.decision(of: complete)
        XCTAssertEqual(late.refusal?.reason, .mergeIsOutdated)
    }
}
