import AuthCore
import AuthCoreTesting

@testable import Boats

// TestingYourApp.md begins
/// A shop with an engine in memory: each test makes its own, so tests can run in parallel.
struct Stage {
    let clock = ManualClock()
    let outbox = Message.Outbox()
    let baskets = Baskets()
    let service: AuthService

    init(policy: AuthPolicy = .standard) {
        var configuration = AuthConfiguration(
            policy: policy,
            providers: .simulated,
            passwordHasher: CheapPasswordHasher(),
            messageSender: outbox,
            environment: .manual(clock)
        )
        configuration.mergeHooks = [MovesBasket(baskets: baskets)]
        service = AuthService(configuration)
    }

    /// The app on a device of its own.
    func shop(on device: DeviceID = "phone") -> Shop {
        Shop(auth: Auth(service: service, device: device), baskets: baskets)
    }
}
// TestingYourApp.md ends
