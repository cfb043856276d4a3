import AuthCore
import AuthCoreTesting
import XCTest

/// What is counted by itself: a device, a code and its whole life, a reset.
final class CountedApartTests: LimitedTestCase {
    private var world = World(.standard)

    func testEachKnownDeviceHasWrongPasswordsOfItsOwn() async throws {
        try await world.signUpVerifiedAnn()
        let (phone, laptop) = (try await world.annsDevice(), try await world.annsDevice())
        let first = await outcomes(of: 10) { try await phone.signIn(with: self.world.guess($0)) }
        XCTAssertEqual(first, [.invalidCredential: 10], "the free passwords of one device")
        let second = await outcomes(of: 10) { try await laptop.signIn(with: self.world.guess($0)) }
        XCTAssertEqual(second, [.invalidCredential: 10], "those of another device are not used up by the first")
        try await assertWaits { try await phone.signIn(with: self.world.guess(0)) }
    }

    func testWrongAnswersCountAsLongAsTheChallengeLives() async throws {
        world.policy.lifetimes.factorChallenge = .seconds(3600)
        world.policy.lifetimes.phoneCode = .seconds(60)
        world.policy.lifetimes.pendingIdentity = .seconds(60)
        let enrollment = try await world.enrollTOTP(world.signUpVerifiedAnn())
        world.clock.advance(by: .seconds(60))
        let stranger = world.stranger()
        let challenge = try await world.challenge { try await stranger.signIn(with: World.annsPassword) }
        let wrong = try world.wrongTOTP(enrollment)
        let counts = await outcomes(of: 5) { _ in try await stranger.resolve(challenge, with: .totp(wrong)) }
        XCTAssertEqual(counts, [.invalidVerificationCode: 5], "the answers that a challenge allows")
        world.clock.advance(by: .seconds(1800))
        let right = try world.totp(enrollment)
        try await assertWaits { try await stranger.resolve(challenge, with: .totp(right)) }
    }

    func testWrongDigitsCountAsLongAsTheCodeLives() async throws {
        world.policy.lifetimes.phoneCode = .seconds(3600)
        world.policy.lifetimes.factorChallenge = .seconds(60)
        world.policy.lifetimes.pendingIdentity = .seconds(60)
        let stranger = world.stranger()
        let id = try await stranger.sendPhoneCode(to: world.number)
        let wrong = AuthCredential.phone(verificationID: id, code: "no")
        let counts = await outcomes(of: 5) { _ in try await stranger.signIn(with: wrong) }
        XCTAssertEqual(counts, [.invalidVerificationCode: 5], "the answers that a code allows")
        world.clock.advance(by: .seconds(1800))
        let right = AuthCredential.phone(verificationID: id, code: try world.newestCode(to: world.number))
        try await assertWaits { try await stranger.signIn(with: right) }
    }

    func testWrongAnswersCountAsLongAsTheConflictLives() async throws {
        world.policy.lifetimes.pendingIdentity = .seconds(3600)
        world.policy.lifetimes.factorChallenge = .seconds(60)
        world.policy.lifetimes.phoneCode = .seconds(60)
        try await world.signUpVerifiedAnn()
        let stranger = world.stranger()
        let conflict = try await world.conflict { try await stranger.signIn(with: world.gitHub()) }
        let counts = await outcomes(of: 5) { index in
            try await stranger.resolve(conflict, signingInWith: self.world.guess(index))
        }
        XCTAssertEqual(counts, [.invalidCredential: 5], "the answers that a conflict allows")
        world.clock.advance(by: .seconds(1800))
        try await assertWaits { try await stranger.resolve(conflict, signingInWith: World.annsPassword) }
    }

    func testANewPasswordEndsTheWaitForTheNextLink() async throws {
        try await world.signUpVerifiedAnn()
        var sent = 0
        while sent < 100,
            await outcome(of: { try await world.stranger(sent).sendPasswordReset(to: "ann@example.com") }) == nil
        {
            sent += 1
        }
        XCTAssertLessThan(sent, 100, "strangers have links sent without end")
        let code = try world.code(.resetPassword, to: "ann@example.com")
        try await world.stranger(200).confirmPasswordReset(code: code, newPassword: "a fresh new word")
        let next = await outcome { try await world.stranger(201).sendPasswordReset(to: "ann@example.com") }
        XCTAssertNil(next, "the links that strangers asked for before the reset delay the next one")
    }

    func testARefusalThatSaysNothingOfAGuessIsNoGuess() async throws {
        let owner = try await world.signUpVerifiedAnn()
        try await owner.link(with: world.google())
        let client = world.stranger()
        let error = await authError { try await client.signIn(with: world.gitHub()) }
        let conflict = try XCTUnwrap(error?.conflict, "\(String(describing: error))")
        let unknown = AuthCredential.simulated("oidc.unknown", .ann, at: world.clock.now)
        let counts = await outcomes(of: 10) { _ in try await client.resolve(conflict, signingInWith: unknown) }
        XCTAssertEqual(counts, [.operationNotAllowed: 10], "a provider without a verifier")
        let result = try await client.resolve(conflict, signingInWith: world.google())
        XCTAssertEqual(result.user.uid, owner.uid, "the right answer after refusals that were no answers")
    }

    private func assertWaits(line: UInt = #line, _ act: () async throws -> some Any) async throws {
        let code = await outcome(of: act)
        XCTAssertEqual(code, .tooManyRequests, "one more than there may be", line: line)
    }
}
