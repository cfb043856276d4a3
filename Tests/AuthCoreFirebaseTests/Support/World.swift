@testable import AuthCore
import AuthCoreCrypto
import AuthCoreFirebase
import AuthCoreTesting
import Foundation
import XCTest

/// A device of FirebaseAuth's shape over a service in memory, whose time stands still.
struct World {
    let clock = ManualClock()
    let outbox = Message.Outbox()
    let service: AuthService
    let auth: AuthCoreFirebase.Auth

    init(
        _ policy: AuthPolicy = .firebase,
        signer: (any TokenSigner)? = nil,
        store: any IdentityStore = InMemoryIdentityStore()
    ) {
        var configuration = AuthConfiguration(
            store: store,
            policy: policy,
            providers: .simulated,
            passwordHasher: CheapPasswordHasher(),
            messageSender: outbox,
            environment: .manual(clock)
        )
        configuration.continueHosts = ["example.com"]
        configuration.tokenSigner = signer
        service = AuthService(configuration)
        auth = AuthCoreFirebase.Auth(service: service, device: "phone")
    }

    /// Another device of the same people.
    func device(_ name: String) -> AuthCoreFirebase.Auth {
        AuthCoreFirebase.Auth(service: service, device: DeviceID(named: name))
    }

    func google(_ person: SimulatedPerson = .ann) -> AuthCoreFirebase.AuthCredential {
        GoogleAuthProvider.credential(
            withIDToken: SimulatedProvider.google.token(for: person, at: clock.now),
            accessToken: "access"
        )
    }

    func facebook(_ person: SimulatedPerson = .ann) -> AuthCoreFirebase.AuthCredential {
        FacebookAuthProvider.credential(withAccessToken: SimulatedProvider.facebook.token(for: person, at: clock.now))
    }

    func gitHub(_ person: SimulatedPerson = .ann) -> AuthCoreFirebase.AuthCredential {
        GitHubAuthProvider.credential(withToken: SimulatedProvider.gitHub.token(for: person, at: clock.now))
    }

    /// The credential of a number, with the code that was sent.
    func phone(_ number: String, in auth: AuthCoreFirebase.Auth) async throws -> PhoneAuthCredential {
        let provider = PhoneAuthProvider.provider(auth: auth)
        let id = try await provider.verifyPhoneNumber(number)
        return provider.credential(withVerificationID: id, verificationCode: newestCode)
    }

    /// How many verifications cover each method of the account with this address.
    func coverage(of email: String) async throws -> [Int]? {
        try await service.account(email: email)?.methods.map(\.coverage.count)
    }

    /// The code of the newest message.
    var newestCode: String { outbox.messages.last?.code ?? "" }

    /// The code that an authenticator app with this seed shows now.
    func code(of secret: TOTPSecret) throws -> String {
        let key = try XCTUnwrap(Base32.decode(secret.sharedSecretKey()))
        return TimeBasedCode().code(forStep: TimeBasedCode().step(at: clock.timestamp.seconds), secret: key)
    }

    /// The link of the newest message.
    var newestLink: String { outbox.messages.last?.link ?? "" }

    /// An administrator disables the account with this ID.
    func disable(_ uid: String) async throws {
        try await service.setDisabled(true, account: XCTUnwrap(AccountID(uid)))
    }

    /// Presents wrong passwords of one person until a device that the account does not know has to wait.
    func letStrangersGuess() async {
        let stranger = device("stranger")
        for number in 0..<8 {
            _ = await failure {
                try await stranger.signIn(withEmail: "ann@example.com", password: "guess number \(number)")
            }
        }
    }

    /// A signed-in person with a verified address.
    func verifiedUser(_ email: String = "ann@example.com") async throws -> AuthCoreFirebase.User {
        let user = try await auth.createUser(withEmail: email, password: "correct horse").user
        try await user.sendEmailVerification()
        try await auth.applyActionCode(newestCode)
        try await user.reload()
        return user
    }

    /// A signed-in person with a number as second factor.
    func personWithFactor(_ number: String = "+15555550111") async throws -> AuthCoreFirebase.User {
        let user = try await verifiedUser()
        try await enroll(number, named: "my phone", for: user)
        return user
    }

    /// Makes a number one of the person's second factors.
    func enroll(_ number: String, named name: String?, for user: AuthCoreFirebase.User) async throws {
        let session = try await user.multiFactor.session()
        let provider = PhoneAuthProvider.provider(auth: auth)
        let id = try await provider.verifyPhoneNumber(number, multiFactorSession: session)
        let credential = provider.credential(withVerificationID: id, verificationCode: newestCode)
        try await user.multiFactor.enroll(
            with: PhoneMultiFactorGenerator.assertion(with: credential),
            displayName: name
        )
    }

    /// The answer to a challenge: the digits that are sent to the first of its numbers.
    func assertion(for resolver: MultiFactorResolver) async throws -> MultiFactorAssertion {
        let hint = try XCTUnwrap(resolver.hints.first as? PhoneMultiFactorInfo)
        let provider = PhoneAuthProvider.provider(auth: resolver.auth)
        let id = try await provider.verifyPhoneNumber(with: hint, multiFactorSession: resolver.session)
        let digits = provider.credential(withVerificationID: id, verificationCode: newestCode)
        return PhoneMultiFactorGenerator.assertion(with: digits)
    }
}

/// The error object of what goes wrong; nil, and a failed test, if nothing does.
func failure<Outcome>(
    file: StaticString = #filePath,
    line: UInt = #line,
    _ work: () async throws -> Outcome
) async -> NSError? {
    do {
        _ = try await work()
        XCTFail("nothing went wrong", file: file, line: line)
        return nil
    } catch {
        return error as NSError
    }
}
