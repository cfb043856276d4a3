import AuthCore
import AuthCoreTesting
import XCTest

/// S31: what a session may name or set, so that one guest's session is no way around the number of new accounts.
final class NewPasswordLimitTests: LimitedTestCase {
    private let hasher = CountingHasher()
    private lazy var world = World(.standard) { $0.passwordHasher = hasher }

    func testAT20_AGuestsSessionAsksOfFewAddresses() async throws {
        for index in 0..<3 {
            try await world.stranger(index).signUp(email: "p\(index)@example.com", password: "a long word")
        }
        let guest = try await world.stranger(9).signInAnonymously().user
        hasher.reset()
        var told = 0
        for index in 0..<300 {
            let credential = AuthCredential.password(email: "p\(index % 3)@example.com", password: "another long word")
            if await outcome(of: { try await guest.link(with: credential) }) == .emailAlreadyInUse { told += 1 }
        }
        XCTAssertLessThanOrEqual(told, 20, "addresses of which one session was told")
        XCTAssertLessThanOrEqual(hasher.hashes, 20, "passwords that were hashed for one session")
    }

    /// On a device that the account knows, a further session costs nothing.
    func testAT20_ManySessionsOfOneAccountAskOfFewAddresses() async throws {
        try await world.stranger().signUp(email: "p@example.com", password: "a long word")
        try await world.signUp("eve@example.org")
        let word = AuthCredential.password(email: "eve@example.org", password: World.password)
        var client = world.stranger(at: "192.0.2.77")
        var told = 0
        for _ in 0..<20 {
            let result = try await client.signIn(with: word)
            client = world.service.client(for: result.device, origin: .address("192.0.2.77"))
            let counts = await outcomes(of: 20) { _ in try await result.user.updateEmail(to: "p@example.com") }
            told += counts[.emailAlreadyInUse] ?? 0
        }
        XCTAssertLessThanOrEqual(told, 100, "addresses of which one account was told in an hour")
    }

    /// The code of one's own account must not pay for any number of hashes.
    func testS31_OneResetCodePaysForFewHashes() async throws {
        let client = world.stranger()
        try await client.signUp(email: "p@example.com", password: "a long word")
        try await client.sendPasswordReset(to: "p@example.com")
        let code = try world.code(.resetPassword, to: "p@example.com")
        hasher.reset()
        // A password that the rule refuses leaves the code as it is.
        let weak = await outcomes(of: 30) { _ in _ = try await client.confirmPasswordReset(code: code, newPassword: "x")
        }
        XCTAssertEqual(weak, [.weakPassword: 20, .tooManyRequests: 10])
        world.clock.advance(by: .seconds(3600))
        try await client.sendPasswordReset(to: "p@example.com")
        let fresh = try world.code(.resetPassword, to: "p@example.com")
        let world = world
        let counts = await outcomes(inParallel: 100) { index in
            _ = try await world.stranger().confirmPasswordReset(code: fresh, newPassword: "a new long word \(index)")
        }
        XCTAssertEqual(counts[nil], 1, "passwords that one code set")
        XCTAssertLessThanOrEqual(hasher.hashes, 20, "passwords that were hashed for one code")
    }

    func testAPasswordBeyondTheNumberThatOneResetCodeTriesCostsNoHash() async throws {
        let client = world.stranger()
        try await client.signUp(email: "p@example.com", password: "a long word")
        try await client.sendPasswordReset(to: "p@example.com")
        let code = try world.code(.resetPassword, to: "p@example.com")
        _ = await outcomes(of: 20) { _ in try await client.confirmPasswordReset(code: code, newPassword: "x") }
        hasher.reset()
        await assertThrows(.tooManyRequests, "a password after twenty that were refused") {
            try await client.confirmPasswordReset(code: code, newPassword: "a new long word")
        }
        XCTAssertEqual(hasher.hashes, 0, "passwords that were hashed though the code is over")
    }

    func testWeakPasswordsThatOneResetCodeTriesStopNoOtherCode() async throws {
        let client = world.stranger()
        var codes: [String] = []
        for email in ["p@example.com", "q@example.com"] {
            try await client.signUp(email: email, password: "a long word")
            try await client.sendPasswordReset(to: email)
            codes.append(try world.code(.resetPassword, to: email))
        }
        for code in codes {
            let counts = await outcomes(of: 21) { _ in
                try await client.confirmPasswordReset(code: code, newPassword: "x")
            }
            XCTAssertEqual(counts, [.weakPassword: 20, .tooManyRequests: 1], "passwords that one code tries")
        }
    }

    func testS31_AResetCodeThatLastsLongerIsGoodAgainAfterAnHour() async throws {
        var policy = AuthPolicy.standard
        policy.lifetimes.mailCode = .seconds(12 * 3600)
        let world = World(policy)
        let client = world.stranger()
        try await client.signUp(email: "p@example.com", password: "a long word")
        try await client.sendPasswordReset(to: "p@example.com")
        let code = try world.code(.resetPassword, to: "p@example.com")
        _ = await outcomes(of: 20) { _ in _ = try await client.confirmPasswordReset(code: code, newPassword: "x") }
        for (seconds, error) in [(0, .tooManyRequests), (3599, .tooManyRequests), (1, .weakPassword)]
            as [(Double, AuthErrorCode)]
        {
            world.clock.advance(by: .seconds(seconds))
            await assertThrows(error, "after \(seconds) seconds more") {
                _ = try await client.confirmPasswordReset(code: code, newPassword: "x")
            }
        }
    }

