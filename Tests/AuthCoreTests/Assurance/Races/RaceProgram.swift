@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Two or more operations that race, with what is there before and what must be true after every order of their calls.
struct RaceProgram: Sendable {
    typealias Act = @Sendable () async throws -> Void

    let name: String
    let policy: AuthPolicy
    /// Sets the stage and gives what is done there at once, and what must be true of it afterwards.
    let stage: @Sendable (RaceStage) async throws -> (acts: [Act], check: @Sendable (RaceOutcome) async throws -> Void)

    init(
        _ name: String,
        _ policy: AuthPolicy,
        _ stage:
            @escaping @Sendable (RaceStage) async throws -> (
                acts: [Act], check: @Sendable (RaceOutcome) async throws -> Void
            )
    ) {
        self.name = name
        self.policy = policy
        self.stage = stage
    }
}

/// A service over a store whose calls take turns, and what a program needs on it.
struct RaceStage: Sendable {
    static let password = "correct horse"
    let clock: ManualClock
    let outbox = Message.Outbox()
    let store: ScheduledStore
    let service: AuthService

    init(
        _ policy: AuthPolicy,
        _ schedule: Schedule,
        on whole: any IdentityStore,
        _ clock: ManualClock = ManualClock(),
        _ environment: AuthEnvironment? = nil
    ) {
        self.clock = clock
        store = ScheduledStore(whole: whole, schedule: schedule)
        service = AuthService(
            AuthConfiguration(
                store: store,
                policy: policy,
                providers: .simulated,
                passwordHasher: CheapPasswordHasher(),
                messageSender: outbox,
                environment: environment ?? .manual(clock),
                secretKey: Array(repeating: 7, count: 32)
            )
        )
    }

    func at(_ device: String) -> RequestContext { RequestContext(device: DeviceID(named: device)) }

    func credential(_ provider: ProviderID, _ person: SimulatedPerson = .ann) -> AuthCredential {
        .simulated(provider, person, at: clock.now)
    }

    func password(_ word: String = password, of email: String = "ann@example.com") -> AuthCredential {
        .password(email: email, password: word)
    }

    func signUp(_ email: String = "ann@example.com", at device: String = "phone") async throws -> User {
        try await service.client(at(device)).signUp(email: email, password: Self.password).user
    }

    /// A person whose address was verified in their session.
    func signUpVerified(_ email: String = "ann@example.com", at device: String = "phone") async throws -> User {
        let user = try await signUp(email, at: device)
        try await user.sendEmailVerification()
        try await service.client(at(device)).applyActionCode(code(to: email), openedIn: user.handle)
        try await user.reload()
        return user
    }

    func code(to recipient: String, _ kind: Message.Kind? = nil) -> String {
        outbox.last(to: recipient, kind)?.code ?? ""
    }

    func mailedLink(to email: String = "ann@example.com", at device: String) async throws -> AuthCredential {
        try await service.client(at(device)).sendSignInLink(to: email)
        return .emailLink(email: email, link: outbox.last(to: email, .signInLink)?.link ?? "")
    }

    /// The account as it is now; nil if it is gone.
    func account(_ user: User) async throws -> Account? {
        try await store.whole.load([.account(user.account.id)])[user.account.id]
    }

    /// Whether the handle's session is good for anything.
    func isAlive(_ user: User?) async -> Bool {
        guard let user else { return false }
        return (try? await user.reload()) != nil
    }
}

/// Something that an act leaves for the check.
final class Left<Value: Sendable>: Sendable {
    private let box = LeftBox<Value>()

    var value: Value? { get async { await box.value } }

    func keep(_ value: Value) async { await box.keep(value) }
}

private actor LeftBox<Value: Sendable> {
    private(set) var value: Value?

    func keep(_ value: Value) { self.value = value }
}

/// What became of the acts of a program under one schedule.
struct RaceOutcome {
    /// The code of each act's refusal; nil where it went through.
    let codes: [AuthErrorCode?]
    let view: StoreView
    let name: String
    let path: [Int]

    var words: String { "\(name), order \(path), gives \(codes.map { $0?.name ?? "granted" })" }

    /// One went through, and all others were refused with one of these.
    func oneWins(_ refused: AuthErrorCode..., file: StaticString = #filePath, line: UInt = #line) {
        XCTAssertEqual(codes.count { $0 == nil }, 1, words, file: file, line: line)
        for code in codes.compactMap(\.self) { XCTAssertTrue(refused.contains(code), words, file: file, line: line) }
    }

    func expect(_ isTrue: Bool, _ what: String, file: StaticString = #filePath, line: UInt = #line) {
        XCTAssertTrue(isTrue, "\(what): \(words)", file: file, line: line)
    }

    func expect(
        _ act: Int,
        refusedOnlyWith codes: AuthErrorCode...,
        file: StaticString = #filePath,
        line: UInt = #line
    ) {
        guard let code = self.codes[act] else { return }
        XCTAssertTrue(codes.contains(code), words, file: file, line: line)
    }
}

extension RaceProgram {
    /// Runs the program once under the schedule, on an empty store.
    func run(_ schedule: Schedule, on store: any IdentityStore = InMemoryIdentityStore()) async throws {
        let stage = RaceStage(policy, schedule, on: store)
        let (acts, check) = try await self.stage(stage)
        let codes = acts.map { _ in Left<AuthErrorCode>() }
        await schedule.run(
            zip(acts, codes).map { act, code in
                { @Sendable in
                    do {
                        try await act()
                    } catch {
                        await code.keep((error as? AuthError)?.code ?? .internalError)
                    }
                }
            }
        )
        var refusals: [AuthErrorCode?] = []
        for code in codes { refusals.append(await code.value) }
        let outcome = RaceOutcome(
            codes: refusals,
            view: try await StoreView(of: store),
            name: name,
            path: schedule.turns.map(\.choice)
        )
        let invariants = Invariants(store: store, policy: policy, hasNoGaps: store is InMemoryIdentityStore)
        let violations = try await invariants.violations(in: outcome.view)
        XCTAssertEqual(violations, [], outcome.words)
        try await check(outcome)
        let after = try await invariants.violations()
        XCTAssertEqual(after, [], outcome.words)
    }

    /// Runs the program in every order there is, at most so many; the number of orders, and whether they were all.
    func runAllOrders(atMost limit: Int) async throws -> (orders: Int, areAll: Bool) {
        var path: [Int]? = []
        var orders = 0
        while let next = path, orders < limit {
            let schedule = Schedule(path: next)
            try await run(schedule)
            orders += 1
            path = Schedule.path(after: schedule.turns)
        }
        return (orders, path == nil)
    }
}
