@testable import AuthCore
import AuthCoreFirebase
import AuthCoreTesting
import Foundation
import XCTest

/// The face over another policy than Firebase's.
final class SuspendedMethodTests: XCTestCase {
    func testASuspendedMethodIsConfirmedByLinkingItAgain() async throws {
        let clock = ManualClock()
        let outbox = Message.Outbox()
        let service = AuthService(
            AuthConfiguration(
                policy: .standard,
                providers: .simulated,
                passwordHasher: CheapPasswordHasher(),
                messageSender: outbox,
                environment: .manual(clock)
            )
        )
        let auth = AuthCoreFirebase.Auth(service: service, device: "phone")
        func gitHub() -> AuthCoreFirebase.AuthCredential {
            GitHubAuthProvider.credential(withToken: SimulatedProvider.gitHub.token(for: .ben, at: clock.now))
        }
        let user = try await auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        try await user.sendEmailVerification()
        try await auth.applyActionCode(outbox.messages.last?.code ?? "")
        try await user.link(with: gitHub())
        try auth.signOut()
        try await auth.sendPasswordReset(withEmail: "ann@example.com")
        let code = try XCTUnwrap(outbox.last(to: "ann@example.com", .resetPassword)?.code)
        try await auth.confirmPasswordReset(withCode: code, newPassword: "anns own word")
        let again = try await auth.signIn(withEmail: "ann@example.com", password: "anns own word").user
        let before = try await service.account(email: "ann@example.com")
        XCTAssertEqual(before?.methods.filter { !$0.isActive }.count, 1)
        try await again.link(with: gitHub())
        let after = try await service.account(email: "ann@example.com")
        XCTAssertEqual(after?.methods.filter { !$0.isActive }.count, 0, "it stays suspended")
    }
}
