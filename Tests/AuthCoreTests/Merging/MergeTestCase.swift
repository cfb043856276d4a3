@testable import AuthCore
import AuthCoreTesting
import Foundation
import Synchronization
import XCTest

/// What the tests of merging share: two accounts of one person, and services over one store that a test may drop.
class MergeTestCase: XCTestCase {
    private(set) var clock = ManualClock()
    private(set) var outbox = Outbox()
    private(set) var store = FaultyStore(InMemoryIdentityStore())
    private(set) var journal = HookJournal()
    var policy = AuthPolicy.standard
    /// The hooks of the next service.
    var hooks: [any MergeHook] = []

    lazy var service = makeService()

    static let password = "correct horse"
    let context = RequestContext(seat: "phone")

    /// A service over the store, as after a restart.
    func makeService() -> AuthService {
        var configuration = AuthConfiguration(
            store: store,
            policy: policy,
            providers: .simulated(and: ["oidc.example"]),
            passwordHasher: CheapPasswordHasher(),
            messageSender: outbox,
            environment: .manual(clock, seed: nextSeed()),
            secretKey: Array(repeating: 7, count: 32)
        )
        configuration.mergeHooks = hooks
        return AuthService(configuration)
    }

    /// Begins anew, with an empty store and no hooks.
    func startOver() {
        clock = ManualClock()
        outbox = Outbox()
        store = FaultyStore(InMemoryIdentityStore())
        journal = HookJournal()
        hooks = []
        seed = 0
        service = makeService()
    }

    private var seed: UInt64 = 0

    private func nextSeed() -> UInt64 {
        seed += 1
        return seed
    }

    /// Hooks of these names, which write down what they are asked.
    func addHooks(_ names: String...) {
        hooks = names.map { JournalHook(name: $0, journal: journal) }
        seed = 0
        service = makeService()
    }

    func seat(_ name: String = "phone") -> Auth { Auth(service: service, seat: SeatID(name)) }

    func credential(_ provider: ProviderID, _ person: SimulatedPerson = .ann) -> AuthCredential {
        .simulated(provider, person, at: clock.now)
    }

    func side(_ credential: AuthCredential) async throws -> MergeSide {
        .proved(try await service.client(context).verify(credential))
    }

    func side(_ provider: ProviderID, _ person: SimulatedPerson = .ann) async throws -> MergeSide {
        try await side(credential(provider, person))
    }

    func passwordSide(_ email: String) async throws -> MergeSide {
        try await side(.password(email: email, password: Self.password))
    }

    /// Merges Ann's account into Ben's, whose Google gives way to hers; the account that stays.
    func mergeAnnIntoBenWithHerGoogle() async throws -> User {
        try await signIn(.google, .ann)
        let target = try await signUp("ben@example.com", linking: credential(.google, .ben))
        let merged = try await service.client(context).merge(
            side(.google, .ann),
            into: passwordSide("ben@example.com"),
            choices: [.google]
        )
        XCTAssertEqual(merged.plan.givesWay.map(\.provider), [.google])
        return target
    }

    /// An account with a password and a proven address, and perhaps more.
    @discardableResult
    func signUp(
        _ email: String,
        linking credentials: AuthCredential...,
        in auth: Auth? = nil
    ) async throws -> User {
        let user = try await (auth ?? seat("laptop of \(email)")).signUp(email: email, password: Self.password).user
        try await user.sendEmailVerification()
        try await service.client().applyActionCode(
            try XCTUnwrap(outbox.last(to: email)?.code),
            openedIn: user.session.id
        )
        for credential in credentials { try await user.link(with: credential) }
        try await user.reload()
        return user
    }

    /// An account made by a provider alone.
    @discardableResult
    func signIn(_ provider: ProviderID, _ person: SimulatedPerson = .ann) async throws -> User {
        try await seat("laptop of \(person.name)").signIn(with: credential(provider, person)).user
    }

