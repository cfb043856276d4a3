import AuthCore
import AuthCoreTesting
import XCTest

/// S31: the rows of the table about passwords and digits.
final class GuessLimitTests: LimitedTestCase {
    private let hasher = CountingHasher()
    private lazy var world = World(.standard) { $0.passwordHasher = hasher }

    func testS31_AnAddressHasFiveFreePasswordsOnUnknownDevicesTogether() async throws {
        try await world.signUpVerifiedAnn()
        var counts = await outcomes(of: 5) { try await self.world.stranger($0).signIn(with: self.world.guess($0)) }
        XCTAssertEqual(counts, [.invalidCredential: 5])
        for wait in [1, 2, 4, 8, 16, 32, 64, 128] as [Double] {
            world.clock.advance(by: .seconds(wait - 0.01))
            await assertThrows(.tooManyRequests, "before \(wait) s") {
                try await world.stranger().signIn(with: world.guess(0))
            }
            world.clock.advance(by: .seconds(0.01))
            await assertThrows(.invalidCredential, "after \(wait) s") {
                try await world.stranger().signIn(with: world.guess(0))
            }
        }
        // A count that wears away and a wait that doubles settle at about seven guesses an hour.
        let before = hasher.checks
        for _ in 0..<8640 {
            world.clock.advance(by: .seconds(10))
            _ = try? await world.stranger().signIn(with: world.guess(0))
        }
        XCTAssertLessThan(hasher.checks - before, 200, "passwords were compared in a day")
        world.clock.advance(by: .seconds(8 * 3600))
        counts = await outcomes(of: 6) { try await self.world.stranger($0).signIn(with: self.world.guess($0)) }
        XCTAssertEqual(counts, [.invalidCredential: 5, .tooManyRequests: 1])
    }

    func testS31_TheSpellingsOfOneMailboxShareItsFreePasswords() async throws {
        let spellings = ["ann@gmail.com", "ann@googlemail.com"]
        let counts = await outcomes(of: 6) {
            try await self.world.stranger($0).signIn(with: self.world.guess($0, spellings[$0 % 2]))
        }
        XCTAssertEqual(counts, [.invalidCredential: 5, .tooManyRequests: 1], "guesses at both spellings")
    }

    /// Whoever answered right is not signed in if that cannot be counted: otherwise guesses would be free.
    func testARightPasswordThatCannotBeGivenBackSignsNobodyIn() async throws {
        let world = World(.standard) { $0.attempts = StingyAttempts() }
        try await world.signUpAnn()
        let events = try await world.service.events().events
        await assertThrows(.storeUnavailable) { try await world.stranger().signIn(with: World.annsPassword) }
        let after = try await world.service.events().events
        XCTAssertEqual(after, events, "events of a sign-in that failed")
    }

    func testRightDigitsThatCannotBeGivenBackSignNobodyIn() async throws {
        let world = World(.standard) { $0.attempts = StingyAttempts() }
        let digits = try await world.digits(to: world.number)
        await assertThrows(.storeUnavailable, "what cannot be counted is not accepted") {
            try await world.device().signIn(with: digits)
        }
        let accounts = try await world.service.accounts()
        XCTAssertEqual(accounts, [], "an account was made")
    }