    func testASignUpBeyondTheNumberOfNewAccountsCostsNoHash() async throws {
        world.policy.limits?.accountsFromOrigin = 1
        let client = world.stranger()
        let counts = await outcomes(of: 5) {
            try await client.signUp(email: "p\($0)@example.com", password: "a long word")
        }
        XCTAssertEqual(counts, [nil: 1, .tooManyRequests: 4], "accounts of one origin")
        XCTAssertEqual(hasher.hashes, 1, "passwords that were hashed")
    }

    /// It costs no hash, and tells of no account.
    func testATextThatIsNoAddressIsNotCounted() async throws {
        let guest = try await world.stranger(0).signInAnonymously().user
        let ann = try await world.stranger(1).signUp(email: "ann@example.com", password: World.password).user
        let cases: [(String, (String) async throws -> Void)] = [
            (
                "a password that is linked",
                { try await guest.link(with: .password(email: $0, password: World.password)) }
            ),
            ("an address that is changed", { try await ann.updateEmail(to: $0) }),
        ]
        for (index, (what, act)) in cases.enumerated() {
            let counts = await outcomes(of: 20) { _ in try await act("no address") }
            XCTAssertEqual(counts, [.invalidEmail: 20], what)
            let code = await outcome { try await act("new\(index)@example.com") }
            XCTAssertNil(code, "\(what), with an address")
        }
    }

    /// Each set of recovery codes is a notice to every verified address, whose record lives for two weeks.
    func testASessionMakesFewSetsOfRecoveryCodesAnHour() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollTOTP(ann)
        let before = world.outbox.messages.count
        let counts = await outcomes(of: 60) { _ in _ = try await ann.multiFactor.makeRecoveryCodes() }
        // With the seed of the factor they are twenty.
        XCTAssertEqual(counts, [nil: 19, .tooManyRequests: 41])
        XCTAssertEqual(world.outbox.messages.count - before, 19, "notices")
    }

    /// Each seed is a record, and a factor that is enrolled with it and removed two notices.
    func testASessionMakesFewSeedsAnHour() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let counts = await outcomes(of: 30) { _ in _ = try await ann.multiFactor.startTOTP(issuer: "Boats") }
        XCTAssertEqual(counts, [nil: 20, .tooManyRequests: 10])
    }

    /// Each address that is then verified stays reserved for a while.
    func testASessionAsksForFewNewAddressesAnHour() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let counts = await outcomes(of: 30) { index in
            try await ann.sendEmailVerification(beforeUpdatingTo: "new\(index)@example.com")
        }
        XCTAssertEqual(counts, [nil: 20, .tooManyRequests: 10], "addresses of one session")
    }

    /// Each refusal tells that an address has an account.
    func testASessionLearnsOfFewTakenAddressesAnHourByAskingForThem() async throws {
        var policy = AuthPolicy.firebase
        policy.limits = AuthPolicy.AttemptLimits()
        let world = World(policy)
        try await world.stranger(0).signUp(email: "ben@example.com", password: World.password)
        let ann = try await world.stranger(1).signUp(email: "ann@example.com", password: World.password).user
        let counts = await outcomes(of: 30) { _ in
            try await ann.sendEmailVerification(beforeUpdatingTo: "ben@example.com")
        }
        XCTAssertEqual(counts, [.emailAlreadyInUse: 20, .tooManyRequests: 10], "answers to one session")
    }

    /// It costs no hash, so its owner is always told to ask for another one.
    func testAResetCodeThatHasExpiredIsNotCounted() async throws {
        let client = world.stranger()
        try await client.signUp(email: "p@example.com", password: "a long word")
        try await client.sendPasswordReset(to: "p@example.com")
        let code = try world.code(.resetPassword, to: "p@example.com")
        world.clock.advance(by: .seconds(3600))
        let counts = await outcomes(of: 25) { _ in
            try await client.confirmPasswordReset(code: code, newPassword: "a new long word")
        }
        XCTAssertEqual(counts, [.expiredActionCode: 25], "answers to one code")
    }

    func testS31_ASessionSetsFewPasswordsAnHour() async throws {
        let client = world.stranger()
        let ann = try await client.signUp(email: "ann@example.com", password: World.password).user
        hasher.reset()
        let counts = await outcomes(of: 60) { index in
            switch index % 3 {
            case 0: try await ann.updatePassword(to: "a new long word \(index)")
            case 1: try await ann.updateEmail(to: "new\(index)@example.com")
            default:
                let word = AuthCredential.password(email: "ann@example.com", password: "a new long word \(index)")
                try await ann.replace(.password, with: word)
            }
        }
        XCTAssertEqual(counts[.tooManyRequests], 40)
        XCTAssertLessThanOrEqual(hasher.hashes, 20, "passwords that were hashed for one session")
        // Whoever has one session of the account does not stop another one.
        let device = ann.device
        let again = try await world.service.client(for: device, origin: .local).signIn(
            with: .password(email: try XCTUnwrap(ann.email), password: "a new long word 18")
        )
        XCTAssertEqual(again.user.uid, ann.uid)
    }
}
