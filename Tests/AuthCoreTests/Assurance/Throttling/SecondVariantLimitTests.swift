@testable import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

/// A hasher that is busy for a while, or cannot make a new hash.
private final class MoodyHasher: PasswordHasher {
    private let whole = CheapPasswordHasher()
    let isBusy = Mutex(false)
    let cannotHash = Mutex(false)

    var placeholder: PasswordHash { whole.placeholder }

    func hash(_ password: Secret) async throws -> PasswordHash {
        if cannotHash.withLock(\.self) { throw PasswordHash.HashingError.overloaded }
        return try await whole.hash(password)
    }

    func check(_ password: Secret, against hash: PasswordHash) async throws -> PasswordHash.Check {
        if isBusy.withLock(\.self) { throw PasswordHash.HashingError.overloaded }
        let check = try await whole.check(password, against: hash)
        return if case .matches = check { .matches(needsRehash: true) } else { check }
    }
}

/// S31 for what has a sibling that is tested elsewhere: digits on a known device, numbers, recovery codes, conflicts.
final class SecondVariantLimitTests: LimitedTestCase {
    private func signInByNumber(_ world: World, _ client: AuthClient) async throws -> AuthResult {
        let id = try await client.sendPhoneCode(to: world.number)
        return try await client.signIn(with: .phone(verificationID: id, code: world.newestCode(to: world.number)))
    }

    /// Ann's service with another key, and counters that are empty.
    private func rotated(_ world: World, former: [[UInt8]]) -> AuthClient {
        var configuration = world.service.configuration
        configuration.setSecretKey(Array(repeating: 8, count: 32), former: former)
        configuration.attempts = InMemoryAttemptStore()
        return AuthService(configuration).client(for: nil, origin: .local)
    }

    func testS31_DigitsAreOverAfterFiveWrongAnswersOnAKnownDeviceToo() async throws {
        let world = World(.standard)
        let result = try await signInByNumber(world, world.stranger(at: "192.0.2.77"))
        let known = world.service.client(for: result.device, origin: .address("192.0.2.77"))
        let id = try await known.sendPhoneCode(to: world.number)
        let counts = await outcomes(of: 6) { _ in
            try await known.signIn(with: .phone(verificationID: id, code: "no"))
        }
        XCTAssertEqual(counts, [.invalidVerificationCode: 5, .tooManyRequests: 1])
    }

    func testS31_RightDigitsOnAnUnknownDeviceForgiveNoWrongOnes() async throws {
        var policy = AuthPolicy.standard
        policy.limits?.digitsForNumber = 5
        let world = World(policy)
        _ = try await signInByNumber(world, world.stranger(100))
        let first = world.stranger(0)
        var id = try await first.sendPhoneCode(to: world.number)
        var counts = await outcomes(of: 4) { _ in try await first.signIn(with: .phone(verificationID: id, code: "no")) }
        XCTAssertEqual(counts, [.invalidVerificationCode: 4], "before the owner signs in")
        _ = try await signInByNumber(world, world.stranger(1))
        let last = world.stranger(2)
        id = try await last.sendPhoneCode(to: world.number)
        counts = await outcomes(of: 2) { _ in try await last.signIn(with: .phone(verificationID: id, code: "no")) }
        XCTAssertEqual(counts, [.invalidVerificationCode: 1, .tooManyRequests: 1], "after the owner signed in")
    }

    /// Ann and Ben share a tablet and the number by which Ben signs in.
    func testWrongDigitsOfStrangersStopNoEnrollmentOnADeviceOfTheNumbersOwner() async throws {
        var policy = AuthPolicy.standard
        policy.limits?.digitsForNumber = 5
        let world = World(policy)
        let ben = try await signInByNumber(world, world.stranger(at: "192.0.2.77"))
        try await world.signUpVerifiedAnn()
        let tablet = world.service.client(for: ben.device, origin: .address("192.0.2.77"))
        let ann = try await tablet.signIn(with: World.annsPassword).user
        let stranger = world.stranger(1)
        let id = try await stranger.sendPhoneCode(to: world.number)
        let counts = await outcomes(of: 5) { _ in
            try await stranger.signIn(with: .phone(verificationID: id, code: "no"))
        }
        XCTAssertEqual(counts, [.invalidVerificationCode: 5], "wrong digits of a stranger")
        let code = await outcome { try await world.enrollPhone(ann) }
        XCTAssertNil(code, "the enrollment of the number on the tablet")
    }

