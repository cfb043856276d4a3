@testable import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

/// A test of messages to mailboxes that cannot be reached, by services that share a store and a clock.
class DeliveryTestCase: LimitedTestCase {
    /// A sender that cannot reach some mailboxes, and for a time none at all.
    final class Postman: MessageSender {
        struct Bounced: Error {}

        private let state = Mutex((isAway: false, sent: [Message](), tries: [String: Int]()))

        var isImmediate: Bool { true }
        var isAway: Bool {
            get { state.withLock { $0.isAway } }
            set { state.withLock { $0.isAway = newValue } }
        }
        var sent: [Message] { state.withLock { $0.sent } }

        func tries(to address: String) -> Int { state.withLock { $0.tries[address] ?? 0 } }

        func send(_ message: Message) async throws {
            guard case .email(let email) = message.recipient else { return }
            try state.withLock { state in
                state.tries[email.text, default: 0] += 1
                if state.isAway || email.text.hasPrefix("bouncing") { throw Bounced() }
                state.sent.append(message)
            }
        }
    }

    let postman = Postman()
    let store = InMemoryIdentityStore()
    let clock = ManualClock()

    /// A service whose clock and waits are the test's.
    func makeService(
        sending sender: any MessageSender,
        _ policy: AuthPolicy = .firebase,
        on store: any IdentityStore
    ) -> AuthService {
        AuthService(
            AuthConfiguration(
                store: store,
                policy: policy,
                passwordHasher: CheapPasswordHasher(),
                messageSender: sender,
                environment: .manual(clock)
            )
        )
    }

    func makeService(
        _ policy: AuthPolicy = .firebase,
        sharingKeySending sender: (any MessageSender)? = nil
    ) -> AuthService {
        AuthService(
            AuthConfiguration(
                store: store,
                policy: policy,
                passwordHasher: CheapPasswordHasher(),
                messageSender: sender ?? postman,
                environment: AuthEnvironment(clock: { [clock] in clock.now }),
                // Several servers of one store share its key.
                secretKey: Array(repeating: 7, count: 32)
            )
        )
    }

    func askForLink(_ service: AuthService, _ email: String) async throws {
        try await Auth(service: service, device: "phone").sendSignInLink(to: email)
    }
}
