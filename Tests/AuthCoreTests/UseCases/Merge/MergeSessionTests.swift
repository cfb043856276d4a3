@testable import AuthCore
import AuthCoreTesting
import XCTest

/// The session that a merge gives, and the sessions of both sides, which end.
final class MergeSessionTests: LimitedTestCase {
    private var world = World(.standard)

    func testWhatTheTargetsProviderSaidComesWithTheResult() async throws {
        try await world.signUp("ann@example.com")
        try await world.signIn(.google, .ben)
        let client = world.service.client(world.context)
        let merged = try await client.merge(world.passwordSide("ann@example.com"), into: world.side(.google, .ben))
        XCTAssertEqual(merged.result.provider, .google, "what verified the target")
        XCTAssertEqual(merged.result.additionalUserInfo?.provider, .google, "what Google said of the target")
        try await world.signUp("carl@example.com", linking: world.credential(.gitHub))
        let moved = try await client.move(.gitHub, from: world.side(.gitHub), to: world.side(.google, .ben))
        XCTAssertEqual(moved.result.additionalUserInfo?.provider, .google, "after a move")
    }

    func testTheSessionOfAMergeRestsOnTheMethodThatReplacesTheVerifiedOne() async throws {
        for hasHooks in [false, true] {
            world.startOver()
            if hasHooks { world.addHooks("orders") }
            try await world.signIn(.google, .ann)
            try await world.signUp("ben@example.com", linking: world.credential(.google, .ben))
            world.clock.advance(by: .seconds(8 * 86_400))
            let merged = try await world.service.client(world.context).merge(
                world.side(.google, .ann),
                into: world.side(.google, .ben),
                choices: [.google]
            )
            let user = merged.result.user
            try await user.reload()
            XCTAssertEqual(user.session.basis.provider, .google, "with hooks: \(hasHooks)")
            let methods = try await world.storedAccount(user)?.methods.map(\.generation)
            XCTAssertEqual(methods?.last, user.session.basis.generation, "Ann's Google, with hooks: \(hasHooks)")
        }
    }

    func testTheSessionOfAMoveRestsOnTheMethodThatReplacesTheVerifiedOne() async throws {
        try await world.signUp("ann@example.com", linking: world.credential(.google, .ann))
        try await world.signUp("ben@example.com", linking: world.credential(.google, .ben))
        world.clock.advance(by: .seconds(8 * 86_400))
        let moved = try await world.service.client(world.context).move(
            .google,
            from: world.passwordSide("ann@example.com"),
            to: world.side(.google, .ben),
            replacing: true
        )
        try await moved.result.user.reload()
        XCTAssertEqual(moved.result.user.session.basis.provider, .google, "what the session rests on")
    }

    func testOldSessionsOfBothSidesEnd() async throws {
        let source = try await world.signIn(.gitHub)
        let target = try await world.signUp("ben@example.com")
        let merged = try await world.service.client(world.context).merge(
            world.side(.gitHub),
            into: world.passwordSide("ben@example.com")
        )
        await assertThrows(.accountMerged) { try await source.reload() }
        await assertThrows(.accountMerged) { try await source.link(with: world.credential(.facebook)) }
        await assertThrows(.userTokenExpired) { try await target.reload() }
        try await merged.result.user.reload()
    }

    func testAClientHoldsTheTargetAfterwards() async throws {
        try await world.signIn(.gitHub)
        let target = try await world.signUp("ben@example.com")
        let auth = world.device()
        try await auth.signIn(with: world.credential(.gitHub))
        let merged = try await auth.merge(world.side(.gitHub), into: world.passwordSide("ben@example.com"))
        XCTAssertEqual(auth.currentUser?.uid, target.uid)
        XCTAssertTrue(auth.currentUser === merged.result.user)
    }
}
