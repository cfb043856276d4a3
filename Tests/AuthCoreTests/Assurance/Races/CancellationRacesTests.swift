@testable import AuthCore
import AuthCoreTesting
import XCTest

/// A task that is canceled leaves the store wholly before or wholly after, wherever it is canceled.
final class CancellationRacesTests: LimitedTestCase {
    /// Something that a person does once the scene is set.
    private struct Act: Sendable {
        let name: String
        let run: @Sendable (Stage) async throws -> Void

        init(_ name: String, _ run: @escaping @Sendable (Stage) async throws -> Void) {
            self.name = name
            self.run = run
        }
    }

    private struct Stage: Sendable {
        let scene: RaceScene
        let user: User
        let verification: VerificationStop
    }

    /// Where an operation waits when it is canceled.
    private enum Place: Equatable {
        case verification
        case before(StoreCall, Int)
        case after(StoreCall, Int)
    }

    private let password = AuthCredential.password(email: "ann@example.com", password: "secret1")

    private var acts: [Act] {
        [
            Act("sign in") { try await $0.scene.service.client().signIn(with: $0.scene.google(.ben)) },
            Act("sign in by password") { [password] in try await $0.scene.service.client().signIn(with: password) },
            Act("sign up") {
                try await $0.scene.service.client().signUp(email: "cem@example.com", password: "secret1")
            },
            Act("sign in anonymously") { try await $0.scene.service.client().signInAnonymously() },
            Act("link") { try await $0.user.link(with: $0.scene.google(.ann)) },
            Act("unlink") { try await $0.user.unlink(.gitHub) },
            Act("change the password") { try await $0.user.updatePassword(to: "secret2") },
            Act("reauthenticate") { [password] in try await $0.user.reauthenticate(with: password) },
            Act("delete") { try await $0.user.delete() },
        ]
    }

    private func makeStage() async throws -> Stage {
        let verification = VerificationStop()
        let scene = RaceScene(
            providers: [SlowVerifier(stop: verification), SimulatedProvider(.gitHub)],
            hasher: SlowHasher(stop: verification)
        )
        let user = try await scene.service.client().signUp(email: "ann@example.com", password: "secret1").user
        try await user.link(with: .simulated(.gitHub, .ann, at: scene.clock.now))
        return Stage(scene: scene, user: user, verification: verification)
    }

    /// Every place where the store is asked during the act, and what the store holds before and after it.
    private func rehearse(_ act: Act) async throws -> (places: [Place], before: StoreSummary, after: StoreSummary) {
        let stage = try await makeStage()
        let store = stage.scene.store
        let before = try await stage.scene.summary()
        let calls = (load: store.calls(of: .load), commit: store.calls(of: .commit))
        try await act.run(stage)
        let loads = store.calls(of: .load) - calls.load
        let commits = store.calls(of: .commit) - calls.commit
        let places: [Place] =
            (0..<loads).flatMap { [.before(.load, $0), .after(.load, $0)] }
            + (0..<commits).flatMap { [.before(.commit, $0), .after(.commit, $0)] }
        XCTAssertGreaterThan(loads, 0, act.name)
        XCTAssertGreaterThan(commits, 0, act.name)
        return (places, before, try await stage.scene.summary())
    }

    /// The error of the act when it is canceled at this place, and what the store then holds.
    private func cancel(
        _ act: Act,
        at place: Place,
        observesCancellation: Bool
    ) async throws -> (error: AuthError?, summary: StoreSummary) {
        let stage = try await makeStage()
        let gate = Gate()
        switch place {
        case .verification:
            stage.verification.set(gate, observesCancellation: observesCancellation)
        case .before(let call, let number):
            let stop = StoreFault.waitsBefore(gate, observesCancellation: observesCancellation)
            stage.scene.store.script(call, Array(repeating: .succeeds, count: number) + [stop])
        case .after(let call, let number):
            let stop = StoreFault.waitsAfterwards(gate, observesCancellation: observesCancellation)
            stage.scene.store.script(call, Array(repeating: .succeeds, count: number) + [stop])
        }
        let task = Task { await stage.scene.error { try await act.run(stage) } }
        await gate.waitForArrivals()
        task.cancel()
        gate.open()
        return (await task.value, try await stage.scene.summary())
    }

    private func check(_ act: Act, at place: Place, before: StoreSummary, after: StoreSummary) async throws {
        for observes in [false, true] {
            let outcome = try await cancel(act, at: place, observesCancellation: observes)
            let what = "\(act.name), canceled \(place), \(observes ? "observed" : "not observed")"
            if let error = outcome.error {
                XCTAssertEqual(error.code, .canceled, what)
                XCTAssertEqual(outcome.summary, before, what)
            } else {
                XCTAssertEqual(outcome.summary, after, what)
            }
            // Before the commit is sent nothing may be written; once it was written, nothing may deny it.
            switch place {
            case .verification, .before(.load, _), .after(.load, _): XCTAssertNotNil(outcome.error, what)
            case .after(.commit, _): XCTAssertNil(outcome.error, what)
            default: break
            }
        }
    }

    func testACanceledReadOrWriteLeavesTheStoreWhollyBeforeOrWhollyAfter() async throws {
        for act in acts {
            let (places, before, after) = try await rehearse(act)
            for place in places { try await check(act, at: place, before: before, after: after) }
        }
    }

    func testACanceledVerificationLeavesTheStoreAsItWas() async throws {
        for act in acts where !["unlink", "delete", "sign in anonymously"].contains(act.name) {
            let (_, before, after) = try await rehearse(act)
            try await check(act, at: .verification, before: before, after: after)
        }
    }

    func testATaskThatWasCanceledBeforeItBeganDoesNothing() async throws {
        for act in acts {
            let stage = try await makeStage()
            let before = try await stage.scene.summary()
            let gate = Gate()
            let task = Task {
                await gate.pass()
                return await stage.scene.error { try await act.run(stage) }
            }
            task.cancel()
            gate.open()
            let error = await task.value
            XCTAssertEqual(error?.code, .canceled, act.name)
            let after = try await stage.scene.summary()
            XCTAssertEqual(after, before, act.name)
        }
    }

    /// An operation that writes nothing must end too when its caller is gone, and must not wait for a slow store.
    func testACanceledCallerGetsNoAnswerAndNothingIsReadForIt() async throws {
        let stage = try await makeStage()
        let (store, user) = (stage.scene.store, stage.user)
        let reads = store.calls(of: .load)
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return await outcome { try await user.reload() }
        }
        let code = await task.value
        XCTAssertEqual(code, .canceled, "a canceled caller gets an answer")
        XCTAssertEqual(store.calls(of: .load), reads, "the store is read for a canceled caller")
    }
}
