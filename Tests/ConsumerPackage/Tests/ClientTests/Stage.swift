// The set-up of a test suite: the only file that knows what the client's Auth rests on.
import AuthCore
import AuthCoreTesting
import FirebaseCore
import Foundation

import protocol FirebaseAuth.FederatedSignInPresenter
import struct FirebaseAuth.FederatedSignInAnswer
import struct FirebaseAuth.FederatedSignInRequest

/// A service in memory under the default app's seat, with simulated providers and a browser that signs in as somebody.
struct Stage {
    let outbox = Message.Outbox()
    let clock = ManualClock()
    let browser: Browser

    init(person: SimulatedPerson = .ann) {
        browser = Browser(person: person, clock: clock)
        FirebaseApp.configure(
            auth: AuthConfiguration(
                policy: .firebase,
                providers: .simulated,
                passwordHasher: CheapPasswordHasher(),
                messageSender: outbox,
                environment: .manual(clock)
            ),
            presenter: browser
        )
    }

    func googleToken(_ person: SimulatedPerson = .ann) -> String {
        SimulatedProvider.google.token(for: person, at: clock.now)
    }

    func facebookToken(_ person: SimulatedPerson = .ann) -> String {
        SimulatedProvider.facebook.token(for: person, at: clock.now)
    }

    var newestCode: String { outbox.messages.last?.code ?? "" }
}

/// Signs in to GitHub as one person, whoever asks.
actor Browser: FederatedSignInPresenter {
    let person: SimulatedPerson
    let clock: ManualClock
    private(set) var requests: [FederatedSignInRequest] = []

    init(person: SimulatedPerson, clock: ManualClock) {
        self.person = person
        self.clock = clock
    }

    func present(_ request: FederatedSignInRequest) async throws -> FederatedSignInAnswer {
        requests.append(request)
        return FederatedSignInAnswer(accessToken: SimulatedProvider.gitHub.token(for: person, at: clock.now))
    }
}
