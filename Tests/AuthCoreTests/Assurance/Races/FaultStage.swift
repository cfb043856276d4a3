@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// A service whose store, hasher, verifier and sender fail where a test says so, and somebody who uses it.
struct FaultStage: Sendable {
    let clock = ManualClock()
    let store = FaultyStore()
    let outbox = Message.Outbox()
    let trouble = Trouble()
    let service: AuthService
    let ann: User
    let reset: String
    let change: String

    init(_ policy: AuthPolicy) async throws {
        service = AuthService(
            AuthConfiguration(
                store: store,
                policy: policy,
                providers: [TroubledVerifier(trouble: trouble), SimulatedProvider(.gitHub)],
                passwordHasher: TroubledHasher(trouble: trouble),
                messageSender: TroubledSender(trouble: trouble, outbox: outbox),
                environment: .manual(clock),
                secretKey: Array(repeating: 7, count: 32)
            )
        )
        ann = try await service.client().signUp(email: "ann@gmail.com", password: "correct horse").user
        try await ann.sendEmailVerification()
        let code = outbox.last(to: "ann@gmail.com")?.code ?? ""
        try await service.client().applyActionCode(code, openedIn: ann.handle)
        try await ann.reload()
        try await ann.link(with: .simulated(.gitHub, .eve, at: clock.now))
        try await service.client().sendPasswordReset(to: "ann@gmail.com")
        reset = outbox.last(to: "ann@gmail.com", .resetPassword)?.code ?? ""
        try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        change = outbox.last(to: "new@example.com", .changeEmail)?.code ?? ""
    }

    var password: AuthCredential { .password(email: "ann@gmail.com", password: "correct horse") }

    func google(_ email: String = "ann@gmail.com") -> AuthCredential {
        .simulated(.google, .ann.with(email: email), at: clock.now)
    }

    func view() async throws -> StoreView { try await StoreView(of: store.whole) }
}

/// Something that a person does once the stage is set.
struct FaultAct: Sendable {
    let name: String
    let run: @Sendable (FaultStage) async throws -> Void

    init(_ name: String, _ run: @escaping @Sendable (FaultStage) async throws -> Void) {
        self.name = name
        self.run = run
    }

    static let all: [FaultAct] = [
        FaultAct("sign up") {
            try await $0.service.client().signUp(email: "cem@example.com", password: "correct horse")
        },
        FaultAct("sign in") { try await $0.service.client().signIn(with: $0.password) },
        FaultAct("sign in anonymously") { try await $0.service.client().signInAnonymously() },
        FaultAct("join") { try await $0.service.client().signIn(with: $0.google()) },
        FaultAct("sign in with a free address") {
            try await $0.service.client().signIn(with: $0.google("dan@gmail.com"))
        },
        FaultAct("link") { try await $0.ann.link(with: $0.google()) },
        FaultAct("unlink") { _ = try await $0.ann.unlink(.gitHub) },
        FaultAct("replace") { try await $0.ann.replace(.gitHub, with: $0.google()) },
        FaultAct("reauthenticate") { try await $0.ann.reauthenticate(with: $0.password) },
        FaultAct("change the password") { try await $0.ann.updatePassword(to: "battery staple") },
        FaultAct("move to another address") { try await $0.service.client().applyActionCode($0.change) },
        FaultAct("reset") {
            try await $0.service.client().confirmPasswordReset(code: $0.reset, newPassword: "battery staple")
        },
        FaultAct("change the profile") { try await $0.ann.updateProfile(displayName: .set("Ann")) },
        FaultAct("revoke") { try await $0.ann.revokeOtherSessions() },
        FaultAct("shut") { _ = try await $0.service.setDisabled(true, account: $0.ann.account.id) },
        FaultAct("sign out") { try await $0.ann.signOut() },
        FaultAct("delete") { try await $0.ann.delete() },
    ]
}

/// What shall throw from now on, until it is told not to.
final class Trouble: Sendable {
    enum Place: Hashable, Sendable { case hasher, verifier, sender }

    /// What is thrown.
    struct Failure: Error {}

    private let places = Mutex<Set<Place>>([])

    func begin(_ place: Place) { places.withLock { _ = $0.insert(place) } }

    func end() { places.withLock { $0.removeAll() } }

    func meet(_ place: Place) throws {
        if places.withLock({ $0.contains(place) }) { throw Failure() }
    }
}

private struct TroubledVerifier: CredentialVerifier {
    let trouble: Trouble

    var provider: ProviderID { .google }
    var issuers: Set<String> { SimulatedProvider.google.issuers }

    func verify(_ credential: AuthCredential.Federated, in context: VerificationContext) async throws
        -> ProviderAssertion
    {
        try trouble.meet(.verifier)
        return try await SimulatedProvider.google.verify(credential, in: context)
    }
}

private struct TroubledHasher: PasswordHasher {
    let trouble: Trouble
    private let hasher = CheapPasswordHasher()

    init(trouble: Trouble) { self.trouble = trouble }

    var placeholder: PasswordHash { hasher.placeholder }

    func hash(_ password: Secret) async throws -> PasswordHash {
        try trouble.meet(.hasher)
        return try await hasher.hash(password)
    }

    func check(_ password: Secret, against hash: PasswordHash) async throws -> PasswordHash.Check {
        try trouble.meet(.hasher)
        return try await hasher.check(password, against: hash)
    }
}

private struct TroubledSender: MessageSender {
    let trouble: Trouble
    let outbox: Message.Outbox

    var isImmediate: Bool { true }

    func send(_ message: Message) async throws {
        try trouble.meet(.sender)
        try await outbox.send(message)
    }
}
