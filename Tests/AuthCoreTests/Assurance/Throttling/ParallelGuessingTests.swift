import AuthCore
import AuthCoreTesting
import XCTest

/// AT-25: guesses that come at once are as few as guesses that come one after another.
final class ParallelGuessingTests: LimitedTestCase {
    private let hasher = CountingHasher()

    private func slowWorld() async throws -> World {
        let world = World(.standard) {
            $0.attempts = SlowAttempts()
            $0.passwordHasher = hasher
        }
        try await world.signUpVerifiedAnn()
        hasher.reset()
        return world
    }

    func testAT25_OfFiveHundredPasswordsAtOnceFiveAreCompared() async throws {
        let world = try await slowWorld()
        let counts = await outcomes(inParallel: 500) { try await world.stranger($0).signIn(with: world.guess($0)) }
        XCTAssertEqual(hasher.checks, 5, "passwords were compared")
        XCTAssertEqual(counts, [.invalidCredential: 5, .tooManyRequests: 495])
    }

    func testAT25_OfPasswordsAtOnceAtTheRealHashFiveAreCompared() async throws {
        let hasher = CountingHasher(StandardPasswordHasher())
        let world = World(.standard) { $0.passwordHasher = hasher }
        try await world.signUpVerifiedAnn()
        hasher.reset()
        _ = await outcomes(inParallel: 120) { try await world.stranger($0).signIn(with: world.guess($0)) }
        XCTAssertEqual(hasher.checks, 5, "passwords were compared")
    }

    func testAT25_OnAKnownDeviceTenAreCompared() async throws {
        let world = try await slowWorld()
        let client = try await world.annsDevice()
        hasher.reset()
        _ = await outcomes(inParallel: 500) { try await client.signIn(with: world.guess($0)) }
        XCTAssertEqual(hasher.checks, 10, "passwords were compared")
    }

    func testAT25_FromOneOriginFiftyAreCompared() async throws {
        let world = try await slowWorld()
        _ = await outcomes(inParallel: 500) {
            try await world.stranger(at: "203.0.113.9").signIn(with: world.guess($0, "p\($0)@example.com"))
        }
        XCTAssertEqual(hasher.checks, 50, "passwords were compared")
    }

    func testAT25_OfFiveHundredDigitsAtOnceFiveAreCompared() async throws {
        let world = try await slowWorld()
        let client = world.stranger()
        let id = try await client.sendPhoneCode(to: world.number)
        let right = try world.newestCode(to: world.number)
        let wrong = right == "000000" ? "000001" : "000000"
        let counts = await outcomes(inParallel: 500) { _ in
            try await client.signIn(with: .phone(verificationID: id, code: wrong))
        }
        XCTAssertEqual(counts, [.invalidVerificationCode: 5, .tooManyRequests: 495])
        await assertThrows(.tooManyRequests, "the code is over") {
            try await client.signIn(with: .phone(verificationID: id, code: right))
        }
    }

    func testAT25_OfFiveHundredAnswersToAFactorAtOnceFiveAreCompared() async throws {
        let world = try await slowWorld()
        let ann = try await world.service.client(for: nil, origin: .local).signIn(with: World.annsPassword).user
        let enrollment = try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(60))
        let client = world.stranger()
        let challenge = try await world.challenge { try await client.signIn(with: World.annsPassword) }
        let wrong = try world.wrongTOTP(enrollment)
        let counts = await outcomes(inParallel: 500) { _ in try await client.resolve(challenge, with: .totp(wrong)) }
        XCTAssertEqual(counts, [.invalidVerificationCode: 5, .tooManyRequests: 495])
    }

    func testAT25_OfFiveHundredRecoveryCodesAtOnceFiveAreCompared() async throws {
        let world = try await slowWorld()
        let ann = try await world.service.client(for: nil, origin: .local).signIn(with: World.annsPassword).user
        try await world.enrollTOTP(ann)
        _ = try await ann.multiFactor.makeRecoveryCodes()
        let client = world.stranger()
        let challenge = try await world.challenge { try await client.signIn(with: World.annsPassword) }
        let counts = await outcomes(inParallel: 500) {
            try await client.resolve(challenge, with: .recoveryCode("aaaa-bbbb-cccc-\(1000 + $0)"))
        }
        XCTAssertEqual(counts, [.invalidVerificationCode: 5, .tooManyRequests: 495])
    }

    func testAT25_OfFiveHundredAnswersToAConflictAtOnceFiveCount() async throws {
        let world = try await slowWorld()
        let client = world.stranger()
        let conflict = try await world.conflict { try await client.signIn(with: world.facebook()) }
        // Each guess is at another address, so that only the conflict's own count stands in the way.
        let counts = await outcomes(inParallel: 500) {
            try await client.resolve(conflict, signingInWith: world.guess($0, "p\($0)@example.com"))
        }
        XCTAssertEqual(counts, [.invalidCredential: 5, .tooManyRequests: 495])
    }

    func testS31_RequestsOfOnePersonThatComeAtOnceDoNotFail() async throws {
        let world = try await slowWorld()
        let counts = await outcomes(inParallel: 8) { try await world.stranger($0).signIn(with: World.annsPassword) }
        XCTAssertEqual(counts, [nil: 8], "an attempt waits while only attempts in flight stand in the way")
    }

    func testS31_AnAttemptThatWasCanceledOrFailedStaysCounted() async throws {
        let world = World(.standard) { $0.passwordHasher = CancelingHasher() }
        try await world.signUpAnn()
        let counts = await outcomes(of: 8) { try await world.stranger($0).signIn(with: World.annsPassword) }
        XCTAssertEqual(counts, [.canceled: 5, .tooManyRequests: 3])
    }
}

extension World {
    /// Digits that the authenticator app does not show now.
    func wrongTOTP(_ enrollment: MultiFactor.TOTPEnrollment) throws -> String {
        let right = try (-1...1).map { try totp(enrollment, steps: $0) }
        return ["000000", "111111", "222222", "333333"].first { !right.contains($0) } ?? "444444"
    }
}
