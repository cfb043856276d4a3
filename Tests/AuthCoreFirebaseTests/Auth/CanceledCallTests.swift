import AuthCore
import AuthCoreTesting
import XCTest

@testable import AuthCoreFirebase

/// The original's asynchronous calls do not notice that the task that awaits them is canceled.
final class CanceledCallTests: LimitedTestCase {
    private let world = World()

    /// Does it in a task that is canceled before.
    private func canceled<Outcome>(_ work: @escaping () async throws -> Outcome) async throws -> Outcome {
        let work = Handover(work)
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return Handover(try await work.value())
        }
        return try await task.value.value
    }

    func testCallsOfACanceledTaskSignInAndChangeTheAccount() async throws {
        let auth = world.auth
        let user = try await canceled {
            try await auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        }
        XCTAssertNotNil(user.refreshToken, "the tokens of the sign-in")
        XCTAssertTrue(auth.currentUser === user, "the current user after the sign-in")
        let password = EmailAuthProvider.credential(withEmail: "ann@example.com", password: "correct horse")
        try await canceled { _ = try await user.link(with: self.world.google()) }
        XCTAssertEqual(user.providerData.map(\.providerID), ["password", "google.com"], "what was linked")
        try await canceled { _ = try await user.reauthenticate(with: password) }
        _ = try await canceled { try await user.getIDTokenResult(forcingRefresh: true) }
        try await canceled { try await auth.sendPasswordReset(withEmail: "ann@example.com") }
        try await canceled { try await user.delete() }
        XCTAssertNil(auth.currentUser, "the current user after the deletion")
    }

    func testCallsOfACanceledTaskSendCodesAndShowFactors() async throws {
        let auth = world.auth
        let user = try await world.personWithFactor()
        _ = try await canceled { try await PhoneAuthProvider.provider(auth: auth).verifyPhoneNumber("+15555550100") }
        let error = await failure { try await auth.signIn(withEmail: "ann@example.com", password: "correct horse") }
        let resolver = try XCTUnwrap(error?.userInfo[AuthErrorUserInfoMultiFactorResolverKey] as? MultiFactorResolver)
        let result = try await canceled {
            try await resolver.resolveSignIn(with: self.world.assertion(for: resolver))
        }
        XCTAssertEqual(result.user.uid, user.uid, "who signed in with a factor")
        XCTAssertNotNil(result.user.refreshToken, "the tokens of the sign-in with a factor")
    }
}
