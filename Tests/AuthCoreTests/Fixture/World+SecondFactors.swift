@testable import AuthCore
import AuthCoreCrypto
import AuthCoreTesting
import XCTest

/// Second factors, and what challenges for them.
extension World {
    var number: String { "+15550001234" }

    @discardableResult
    func enrollPhone(_ user: User, _ number: String? = nil, name: String? = nil) async throws -> SecondFactor.ID {
        let number = number ?? self.number
        let id = try await user.multiFactor.sendPhoneCode(to: number)
        try await user.multiFactor.enroll(
            phoneVerificationID: id,
            code: try newestCode(to: number),
            displayName: name
        )
        return try XCTUnwrap(user.multiFactor.enrolledFactors.last?.id)
    }

    @discardableResult
    func enrollTOTP(_ user: User) async throws -> MultiFactor.TOTPEnrollment {
        let enrollment = try await user.multiFactor.startTOTP(issuer: "Boats")
        try await user.multiFactor.enroll(enrollment, code: try totp(enrollment), displayName: "app")
        return enrollment
    }

    /// What the authenticator app shows, so many steps from now.
    func totp(_ enrollment: MultiFactor.TOTPEnrollment, steps: Int = 0) throws -> String {
        let code = TimeBasedCode()
        let step = Int(code.step(at: clock.timestamp.seconds)) + steps
        return code.code(forStep: UInt64(step), secret: try XCTUnwrap(Base32.decode(enrollment.sharedSecret)))
    }

    /// The challenge that a sign-in or a change meets.
    func challenge(
        file: StaticString = #filePath,
        line: UInt = #line,
        _ act: () async throws -> some Any
    ) async throws -> SecondFactor.Challenge {
        let error = try await refusal(.secondFactorRequired, .secondFactorIsRequired, file: file, line: line, act)
        return try XCTUnwrap(error.secondFactor, file: file, line: line)
    }

    func passwordChallenge(in auth: Auth) async throws -> SecondFactor.Challenge {
        try await challenge { try await auth.signIn(with: Self.annsPassword) }
    }

    /// An answer by the digits that are sent to the first phone factor of the challenge.
    func phoneAnswer(_ challenge: SecondFactor.Challenge, from auth: Auth) async throws -> SecondFactor.Assertion {
        let hint = try XCTUnwrap(challenge.hints.first { $0.kind == .phone })
        let id = try await auth.sendPhoneCode(for: challenge, factor: hint.id)
        return .phone(verificationID: id, code: try newestCode(to: number))
    }
}
