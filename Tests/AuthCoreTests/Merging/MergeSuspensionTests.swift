@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S24 and S20: a merge where some ways in are suspended.
final class MergeSuspensionTests: MergeTestCase {
    /// Whoever put a suspended identity there does not keep the owner's own from moving.
    func testASuspendedIdentityOfTheTargetGivesWay() async throws {
        let target = try await signUp("ann@example.com", linking: credential(.gitHub, .eve))
        try await service.client(context).sendPasswordReset(to: "ann@example.com")
        try await service.client().confirmPasswordReset(
            code: try XCTUnwrap(outbox.last(to: "ann@example.com", .resetPassword)?.code),
            newPassword: Self.password
        )
        let source = try await signIn(.gitHub, .ben)
        let into = try await passwordSide("ann@example.com")
        let plan = try await service.client(context).previewMerge(side(.gitHub, .ben), into: into)
        XCTAssertEqual(plan.moves.map(\.provider), [.gitHub])
        XCTAssertEqual(plan.givesWay.map(\.isSuspended), [true])
        _ = try await service.client(context).merge(side(.gitHub, .ben), into: passwordSide("ann@example.com"))
        let back = try await seat("later").signIn(with: credential(.gitHub, .ben)).user
        XCTAssertEqual(back.uid, target.uid)
        XCTAssertNotEqual(source.uid, target.uid)
    }
}
