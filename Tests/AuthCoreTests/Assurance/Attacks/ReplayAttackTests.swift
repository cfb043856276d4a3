import AuthCore
import AuthCoreTesting
import XCTest

/// AT-22 and AT-25: what is good once is good once, also of many attempts at once.
final class ReplayAttackTests: LimitedTestCase {
    private let world = World(.standard) { $0.attempts = SlowAttempts() }

    private func granted(_ count: Int, _ act: @escaping @Sendable (Int) async throws -> some Any) async -> Int {
        await outcomes(inParallel: count, act)[nil] ?? 0
    }

    func testAT22_OfManyResetsByOneCodeAtOnceOneSetsThePassword() async throws {
        try await world.signUpVerifiedAnn()
        let world = world
        try await world.stranger().sendPasswordReset(to: "ann@example.com")
        let code = try world.newestCode(to: "ann@example.com")
        let count = await granted(30) {
            try await world.stranger($0).confirmPasswordReset(code: code, newPassword: "the word \($0) of all")
        }
        XCTAssertEqual(count, 1)
    }

    func testAT22_OfManyExchangesOfOneRefreshTokenAtOnceAtMostOneCountsAndTheSessionEnds() async throws {
        try await world.signUpVerifiedAnn()
        let world = world
        let client = world.stranger()
        let ann = try await client.signIn(with: World.annsPassword).user
        let tokens = try await ann.issueTokens()
        let count = await granted(30) { try await world.stranger($0).refresh(tokens.refreshToken) }
        XCTAssertLessThanOrEqual(count, 1)
        await assertThrows(.userTokenExpired, "a token that two present is stolen") {
            try await client.user(forIDToken: tokens.idToken.token)
        }
    }

    func testAT22_OfManySignInsByOneNonceOneLinkOneCodeAndOneDigitAtOnceOneIsGranted() async throws {
        let world = world
        let client = world.stranger(at: "192.0.2.5")
        let nonce = try await client.nonce(for: .signIn)
        var token = world.work
        token.nonce = nonce
        let google = world.google(.ann, token)
        var count = await granted(20) { _ in try await client.signIn(with: google) }
        XCTAssertEqual(count, 1, "sign-ins by one nonce")
        try await client.sendSignInLink(to: "ben@example.com")
        let link = try XCTUnwrap(world.outbox.last(to: "ben@example.com")?.link)
        count = await granted(20) { _ in try await client.signIn(with: .emailLink(email: "ben@example.com", link: link))
        }
        XCTAssertEqual(count, 1, "sign-ins by one link")
        let id = try await client.sendPhoneCode(to: world.number)
        let digits = AuthCredential.phone(verificationID: id, code: try world.newestCode(to: world.number))
        count = await granted(5) { _ in try await client.signIn(with: digits) }
        XCTAssertEqual(count, 1, "sign-ins by the same digits")
    }

    func testAT22_OfManyAnswersByOneCodeOfAnAppOrOneRecoveryCodeAtOnceOneIsGranted() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let app = try await world.enrollTOTP(ann)
        let codes = try await ann.multiFactor.makeRecoveryCodes()
        world.clock.advance(by: .seconds(60))
        let world = world
        for answer in [SecondFactor.Assertion.totp(try world.totp(app)), .recoveryCode(codes[0])] {
            var challenges: [(client: AuthClient, challenge: SecondFactor.Challenge)] = []
            for index in 0..<5 {
                let client = world.stranger(index)
                let challenge = try await world.challenge { try await client.signIn(with: World.annsPassword) }
                challenges.append((client, challenge))
            }
            let waiting = challenges
            let count = await granted(5) { try await waiting[$0].client.resolve(waiting[$0].challenge, with: answer) }
            XCTAssertEqual(count, 1, "answers by the same code")
        }
    }

    func testAT22_ATokenThatResolvedAConflictIsNotPresentedAgain() async throws {
        try await world.signUpVerifiedAnn()
        let auth = world.device()
        let token = world.credential(.gitHub, .ann, saying: SimulatedToken(nonce: "once"))
        let first = try await world.conflict { try await auth.signIn(with: token) }
        let second = try await world.conflict { try await auth.signIn(with: token) }
        try await auth.resolve(first, signingInWith: World.annsPassword)
        let thief = world.device("eve")
        try await world.refusal(.invalidCredential, .assertionWasUsed) { try await thief.signIn(with: token) }
        try await world.refusal(.invalidCredential, .assertionWasUsed) {
            try await auth.signIn(with: second.credential)
        }
    }

    func testAT27_TheStoredHashOfADeviceIsNoDevice() async throws {
        try await world.signUpVerifiedAnn()
        let ann = try await world.stranger().signIn(with: World.annsPassword).user
        let stored = try XCTUnwrap(ann.session.device)
        _ = await outcomes(of: 30) { try await self.world.stranger($0).signIn(with: self.world.guess($0)) }
        let device = try XCTUnwrap(DeviceID(rawValue: "\(stored)"), "the test needs a hash that reads as a device")
        let thief = world.service.client(for: device, origin: .address("203.0.113.1"))
        await assertThrows(.tooManyRequests, "the thief's device is not known") {
            try await thief.signIn(with: World.annsPassword)
        }
    }
}
