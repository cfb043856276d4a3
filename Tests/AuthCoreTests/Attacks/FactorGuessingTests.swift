@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S31: who knows the password guesses at the factor no faster by signing in again.
final class FactorGuessingTests: AttackTestCase {
    private func wrong(_ enrollment: TOTPEnrollment) throws -> String {
        let right = try (-1...1).map { try totp(enrollment, steps: $0) }
        return ["000000", "111111", "222222", "333333"].first { !right.contains($0) } ?? "444444"
    }

    func testS31_AFreshChallengeDoesNotMakeGuessingFree() async throws {
        let ann = try await signUpProvenAnn()
        let enrollment = try await enrollTOTP(ann)
        clock.advance(by: 60)
        let known = try await passwordChallenge(in: seat())
        try await seat().resolve(known, with: .totp(totp(enrollment)))
        clock.advance(by: 60)
        var waited = false
        for round in 0..<20 where !waited {
            let auth = seat("eve \(round)")
            let challenge = try await passwordChallenge(in: auth)
            for _ in 0..<4 where !waited {
                let error = await authError { try await auth.resolve(challenge, with: .totp(wrong(enrollment))) }
                waited = error?.code == .tooManyRequests
            }
        }
        XCTAssertTrue(waited, "eighty guesses at one factor cost nothing")
        // Whoever has shown the factor here before is not shut out.
        let auth = seat()
        let challenge = try await passwordChallenge(in: auth)
        try await auth.resolve(challenge, with: .totp(totp(enrollment)))
    }

    func testS31_AFewWrongAnswersStopNobody() async throws {
        let ann = try await signUpProvenAnn()
        let enrollment = try await enrollTOTP(ann)
        clock.advance(by: 60)
        let auth = seat("new phone")
        let first = try await passwordChallenge(in: auth)
        for _ in 0..<5 {
            try await refusal(.invalidVerificationCode) {
                try await auth.resolve(first, with: .totp(wrong(enrollment)))
            }
        }
        let second = try await passwordChallenge(in: auth)
        try await auth.resolve(second, with: .totp(totp(enrollment)))
    }
}
