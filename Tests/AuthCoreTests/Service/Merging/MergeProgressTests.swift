@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What is noted, refused and done of a merge that is over, never was, or is elsewhere.
final class MergeProgressTests: LimitedTestCase {
    private var world = World(.standard)

    private let unknown = MergeRun(
        id: Merge.ID(bits: 77),
        plan: Merge.Plan(source: AccountID(bits: 1), target: AccountID(bits: 2), identity: nil, choices: [])
    )

    private func begun(failing step: String) async throws -> MergeRun {
        world.addHooks("orders")
        try await world.signIn(.gitHub)
        let target = try await world.signUp("ben@example.com")
        world.journal.fail(step, CancellationError())
        _ = try? await world.service.client(world.context).merge(
            world.side(.gitHub),
            into: world.passwordSide("ben@example.com")
        )
        return try await run(lockedOn: target)
    }

    /// The merge under whose lock the account is.
    private func run(lockedOn target: User) async throws -> MergeRun {
        let held = try await world.storedAccount(target)
        return MergeRun(
            id: Merge.ID(try XCTUnwrap(held?.mergeLock).intent),
            plan: try XCTUnwrap(world.journal.plans.first)
        )
    }

    /// A merge that is over, of which the hooks were told.
    private func finished() async throws -> MergeRun {
        world.addHooks("orders")
        try await world.signIn(.gitHub)
        try await world.signUp("ben@example.com")
        let merged = try await world.service.client(world.context).merge(
            world.side(.gitHub),
            into: world.passwordSide("ben@example.com")
        )
        return MergeRun(id: merged.id, plan: merged.plan)
    }

    func testOfAMergeThatNeverWasNothingIsWritten() async throws {
        let prepare = NotePreparation(run: unknown, hook: "orders", isLast: true)
        let prepared = try await world.service.decision(of: prepare)
        XCTAssertEqual(prepared.refusal, .mergeOutdated)
        let called = try await world.service.decision(of: AbortMerge(run: unknown))
        XCTAssertNil(called.refusal)
        XCTAssertTrue(called.changes.isEmpty, "\(called.changes)")
        let finished = try await world.service.decision(of: FinishMerge(run: unknown, phase: .committed))
        XCTAssertNil(finished.refusal)
    }

    /// Of two attempts that note their progress at once, one has to decide again, because the account has changed.
    func testProgressOfAMergeIsNotedOnAnAccountToo() async throws {
        let run = try await begun(failing: "prepare orders")
        let noted = try await world.service.decision(of: NotePreparation(run: run, hook: "orders", isLast: true))
        let before = try await world.storedAccount(run.target)
        let updates = noted.changes.accounts.map { change -> (AccountID, UInt64)? in
            if case .update(let account, let expected) = change { (account.id, UInt64(expected)) } else { nil }
        }
        XCTAssertEqual(updates.first??.0, run.target, "the account that is written")
        XCTAssertEqual(updates.first??.1, before.map { UInt64($0.version) }, "the version that is expected of it")
        XCTAssertEqual(updates.count, 1)
    }

    func testAPreparationThatOthersNotedIsNotNotedAgain() async throws {
        let run = try await begun(failing: "prepare orders")
        let note = NotePreparation(run: run, hook: "orders", isLast: true)
        _ = try await world.service.perform(note, RequestContext())
        let again = try await world.service.decision(of: note)
        XCTAssertNil(again.refusal)
        XCTAssertTrue(again.changes.isEmpty, "\(again.changes)")
    }

    /// A resumed merge does not know since when the accounts have what was verified.
    func testAMergeThatIsResumedIsContestedByTheOldestAddressOnly() async throws {
        let run = try await begun(failing: "prepare orders")
        _ = try await world.service.perform(NotePreparation(run: run, hook: "orders", isLast: true), RequestContext())
        let complete = CompleteMerge(run: run, sides: nil, seeds: ResealedSeeds())
        let done = try await world.service.decision(of: complete)
        XCTAssertNil(done.refusal)
        XCTAssertEqual(done.transaction.authorizedSince, .distantPast)
    }

    /// The code of an address that the account loses ends with it, also where the move is resumed.
    func testANoticeToAnAddressThatAResumedMoveTakesAwayIsForThatAddressOnly() async throws {
        world.addHooks("orders")
        let source = try await world.signUp("ann@example.com")
        world.clock.advance(by: .seconds(60))
        try await source.link(with: world.credential(.google, .ann.with(email: "ann@gmail.com")))
        let target = try await world.signUp("ben@example.com")
        world.journal.fail("prepare orders", CancellationError())
        _ = try? await world.service.client(world.context).move(
            .google,
            from: world.passwordSide("ann@example.com"),
            to: world.passwordSide("ben@example.com")
        )
        let run = try await run(lockedOn: target)
        _ = try await world.service.perform(NotePreparation(run: run, hook: "orders", isLast: true), RequestContext())
        let complete = CompleteMerge(run: run, sides: nil, seeds: ResealedSeeds())
        let done = try await world.service.decision(of: complete)
        let told = try XCTUnwrap(
            done.changes.messages.first {
                $0.account == source.account.id && $0.recipient == .email(.ascii("ann@gmail.com"))
            }
        )
        let reports = done.changes.records.compactMap { change -> EmailAddress? in
            guard case .put(let record) = change, record.key == told.record else { return nil }
            guard case .changeReport(let report) = record.content else { return nil }
            return report.notifiedAddress
        }
        XCTAssertEqual(reports.map(\.text), ["ann@gmail.com"], "the address without which the code does nothing")
    }

