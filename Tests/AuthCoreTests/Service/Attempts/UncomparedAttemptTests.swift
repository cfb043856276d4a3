@testable import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

private final class Switch: Sendable {
    private let state = Mutex(false)
    var isOn: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

private struct BusyHasher: PasswordHasher {
    let whole = CheapPasswordHasher()
    let isBusy: Switch

    var placeholder: PasswordHash { whole.placeholder }

    func hash(_ password: Secret) async throws -> PasswordHash { try await whole.hash(password) }

    func check(_ password: Secret, against hash: PasswordHash) async throws -> PasswordHash.Check {
        if isBusy.isOn { throw PasswordHash.HashingError.overloaded }
        return try await whole.check(password, against: hash)
    }
}

private struct AwayVerifier: CredentialVerifier {
    let whole = SimulatedProvider(.google)
    let isAway: Switch

    var provider: ProviderID { .google }
    var issuers: Set<String> { whole.issuers }

    func verify(
        _ credential: AuthCredential.Federated,
        in context: VerificationContext
    ) async throws -> ProviderAssertion {
        if isAway.isOn { throw VerificationFailure(.unreachable, "The provider is down.") }
        return try await whole.verify(credential, in: context)
    }
}

/// An attempt in which nothing could be compared does not count as a wrong one.
final class UncomparedAttemptTests: LimitedTestCase {
    func testAPasswordThatWasNotComparedBecauseTheHasherIsBusyIsNoWrongOne() async throws {
        let isBusy = Switch()
        let world = World(.standard) { $0.passwordHasher = BusyHasher(isBusy: isBusy) }
        try await world.signUpVerifiedAnn()
        let client = try await world.annsDevice()
        isBusy.isOn = true
        let counts = await outcomes(of: 12) { _ in try await client.signIn(with: World.annsPassword) }
        XCTAssertEqual(counts, [.overloaded: 12])
        isBusy.isOn = false
        do { try await client.signIn(with: World.annsPassword) } catch {
            XCTFail("Ann never typed a wrong password: \(error.code) \(error.reasons)")
        }
    }

    func testABusyHasherIsToldThoughTheAttemptCannotBeGivenBack() async throws {
        let isBusy = Switch()
        let world = World(.standard) {
            $0.passwordHasher = BusyHasher(isBusy: isBusy)
            $0.attempts = StingyAttempts()
        }
        try await world.signUpAnn()
        isBusy.isOn = true
        await assertThrows(.overloaded, "what kept the password from being compared") {
            try await world.device("tablet").signIn(with: World.annsPassword)
        }
    }

    func testAProviderThatIsDownEndsNoConflict() async throws {
        let isAway = Switch()
        let world = World(
            .standard,
            providers: [AwayVerifier(isAway: isAway), SimulatedProvider(.facebook), SimulatedProvider(.gitHub)]
        )
        try await world.device("laptop").signIn(with: world.google(.ann, world.work))
        let auth = world.device("tablet")
        let conflict = try await world.conflict { try await auth.signIn(with: world.facebook()) }
        isAway.isOn = true
        let counts = await outcomes(of: 5) { _ in
            try await auth.resolve(conflict, signingInWith: world.google(.ann, world.work))
        }
        XCTAssertEqual(counts, [.networkError: 5])
        isAway.isOn = false
        do { try await auth.resolve(conflict, signingInWith: world.google(.ann, world.work)) } catch {
            XCTFail("nothing was answered wrongly: \(error.code) \(error.reasons)")
        }
    }

    func testRightCodesThatCouldNotBeCheckedForWantOfAKeyAreNoWrongOnes() async throws {
        let (old, new) = (Array(repeating: UInt8(7), count: 32), Array(repeating: UInt8(8), count: 32))
        let world = World(.standard)
        let ann = try await world.signUpVerifiedAnn()
        let enrollment = try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(120))
        func service(former: [[UInt8]], _ attempts: any AttemptStore) -> AuthService {
            var configuration = world.service.configuration
            configuration.setSecretKey(new, former: former)
            configuration.attempts = attempts
            return AuthService(configuration)
        }
        // The key is rotated, and the operators forget the former one.
        let attempts = InMemoryAttemptStore()
        let hasty = service(former: [], attempts)
        for _ in 0..<10 {
            world.clock.advance(by: .seconds(60))
            let client = hasty.client(for: nil, origin: .local)
            let challenge = try await world.challenge { try await client.signIn(with: World.annsPassword) }
            await assertThrows(.sealedSecretUnreadable) {
                try await client.resolve(challenge, with: .totp(try world.totp(enrollment)))
            }
        }
        world.clock.advance(by: .seconds(60))
        let client = service(former: [old], attempts).client(for: nil, origin: .local)
        let challenge = try await world.challenge { try await client.signIn(with: World.annsPassword) }
        do { try await client.resolve(challenge, with: .totp(try world.totp(enrollment))) } catch {
            XCTFail("Ann typed no wrong code: \((error as? AuthError)?.code.name ?? "")")
        }
    }
}
