@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Every operation, with every fault at every one of its calls: afterwards the store is wholly before or wholly after,
/// the invariants hold, and another attempt works.
final class FaultSweepTests: LimitedTestCase {
    private static let policies: [AuthPolicy] = [.firebase, .standard]

    /// A store's contents without the names that a second attempt chooses anew.
    private struct Shape: Equatable {
        var people: [PersonPicture]
        var sessions: Int
        var events: [IdentityEvent.Kind]

        init(_ view: StoreView, _ policy: AuthPolicy) {
            people = view.accounts.map { PersonPicture($0, under: policy) }
                .sorted { ($0.email ?? "", $0.sites.joined()) < ($1.email ?? "", $1.sites.joined()) }
            sessions = view.sessions.count
            events = view.events.map(\.kind)
        }
    }

    private struct Rehearsal {
        let loads: Int
        let commits: Int
        let after: Shape
    }

    private func rehearse(_ act: FaultAct, _ policy: AuthPolicy) async throws -> Rehearsal {
        let stage = try await FaultStage(policy)
        let (loads, commits) = (stage.store.calls(of: .load), stage.store.calls(of: .commit))
        try await act.run(stage)
        let rehearsal = Rehearsal(
            loads: stage.store.calls(of: .load) - loads,
            commits: stage.store.calls(of: .commit) - commits,
            after: Shape(try await stage.view(), policy)
        )
        XCTAssertGreaterThan(rehearsal.loads + rehearsal.commits, 1, act.name)
        return rehearsal
    }

    private func error(of act: FaultAct, on stage: FaultStage) async -> AuthError? {
        do {
            try await act.run(stage)
            return nil
        } catch { return error as? AuthError ?? AuthError(.internalError, cause: error) }
    }

    private func check(_ stage: FaultStage, _ policy: AuthPolicy, _ what: String) async throws {
        let violations = try await Invariants(store: stage.store.whole, policy: policy).violations()
        XCTAssertEqual(violations, [], what)
    }

    private func sweep(
        _ call: StoreCall,
        _ faults: [(String, StoreFault)],
        _ expect: (FaultAct, FaultStage, AuthError?, _ before: StoreView, Rehearsal, AuthPolicy, String) async throws ->
            Void
    ) async throws {
        for policy in Self.policies {
            for act in FaultAct.all {
                let rehearsal = try await rehearse(act, policy)
                for number in 0..<(call == .load ? rehearsal.loads : rehearsal.commits) {
                    for (name, fault) in faults {
                        let stage = try await FaultStage(policy)
                        let before = try await stage.view()
                        stage.store.script(call, Array(repeating: .succeeds, count: number) + [fault])
                        let error = await error(of: act, on: stage)
                        let what = "\(act.name): \(call) \(number + 1) \(name)"
                        try await check(stage, policy, what)
                        try await expect(act, stage, error, before, rehearsal, policy, what)
                        try await check(stage, policy, what)
                    }
                }
            }
        }
    }

    func testAReadThatFailsChangesNothingAndAnotherAttemptWorks() async throws {
        let faults: [(String, StoreFault)] = [
            ("fails", .failsBefore()), ("fails afterwards", .failsAfterwards()),
            ("is canceled", .failsBefore(CancellationError())),
        ]
        try await sweep(.load, faults) { act, stage, error, before, rehearsal, policy, what in
            // A canceled sign-out is done all the same.
            if act.name == "sign out", what.hasSuffix("is canceled") {
                let signedOut = Shape(try await stage.view(), policy)
                XCTAssertNil(error, what)
                return XCTAssertEqual(signedOut, rehearsal.after, what)
            }
            XCTAssertTrue(
                error?.code == .storeUnavailable || error?.code == .canceled,
                "\(what): \(error?.code.name ?? "-")"
            )
            let view = try await stage.view()
            XCTAssertEqual(view, before, what)
            try await act.run(stage)
            let after = Shape(try await stage.view(), policy)
            XCTAssertEqual(after, rehearsal.after, what)
        }
    }

    func testAWriteThatFailsOrLiesOnceIsWrittenOnce() async throws {
        let faults: [(String, StoreFault)] = [
            ("fails", .failsBefore()), ("fails afterwards", .failsAfterwards()),
            ("meets a conflict", .violates(.absent("stranger"))), ("is canceled", .failsBefore(CancellationError())),
            ("is canceled afterwards", .failsAfterwards(CancellationError())),
        ]
        try await sweep(.commit, faults) { _, stage, error, _, rehearsal, policy, what in
            XCTAssertNil(error, "\(what): \(error?.code.name ?? "-")")
            let after = Shape(try await stage.view(), policy)
            XCTAssertEqual(after, rehearsal.after, what)
        }
    }

