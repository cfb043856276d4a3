@testable import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

/// Merges and moves among sign-ins, links and unlinks on both accounts, in a thousand orders of all calls to the store.
final class MergeRacesTests: LimitedTestCase {
    override class var timeLimit: Int { 600 }

    private static let password = "correct horse"

    /// Two accounts of one person over a store whose calls take turns.
    private struct Stage: Sendable {
        let clock = ManualClock()
        let store: ScheduledStore
        let service: AuthService
        let source: User
        let target: User

        init(seed: UInt64, hasHooks: Bool) async throws {
            store = ScheduledStore(schedule: Schedule(seed: seed))
            var configuration = AuthConfiguration(
                store: store,
                policy: .standard,
                providers: .simulated(and: ["oidc.example", "other.example"]),
                passwordHasher: CheapPasswordHasher(),
                environment: .manual(clock, seed: seed),
                secretKey: Array(repeating: 7, count: 32)
            )
            if hasHooks { configuration.mergeHooks = [QuietHook(name: "orders"), QuietHook(name: "photos")] }
            service = AuthService(configuration)
            source = try await service.client().signIn(with: .simulated(.gitHub, .ann, at: clock.now)).user
            try await source.link(with: .simulated(.facebook, .ann, at: clock.now))
            target = try await service.client().signUp(email: "ben@example.com", password: MergeRacesTests.password)
                .user
            try await target.link(with: .simulated(.google, .ben, at: clock.now))
        }

        func credential(_ provider: ProviderID, _ person: SimulatedPerson) -> AuthCredential {
            .simulated(provider, person, at: clock.now)
        }

        var password: AuthCredential { .password(email: "ben@example.com", password: MergeRacesTests.password) }

        func side(_ credential: AuthCredential) async throws -> Merge.Side {
            .verified(try await service.client().verify(credential))
        }
    }

    private struct Act: Sendable {
        let name: String
        let run: @Sendable (Stage) async throws -> Void

        init(_ name: String, _ run: @escaping @Sendable (Stage) async throws -> Void) {
            self.name = name
            self.run = run
        }
    }

    private static let merges = [
        Act("merge") {
            try await $0.service.client().merge($0.side($0.credential(.gitHub, .ann)), into: $0.side($0.password))
        },
        Act("merge back") {
            try await $0.service.client().merge($0.side($0.password), into: $0.side($0.credential(.gitHub, .ann)))
        },
        Act("merge by others") {
            try await $0.service.client().merge(
                $0.side($0.credential(.facebook, .ann)),
                into: $0.side($0.credential(.google, .ben))
            )
        },
        Act("move") {
            let side = try await $0.side($0.credential(.gitHub, .ann))
            try await $0.service.client().move(.facebook, from: side, to: $0.side($0.password))
        },
    ]

    private static let others = [
        Act("sign in to the source") { try await $0.service.client().signIn(with: $0.credential(.gitHub, .ann)) },
        Act("sign in to the source otherwise") {
            try await $0.service.client().signIn(with: $0.credential(.facebook, .ann))
        },
        Act("sign in to the target") { try await $0.service.client().signIn(with: $0.password) },
        Act("sign in to the target otherwise") {
            try await $0.service.client().signIn(with: $0.credential(.google, .ben))
        },
        Act("link to the source") { try await $0.source.link(with: $0.credential("oidc.example", .ann)) },
        Act("link the same to the target") { try await $0.target.link(with: $0.credential("oidc.example", .ann)) },
        Act("link to the target") { try await $0.target.link(with: $0.credential("other.example", .ben)) },
        Act("unlink from the source") { try await $0.source.unlink(.facebook) },
        Act("unlink the proof from the source") { try await $0.source.unlink(.gitHub) },
        Act("unlink from the target") { try await $0.target.unlink(.google) },
        Act("unlink the password") { try await $0.target.unlink(.password) },
        Act("resume") { try await $0.service.resumeMerges() },
        Act("delete the source") { try await $0.source.delete() },
    ]

    /// What acts met, in which order their calls took turns, and how it ended.
    private struct Course {
        let names: [String]
        let choices: [Int]
        let violations: [String]
        let merged: Bool
    }

    private static func interleave(seed: UInt64) async throws -> Course {
        var generator = SeededGenerator(seed: seed)
        let stage = try await Stage(seed: seed, hasHooks: Bool.random(using: &generator))
        var acts = (0..<Int.random(in: 1...2, using: &generator)).compactMap { _ in
            merges.randomElement(using: &generator)
        }
        acts += others.shuffled(using: &generator).prefix(Int.random(in: 2...5, using: &generator))
        await stage.store.schedule.run(
            acts.map { act in { @Sendable in _ = try? await act.run(stage) } }
        )
        let choices = stage.store.schedule.turns.map(\.choice)
        let invariants = Invariants(store: stage.store.whole, policy: .standard)
        var violations = try await invariants.violations()
        _ = try await stage.service.resumeMerges()
        violations += try await invariants.violations()
        let accounts = try await stage.store.whole.accounts(after: nil, limit: 10)
        violations += accounts.filter { $0.mergeLock != nil }.map { "\($0.id) is held by nobody" }
        let events = try await stage.store.whole.events(after: .start, limit: .max).events
        return Course(
            names: acts.map(\.name),
            choices: choices,
            violations: violations,
            merged: events.contains { $0.reasons.contains(.personMergesAccounts) }
        )
    }

    func testAThousandInterleavingsKeepAllInvariants() async throws {
        var merged = 0
        let seeds = 1...1000 as ClosedRange<UInt64>
        for (seed, outcome) in zip(seeds, try await parallelMap(seeds) { try await Self.interleave(seed: $0) }) {
            XCTAssertEqual(outcome.violations, [], "seed \(seed): \(outcome.names)")
            if outcome.merged { merged += 1 }
        }
        XCTAssertGreaterThan(merged, 300, "most merges must get through for the rest to mean anything")
        XCTAssertLessThan(merged, 1000, "some must be stopped")
    }

    func testASeedGivesTheSameOrderEveryTime() async throws {
        for seed in [3, 17, 99] as [UInt64] {
            let (first, second) = (try await Self.interleave(seed: seed), try await Self.interleave(seed: seed))
            XCTAssertEqual(first.names, second.names, "seed \(seed): the acts")
            XCTAssertGreaterThan(Set(first.choices).count, 1, "seed \(seed): the acts did not take turns")
            XCTAssertEqual(first.choices, second.choices, "seed \(seed): the order of the calls")
            XCTAssertEqual(first.merged, second.merged, "seed \(seed): whether a merge got through")
        }
    }
}

/// A hook that has nothing to do.
private struct QuietHook: Merge.Hook {
    let name: String

    func prepare(_ plan: Merge.Plan, id: Merge.ID) async throws {}
    func commit(_ plan: Merge.Plan, id: Merge.ID) async throws {}
}
