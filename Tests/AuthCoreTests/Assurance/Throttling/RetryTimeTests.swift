import AuthCoreTesting
import XCTest

@testable import AuthCore

/// A limit says from when on it allows the next attempt, to those whom it refuses, and as precisely as it is kept.
final class RetryTimeTests: LimitedTestCase {
    private let world = World(.standard)

    /// The time that the limit says; nil if it says none, or if the attempt is not refused by a limit.
    private func retryTime(of act: () async throws -> some Any) async throws -> Date? {
        let error = await authError(from: act)
        XCTAssertEqual(error?.code, .tooManyRequests, "the attempt is refused by a limit")
        return error?.retryAt
    }

    private func guess(_ email: String = "ann@example.com") async -> AuthError? {
        await authError { try await world.stranger(0).signIn(with: .password(email: email, password: "wrong word")) }
    }

    func testAPasswordIsComparedFromTheTimeThatTheErrorSays() async throws {
        try await world.signUpVerifiedAnn()
        for _ in 0..<5 {
            let wrong = await guess()
            XCTAssertEqual(wrong?.code, .invalidCredential, "a free guess")
            XCTAssertNil(wrong?.retryAt, "a wrong password may be followed by another at once")
        }
        for wait in [1, 2, 4] as [Double] {
            let refused = await guess()
            XCTAssertEqual(refused?.retryAt, world.clock.now.addingTimeInterval(wait), "after \(wait) s")
            let time = try XCTUnwrap(refused?.retryAt)
            world.clock.advance(by: .seconds(time.timeIntervalSince(world.clock.now) - 0.001))
            let early = await guess()
            XCTAssertEqual(early?.code, .tooManyRequests, "a millisecond before it")
            XCTAssertEqual(early?.retryAt, time, "the same time")
            world.clock.advance(by: .milliseconds(1))
            let next = await guess()
            XCTAssertEqual(next?.code, .invalidCredential, "the password is compared at that time")
        }
    }

    /// Otherwise the time would tell whether the address has an account.
    func testTheTimeIsTheSameForAnAddressWithoutAnAccount() async throws {
        try await world.signUpVerifiedAnn()
        var times: [Date?] = []
        for email in ["ann@example.com", "ben@example.com"] {
            for _ in 0..<5 { _ = await guess(email) }
            times.append(
                try await retryTime {
                    try await world.stranger(1).signIn(with: .password(email: email, password: "wrong word"))
                }
            )
        }
        XCTAssertNotNil(times[0], "the limit says a time")
        XCTAssertEqual(times[0], times[1], "the times of an address with an account and of one without")
    }

    func testAMailIsSentFromTheTimeThatTheErrorSays() async throws {
        try await world.signUpVerifiedAnn()
        let first = world.clock.now
        for number in 0..<5 {
            try await world.stranger(number).sendPasswordReset(to: "ann@example.com")
            world.clock.advance(by: .seconds(1000 / 5))
        }
        let time = try await retryTime { try await world.stranger(9).sendPasswordReset(to: "ann@example.com") }
        let unwrapped = try XCTUnwrap(time)
        XCTAssertGreaterThanOrEqual(unwrapped, first.addingTimeInterval(3600), "an hour after the first mail")
        world.clock.advance(by: .seconds(unwrapped.timeIntervalSince(world.clock.now) - 0.001))
        _ = try await retryTime { try await world.stranger(9).sendPasswordReset(to: "ann@example.com") }
        world.clock.advance(by: .milliseconds(1))
        try await world.stranger(9).sendPasswordReset(to: "ann@example.com")
    }

    func testAConflictThatIsOverAfterWrongAnswersSaysNoTime() async throws {
        try await world.signUpVerifiedAnn()
        let auth = world.device("tablet")
        let conflict = try await world.conflict { try await auth.signIn(with: world.facebook()) }
        for word in 1...5 {
            await assertThrows(.invalidCredential, "a wrong answer") {
                try await auth.resolve(
                    conflict,
                    signingInWith: .password(email: "ann@example.com", password: "wrong word \(word)")
                )
            }
        }
        let time = try await retryTime { try await auth.resolve(conflict, signingInWith: World.annsPassword) }
        XCTAssertNil(time, "waiting does not help: the person begins again")
    }

    /// The limit of the number, which counts beside that of the digits, would allow more guesses at once.
    func testDigitsThatAreOverAfterWrongGuessesSayNoTime() async throws {
        let client = world.stranger()
        let id = try await client.sendPhoneCode(to: world.number)
        for _ in 0..<5 {
            await assertThrows(.invalidVerificationCode, "a wrong guess") {
                try await client.signIn(with: .phone(verificationID: id, code: "no"))
            }
        }
        let right = try world.newestCode(to: world.number)
        let time = try await retryTime { try await client.signIn(with: .phone(verificationID: id, code: right)) }
        XCTAssertNil(time, "waiting does not help: the digits are over, and the person asks for others")
    }

    func testAResetCodeThatIsOverAfterTooManyPasswordsSaysNoTime() async throws {
        try await world.signUpVerifiedAnn()
        try await world.stranger().sendPasswordReset(to: "ann@example.com")
        let code = try world.code(.resetPassword, to: "ann@example.com")
        for _ in 0..<20 {
            await assertThrows(.weakPassword, "a password that is not accepted") {
                try await world.stranger().confirmPasswordReset(code: code, newPassword: "short")
            }
        }
        let time = try await retryTime {
            try await world.stranger().confirmPasswordReset(code: code, newPassword: "a fresh new word")
        }
        XCTAssertNil(time, "the code is over before its count is: the person asks for another mail")
    }

    func testASideOfAMergeSaysTheTimeOfItsOwnLimit() async throws {
        try await world.signUpVerifiedAnn()
        let gitHub = Merge.Side.verified(try await world.device().client.verify(world.gitHub(.eve)))
        _ = try await world.device().signIn(with: world.gitHub(.eve))
        for _ in 0..<5 { _ = await guess() }
        let client = world.stranger(3)
        let time = try await retryTime {
            let ann = try await client.verify(.password(email: "ann@example.com", password: "wrong word"))
            return try await client.previewMerge(.verified(ann), into: gitHub)
        }
        XCTAssertEqual(time, world.clock.now.addingTimeInterval(1), "the time of the password's limit")
    }
}