    func testWritesThatNeverComeThroughLeaveEverythingAsItWasUntilTheyDo() async throws {
        for policy in Self.policies {
            for act in FaultAct.all {
                let rehearsal = try await rehearse(act, policy)
                let stage = try await FaultStage(policy)
                let before = try await stage.view()
                stage.store.script(.commit, [], then: .failsBefore())
                let error = await error(of: act, on: stage)
                XCTAssertEqual(error?.code, .outcomeUnknown, act.name)
                let view = try await stage.view()
                XCTAssertEqual(view, before, act.name)
                stage.store.script(.commit)
                try await act.run(stage)
                let after = Shape(try await stage.view(), policy)
                XCTAssertEqual(after, rehearsal.after, act.name)
                try await check(stage, policy, act.name)
            }
        }
    }

    func testWritesThatAlwaysLieAreWrittenOnceAndAnotherAttemptDoesNoHarm() async throws {
        for policy in Self.policies {
            for act in FaultAct.all {
                let rehearsal = try await rehearse(act, policy)
                let stage = try await FaultStage(policy)
                stage.store.script(.commit, [], then: .failsAfterwards())
                let error = await error(of: act, on: stage)
                XCTAssertEqual(error?.code, .outcomeUnknown, act.name)
                let after = Shape(try await stage.view(), policy)
                XCTAssertEqual(after, rehearsal.after, act.name)
                stage.store.script(.commit)
                // It may be refused now, because it is done; anonymous people are new every time.
                let refused = await self.error(of: act, on: stage)
                XCTAssertNotEqual(refused?.code, .internalError, act.name)
                let again = Shape(try await stage.view(), policy)
                if act.name != "sign in anonymously", !again.events.contains(.deletionCanceled) {
                    XCTAssertEqual(again.people, rehearsal.after.people, act.name)
                }
                try await check(stage, policy, act.name)
            }
        }
    }

    func testAHasherOrVerifierThatThrowsChangesNothing() async throws {
        // What asks each of them; everything else goes on without.
        let asking: [Trouble.Place: [String]] = [
            .hasher: ["sign up", "sign in", "reauthenticate", "change the password", "reset"],
            .verifier: ["join", "sign in with a free address", "link", "replace"],
        ]
        for policy in Self.policies {
            for place in [Trouble.Place.hasher, .verifier] {
                var failed: [String] = []
                for act in FaultAct.all {
                    let rehearsal = try await rehearse(act, policy)
                    let stage = try await FaultStage(policy)
                    let before = try await stage.view()
                    stage.trouble.begin(place)
                    let error = await error(of: act, on: stage)
                    let what = "\(act.name) without a \(place)"
                    let view = try await stage.view()
                    if let error {
                        failed.append(act.name)
                        XCTAssertEqual(error.code, place == .hasher ? .internalError : .invalidCredential, what)
                        XCTAssertEqual(view, before, what)
                        stage.trouble.end()
                        try await act.run(stage)
                    }
                    let after = Shape(try await stage.view(), policy)
                    XCTAssertEqual(after, rehearsal.after, what)
                    try await check(stage, policy, what)
                }
                XCTAssertEqual(failed, asking[place], "what fails without a \(place)")
            }
        }
    }

    func testASenderThatThrowsStopsOnlyWhatIsAskedForAsAMessage() async throws {
        for policy in Self.policies {
            // What changes an account tells people afterwards; a notice that does not leave stops nothing.
            for act in FaultAct.all {
                let rehearsal = try await rehearse(act, policy)
                let stage = try await FaultStage(policy)
                stage.trouble.begin(.sender)
                try await act.run(stage)
                let after = Shape(try await stage.view(), policy)
                XCTAssertEqual(after, rehearsal.after, act.name)
                try await check(stage, policy, act.name)
            }
            var unlimited = policy
            unlimited.limits = nil
            let stage = try await FaultStage(unlimited)
            let before = try await stage.view()
            stage.trouble.begin(.sender)
            let asking: [FaultAct] = [
                FaultAct("verification") { try await $0.ann.sendEmailVerification() },
                FaultAct("change") { try await $0.ann.sendEmailVerification(beforeUpdatingTo: "cem@example.com") },
                FaultAct("digits") { _ = try await $0.service.client().sendPhoneCode(to: "+15550001111") },
            ]
            for act in asking {
                let error = await error(of: act, on: stage)
                XCTAssertEqual(error?.code, .messageNotSent, act.name)
            }
            // What a stranger asks for is answered before it leaves.
            try await stage.service.client().sendPasswordReset(to: "ann@gmail.com")
            try await stage.service.client().sendSignInLink(to: "ann@gmail.com")
            var after = try await stage.view()
            // A request to change the address is a change of the account, so that its session cannot end beside it.
            let versions = zip(before.accounts, after.accounts).filter { $0.version != $1.version }
            XCTAssertEqual(versions.count, 1, "accounts with another version")
            for (index, account) in before.accounts.enumerated() { after.accounts[index].version = account.version }
            XCTAssertEqual(after, before)
            stage.trouble.end()
            for act in asking { try await act.run(stage) }
            try await stage.service.deliverPendingMessages()
            let code = stage.outbox.last(to: "ann@gmail.com", .verifyEmail)?.code ?? ""
            try await stage.service.client().applyActionCode(code)
            try await check(stage, policy, "messages")
        }
    }
}