    func testAMergeThatIsPreparedIsNotFinished() async throws {
        let run = try await begun(failing: "prepare orders")
        let finished = try await world.service.decision(of: FinishMerge(run: run, phase: .committed))
        XCTAssertTrue(finished.changes.isEmpty, "what is written of a merge that did not end")
        let called = try await world.service.decision(of: AbortMerge(run: run))
        XCTAssertEqual(called.reasons, [.mergeIsAborted])
    }

    func testAMergeThatIsCarriedOutIsNotCalledOff() async throws {
        let run = try await begun(failing: "commit orders")
        let called = try await world.service.decision(of: AbortMerge(run: run))
        XCTAssertEqual(called.refusal, Refusal(.mergeNotPossible, .mergeIsElsewhere))
        let finished = try await world.service.decision(of: FinishMerge(run: run, phase: .committed))
        XCTAssertEqual(finished.reasons, [.mergeIsFinished])
    }

    func testAMergeThatOthersHaveFinishedIsNotCalledOff() async throws {
        let called = try await world.service.decision(of: AbortMerge(run: try await finished()))
        XCTAssertEqual(called.refusal, .mergeOutdated)
    }

    func testAMoveThatOthersHaveFinishedIsNotCalledOffAfterTheIdentityWasRemoved() async throws {
        world.addHooks("orders")
        try await world.signUp("ann@example.com", linking: world.credential(.gitHub))
        try await world.signUp("ben@example.com")
        let moved = try await world.service.client(world.context).move(
            .gitHub,
            from: world.side(.gitHub),
            to: world.passwordSide("ben@example.com")
        )
        try await moved.result.user.unlink(.gitHub)
        let run = MergeRun(id: moved.id, plan: moved.plan)
        let called = try await world.service.decision(of: AbortMerge(run: run))
        XCTAssertEqual(called.refusal, .mergeOutdated, "the hooks would be told that nothing was moved")
    }

    func testWhoseMethodIsGoneWhenOthersHaveFinishedGetsNoSession() async throws {
        let run = try await begun(failing: "commit orders")
        let target = try await world.storedAccount(run.target)
        var there = try XCTUnwrap(target)
        // As it was verified, before the merge ended its sessions.
        there.sessionGeneration -= 1
        for method in there.methods.prefix(1) {
            for generation in [method.generation, 99] {
                let basis = Session.Basis(kind: .password, provider: .password, generation: generation)
                let side = VerifiedSide(stored: there, account: there, basis: basis)
                let complete = CompleteMerge(
                    run: run,
                    sides: VerifiedSides(source: side, target: side),
                    seeds: ResealedSeeds()
                )
                let decision = try await world.service.decision(of: complete)
                XCTAssertEqual(decision.refusal?.reason, generation == 99 ? .mergeIsOutdated : nil)
            }
        }
    }

    func testWhoseMethodWasReplacedWhenOthersHaveFinishedGetsASessionOfTheOneInItsPlace() async throws {
        let run = try await begun(failing: "commit orders")
        let target = try await world.storedAccount(run.target)
        let moved = try XCTUnwrap(target?.method(of: .gitHub))
        var before = try XCTUnwrap(target)
        before.sessionGeneration -= 1
        let own = Identity(key: Identity.Key(issuer: "github.com", subject: "99"), provider: .gitHub)
        before.methods = [SignInMethod(.federated(own), addedAt: world.clock.timestamp, generation: 99)]
        let side = VerifiedSide(
            stored: before,
            account: before,
            method: before.methods.first,
            basis: Session.Basis(before.methods[0])
        )
        let complete = CompleteMerge(
            run: run,
            sides: VerifiedSides(source: side, target: side),
            seeds: ResealedSeeds()
        )
        let done = try await world.service.decision(of: complete).result.get()
        XCTAssertEqual(done.signedIn?.session.basis, Session.Basis(moved), "what the session rests on")
    }

    func testAMergeThatOthersHaveFinishedIsDoneAsItWasPlanned() async throws {
        let run = try await finished()
        let late = CompleteMerge(run: run, sides: nil, seeds: ResealedSeeds())
        world.clock.advance(by: .seconds(8 * 86400))
        _ = try await world.service.sweep()
        let decision = try await world.service.decision(of: late)
        guard case .success(let done) = decision.result else { return XCTFail("\(decision.result)") }
        XCTAssertEqual(done.plan, run.plan)
        XCTAssertNil(done.signedIn)
        XCTAssertNil(done.undoableUntil)
        XCTAssertEqual(decision.changes.accounts.count, 0)
    }
}
