import AuthCoreTesting
import XCTest

@testable import AuthCore

/// Where attempts are counted if an app does not say where.
final class DefaultAttemptStoreTests: LimitedTestCase {
    /// A durable store of accounts that counts attempts, too.
    private struct CountingStore: ForwardingStore, AttemptStore {
        let whole: any IdentityStore = InMemoryIdentityStore()
        private let attempts = InMemoryAttemptStore()

        var isDurable: Bool { true }

        func take(_ takes: [Store.Take], at now: Timestamp) async throws -> Store.TakeAnswer {
            try await attempts.take(takes, at: now)
        }

        func keep(_ takes: [Store.Take], at now: Timestamp) async throws { try await attempts.keep(takes, at: now) }

        func refund(_ takes: [Store.Take], clearing keys: [Store.AttemptKey], at now: Timestamp) async throws {
            try await attempts.refund(takes, clearing: keys, at: now)
        }
    }

    /// A durable store of accounts only.
    private struct DurableStore: ForwardingStore {
        let whole: any IdentityStore = InMemoryIdentityStore()

        var isDurable: Bool { true }
    }

    /// A sender that is not the one in memory.
    private struct Postman: MessageSender {
        func send(_ message: Message) async throws {}
    }

    private func service(_ store: any IdentityStore, _ attempts: (any AttemptStore)? = nil) -> AuthService {
        var configuration = AuthConfiguration(store: store, passwordHasher: CheapPasswordHasher())
        configuration.setSecretKey(Array(repeating: 7, count: 32))
        configuration.messageSender = Postman()
        configuration.actionURL = "https://example.com/action"
        if let attempts { configuration.attempts = attempts }
        return AuthService(configuration)
    }

    func testGuessesAtSeveralServersOverOneStoreThatCountsThemAreCountedTogether() async {
        let store = CountingStore()
        var codes: [AuthErrorCode?] = []
        for _ in 0..<8 {
            // Each guess comes to another server.
            let client = service(store).client(for: nil, origin: .address("203.0.113.7"))
            codes.append(
                await authError { try await client.signIn(with: .password(email: "ann@example.com", password: "x")) }?
                    .code
            )
        }
        XCTAssertEqual(codes.last, .tooManyRequests, "the eighth guess at one address: \(codes)")
        XCTAssertEqual(service(store).warnings, [], "the store counts")
    }

    func testOperatorsAreWarnedOfCountsInMemoryBesideADurableStore() {
        let warned = service(DurableStore())
        XCTAssertEqual(warned.warnings, [.attemptsAreInMemory], "the counts end with the process")
        XCTAssertEqual(warned.warnings, [.attemptsAreInMemory], "for the next health check, too")
        XCTAssertEqual(service(DurableStore(), CountingStore()).warnings, [], "the app gave another store of counts")
        XCTAssertEqual(
            service(InMemoryIdentityStore()).warnings,
            [],
            "what is in memory lasts no longer than the counts"
        )
    }

    func testOperatorsAreWarnedOfMailsThatReachNobodyBesideADurableStore() {
        var configuration = service(DurableStore(), CountingStore()).configuration
        configuration.messageSender = Message.Outbox()
        XCTAssertEqual(AuthService(configuration).warnings, [.messagesAreInMemory], "a sender in memory")
        configuration.messageSender = Postman()
        configuration.actionURL = AuthConfiguration().actionURL
        XCTAssertEqual(AuthService(configuration).warnings, [.linksLeadNowhere], "the page that the default names")
        configuration.store = InMemoryIdentityStore()
        XCTAssertEqual(AuthService(configuration).warnings, [], "a store in memory")
    }

    func testOperatorsAreWarnedOfEveryDefaultThatIsTooLittleBesideADurableStore() {
        XCTAssertEqual(
            AuthService(AuthConfiguration(store: DurableStore())).warnings,
            [.attemptsAreInMemory, .messagesAreInMemory, .linksLeadNowhere],
            "a store that lasts, and all else as it is by default"
        )
    }

    func testAStoreWithFaultsLastsAsLongAsTheOneBehindIt() {
        XCTAssertTrue(FaultyStore(DurableStore()).isDurable, "over a store that lasts")
        XCTAssertFalse(FaultyStore(InMemoryIdentityStore()).isDurable, "over a store in memory")
    }
}
