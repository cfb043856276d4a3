#if SQLite
import AuthCore
import AuthCoreTesting

@testable import AuthCoreSQLite

extension SQLiteStore {
    /// A service on this store, as a process of its own has one.
    func service(
        _ clock: ManualClock,
        sender: any MessageSender = Message.Outbox(),
        seed: UInt64 = 1
    ) -> AuthService {
        let configuration = AuthConfiguration(
            store: self,
            providers: .simulated,
            passwordHasher: CheapPasswordHasher(),
            messageSender: sender,
            environment: .manual(clock, seed: seed),
            secretKey: Array(repeating: 7, count: 32)
        )
        return AuthService(configuration)
    }
}

extension AuthService {
    /// What a guess of Ann's password on an unknown device is answered with.
    func guess() async -> AuthErrorCode? {
        do throws(AuthError) {
            let guess = AuthCredential.password(email: "ann@example.com", password: "a wrong guess")
            _ = try await client(for: nil, origin: .local).signIn(with: guess)
            return nil
        } catch {
            return error.code
        }
    }
}
#endif
