@testable import AuthCore
import AuthCoreCrypto
import AuthCoreTesting
import XCTest

/// S35: which secret keys a service takes, and that none is shown.
final class KeyConfigurationTests: LimitedTestCase {
    /// A store that says it lasts.
    private struct DurableStore: ForwardingStore {
        let whole: any IdentityStore = InMemoryIdentityStore()

        var isDurable: Bool { true }
    }

    private let (first, second) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
    private let clock = ManualClock()

    func testS35_ADurableStoreWithoutAKeyIsRefusedByEveryOperation() async throws {
        let store = DurableStore()
        for key in [nil, [], Array(repeating: 7, count: 31)] as [[UInt8]?] {
            let configuration = AuthConfiguration(
                store: store,
                providers: .simulated,
                passwordHasher: CheapPasswordHasher(),
                // A service that runs nevertheless stops at its first wait.
                environment: AuthEnvironment(
                    clock: { [clock] in clock.now },
                    sleep: { _ in throw CancellationError() }
                ),
                secretKey: key
            )
            let service = AuthService(configuration)
            let client = service.client("phone")
            let operations: [(String, () async throws -> Void)] = [
                (
                    "sign up",
                    { _ = try await client.signUp(email: "ann@example.com", password: "correct horse battery") }
                ),
                ("sign in", { _ = try await client.signIn(with: .password(email: "ann@example.com", password: "x")) }),
                ("a provider", { _ = try await client.signIn(with: .simulated(.google, .ann, at: self.clock.now)) }),
                ("a guest", { _ = try await client.signInAnonymously() }),
                ("what needs no store", { _ = try await client.verify(.anonymous) }),
                ("a link", { try await client.sendSignInLink(to: "ann@example.com") }),
                ("digits", { _ = try await client.sendPhoneCode(to: "+15550001234") }),
                ("a refresh", { _ = try await client.refresh("r1.x") }),
                ("a sign-out", { try await client.signOut(refreshToken: "r1.x") }),
                ("a token", { _ = try await client.user(forIDToken: "a.b.c") }),
                ("a custom token", { _ = try await service.makeCustomToken(for: "ann") }),
                ("accounts", { _ = try await service.accounts() }),
                ("events", { _ = try await service.events() }),
                ("a stream", { _ = try await service.eventStream() }),
                ("a drain", { try await service.publishEvents() }),
                ("delivery", { try await service.deliverPendingMessages() }),
                ("failed messages", { _ = try await service.failedMessages() }),
                ("a sweep", { try await service.sweep() }),
                ("a start", { try await service.run() }),
                ("a removal", { try await service.deleteAccount("ann") }),
            ]
            for (name, operation) in operations {
                await assertThrows(.missingSecretKey, name) { try await operation() }
            }
        }
        let accounts = try await store.accounts(after: nil, limit: 10)
        XCTAssertEqual(accounts, [], "something was written")
    }

    func testS35_AStoreInMemoryNeedsNoKey() async throws {
        XCTAssertFalse(InMemoryIdentityStore().isDurable)
        try await Auth(AuthConfiguration(passwordHasher: CheapPasswordHasher())).signInAnonymously()
    }

    func testS35_NoKeyIsShown() {
        var configuration = AuthConfiguration(secretKey: first)
        configuration.setSecretKey(second, former: [first])
        var text = ""
        dump(configuration, to: &text)
        dump(AuthService(configuration), to: &text)
        XCTAssertFalse(text.contains("2, 2, 2") || text.contains("- 2\n"), text)
    }

    /// With an empty key, such as one from a variable that is not set, anybody could sign tokens.
    func testAnEmptyFormerKeyIsNone() {
        let (key, former) = ([UInt8](repeating: 7, count: 32), [UInt8](repeating: 8, count: 32))
        XCTAssertEqual(SecretKeys(key, former: [[], former]).derived("x").count, 2, "keys that verify")
    }
}
