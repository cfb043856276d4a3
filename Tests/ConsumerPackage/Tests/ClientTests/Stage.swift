// The only file of the tests that imports AuthCore: what the app's Auth rests on.
import AuthCore
import AuthCoreTesting
import FirebaseCore
import Foundation

import protocol FirebaseAuth.FederatedSignInPresenter
import struct FirebaseAuth.FederatedSignInAnswer
import struct FirebaseAuth.FederatedSignInRequest

/// A service in memory for the default app, with simulated providers, a clock that stands still, and a browser in which
/// one person signs in.
struct Stage {
    let outbox = Message.Outbox()
    let clock = ManualClock()
    let store = FaultyStore()
    let browser: Browser

    /// Replaces everything that an earlier test left: accounts, messages, the signed-in user.
    init(person: SimulatedPerson = .ann, limits: Bool = false) {
        browser = Browser(person: person, clock: clock)
        var policy = AuthPolicy.firebase
        if limits { policy.limits = AuthPolicy.AttemptLimits() }
        var configuration = AuthConfiguration(
            store: store,
            policy: policy,
            providers: .simulated,
            passwordHasher: CheapPasswordHasher(),
            messageSender: outbox,
            environment: .manual(clock),
            secretKey: Array(repeating: 7, count: 32)
        )
        configuration.continueHosts = ["app.example"]
        FirebaseApp.configure(auth: configuration, presenter: browser)
    }

    /// What Google's SDK would give the app.
    func googleToken(_ person: SimulatedPerson = .ann) -> String {
        SimulatedProvider.google.token(for: person, at: clock.now)
    }

    /// What Facebook's SDK would give the app.
    func facebookToken(_ person: SimulatedPerson = .ann) -> String {
        SimulatedProvider.facebook.token(for: person, at: clock.now)
    }

    /// The code in the newest mail or text message.
    var newestCode: String { outbox.messages.last?.code ?? "" }

    /// The link in the newest mail.
    var newestLink: String { outbox.messages.last?.link ?? "" }

    /// How many changes the server was told of.
    var changes: Int { store.calls(of: .commit) }

    /// Waits until the server was told of more changes, such as a sign-out, for which an app does not wait; returns
    /// whether it was.
    func isToldOfMoreChanges(than number: Int) async -> Bool {
        let limit = ContinuousClock.now + .seconds(30)
        while changes == number, ContinuousClock.now < limit { await Task.yield() }
        return changes > number
    }

    /// The next request does not reach the server.
    func loseNextRequest() { store.script(.load, .failsBefore()) }
}

/// Signs in to GitHub as the same person for every credential.
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
