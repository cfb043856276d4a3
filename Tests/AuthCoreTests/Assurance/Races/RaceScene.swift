@testable import AuthCore
import AuthCoreTesting

/// A service over a store that fails and waits where a test says so.
struct RaceScene {
    let store = FaultyStore()
    let clock = ManualClock()
    let service: AuthService

    init(
        providers: AuthProviders = .simulated,
        hasher: any PasswordHasher = CheapPasswordHasher(),
        retries: Int = 64
    ) {
        var configuration = AuthConfiguration(
            store: store,
            policy: .firebase,
            providers: providers,
            passwordHasher: hasher,
            environment: .manual(clock)
        )
        configuration.retries = retries
        service = AuthService(configuration)
    }

    func google(_ person: SimulatedPerson) -> AuthCredential { .simulated(.google, person, at: clock.now) }

    /// What the store holds, by the store's own word and without meeting a fault.
    func summary() async throws -> StoreSummary { try await StoreSummary(of: store.whole) }

    /// The error of an operation; nil if it succeeded.
    func error<Answer>(of operation: () async throws -> Answer) async -> AuthError? {
        do {
            _ = try await operation()
            return nil
        } catch {
            return error as? AuthError ?? AuthError(.internalError, cause: error)
        }
    }
}

/// What a store holds, as far as two runs with the same random numbers must agree.
struct StoreSummary: Equatable {
    struct Person: Equatable {
        let id: AccountID
        let version: UInt64
        let methods: [ProviderID]
        let sessions: [SessionID]
    }

    let people: [Person]
    let events: [IdentityEvent.Kind]
    let messages: Int

    init(of store: any IdentityStore) async throws {
        var people: [Person] = []
        for account in try await store.accounts(after: nil, limit: 1000) {
            let reference = Lookup.Reference.account(account.id)
            let sessions = try await store.load([.sessions(of: reference)]).sessions(of: reference).map(\.id).sorted()
            let methods = account.methods.map(\.kind.provider)
            people.append(Person(id: account.id, version: account.version, methods: methods, sessions: sessions))
        }
        self.people = people
        events = try await store.events(after: .start, limit: 1000).events.map(\.kind)
        messages = try await store.pendingMessages(limit: 1000).count
    }

    func count(of kind: IdentityEvent.Kind) -> Int { events.count { $0 == kind } }
}
