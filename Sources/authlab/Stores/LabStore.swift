internal import AuthCore

/// The stores of a service that a command makes, and how they are emptied for the next one.
struct LabStore: Sendable {
    private let make: @Sendable () -> (any IdentityStore, any AttemptStore)
    private let isDurable: Bool
    /// Removes everything.
    let empty: @Sendable () async throws -> Void

    /// New stores in memory for every service.
    static let memory = LabStore(isDurable: false) {
        (InMemoryIdentityStore(), InMemoryAttemptStore())
    } empty: {
    }

    private init(
        isDurable: Bool,
        make: @escaping @Sendable () -> (any IdentityStore, any AttemptStore),
        empty: @escaping @Sendable () async throws -> Void
    ) {
        self.isDurable = isDurable
        self.make = make
        self.empty = empty
    }

    /// A database; refuses one that has accounts, since it would be emptied.
    init(
        _ store: any IdentityStore,
        _ attempts: any AttemptStore,
        called name: String,
        empty: @escaping @Sendable () async throws -> Void
    ) async throws {
        if try await !store.accounts(after: nil, limit: 1).isEmpty {
            throw CommandFailure("\(name) has accounts, and this command empties the database that it works on")
        }
        self.init(isDurable: true, make: { (store, attempts) }, empty: empty)
    }

    /// Makes a service of the configuration use the store.
    func use(in configuration: inout AuthConfiguration) {
        let (identities, attempts) = make()
        configuration.store = identities
        configuration.attempts = attempts
        // A service trusts a durable store only with a key that was given to it; nothing here outlives the command.
        if isDurable { configuration.setSecretKey(Array(repeating: 7, count: 32)) }
    }
}
