import AuthCore
import AuthCoreTesting

/// Tests that run the guides' lines under the default policy.
class GuideTestCase: LimitedTestCase {
    let clock = ManualClock()
    let outbox = Message.Outbox()

    func makeService() -> AuthService {
        AuthService(
            AuthConfiguration(
                providers: .simulated,
                passwordHasher: CheapPasswordHasher(),
                messageSender: outbox,
                environment: .manual(clock)
            )
        )
    }

    func signInByMail(_ email: String, on auth: Auth) async throws -> User {
        try await auth.sendSignInLink(to: email)
        return try await auth.signIn(with: .emailLink(outbox.signInLink(to: email))).user
    }
}
