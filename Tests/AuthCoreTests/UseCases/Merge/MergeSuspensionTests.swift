@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S24 and S20: a merge where some sign-in methods are suspended.
final class MergeSuspensionTests: LimitedTestCase {
    private let world = World(.standard)

    /// Whoever put a suspended identity there does not keep the owner's own from moving.
    func testASuspendedIdentityOfTheTargetGivesWay() async throws {
        let target = try await world.signUp("ann@example.com", linking: world.credential(.gitHub, .eve))
        try await world.service.client(world.context).sendPasswordReset(to: "ann@example.com")
        try await world.service.client().confirmPasswordReset(
            code: try XCTUnwrap(world.outbox.last(to: "ann@example.com", .resetPassword)?.code),
            newPassword: World.password
        )
        let source = try await world.signIn(.gitHub, .ben)
        let into = try await world.passwordSide("ann@example.com")
        let plan = try await world.service.client(world.context).previewMerge(world.side(.gitHub, .ben), into: into)
        XCTAssertEqual(plan.moves.map(\.provider), [.gitHub])
        XCTAssertEqual(plan.replaced.map(\.isSuspended), [true])
        _ = try await world.service.client(world.context).merge(
            world.side(.gitHub, .ben),
            into: world.passwordSide("ann@example.com")
        )
        let back = try await world.device("later").signIn(with: world.credential(.gitHub, .ben)).user
        XCTAssertEqual(back.uid, target.uid)
        XCTAssertNotEqual(source.uid, target.uid)
    }
}
