@testable import AuthCore
import AuthCoreTesting
import XCTest

/// One service in memory, with a clock that stands still unless a test moves it, and what it sends.
///
/// Extensions beside it add what some tests have in common: people, second factors, attacks, merges.
struct World {
    private(set) var clock = ManualClock()
    private(set) var outbox = Message.Outbox()
    /// Without a fault until a test asks for one.
    private(set) var store = FaultyStore()
    /// What the hooks of `addHooks` were asked.
    private(set) var journal = HookJournal()
    private(set) var service: AuthService
    private var configuration: AuthConfiguration
    /// The devices, as they were handed out last.
    private(set) var devices = DeviceJar()
    private var seed: UInt64 = 1

    init(
        _ policy: AuthPolicy = .firebase,
        providers: AuthProviders = .simulated(and: ["oidc.example"]),
        configure: (inout AuthConfiguration) -> Void = { _ in }
    ) {
        configuration = AuthConfiguration(
            store: store,
            policy: policy.pinningEmployers,
            providers: providers,
            passwordHasher: CheapPasswordHasher(),
            messageSender: outbox,
            environment: .manual(clock),
            secretKey: Array(repeating: 7, count: 32)
        )
        configure(&configuration)
        service = AuthService(configuration)
    }

    /// The policy; a change of it is in force at once, over the same store.
    var policy: AuthPolicy {
        get { configuration.policy }
        set {
            configuration.policy = newValue.pinningEmployers
            restart()
        }
    }

    /// The hooks of merges; a change of them is in force at once, over the same store.
    var hooks: [any Merge.Hook] {
        get { configuration.mergeHooks }
        set {
            configuration.mergeHooks = newValue
            restart()
        }
    }

    /// A further service over the same store, as in another process.
    mutating func makeService() -> AuthService {
        seed += 1
        configuration.environment = .manual(clock, seed: seed)
        return AuthService(configuration)
    }

    /// Replaces the service by another one over the same store.
    mutating func restart() { service = makeService() }

    /// Begins anew with an empty store, without hooks, and perhaps under another policy.
    mutating func startOver(_ policy: AuthPolicy? = nil) {
        clock = ManualClock()
        outbox = Message.Outbox()
        store = FaultyStore()
        journal = HookJournal()
        devices = DeviceJar()
        configuration.store = store
        configuration.messageSender = outbox
        configuration.attempts = InMemoryAttemptStore()
        configuration.mergeHooks = []
        if let policy { configuration.policy = policy.pinningEmployers }
        seed = 0
        restart()
    }

    /// Hooks of these names, which write down what they are asked.
    mutating func addHooks(_ names: String...) {
        seed = 0
        hooks = names.map { JournalHook(name: $0, journal: journal) }
    }

    /// The device of this name; two of one name are the same device.
    func device(_ name: String = "phone", persistence: (any UserPersistence)? = nil) -> Auth {
        Auth(
            service: service,
            device: devices[name],
            deviceName: name,
            persistence: devices.persistence(of: name, and: persistence)
        )
    }
}
