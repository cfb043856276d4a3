@testable import AuthCore
import AuthCoreTesting
import XCTest

/// One service in memory with a clock that stands still.
struct World {
    let clock = ManualClock()
    let outbox = Message.Outbox()
    let store = InMemoryIdentityStore()
    let service: AuthService

    init(
        _ policy: AuthPolicy = .firebase,
        providers: AuthProviders = .simulated,
        configure: (inout AuthConfiguration) -> Void = { _ in }
    ) {
        var configuration = AuthConfiguration(
            store: store,
            policy: policy,
            providers: providers,
            passwordHasher: CheapPasswordHasher(),
            messageSender: outbox,
            environment: .manual(clock),
            secretKey: Array(repeating: 7, count: 32)
        )
        configure(&configuration)
        service = AuthService(configuration)
    }

    func device(_ name: String = "phone") -> Auth { Auth(service: service, device: DeviceID(named: name)) }

    /// A credential of a made-up person at a provider, minted now.
    func credential(
        _ provider: ProviderID,
        _ person: SimulatedPerson = .ann,
        saying token: SimulatedToken = SimulatedToken()
    ) -> AuthCredential {
        .simulated(provider, person, saying: token, at: clock.now)
    }

    /// The code of the newest message.
    var newestCode: String { outbox.messages.last?.code ?? "" }

    /// A signed-in person with a verified address.
    func verifiedUser(_ email: String = "ann@example.com", in device: Auth) async throws -> User {
        let user = try await device.signUp(email: email, password: "correct horse").user
        try await user.sendEmailVerification()
        try await device.applyActionCode(newestCode)
        try await user.reload()
        return user
    }

    /// Signs in on a new device by a mailed link.
    func openLink(_ email: String) async throws -> AuthResult {
        let device = device()
        try await device.sendSignInLink(to: email)
        return try await device.signIn(with: .emailLink(email: email, link: newestCode))
    }

    /// A phone credential whose digits are right.
    func digits(to number: String, from auth: Auth) async throws -> AuthCredential {
        .phone(verificationID: try await auth.sendPhoneCode(to: number), code: newestCode)
    }
}

/// Runs the operation and gives the `AuthError` it throws; anything else is a failure.
func authError<Value>(
    _ message: String = "",
    file: StaticString = #filePath,
    line: UInt = #line,
    from operation: () async throws -> Value
) async -> AuthError? {
    do {
        _ = try await operation()
        XCTFail("nothing was thrown \(message)", file: file, line: line)
        return nil
    } catch let error as AuthError {
        return error
    } catch {
        XCTFail("not an AuthError: \(error) \(message)", file: file, line: line)
        return nil
    }
}

/// Asserts the code of the `AuthError` that the operation throws.
func assertThrows<Value>(
    _ code: AuthErrorCode,
    _ message: String = "",
    file: StaticString = #filePath,
    line: UInt = #line,
    from operation: () async throws -> Value
) async {
    let error = await authError(message, file: file, line: line, from: operation)
    XCTAssertEqual(error?.code, code, message, file: file, line: line)
}
