@testable import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

/// What the tests of whole flows share: a service in memory, whose time stands still unless a test moves it.
class FlowTestCase: XCTestCase {
    let clock = ManualClock()
    let outbox = Outbox()
    /// In force from the first use of the service on.
    var policy = AuthPolicy.firebase

    lazy var service = makeService()

    private func makeService() -> AuthService {
        AuthService(
            AuthConfiguration(
                store: InMemoryIdentityStore(),
                policy: policy,
                providers: .simulated(and: ["oidc.example"]),
                passwordHasher: CheapPasswordHasher(),
                messageSender: outbox,
                environment: .manual(clock)
            )
        )
    }

    /// An empty service with this policy.
    func startOver(_ policy: AuthPolicy) {
        self.policy = policy
        service = makeService()
    }

    static let password = "correct horse"
    static let annsPassword = AuthCredential.password(email: "ann@example.com", password: password)

    /// Google's word about an address whose mailbox it runs.
    let work = SimulatedToken(hostedDomain: "example.com")

    /// The seat of this name; two of one name are the same seat.
    func seat(_ name: String = "phone") -> Auth { Auth(service: service, seat: SeatID(name), deviceName: name) }

    func google(_ person: SimulatedPerson = .ann, _ content: SimulatedToken = SimulatedToken()) -> AuthCredential {
        .simulated(.google, person, saying: content, at: clock.now)
    }

    func gitHub(_ person: SimulatedPerson = .ann) -> AuthCredential { .simulated(.gitHub, person, at: clock.now) }

    func facebook(_ person: SimulatedPerson = .ann) -> AuthCredential { .simulated(.facebook, person, at: clock.now) }

    /// The code of the newest message.
    func newestCode(to recipient: String) throws -> String { try XCTUnwrap(outbox.last(to: recipient)?.code) }

    /// A phone credential whose digits are right.
    func digits(to number: String, from auth: Auth) async throws -> AuthCredential {
        let id = try await auth.sendPhoneCode(to: number)
        return .phone(verificationID: id, code: try newestCode(to: number))
    }

    /// A mailed link that is right.
    func mailedLink(to email: String, from auth: Auth) async throws -> AuthCredential {
        try await auth.sendSignInLink(to: email)
        return .emailLink(email: email, link: try XCTUnwrap(outbox.last(to: email, .signInLink)?.link))
    }

    /// Ann with a password, her address not proved.
    @discardableResult
    func signUpAnn(_ auth: Auth? = nil) async throws -> User {
        try await (auth ?? seat()).signUp(email: "ann@example.com", password: Self.password).user
    }

    /// Ann with a password, her address proved by a link that she opened where she is signed in.
    @discardableResult
    func signUpProvenAnn(_ auth: Auth? = nil) async throws -> User {
        let ann = try await signUpAnn(auth)
        try await proveAddress(of: ann)
        return ann
    }

    func proveAddress(of user: User) async throws {
        try await user.sendEmailVerification()
        let code = try newestCode(to: try XCTUnwrap(user.email))
        try await service.client(RequestContext(seat: "mail")).applyActionCode(code, openedIn: user.session.id)
        try await user.reload()
    }

    func account(_ user: User) async throws -> Account { try await service.account(user.account.id) }

    func providers(_ user: User) async throws -> [ProviderID] { try await account(user).providerData.map(\.provider) }

    func eventKinds() async throws -> [EventKind] { try await service.events(limit: .max).events.map(\.kind) }

    /// The conflict that a sign-in or a link meets.
    func conflict(
        file: StaticString = #filePath,
        line: UInt = #line,
        _ act: () async throws -> some Any
    ) async throws -> Conflict {
        let error = try await refusal(.accountExistsWithDifferentCredential, file: file, line: line, act)
        return try XCTUnwrap(error.conflict, file: file, line: line)
    }

    /// Expects a refusal with this code and this last reason, after which accounts and events are as they were.
    @discardableResult
    func refusal(
        _ code: AuthErrorCode,
        _ reason: Reason? = nil,
        _ what: String = "",
        file: StaticString = #filePath,
        line: UInt = #line,
        _ act: () async throws -> some Any
    ) async throws -> AuthError {
        let accounts = try await service.accounts(limit: .max)
        let events = try await service.events(limit: .max).events
        var refused: (any Error)?
        do { _ = try await act() } catch { refused = error }
        // A closure loses the type of what it throws, so the type is one more thing to expect.
        let error = try XCTUnwrap(refused as? AuthError, "\(what) goes through", file: file, line: line)
        XCTAssertEqual(error.code, code, what, file: file, line: line)
        if let reason { XCTAssertEqual(error.reasons.last, reason, what, file: file, line: line) }
        let accountsAfter = try await service.accounts(limit: .max)
        let eventsAfter = try await service.events(limit: .max).events
        XCTAssertEqual(accounts, accountsAfter, "\(what) changed an account", file: file, line: line)
        XCTAssertEqual(events, eventsAfter, "\(what) told of something", file: file, line: line)
        return error
    }
}