    /// Otherwise the same guess, made again and again, shows that it is right by never having to wait.
    func testS31_TheRightPasswordOfASuspendedMethodCountsLikeAWrongOne() async throws {
        try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(30 * 86_400))
        let ann = try await world.device().signIn(with: World.annsPassword).user
        try await ann.updatePassword(to: "a fresh new word")
        try await world.stranger().reportUnauthorizedChange(code: world.code(.methodReplaced, to: "ann@example.com"))
        let word = AuthCredential.password(email: "ann@example.com", password: "a fresh new word")
        let counts = await outcomes(of: 7) { try await self.world.stranger($0).signIn(with: word) }
        XCTAssertEqual(counts, [.invalidCredential: 5, .tooManyRequests: 2], "guesses that are right")
    }

    /// An address that an account has left is only kept for it: there, the account's password must not show either.
    func testS31_TheRightPasswordAtAnAddressThatTheAccountHasLeftCountsLikeAWrongOne() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.sendEmailVerification(beforeUpdatingTo: "ann@example.org")
        try await world.device("mail").applyActionCode(world.code(.changeEmail, to: "ann@example.org"))
        let counts = await outcomes(of: 7) { try await self.world.stranger($0).signIn(with: World.annsPassword) }
        XCTAssertEqual(counts, [.invalidCredential: 5, .tooManyRequests: 2], "guesses that are right")
        let word = AuthCredential.password(email: "ann@example.org", password: World.password)
        let atNew = await outcome { try await self.world.stranger(8).signIn(with: word) }
        XCTAssertNil(atNew, "the address that she has now")
    }

    /// Otherwise digits, which count by the origin too, would show which passwords were right.
    func testS31_WhilePasswordsAreDisabledTheRightOneCountsLikeAWrongOne() async throws {
        try await world.signUpVerifiedAnn()
        world.policy.disabledProviders = [.password]
        world.policy.limits?.guessesFromOrigin = 3
        for (password, address) in [(World.password, "192.0.2.1"), ("a guess", "192.0.2.2")] {
            let client = world.stranger(at: address)
            let word = AuthCredential.password(email: "ann@example.com", password: password)
            let counts = await outcomes(of: 3) { _ in try await client.signIn(with: word) }
            XCTAssertEqual(counts, [.operationNotAllowed: 3], password)
            let id = try await client.sendPhoneCode(to: world.number)
            await assertThrows(.tooManyRequests, "digits after three times \(password)") {
                try await client.signIn(with: .phone(verificationID: id, code: "no"))
            }
            world.clock.advance(by: .seconds(86_400))
        }
    }

    func testS31_AKnownDeviceHasTenFreePasswordsOfItsOwn() async throws {
        try await world.signUpVerifiedAnn()
        let client = try await world.annsDevice()
        _ = await outcomes(of: 101) { try await self.world.stranger($0).signIn(with: self.world.guess($0)) }
        await assertThrows(.tooManyRequests) { try await world.stranger(7).signIn(with: World.annsPassword) }
        var counts = await outcomes(of: 9) { try await client.signIn(with: self.world.guess($0)) }
        XCTAssertEqual(counts, [.invalidCredential: 9])
        try await client.signIn(with: World.annsPassword)
        counts = await outcomes(of: 12) { try await client.signIn(with: self.world.guess($0)) }
        XCTAssertEqual(counts, [.invalidCredential: 10, .tooManyRequests: 2], "a success clears this device's count")
        world.clock.advance(by: .seconds(1))
        try await client.signIn(with: World.annsPassword)
    }

    func testOnAKnownDeviceTheWrongPasswordsOfAFormerAddressDoNotCountAtTheNewOne() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let client = try await world.annsDevice()
        let counts = await outcomes(of: 11) { try await client.signIn(with: self.world.guess($0)) }
        XCTAssertEqual(counts, [.invalidCredential: 10, .tooManyRequests: 1], "guesses at the former address")
        try await ann.sendEmailVerification(beforeUpdatingTo: "ann@example.org")
        try await world.device("mail").applyActionCode(world.code(.changeEmail, to: "ann@example.org"))
        let word = AuthCredential.password(email: "ann@example.org", password: World.password)
        let atNew = await outcome { try await client.signIn(with: word) }
        XCTAssertNil(atNew, "the right password at the new address")
    }

    /// Otherwise an attacker could go on guessing whenever the owner signs in.
    func testARightPasswordOnAnUnknownDeviceForgivesNoWrongOnes() async throws {
        try await world.signUpVerifiedAnn()
        var counts = await outcomes(of: 4) { try await self.world.stranger($0).signIn(with: self.world.guess($0)) }
        XCTAssertEqual(counts, [.invalidCredential: 4], "guesses before the owner signs in")
        try await world.stranger(4).signIn(with: World.annsPassword)
        counts = await outcomes(of: 2) { try await self.world.stranger($0).signIn(with: self.world.guess($0)) }
        XCTAssertEqual(counts, [.invalidCredential: 1, .tooManyRequests: 1], "guesses after it")
    }

    func testS31_ANumberHasAHundredWrongDigitsThenNoneForADayOnUnknownDevices() async throws {
        let known = try await signInByNumber(world.stranger(at: "192.0.2.77"))
        var wrong = 0
        for round in 0..<100 {
            let client = world.stranger(round)
            guard let id = try? await client.sendPhoneCode(to: world.number) else {
                world.clock.advance(by: .seconds(3600))
                continue
            }
            let counts = await outcomes(of: 5) { _ in
                try await client.signIn(with: .phone(verificationID: id, code: "no"))
            }
            wrong += counts[.invalidVerificationCode] ?? 0
        }
        XCTAssertEqual(wrong, 100, "digits were compared")
        let stranger = world.stranger(200)
        world.clock.advance(by: .seconds(3600))
        let id = try await stranger.sendPhoneCode(to: world.number)
        let right = try world.newestCode(to: world.number)
        await assertThrows(.tooManyRequests) {
            try await stranger.signIn(with: .phone(verificationID: id, code: right))
        }
        // The person's own device is not stopped, and its success opens the number again.
        _ = try await signInByNumber(known)
        try await stranger.signIn(with: .phone(verificationID: id, code: right))
    }

    func testS31_ADayAfterTheHundredthWrongDigitsTheNumberIsOpenAgain() async throws {
        var policy = AuthPolicy.standard
        policy.limits?.digitsForNumber = 5
        world.policy = policy
        _ = try await signInByNumber(world.stranger(at: "192.0.2.77"))
        let stranger = world.stranger()
        let id = try await stranger.sendPhoneCode(to: world.number)
        _ = await outcomes(of: 5) { _ in
            try await stranger.signIn(with: .phone(verificationID: id, code: "no"))
        }
        for (hours, isOpen) in [(23.9, false), (0.2, true)] {
            world.clock.advance(by: .seconds(hours * 3600))
            let client = world.stranger(1)
            let id = try await client.sendPhoneCode(to: world.number)
            let code = try world.newestCode(to: world.number)
            let outcome = await outcome { try await client.signIn(with: .phone(verificationID: id, code: code)) }
            XCTAssertEqual(outcome, isOpen ? nil : .tooManyRequests, "\(hours) hours later")
        }
    }

    func testS31_AfterAMailedResetTheNewPasswordIsGoodAtOnce() async throws {
        try await world.signUpVerifiedAnn()
        _ = await outcomes(of: 101) { index in
            self.world.clock.advance(by: .seconds(60))
            return try await self.world.stranger(index).signIn(with: self.world.guess(index))
        }
        let client = world.stranger(300)
        await assertThrows(.tooManyRequests) { try await client.signIn(with: World.annsPassword) }
        try await client.sendPasswordReset(to: "ann@example.com")
        let code = try world.newestCode(to: "ann@example.com")
        let report = try await client.confirmPasswordReset(code: code, newPassword: "battery staple")
        let new = AuthCredential.password(email: "ann@example.com", password: "battery staple")
        try await world.stranger(301).signIn(with: new)
        _ = await outcomes(of: 20) { try await self.world.stranger($0).signIn(with: self.world.guess($0)) }
        await assertThrows(.tooManyRequests) { try await world.stranger(302).signIn(with: new) }
        try await world.service.client(for: report.device, origin: .local).signIn(with: new)
    }

    /// Guesses count by the key of an address, so a reset must clear them by the key too.
    func testAfterAMailedResetTheNewPasswordIsGoodAtOnceUnderAnotherSpelling() async throws {
        let email = "ann@googlemail.com"
        try await world.signUp(email)
        let counts = await outcomes(of: 6) {
            try await self.world.stranger($0).signIn(with: self.world.guess($0, email))
        }
        XCTAssertEqual(counts, [.invalidCredential: 5, .tooManyRequests: 1], "the address must wait before the reset")
        let client = world.stranger(6)
        try await client.sendPasswordReset(to: email)
        try await client.confirmPasswordReset(code: world.newestCode(to: email), newPassword: "battery staple")
        let new = AuthCredential.password(email: email, password: "battery staple")
        let code = await outcome { try await self.world.stranger(7).signIn(with: new) }
        XCTAssertNil(code, "the new password must wait for the guesses before the reset")
    }

    func testS31_UnknownResetCodesCostNoHashAndALiveOneIsServed() async throws {
        try await world.signUpVerifiedAnn()
        let client = world.stranger()
        try await client.sendPasswordReset(to: "ann@example.com")
        let code = try world.newestCode(to: "ann@example.com")
        hasher.reset()
        let counts = await outcomes(of: 300) {
            try await client.confirmPasswordReset(code: "unknown \($0)", newPassword: "battery staple")
        }
        XCTAssertEqual(counts, [.invalidActionCode: 300])
        XCTAssertEqual(hasher.hashes, 0, "passwords were hashed for unknown codes")
        try await client.confirmPasswordReset(code: code, newPassword: "battery staple")
    }

    private func signInByNumber(_ client: AuthClient) async throws -> AuthClient {
        let id = try await client.sendPhoneCode(to: world.number)
        let code = try world.newestCode(to: world.number)
        let result = try await client.signIn(with: .phone(verificationID: id, code: code))
        return world.service.client(for: result.device, origin: .address("192.0.2.77"))
    }
}