    func testABusyHasherUsesUpNoAnswersOfAConflict() async throws {
        let hasher = MoodyHasher()
        let world = World(.standard) { $0.passwordHasher = hasher }
        try await world.signUpVerifiedAnn()
        let auth = world.device("tablet")
        let conflict = try await world.conflict { try await auth.signIn(with: world.facebook()) }
        hasher.isBusy.withLock { $0 = true }
        let counts = await outcomes(of: 5) { _ in try await auth.resolve(conflict, signingInWith: World.annsPassword) }
        XCTAssertEqual(counts, [.overloaded: 5])
        hasher.isBusy.withLock { $0 = false }
        let code = await outcome { try await auth.resolve(conflict, signingInWith: World.annsPassword) }
        XCTAssertNil(code, "the hasher was busy, and the conflict is over")
    }

    func testARightPasswordSignsInThoughABetterHashCannotBeMade() async throws {
        let hasher = MoodyHasher()
        let world = World(.standard) { $0.passwordHasher = hasher }
        try await world.signUpVerifiedAnn()
        hasher.cannotHash.withLock { $0 = true }
        let code = await outcome { try await world.device("tablet").signIn(with: World.annsPassword) }
        XCTAssertNil(code, "a right password is refused")
    }

    func testS31_WithOneSeedOfALostKeyWrongDigitsOfTheOtherAreWrong() async throws {
        let world = World(.standard)
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(120))
        let second = try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(120))
        // The second app's seed is sealed again with the current key.
        let ring = rotated(world, former: [Array(repeating: 7, count: 32)])
        let first = try await world.challenge { try await ring.signIn(with: World.annsPassword) }
        try await ring.resolve(first, with: .totp(world.totp(second)))
        world.clock.advance(by: .seconds(120))
        let hasty = rotated(world, former: [])
        let challenge = try await world.challenge { try await hasty.signIn(with: World.annsPassword) }
        let counts = await outcomes(of: 6) { _ in try await hasty.resolve(challenge, with: .totp("000000")) }
        XCTAssertEqual(counts, [.invalidVerificationCode: 5, .tooManyRequests: 1], "guesses at the other app's digits")
    }

    func testS31_RecoveryCodesOfALostKeyAreNotGuessedWithoutEnd() async throws {
        let world = World(.standard)
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollTOTP(ann)
        _ = try await ann.multiFactor.makeRecoveryCodes()
        let hasty = rotated(world, former: [])
        let challenge = try await world.challenge { try await hasty.signIn(with: World.annsPassword) }
        let counts = await outcomes(of: 6) { _ in
            try await hasty.resolve(challenge, with: .recoveryCode("aaaa-bbbb-cccc-dddd"))
        }
        XCTAssertEqual(counts, [.sealedSecretUnreadable: 5, .tooManyRequests: 1])
    }

    func testS31_MailsToAnAddressThatIsVerifiedAlreadyCount() async throws {
        let world = World(.standard)
        let ann = try await world.signUpVerifiedAnn()
        let counts = await outcomes(of: 8) { _ in try await ann.sendEmailVerification() }
        XCTAssertGreaterThan(counts[.tooManyRequests] ?? 0, 0, "mails to a verified address: \(counts)")
    }

    func testMailsThatVerifyAnAddressUseUpNoneThatChangeToIt() async throws {
        let world = World(.standard)
        let ann = try await world.signUpVerifiedAnn()
        let eve = try await world.stranger(1).signUp(email: "new@example.com", password: World.password).user
        for _ in 0..<5 { try? await eve.sendEmailVerification() }
        let code = await outcome { try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com") }
        XCTAssertNil(code, "another person uses up the mails of a change")
    }

    func testOthersAtAnOriginDoNotStopTheMergeOfAGuest() async throws {
        var policy = AuthPolicy.standard
        policy.limits?.visitsFromOrigin = 1
        let world = World(policy)
        try await world.signUpVerifiedAnn()
        let client = world.stranger(at: "192.0.2.5")
        let guest = try await client.signInAnonymously().user
        let ann = try await client.verify(World.annsPassword)
        let counts = await outcomes(of: 2) { _ in _ = try await client.nonce(for: .signIn) }
        XCTAssertEqual(counts, [nil: 1, .tooManyRequests: 1], "visits of the origin")
        let code = await outcome { try await client.merge(.anonymous(guest), into: .verified(ann)) }
        XCTAssertNil(code, "the merge of a guest in a session")
    }
}