    func digits(to number: String, in auth: Auth? = nil) async throws -> AuthCredential {
        let id = try await service.client(auth?.client.context ?? context).sendPhoneCode(to: number)
        return .phone(verificationID: id, code: try XCTUnwrap(outbox.last(to: number)?.code))
    }

    func account(_ user: User) async throws -> Account? { try await account(user.account.id) }

    func account(_ id: AccountID) async throws -> Account? {
        try await store.whole.load([.account(id)])[id]
    }

    func providers(_ user: User) async throws -> [ProviderID] {
        try await account(user)?.methods.map(\.kind.provider) ?? []
    }

    /// Everything the store holds of accounts, events and what is kept for a while.
    func picture() async throws -> [Account] { try await store.whole.accounts(after: nil, limit: 1000) }

    /// Expects a refusal with this code and last reason, after which every account is as it was.
    @discardableResult
    func refusal(
        _ code: AuthErrorCode,
        _ reason: Reason? = nil,
        _ what: String = "",
        file: StaticString = #filePath,
        line: UInt = #line,
        _ act: () async throws -> some Any
    ) async throws -> AuthError {
        let before = try await picture()
        let error = await authError(what, file: file, line: line, from: act)
        XCTAssertEqual(error?.code, code, what, file: file, line: line)
        if let reason { XCTAssertEqual(error?.reasons.last, reason, what, file: file, line: line) }
        let after = try await picture()
        XCTAssertEqual(before, after, "\(what) changed an account", file: file, line: line)
        return try XCTUnwrap(error, file: file, line: line)
    }

    func enrol(_ user: User) async throws -> TOTPEnrollment {
        let enrollment = try await user.multiFactor.startTOTP(issuer: "Boats")
        try await user.multiFactor.enroll(enrollment, code: try totp(enrollment), displayName: "app")
        return enrollment
    }

    func totp(_ enrollment: TOTPEnrollment) throws -> String {
        let code = TimeBasedCode()
        let secret = try XCTUnwrap(Base32.decode(enrollment.sharedSecret))
        return code.code(forStep: code.step(at: clock.timestamp), secret: secret)
    }
}

/// What hooks were asked, in order, and where one of them is to fail.
final class HookJournal: Sendable {
    struct Failure: Error, Equatable {}

    private struct State {
        var lines: [String] = []
        var plans: [MergePlan] = []
        var failures: [String: any Error] = [:]
    }

    private let state = Mutex(State())

    var lines: [String] { state.withLock { $0.lines } }

    var plans: [MergePlan] { state.withLock { $0.plans } }

    /// The next time this line is to be written, it is thrown instead.
    func fail(_ line: String, _ error: any Error = Failure()) { state.withLock { $0.failures[line] = error } }

    func write(_ line: String, _ plan: MergePlan) throws {
        let failure = state.withLock { state in
            state.plans.append(plan)
            state.lines.append(line)
            return state.failures.removeValue(forKey: line)
        }
        if let failure { throw failure }
    }

    func clear() {
        state.withLock { state in
            state.lines = []
            state.plans = []
        }
    }
}

/// A hook that writes down what it is asked.
struct JournalHook: MergeHook {
    let name: String
    let journal: HookJournal

    func prepare(_ plan: MergePlan, id: MergeID) async throws { try journal.write("prepare \(name)", plan) }
    func commit(_ plan: MergePlan, id: MergeID) async throws { try journal.write("commit \(name)", plan) }
    func abort(_ plan: MergePlan, id: MergeID) async throws { try journal.write("abort \(name)", plan) }
    func undo(_ plan: MergePlan, id: MergeID) async throws { try journal.write("undo \(name)", plan) }
}

/// A service that is put in later, since hooks are made before it.
final class Slot: Sendable {
    private let slot = Mutex<AuthService?>(nil)

    var value: AuthService? { slot.withLock { $0 } }

    func put(_ service: AuthService) { slot.withLock { $0 = service } }
}
