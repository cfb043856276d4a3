@testable import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

/// Attacks on merges and on the hooks that they call.
final class MergeAttackTests: LimitedTestCase {
    private var world = World(.standard)

    func testPH3_ASuspendedMethodIsNoSideOfAMerge() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.gitHub(.eve))
        try await world.reset()
        let gitHub = try await world.account(ann).methods.first { $0.kind.provider == .gitHub }
        XCTAssertNotNil(gitHub?.suspension, "the reset suspends what the owner of the mailbox may not know")
        let eve = try await world.signUp("eve@example.com")
        let (suspended, own) = (try await world.side(.gitHub, .eve), try await world.passwordSide("eve@example.com"))
        let client = world.service.client(world.context)
        await assertThrows(.invalidCredential, "into the attacker's account") {
            try await client.merge(suspended, into: own)
        }
        await assertThrows(.invalidCredential, "out of the attacker's account") {
            try await client.merge(own, into: suspended)
        }
        await assertThrows(.invalidCredential, "the identity alone") {
            try await client.move(.gitHub, from: suspended, to: own)
        }
        let methods = try await world.storedProviders(eve)
        XCTAssertEqual(methods, [.password])
    }

    /// A hook that uses the service meets the locked accounts, and neither waits for itself nor gets around the lock.
    func testAHookThatUsesTheServiceNeitherWaitsNorChangesWhatIsMerged() async throws {
        struct Meddler: Merge.Hook {
            let name = "meddler"
            let slot: Slot
            let act: @Sendable (AuthService) async -> Void

            func prepare(_ plan: Merge.Plan, id: Merge.ID) async throws { if let it = slot.value { await act(it) } }
            /// The accounts are not locked any more, and what the person does then counts.
            func commit(_ plan: Merge.Plan, id: Merge.ID) async throws {}
            func abort(_ plan: Merge.Plan, id: Merge.ID) async throws {}
            func undo(_ plan: Merge.Plan, id: Merge.ID) async throws {}
        }
        let target = try await world.signUp("ben@example.com", linking: world.facebook(.ben))
        try await world.signIn(.google, .ann)
        let slot = Slot()
        let isBusy = Mutex(false)
        let answers = Mutex<[String]>([])
        @Sendable func note(_ what: String, _ act: () async throws -> some Any) async {
            let code = await outcome(of: act)
            answers.withLock { $0.append("\(what): \(code?.name ?? "done")") }
        }
        let (google, word) = (
            world.google(), AuthCredential.password(email: "ben@example.com", password: World.password)
        )
        world.hooks = [
            Meddler(slot: slot) { service in
                // What it begins calls it again.
                if isBusy.withLock({ busy in (busy, busy = true).0 }) { return }
                defer { isBusy.withLock { $0 = false } }
                let client = service.client("meddler")
                await note("sign-in") {
                    let user = try await client.signIn(with: word).user
                    await note("unlinking") { try await user.unlink(.password) }
                    await note("another password") { try await user.updatePassword(to: "the meddlers word") }
                }
                await note("another merge") {
                    let (side, other) = (try await client.verify(google), try await client.verify(word))
                    return try await client.merge(.verified(side), into: .verified(other))
                }
                await note("resuming") { try await service.resumeMerges() }
                await note("a sweep") { try await service.sweep() }
            }
        ]
        slot.put(world.service)
        let (source, into) = (try await world.side(.google), try await world.passwordSide("ben@example.com"))
        let merged = try await world.service.client(world.context).merge(source, into: into)
        XCTAssertEqual(merged.result.user.uid, target.uid)
        let methods = try await world.storedProviders(target)
        XCTAssertEqual(methods, [.password, .facebook, .google], "the methods after the merge")
        XCTAssertEqual(
            answers.withLock(\.self),
            [
                "unlinking: mergeInProgress", "another password: mergeInProgress", "sign-in: done",
                "another merge: mergeInProgress", "resuming: done", "a sweep: done",
            ],
            "what the service answers the hook"
        )
        let back = try await world.device("check").signIn(with: word).user
        XCTAssertEqual(back.uid, target.uid, "whom the password signs in after the merge")
    }
}
